"""Values of keys that some tool hands to a shell, in files of keys and values.

Steps of pipelines, tasks, jobs, units, hooks of containers, `shell_command` of home automations,
`runcmd` of new machines: the key says that its value is run, or that of the block it stands in.

    keyed_values("runcmd:\\n  - rm -rf /srv\\n")      (ScriptPart("shell", "rm -rf /srv"),)
    keyed_values("description: rm -rf /srv\\n")      ()
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from shlex import join

from signoff.actions.contents.scripts.part import POWERSHELL, SHELL, ScriptPart
from signoff.actions.vocabulary import lazy_re, lazy_re2, words

LINES_LIMIT = 5_000
MOST = 200
LONGEST = 8_000
_KEY = lazy_re(r"^(\s*(?:-\s+)*)[\"']?([\w.-]+)[\"']?\s*(?:[:=]|=>)(?:\s+|(?=[\"'|>\[])|$)(.*)$")
_UNIT = lazy_re(r"^(Exec(?:Start|Stop)?(?:Pre|Post)?|ExecReload|ExecCondition)=[-@:+!|]*(.+)$")
_RUN = words(
    "run script scripts before_script after_script command commands cmd cmds shell bash sh exec"
    " runcmd bootcmd shell_command shell_commands raw win_command script_content inline execute"
    " postcreatecommand poststartcommand onstart onstop prestop poststart before_install"
    " after_success after_failure before_deploy deploy_script pre_script post_script startup_script"
    " run_command start_command stop_command archive_command restore_command user_data"
    # What services run at a turn of their own: backups, tunnels, blocks, certificates, databases.
    " before_backup after_backup before_actions after_actions before_everything after_everything"
    " before_prune after_prune on_error run-before run-after run-after-fail run-finally"
    " preup postup predown postdown actionstart actionstop actionban actionunban actioncheck"
    " pre_hook post_hook renew_hook deploy_hook pre-hook post-hook renew-hook deploy-hook"
    " prebackup postbackup pre_backup post_backup notifycmd dhcp-script"
)
_STATES = words("cmd.run cmd.wait")  # of Salt: their `name` is the line
_POWERSHELL_KEYS = words("powershell pwsh win_shell win_powershell")
# Their values are lines by whatever names they have.
_MAPS = words("shell_command scripts tasks-scripts commands")
# Pipelines of Windows hand it over behind keys of any shell.
_POWERSHELL = lazy_re2(
    r"\$ErrorActionPreference|(?m:^\s*)(?:Set|Get|Remove|New|Add|Stop|Disable|Clear|Invoke)-[A-Z]\w+\s+[-$'\"A-Z]"
)
# HCL: a text up to a word. Nix: a text up to two quotes, with programs by paths of packages.
_HEREDOC = lazy_re(r"^<<[-~]?[\"']?(\w+)[\"']?\s*$")
_NIX_TEXT = "''"
_NIX_PROGRAM = lazy_re(r"\$\{[^{}\n]{1,80}\}/s?bin/")
_NIX_RUN = words(
    "activationscripts script prestart poststart prestop poststop shellhook preactivation"
    " postactivation extraactivation postinstall preinstall installphase buildphase extracommands"
)
_LITERAL = lazy_re(r"\"((?:[^\"\\]|\\.)*)\"|'((?:[^']|'')*)'|([^\s,\[\]\"']+)")
_BLOCK = lazy_re(r"^[|>][-+\d]*\s*(?:#.*)?$")
_ESCAPED = lazy_re(r"\\([\"\\/])")
_INTERPRETERS = words("sh bash zsh dash ash /bin/sh /bin/bash /bin/ash CMD-SHELL")


def keyed_values(text: str) -> tuple[ScriptPart, ...]:
    """Return the values that are run, in the order they stand there, up to a limit."""
    lines = text.replace("\r", "").replace("\\\n", " ").split("\n")[:LINES_LIMIT]
    return tuple(islice(_values([line[:LONGEST] for line in lines]), MOST))


def _values(lines: Sequence[str]) -> Iterator[ScriptPart]:
    above: list[tuple[int, str]] = []
    at = 0
    while at < len(lines):
        line = lines[at]
        unit = _UNIT.match(line)
        if unit is not None:
            yield ScriptPart(SHELL, unit[2][:LONGEST])
        match = None if unit or line.lstrip().startswith("#") else _KEY.match(line)
        at += 1
        if match is None:
            continue
        indent, key, value = len(match[1]), match[2].lower(), match[3].strip()
        while above and above[-1][0] >= indent:
            above.pop()
        language = _language(key, above[-1][1] if above else "")
        if value.startswith(_NIX_TEXT) and not _NIX_RUN.isdisjoint(key.split(".")):
            language = SHELL
        language = SHELL if _is_health_check(key, value) else language
        above.append((indent, key))
        if not language:
            continue
        body, at = _body(lines, at, indent, value)
        for one in body:
            is_powershell = _POWERSHELL.search(one) is not None
            yield ScriptPart(POWERSHELL if is_powershell else language, one[:LONGEST])


def _language(key: str, parent: str) -> str:
    """The language a key's value is in, "" if it is not run."""
    name = key.rpartition(".")[2]
    if name in _POWERSHELL_KEYS:
        return POWERSHELL
    is_state = parent in _STATES and name in ("name", "names")
    return SHELL if name in _RUN or parent in _MAPS or is_state else ""


def _is_health_check(key: str, value: str) -> bool:
    return key == "test" and "CMD-SHELL" in value[:20]


def _body(lines: Sequence[str], at: int, indent: int, value: str) -> tuple[list[str], int]:
    """The texts that are the value of a key, and the line behind them."""
    ends = _end_of_text(value)
    if ends:
        begin = at
        while at < len(lines) and not lines[at].strip().startswith(ends):
            at += 1
        return [_NIX_PROGRAM.sub("", "\n".join(lines[begin:at])).strip()], at
    if value and not _BLOCK.match(value):
        return _plain(value), at
    begin, is_list = at, not value
    while at < len(lines) and (
        not lines[at].strip() or _is_below(lines[at], indent, is_list=is_list)
    ):
        at += 1
    below = [line.strip() for line in lines[begin:at]]
    if not value and not any([line.startswith("- ") for line in below]):
        return [], begin  # a map: its keys are looked at by themselves
    if not value:
        return _items(below), begin if _holds_keys(below) else at
    joined = " ".join(below) if value[0] == ">" else "\n".join(below)
    return [joined.strip()], at


def _end_of_text(value: str) -> str:
    """What ends a text that goes on in the next lines, "" if it does not."""
    heredoc = _HEREDOC.match(value)
    if heredoc is not None:
        return str(heredoc[1])
    return _NIX_TEXT if value.strip() == _NIX_TEXT else ""


def _is_below(line: str, indent: int, *, is_list: bool) -> bool:
    depth = len(line) - len(line.lstrip())
    return depth > indent or (is_list and depth == indent and line.lstrip().startswith("- "))


def _holds_keys(below: Sequence[str]) -> bool:
    return any([_KEY.match(line.removeprefix("- ")) for line in below if line.startswith("- ")])


def _items(below: Sequence[str]) -> list[str]:
    """The items of a list; a line without a dash goes on with the item before it."""
    items: list[str] = []
    for line in below:
        if line.startswith("- "):
            items.append(line[2:].strip())
        elif items and line and not line.startswith("#"):
            items[-1] += f"\n{line}"
    texts = [_plain(one.lstrip("|>-+ \n")) for one in items]
    flat = [one[0] for one in texts if len(one) == 1]
    # `[bash, -c, "line"]` with an item a line.
    if len(flat) > 1 and (flat[0] in _INTERPRETERS or flat[0].startswith("-")):
        return [flat[-1]]
    return [one for text in texts for one in text]


def _plain(value: str) -> list[str]:
    """A scalar without its quotes; the words of a list as one line, or its lines."""
    value = value.rstrip(",") if value[:1] in "\"'[" else value
    if value[:1] == "[":
        words_ = [_unquoted(m.groups()) for m in _LITERAL.finditer(value)]
        if not words_:
            return []
        if words_[0] in _INTERPRETERS:
            return [words_[-1]]
        return words_ if any([" " in word for word in words_]) else [join(words_)]
    if value[:1] in "\"'" and value[-1:] == value[:1] and len(value) > 1:
        match = _LITERAL.fullmatch(value)
        return [_unquoted(match.groups())] if match is not None else [value[1:-1]]
    return [value]


def _unquoted(groups: tuple[str | None, ...]) -> str:
    double, single, bare = groups
    if double is not None:
        return str(_ESCAPED.sub(r"\1", double)).replace("\\n", "\n")
    return (single or "").replace("''", "'") if single is not None else bare or ""
