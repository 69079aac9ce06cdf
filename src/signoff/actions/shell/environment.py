"""Variables that change what later programs do: what an assignment does.

`LD_PRELOAD`, `PATH`, `GIT_SSH_COMMAND` and their like turn an allowed program into another one
(threats.md T-14). A value that is a plain viewer or a folder of the project is ordinary use.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from signoff.actions.known.shell_lines import starts_as_line
from signoff.actions.operation import Operation, Reach, ResourceType, Trait, Verb
from signoff.actions.paths import locate
from signoff.actions.place import Place
from signoff.actions.programs.acts import Effect, Nested
from signoff.actions.programs.dev.variables import Steering, steering
from signoff.actions.programs.handed_over.variables import (
    EDITOR_NAMES,
    code_of,
    is_plain_program,
    loads_foreign_code,
    names_command,
)
from signoff.actions.shell.command import Command, Word
from signoff.actions.shell.machine.own_programs import GUARDED_PROGRAMS
from signoff.actions.shell.tool_folders import is_empty_home, names_tool_folder, tells_folder
from signoff.actions.shell.words.made_names import FILLED_IN
from signoff.actions.urls import is_near_url
from signoff.actions.vocabulary import words
from signoff.values import replace

LOADS_CODE = words(
    "LD_PRELOAD LD_AUDIT DYLD_INSERT_LIBRARIES BASH_ENV ENV ZDOTDIR PYTHONSTARTUP PYTHONHOME "
    "PYTHONINSPECT PERL5OPT PERL5DB RUBYOPT JAVA_TOOL_OPTIONS _JAVA_OPTIONS GIT_EXEC_PATH "
    "GIT_TEMPLATE_DIR GIT_CONFIG GIT_CONFIG_GLOBAL GIT_CONFIG_SYSTEM GIT_CONFIG_PARAMETERS "
    "SHELLOPTS BASHOPTS GLIBC_TUNABLES LD_CONFIG GCONV_PATH"
)
# An agent that is started with its settings elsewhere has no hook there.
MOVES_SETTINGS = words(
    "CODEX_HOME CLAUDE_CONFIG_DIR COPILOT_HOME CURSOR_CONFIG_DIR GEMINI_CLI_HOME CDPATH"
)
MOVES_ALL_SETTINGS = "XDG_CONFIG_HOME"  # of every program, agents among them
# CWE-427: what is looked for by its name alone is taken from the first of these folders.
SEARCH_PATHS = MOVES_SETTINGS | words(
    "PATH LD_LIBRARY_PATH DYLD_LIBRARY_PATH PYTHONPATH PERL5LIB PERLLIB RUBYLIB NODE_PATH "
    "CLASSPATH GOPATH XDG_CONFIG_HOME HOME"
)
RUN_AS_COMMANDS = words(
    "PROMPT_COMMAND PAGER GIT_PAGER MANPAGER EDITOR VISUAL GIT_EDITOR GIT_SEQUENCE_EDITOR "
    "GIT_SSH_COMMAND GIT_SSH GIT_PROXY_COMMAND GIT_EXTERNAL_DIFF GIT_ASKPASS SSH_ASKPASS "
    "SUDO_ASKPASS LESSOPEN LESSCLOSE BROWSER RSYNC_RSH CVS_RSH TAR_OPTIONS FZF_DEFAULT_COMMAND"
)
UNKNOWN = "\ufffd"
# For these a temporary folder is not ordinary either: any program may have put code there.
RUNS_FROM = frozenset({"PATH", "LD_LIBRARY_PATH", "HOME", "PYTHONPATH"})
_PWD = re.compile(r"\$\(pwd\b|`pwd\b|\$\{?PWD\b")
WEAKENING = {
    "NODE_TLS_REJECT_UNAUTHORIZED": ("0",),
    "PYTHONHTTPSVERIFY": ("0",),
    "GIT_SSL_NO_VERIFY": ("1", "true"),
    "CURL_INSECURE": ("1",),
}
# MITRE ATT&CK T1562.003: what runs is kept out of the shell's history.
BLINDING = {"HISTFILE": ("", "/dev/null"), "HISTSIZE": ("0",), "HISTFILESIZE": ("0",)}
# The agent's own model answers at these addresses; another one could tell it anything.
REDIRECTING = frozenset({"ANTHROPIC_BASE_URL", "OPENAI_BASE_URL", "OPENAI_API_BASE"})
PROMPTS = frozenset({"PS0", "PS1", "PS2", "PS4"})
WORK_TREE = "GIT_WORK_TREE"  # where git writes its files
GUARD_PREFIXES = ("SIGNOFF_", "GUARD_", "GIT_CONFIG_")
NOTHING_RUN = frozenset({"", "/dev/null", "none"})  # what an emptied variable is set to
PROXIES = words("http_proxy https_proxy all_proxy HTTP_PROXY HTTPS_PROXY ALL_PROXY")
CERTIFICATE_MAKERS = words("openssl mkcert minica certtool cfssl step keytool")
MADE_BY = ("-out", "-cert-file", "--outfile", "-o")
WITH_CERTIFICATES = CERTIFICATE_MAKERS | words("chmod rm ls cat")
TRUST_STORES = words(
    "SSL_CERT_FILE SSL_CERT_DIR REQUESTS_CA_BUNDLE CURL_CA_BUNDLE NODE_EXTRA_CA_CERTS "
    "GIT_SSL_CAINFO"
)
# `NODE_OPTIONS="--require ./x.js"` runs x.js in every later node; `--max-old-space-size` does
# not.
INJECTING_OPTIONS = ("--require", "-r", "--import", "--loader", "--experimental-loader")


SHADOWERS = frozenset({"alias", "function", "hash"})
SETTERS = SHADOWERS | {"set", "unset"}  # without an assignment, only these change variables


def environment_effects(
    command: Command, place: Place, commands: Sequence[Command] = ()
) -> Iterator[Effect]:
    """Yield the effects of a command's assignments and of `unset`.

    Args:
        commands: the whole line, for substitutions in values.
    """
    for name, value in command.assignments:
        yield from _assigned(name, value, command, place, commands)
    if command.program == "unset":
        for word in command.words[1:]:
            if word.text in BLINDING:
                yield _setting(word.text, Word(text=""), command, Trait.BLINDS)
    elif command.program in SHADOWERS:
        yield from _shadowed(command)
    elif command.program == "set" and _pairs_with(command, "+o", "history"):
        yield _setting("history", Word(text="off"), command, Trait.BLINDS)


def _assigned(
    name: str, value: Word, command: Command, place: Place, commands: Sequence[Command]
) -> Iterable[Effect]:
    if name in SEARCH_PATHS and _is_ordinary_search_path(name, value, place, commands):
        if not command.cwd and _PWD.search(value.raw):
            return (_poison(name, value, command, "changes where programs are looked for"),)
        foreign = loads_foreign_code(name, value.text, place)
        return (_unread(name, value, command),) if foreign else ()
    if name in TRUST_STORES and _is_made_here(value, commands):
        return ()
    return _assignment(name, value, command, place)


def _is_made_here(value: Word, commands: Sequence[Command]) -> bool:
    """Whether the line itself makes this certificate, for its own server, and only that."""
    naming = [one for one in commands if any(word.text == value.text for word in one.words)]
    makers = [one for one in naming if one.program in CERTIFICATE_MAKERS]
    is_written = any(_pairs_with(one, option, value.text) for one in makers for option in MADE_BY)
    written = any(to.target.text == value.text for one in commands for to in one.redirects)
    return is_written and not written and {one.program for one in naming} <= WITH_CERTIFICATES


def _shadowed(command: Command) -> Iterator[Effect]:
    """An alias or function called like the guard or an agent's program takes its place."""
    for word in command.words[1:]:
        name = word.text.partition("=")[0]
        is_placed = command.program == "hash" and command.words[1].text == "-p"
        is_named = is_placed or name != word.text or command.program == "function"
        if name in GUARDED_PROGRAMS and is_named:
            yield Operation(
                verb=Verb.CONFIGURE,
                thing=ResourceType.GUARD,
                target=word.text[:200],
                reach=Reach.GUARD,
                traits=frozenset({Trait.WEAKENS}),
                reversible=False,
                program=command.program,
                source=command.source,
                carriers=command.carriers,
                group=command.index,
            )


def _pairs_with(command: Command, option: str, value: str) -> bool:
    texts = [word.text for word in command.words]
    return (option, value) in pairwise(texts)


def _assignment(name: str, value: Word, command: Command, place: Place) -> Iterator[Effect]:
    text = value.text
    # `GIT_PAGER= git log` and `BASH_ENV=/dev/null` switch something off; nothing runs by them.
    if value.is_known and text in NOTHING_RUN and name in LOADS_CODE | RUN_AS_COMMANDS:
        return
    if name in LOADS_CODE or (name == "NODE_OPTIONS" and _injects(text)):
        yield _poison(name, value, command, "makes every later program load other code")
    elif (
        name in REDIRECTING
        or name.startswith(GUARD_PREFIXES)
        or (name == WORK_TREE and locate(text, place).reach is Reach.GUARD)
    ):
        yield _poison(name, value, command, "steers the agent or its guard")
    elif name in SEARCH_PATHS:
        poison = _poison(name, value, command, "changes where programs are looked for")
        yield _as_unknown(poison) if _is_doubtful(name, value, place) else poison
    elif name in RUN_AS_COMMANDS | PROMPTS:
        yield from _line_of(name, value, command)
    elif _moves_trust(name, text) or text in WEAKENING.get(name, ()):
        yield _setting(name, value, command, Trait.WEAKENS)
    elif text in BLINDING.get(name, ()):
        yield _setting(name, value, command, Trait.BLINDS)
    else:
        yield from _handed(name, value, command, place)


def _line_of(name: str, value: Word, command: Command) -> Iterator[Effect]:
    """A line that other programs run, and a prompt with the substitutions in it."""
    text, is_known = value.text, value.is_known
    if name in PROMPTS:
        if "$(" in text or "`" in text:
            # A prompt is expanded and then shown: behind `:` only its substitutions count.
            yield Nested(text=f": {text}", language="shell", carrier=name, is_known=is_known)
        return
    is_plain = is_known and is_plain_program(text, edits=name in EDITOR_NAMES)
    if not is_plain:
        yield _poison(name, value, command, "names a program that others will run")
    if " " in text or not is_plain:
        yield Nested(text=text, language="shell", carrier=name, is_known=is_known)


def _handed(name: str, value: Word, command: Command, place: Place) -> Iterator[Effect]:
    """Variables that name a file of code, code itself, or a command line."""
    language = code_of(name, value.text)
    if value.text and loads_foreign_code(name, value.text, place):
        yield _unread(name, value, command)
    elif language:
        yield _poison(name, value, command, "is code that a program runs when it starts")
        yield Nested(text=value.text, language=language, carrier=name, is_known=value.is_known)
    elif value.is_known and names_command(name) and starts_as_line(value.text):
        yield Nested(text=value.text, language="shell", carrier=name)
    else:
        yield from _steered(name, value, command)


def _moves_trust(name: str, text: str) -> bool:
    """Whether traffic goes through somebody else, or other certificates are believed."""
    if name in PROXIES:
        # A proxy on this machine sends nothing to somebody else by itself.
        return bool(text) and not is_near_url(text)
    return name in TRUST_STORES and text.startswith(("/tmp", "/var/tmp", "http"))  # noqa: S108 - compared


def _steered(name: str, value: Word, command: Command) -> Iterator[Effect]:
    """Variables of development tools that run programs, move sources or weaken checks."""
    match steering(name, value.text):
        case Steering.RUNS:
            yield _poison(name, value, command, "names a program that every build runs")
        case Steering.SOURCE:
            yield replace(
                _setting(name, value, command, Trait.UNTRUSTED_SOURCE),
                verb=Verb.INSTALL,
                thing=ResourceType.PACKAGE,
            )
        case Steering.WEAKENS:
            yield _setting(name, value, command, Trait.WEAKENS)
        case None:
            return


def _injects(text: str) -> bool:
    return any(part.split("=", 1)[0] in INJECTING_OPTIONS for part in text.split())


def _is_ordinary_search_path(
    name: str, value: Word, place: Place, commands: Sequence[Command]
) -> bool:
    """Whether only folders of the system, tools, the project or the old value are searched."""
    if _moves_settings(name, commands):
        return False
    # `HOME=$(mktemp -d) npm ci`: no settings lie there that could steer the program.
    if name == "HOME" and is_empty_home(value, place, commands):
        return True
    if FILLED_IN in value.text:
        return False
    # Windows separates by `;`, as its drive letters have a colon.
    separator = ";" if ";" in value.text else ":"
    if not value.is_known and not _is_filled_ordinarily(name, value, separator, place, commands):
        return False
    return all(_is_ordinary_folder(name, part, place) for part in value.text.split(separator))


def _is_filled_ordinarily(
    name: str, value: Word, separator: str, place: Place, commands: Sequence[Command]
) -> bool:
    """Whether the unknown parts of a search path are its old value or folders of tools."""
    raw = value.raw.strip("\"'")
    if value.sources and tells_folder(value, commands, place):
        raw = _without_substitutions(raw)
    parts = raw.split(separator)
    # `PATH=/opt/x:$PATH` keeps the old value; another variable may hold any folder.
    held = value.text.split(separator)
    if len(held) == len(parts):
        # A part that is known is judged below by what it stands for.
        parts = [p for p, text in zip(parts, held, strict=True) if UNKNOWN in text]
    if not all(names_tool_folder(name, p, commands) for p in parts if "$" in p):
        return False
    # A folder told by a tool is ordinary as the start of a path: not `/tmp/$(...)`, nor a way
    # out.
    return not any(UNKNOWN in p and (".." in p or p[0] not in UNKNOWN + '"') for p in parts)


def _moves_settings(name: str, commands: Sequence[Command]) -> bool:
    """Whether an agent that reads the variable has its settings elsewhere, and so no hook."""
    # XDG_CONFIG_HOME is ordinary for other programs; an agent started so finds no hook (T-55).
    starts_agent = any(one.program in GUARDED_PROGRAMS for one in commands)
    return name in MOVES_SETTINGS or (name == MOVES_ALL_SETTINGS and starts_agent)


def _without_substitutions(raw: str) -> str:
    """A value with U+FFFD for each `$( )` and each pair of backticks."""
    made: list[str] = []
    at = 0
    while at < len(raw):
        end = -1
        if raw.startswith("$(", at):
            end = _closing(raw, at + 1)
        elif raw[at] == "`":
            end = raw.find("`", at + 1)
        if end > at:
            made.append(UNKNOWN)
            at = end + 1
        else:
            made.append(raw[at])
            at += 1
    return "".join(made)


def _closing(text: str, opening: int) -> int:
    """Index of the bracket that closes the one at `opening`, -1 for none; quotes are respected."""
    level, quote = 0, ""
    for at in range(opening, len(text)):
        char = text[at]
        if quote:
            quote = "" if char == quote else quote
        elif char in "'\"":
            quote = char
        elif char == "(":
            level += 1
        elif char == ")":
            level -= 1
            if level == 0:
                return at
    return -1


def _is_ordinary_folder(name: str, part: str, place: Place) -> bool:
    # An empty part of PATH is the folder in force (POSIX 8.3).
    if name == "PATH" and part in {"", ".", "./"}:
        return False
    if "\ufffd" in part or not part:
        return True
    reach = locate(part, place).reach
    if name in RUNS_FROM:
        return reach not in {Reach.UNKNOWN, Reach.GUARD, Reach.TEMP}
    return reach not in {Reach.UNKNOWN, Reach.GUARD}


def _is_doubtful(name: str, value: Word, place: Place) -> bool:
    """Whether a search path is strange only by what is unknown, or by what is tried last."""
    if name != "PATH" or FILLED_IN in value.text or value.sources or not value.text:
        return False
    parts = value.text.split(":")
    old = next((at for at, part in enumerate(parts) if UNKNOWN in part), len(parts))
    return all(
        at > old if part in {"", ".", "./"} else _is_ordinary_folder(name, part, place)
        for at, part in enumerate(parts)
    )


def _as_unknown(poison: Operation) -> Operation:
    """Return an unknown setting as one that is asked about, not denied."""
    return replace(poison, traits=frozenset({Trait.NAMED}), reach=Reach.UNKNOWN, understood=False)


def _unread(name: str, value: Word, command: Command) -> Operation:
    """A variable makes the program load code from where anybody may have put it."""
    return replace(
        _poison(name, value, command, f"`{name}` names code in a temporary folder"),
        verb=Verb.EXECUTE,
        thing=ResourceType.CODE,
        reach=Reach.UNKNOWN,
        traits=frozenset({Trait.NAMED}),
        reversible=False,
        understood=False,
    )


def _poison(name: str, value: Word, command: Command, why: str) -> Operation:
    return Operation(
        verb=Verb.CONFIGURE,
        thing=ResourceType.SETTING,
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
        thing=ResourceType.PROTECTION,
        target=f"{name}={value.text}",
        reach=Reach.PROJECT,
        traits=frozenset({trait}),
        program="environment",
        source=command.source,
        carriers=command.carriers,
        group=command.index,
    )
