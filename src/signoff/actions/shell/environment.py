"""Variables that change what later programs do: what an assignment comes down to.

`LD_PRELOAD`, `PATH`, `GIT_SSH_COMMAND` and their like turn an allowed program into another one
(threats.md T-14). A value that is a plain viewer or a folder of the project is ordinary use.
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import Operation, Reach, Thing, Trait, Verb
from signoff.actions.paths import locate
from signoff.actions.place import Place
from signoff.actions.programs.acts import Effect, Nested
from signoff.actions.shell.command import Command, Word

LOADS_CODE = frozenset(
    {
        "LD_PRELOAD",
        "LD_AUDIT",
        "DYLD_INSERT_LIBRARIES",
        "BASH_ENV",
        "ENV",
        "ZDOTDIR",
        "PYTHONSTARTUP",
        "PYTHONHOME",
        "PYTHONINSPECT",
        "PERL5OPT",
        "PERL5DB",
        "RUBYOPT",
        "JAVA_TOOL_OPTIONS",
        "_JAVA_OPTIONS",
        "GIT_EXEC_PATH",
        "GIT_TEMPLATE_DIR",
        "GIT_CONFIG",
        "GIT_CONFIG_GLOBAL",
        "GIT_CONFIG_SYSTEM",
        "GIT_CONFIG_PARAMETERS",
        "SHELLOPTS",
        "BASHOPTS",
        "GLIBC_TUNABLES",
        "LD_CONFIG",
        "GCONV_PATH",
    }
)
SEARCH_PATHS = frozenset(
    {
        "PATH",
        "LD_LIBRARY_PATH",
        "DYLD_LIBRARY_PATH",
        "PYTHONPATH",
        "PERL5LIB",
        "PERLLIB",
        "RUBYLIB",
        "NODE_PATH",
        "CLASSPATH",
        "GOPATH",
        "CDPATH",
        "CODEX_HOME",
        "CLAUDE_CONFIG_DIR",
        "XDG_CONFIG_HOME",
        "HOME",
    }
)
RUN_AS_COMMANDS = frozenset(
    {
        "PROMPT_COMMAND",
        "PAGER",
        "GIT_PAGER",
        "MANPAGER",
        "EDITOR",
        "VISUAL",
        "GIT_EDITOR",
        "GIT_SEQUENCE_EDITOR",
        "GIT_SSH_COMMAND",
        "GIT_SSH",
        "GIT_PROXY_COMMAND",
        "GIT_EXTERNAL_DIFF",
        "GIT_ASKPASS",
        "SSH_ASKPASS",
        "SUDO_ASKPASS",
        "LESSOPEN",
        "LESSCLOSE",
        "BROWSER",
        "RSYNC_RSH",
        "CVS_RSH",
        "PS1",
        "PS4",
        "TAR_OPTIONS",
        "FZF_DEFAULT_COMMAND",
    }
)
WEAKENING = {
    "NODE_TLS_REJECT_UNAUTHORIZED": ("0",),
    "PYTHONHTTPSVERIFY": ("0",),
    "GIT_SSL_NO_VERIFY": ("1", "true"),
    "CURL_INSECURE": ("1",),
}
BLINDING = {"HISTFILE": ("", "/dev/null"), "HISTSIZE": ("0",), "HISTFILESIZE": ("0",)}
REDIRECTING = frozenset({"ANTHROPIC_BASE_URL", "OPENAI_BASE_URL", "OPENAI_API_BASE"})
PLAIN_PROGRAMS = frozenset(
    "cat less more true false : vim vi nano emacs code ssh echo bat delta most head tail".split()
)
GUARD_PREFIXES = ("SIGNOFF_", "GUARD_")
INJECTING_OPTIONS = ("--require", "-r", "--import", "--loader", "--experimental-loader")


def environment_effects(command: Command, place: Place) -> Iterator[Effect]:
    """Say what the assignments of one command change."""
    for name, value in command.assignments:
        yield from _assignment(name, value, command, place)


def _assignment(name: str, value: Word, command: Command, place: Place) -> Iterator[Effect]:
    text = value.text
    if name in LOADS_CODE or (name == "NODE_OPTIONS" and _injects(text)):
        yield _poison(name, value, command, "makes every later program load other code")
    elif name in SEARCH_PATHS:
        if not _is_ordinary_search_path(name, value, place):
            yield _poison(name, value, command, "changes where programs are looked for")
    elif name in RUN_AS_COMMANDS:
        if text.split(" ", 1)[0].rsplit("/", 1)[-1] not in PLAIN_PROGRAMS or not value.is_known:
            yield _poison(name, value, command, "names a program that others will run")
            yield Nested(text=text, language="shell", carrier=name, is_known=value.is_known)
    elif text in WEAKENING.get(name, ()):
        yield _setting(name, value, command, Trait.WEAKENS)
    elif text in BLINDING.get(name, ()):
        yield _setting(name, value, command, Trait.BLINDS)
    elif name in REDIRECTING or name.startswith(GUARD_PREFIXES):
        yield _poison(name, value, command, "steers the agent or its guard")


def _injects(text: str) -> bool:
    return any(part.split("=", 1)[0] in INJECTING_OPTIONS for part in text.split())


def _is_ordinary_search_path(name: str, value: Word, place: Place) -> bool:
    """Whether only system folders, folders of the project or the old value are searched."""
    if name in {"CODEX_HOME", "CLAUDE_CONFIG_DIR", "CDPATH"}:
        return False
    separator = ";" if ";" in value.text else ":"
    for part in value.raw.strip("\"'").split(separator) if not value.is_known else ():
        if part.startswith(("$" + name, "${" + name)):
            continue
        if "$" in part and not part.startswith(("$HOME/", "${HOME}/", "$PWD", "${PWD}", "$(pwd)")):
            return False
    for part in value.text.split(separator):
        if "\ufffd" in part or not part:
            continue
        at = locate(part, place)
        if name in {"PATH", "LD_LIBRARY_PATH", "HOME"} and at.reach is Reach.TEMP:
            return False
        if name == "PATH" and part in {".", "./"}:
            return False
        if at.reach in {Reach.UNKNOWN, Reach.GUARD}:
            return False
        if name == "PYTHONPATH" and at.reach is Reach.TEMP:
            return False
    return True


def _poison(name: str, value: Word, command: Command, why: str) -> Operation:
    return Operation(
        verb=Verb.CONFIGURE,
        thing=Thing.SETTING,
        target=f"{name}={value.raw or value.text}"[:200],
        reach=Reach.PROJECT,
        traits=frozenset({Trait.ENVIRONMENT}),
        program="environment",
        source=command.source,
        carriers=command.carriers,
        why=why,
        group=command.index,
    )


def _setting(name: str, value: Word, command: Command, trait: Trait) -> Operation:
    return Operation(
        verb=Verb.CONFIGURE,
        thing=Thing.PROTECTION,
        target=f"{name}={value.text}",
        reach=Reach.PROJECT,
        traits=frozenset({trait}),
        program="environment",
        source=command.source,
        carriers=command.carriers,
        group=command.index,
    )
