"""Shell text inside files: CI steps, Dockerfile RUN, recipes, hooks, scripts of packages.

Only lines that can do more than building and testing are handed on: judging every `npm ci` of a
pipeline as if it ran here would be noise.

    embedded_shell("test:\\n\\tsudo rm -rf /opt/x\\n", FileKind.BUILD) == ("sudo rm -rf /opt/x",)
"""

from __future__ import annotations

import json
from shlex import quote

import re2

from signoff.actions.contents.makefiles import shell_line, variables_of
from signoff.actions.contents.packages import scripts_in
from signoff.actions.contents.programs import quoted_shell
from signoff.actions.contents.schedules import scheduled_lines
from signoff.actions.known.shell_lines import UNREAD_LINES
from signoff.actions.operation import FileKind
from signoff.actions.vocabulary import lazy_re2

MOST_LINES = 50
MOST_LOOKS = 2_000
LONGEST_LINE = 4_000
MAX_TEXT = 4_000_000

_STARTS = frozenset({FileKind.GIT_HOOK, FileKind.SHELL_STARTUP, FileKind.SCHEDULE})
# What changes rights and protections; users and capabilities of an image are its own.
_USERS = r"setcap|useradd|usermod|"
_RIGHTS = (
    r"setenforce|iptables|nft|ufw|firewall-cmd|pfctl|csrutil|spctl|auditctl|chattr|authorizationdb|"
)
_OWN_NAME = r"|(?m:^|[\s\"'/;&|=])signoff\b"  # and not `git commit --signoff`
# What an ordinary build does not do.
_SERIOUS = (
    r"dd|mkfs\S*|shred|sudo|doas|nc|ncat|socat|ssh|eval|openssl\s+enc|crontab|"
    r"visudo|insmod|nsenter|git\s+push|npm\s+publish|twine\s+upload|"
    r"terraform\s+destroy|kubectl\s+delete)\b|/dev/tcp/|\b(?:nslookup|k?dig|drill)\s[^\n]*\$[({]"
    r"|\brm[ \t]+(?:-\w+[ \t]+)+(?:[\w.*/-]+[ \t]+)*[\"']?(?:/|~|\$)"
)
_IN_IMAGE = lazy_re2(rf"(?i)\b(?:{_RIGHTS}{_SERIOUS}{_OWN_NAME}")
_IN_BUILDS = lazy_re2(rf"(?i)\b(?:{_USERS}{_RIGHTS}{_SERIOUS}{_OWN_NAME}")
_SERIOUS_IN = {FileKind.CONTAINER: _IN_IMAGE, FileKind.CI: _IN_BUILDS}
_IN_START_UP = lazy_re2(
    r"(?i)\b(?:"
    + _USERS
    + _RIGHTS
    + r"pkill|killall|rm|dd|mkfs\S*|shred|sudo|doas|chmod|chown|nc|ncat|socat|ssh|scp|rsync|base64|"
    r"xxd|openssl|curl|wget|crontab|systemctl|launchctl|git\s+push|"
    r"kubectl|aws|gcloud|terraform|npm\s+publish)\b|/dev/tcp/|\beval\s|\s-[ce]\s" + _OWN_NAME
)
_EDITOR_COMMAND = lazy_re2(
    r"(?i)\"(?:command|(?:initialize|on_?create|update_?content|post_?create|post_?start"
    r"|post_?attach)_?command)\"\s*:\s*\"((?:[^\"\\]|\\.)*)\""
    r"(?:\s*,\s*\"args\"\s*:\s*\[([^\]]*)\])?"
)
# In commands and skills of Claude Code and OpenCode, and in those of Gemini.
_AGENT_LINE = lazy_re2(r"!`([^`\n]+)`|!\{([^}\n]+)\}")
_AGENT_HOOK = lazy_re2(r"(?m)^\s*(?:-\s+)?command\s*:\s*([^\n]+)$")
_WORKSPACE = lazy_re2(r"\$\{(?:workspace(?:Folder|Root)\w*|workspaceFolderBasename)\}")
_NOTEBOOK = lazy_re2(r"(?m)^[ \t]*!{1,2}[ \t]*([a-z~./][^\n]*)$|^%%(?:bash|sh)\b[^\n]*\n")
_GENERATE = lazy_re2(r"(?m)^//go:generate[ \t]+([^\n]+)")
# `RUN ...`, `- run: ...`, `script: ...`, a recipe's tab and its marks.
_LEAD = lazy_re2(
    r"(?i)^(?:\s*(?:-\s+)?(?:run|script|command|cmd|entrypoint|before_script|after_script)\b\s*:?\s*"
    # Of an image: mounts, and what the build may reach.
    r"(?:(?:\s*--(?:mount|network|security)=\S+)+\s|\|[-+]?|>[-+]?)?|\s*-\s+|\t[@+-]*"
    # systemd.service(5): marks say with whose rights a line of a unit runs.
    r"|\s*Exec(?:(?:Start|Stop)(?:Pre|Post)?|Reload|Condition)?\s*=\s*[-@:+!|]*)"
)


def embedded_shell(content: str, kind: FileKind) -> tuple[str, ...]:
    """Return the shell lines inside a file of this kind that are worth judging."""
    if len(content) > MAX_TEXT:
        return ()  # `content.added_operations` says that it is not understood
    if kind in _READERS:
        return (*_READERS[kind](content), *_in_quotes(content, kind))
    if kind is FileKind.SCHEDULE:
        return (*scheduled_lines(content), *_telling(content, _IN_START_UP))
    if kind in _STARTS:
        return _telling(content, _IN_START_UP)
    if kind is FileKind.BUILD:  # recipes; in other build files words of the shell are names
        return (*_recipes(content), *_in_quotes(content, kind))
    pattern = _SERIOUS_IN.get(kind)
    lines = _telling(content, pattern) if pattern is not None else ()
    return (*lines, *_in_quotes(content, kind))


def _recipes(content: str) -> tuple[str, ...]:
    """Lines of recipes, as make hands them to the shell."""
    lines = tuple(dict.fromkeys(_telling(content, _IN_BUILDS, start="\t")))
    if not any(["$" in line for line in lines]):
        return lines
    variables = variables_of(content)
    return tuple([line if line == UNREAD_LINES else shell_line(line, variables) for line in lines])


def _in_quotes(content: str, kind: FileKind) -> tuple[str, ...]:
    """Literal lines behind a shell, in build files of languages that are not read: `sh 'line'`."""
    if kind not in (FileKind.BUILD, FileKind.MANIFEST, FileKind.CI):
        return ()
    return tuple(line for line in quoted_shell(content) if _IN_BUILDS.search(line))


def _editor_commands(content: str) -> tuple[str, ...]:
    """Commands of an editor's tasks, launchers and development containers."""
    found = [_command_line(*match.groups()) for match in _EDITOR_COMMAND.finditer(content)]
    # The folder the editor has open: the project.
    lines = tuple(_WORKSPACE.sub(".", line) for line in found[:MOST_LINES])
    return (*lines, UNREAD_LINES) if len(found) > MOST_LINES else lines


def _command_line(command: str, arguments: str | None) -> str:
    """The line that an editor runs for a command and the list of its arguments, as JSON text."""
    try:
        given = json.loads(f"[{arguments or ''}]")
        words = [quote(word if isinstance(word, str) else word["value"]) for word in given]
        return " ".join([json.loads(f'"{command}"'), *words])
    except (ValueError, TypeError, KeyError):
        return f"{command} {arguments or ''}"


def _script_lines(content: str) -> tuple[str, ...]:
    """Scripts of a package's manifest."""
    scripts = scripts_in(content).values()
    return tuple(text for text in scripts if _IN_START_UP.search(text))[:MOST_LINES]


def _source_lines(content: str) -> tuple[str, ...]:
    """Lines in a source that a shell or `go generate` runs."""
    if "//go:generate" not in content:
        return _notebook_lines(content)
    found = (match.group(1) for match in _GENERATE.finditer(content))
    return (*_notebook_lines(content), *(x for x in found if _IN_START_UP.search(x)))[:MOST_LINES]


def _notebook_lines(content: str) -> tuple[str, ...]:
    """Lines that a notebook hands to the shell."""
    if "!" not in content and "%%" not in content:
        return ()
    # A cell of a notebook that is a shell script as a whole (IPython manual).
    if content.startswith(("%%bash", "%%sh")):
        return _telling(content.partition("\n")[2], _IN_START_UP)
    lines = (match.group(1) or "" for match in _NOTEBOOK.finditer(content))
    return tuple(line for line in lines if _IN_START_UP.search(line))[:MOST_LINES]


def _telling(content: str, pattern: re2._Regexp[str], *, start: str = "") -> tuple[str, ...]:
    """The lines in which the pattern is found, comments left out."""
    # A backslash joins lines, as the shell does: `rm -rf \` and `/` would each look harmless.
    data = content.replace("\\\n", " ").encode("utf-8", "replace")
    found: list[str] = []
    done = 0
    for _ in range(MOST_LOOKS):
        match = pattern.search(data, done)
        # Nothing more is found: the whole text was read.
        if match is None:
            return tuple(found)
        begin = data.rfind(b"\n", 0, match.start()) + 1
        end = data.find(b"\n", match.end())
        done = end if end >= 0 else len(data)
        line = data[begin : min(done, begin + 4 * LONGEST_LINE)].decode("utf-8", "replace")
        # make takes a line for a recipe only behind a tab.
        if line.startswith(start) and not line.lstrip().startswith("#"):
            if len(found) >= MOST_LINES or len(line) > LONGEST_LINE:
                break
            found.append(_LEAD.sub("", line).strip())
    return (*found, UNREAD_LINES)


def _agent_lines(content: str) -> tuple[str, ...]:
    """Lines that a host runs with a command, skill or sub-agent, and asks no hook about."""
    found = [next(filter(None, match.groups()), "") for match in _AGENT_LINE.finditer(content)]
    head = content.split("\n---", 1)[0] if content.startswith("---") else ""
    if "hooks:" in head:
        found += [match.group(1).strip().strip("\"'") for match in _AGENT_HOOK.finditer(head)]
    lines = tuple([line for line in found if _IN_START_UP.search(line)])
    return (*lines[:MOST_LINES], UNREAD_LINES) if len(lines) > MOST_LINES else lines


_READERS = {
    FileKind.AGENT_NOTES: _agent_lines,
    FileKind.SOURCE: _source_lines,
    FileKind.MANIFEST: _script_lines,
    FileKind.EDITOR_CONFIG: _editor_commands,
}
