"""Which values of a text flow where: fetched ones into what runs, secret ones into what sends.

A name that is set from a fetched value is fetched, too, and so is a file that it is written to and
a parameter that it is given for. Names of all functions of a text are one space: a name that means
two things counts as the worse.

    s = urlopen(u).read(); exec(s)          `s` is fetched, and is run
    p = home / ".netrc"; post(u, p.read())  `p` is secret, and is sent
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from msgspec import Struct

from signoff.actions.contents.loaders import call_words as calls
from signoff.actions.contents.loaders import marks
from signoff.actions.contents.loaders.marks import SOURCES, Source, marks_of, source_of
from signoff.actions.contents.loaders.statements import (
    CodeStatement,
    code_of,
    first_name,
    names_in,
    programs_in,
    statements_of,
)
from signoff.actions.vocabulary import lazy_re, lazy_re2

_PASSES = 5
_MATCHES = 12
_QUOTES = ('"', "'", "`")
_REACH = 600  # characters behind a call that are its arguments


class Flow(Struct, frozen=True, kw_only=True):
    """A flow that was found.

    Args:
        is_secret: a secret is sent; otherwise fetched or decoded code is run.
        line: the statement in which it happens.
        is_pieced: a shell line is put together of pieces.
        is_shell: another machine gets a shell, or its lines are run.
    """

    is_secret: bool
    line: str
    is_pieced: bool = False
    is_shell: bool = False


_FOREIGN = marks.FETCHED | marks.DECODED
_SECRET = marks.SECRET | marks.ALL_SECRETS
_HALVES = marks.FIRST_HALF | marks.SECOND_HALF
_KEEPS = lazy_re2(
    r"(?i)\b\w*(?:write|save|copy|store|dump|pipe|transfer|append|push|add|put|extend|insert"
    r"|update|download|retrieve|concat)\w*!?\s*\(|\.\w*(?:write|save|copy)\w*\s|download\w*|<<"
    r"|\.(?:text|bytes)\s*=[^=]|\bdest=|\bdest:|\s-[a-z]*[oO]\s|>>?\s"
)
_OPENS = lazy_re2(
    r"(?i)\bf?open\w*\s*\(|\w*(?:write_?stream|output_?stream|writer|file)\s*[({.]|\bpath\s*\("
    r"|\bsink\s*\("
)
_RETURNS = lazy_re2(r"(?i)\breturn\b|\byield\b")
_NOT_VALUE = lazy_re2(r"\w+(?:\.\w+)*\s*\(")
_INTERPRETED = lazy_re2(
    r"(?i)^[\s\"'`(\[{$frbu@]*"
    r"(?:(?:new\s+)?(?:seq|list|array|vector|listof|arrayof|aslist|arrays\.aslist|list\.of|string\[\])"
    r"!?\s*[(\[{][\s\"']*)?"
    rf"(?:(?:sudo|env|nohup"
    rf"|setsid)[\s\"',]+)*{calls.INTERPRETERS}(?:[\s\"',\])]|$)"
)
_READ_BACK = lazy_re2(
    r"(?i)\bjson\.(?:load|parse|decode)|\.json\(|json_decode|yaml\.|\bparse(?:int|float)"
    r"|\bint\(|\blen\(|status_?code|\.version\b|\.tag_name"
)
_HANDS = lazy_re2(
    r"(?i)\b\w*(?:write|send|post|upload|req(?:uest)?\.end)\w*!?\s*[({]|<<|\bwith_?writer\b"
)
# A literal line that is started: `"sh /tmp/a".execute()`.
_EXECUTED = lazy_re2(r"(\"[^\"\n]*\"|'[^'\n]*')\s*\.\s*(?:execute\s*\(|!|cmd\b)")
# An address that goes on with a value: `"https://x.example/p?d=", k`. A key is what it takes.
_ADDRESSED = lazy_re2(
    r"(?i)[\"'](?:https?|ftp)://[^\"'\n]*?(?P<last>\w*)[=/?&][\"']\s*(?:[,+.&%]|<>)"
)
_KEY = lazy_re2(r"(?i)(?:key|token|auth|sig(?:nature)?|secret|user|login)$")
_CHOICE = lazy_re2(r"\bcase\b.*\bof\s*$")
_WRAPPERS = lazy_re(
    r"[\s\[({&]*(?:[\"'](?:/\S*/)?(?:setsid|nohup|env|sudo|doas|nice|ionice|start|open|stdbuf|unshare|exec"
    r"|systemd-run|timeout|busybox|flock|chrt)[\"']\s*,\s*)+"
)
_OUT_NAME = lazy_re(r"[(,]\s*&(?:mut\s+)?(\w+)")
_CAPITAL = lazy_re(r"[(,]\s*([A-Z]\w*)\s*(?=[,)])")
_WORD_TEXT = lazy_re(r"[\"']([\w-][\w.-]{0,60})[\"']")
_DEPTH = {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}
_BRACKET = lazy_re(r"[()\[\]{}]")


# What an interpreter that was started reads: `r.pipe(c.stdin)`, `p.communicate(code)`.
_FED = lazy_re2(
    r"(?i)\.pipe\s*\(\s*\w+\.stdin|\.stdin\.(?:write|end)\w*\s*\(|\.communicate\s*\(|\binput\s*[=:]\s*\w"
)
_READS_CODE = lazy_re2(
    r"(?i)(?:process\.execpath|sys\.executable|[\"'](?:/\S*/)?(?:(?:ba|z|da)?sh|node|python[\d.]*|perl|ruby|php|deno)[\"'])\s*"
    r"(?:,\s*\[?\s*[\"'](?:-|-s|/dev/stdin)[\"']|\]|\))"
)


class _Step:
    """A statement with what is asked of it again and again."""

    __slots__ = (
        "fills",
        "is_answer",
        "is_arm",
        "is_choice",
        "names",
        "opened",
        "returns",
        "source",
        "statement",
    )

    def __init__(self, statement: CodeStatement, source: int) -> None:
        text = statement.text
        self.statement = statement
        self.source = source
        self.names = statement.names - {statement.defines}
        if calls.TO_CHILD.search(text) is not None:
            self.names &= names_in(marks.without_child(text))
        self.returns = _RETURNS.search(text) is not None
        self.is_choice = _CHOICE.search(text) is not None
        self.is_arm = text.rstrip().endswith("->")
        self.is_answer = _READ_BACK.search(text) is not None
        fills = _KEEPS.search(text) is not None and not statement.is_import
        self.fills = statement.names - _called(text) if fills else frozenset()
        # What a call fills: `recv(s, &buf)`, `http_open(URL, In, [])`, `download(u, "gen")`.
        self.fills |= frozenset(_OUT_NAME.findall(text))
        if source & marks.FETCHED and not statement.is_import:
            self.fills |= _filled_by(text, is_set=bool(statement.sets))
        opens = bool(statement.sets) and _OPENS.search(text) is not None
        self.opened = statement.names - _called(text) if opens else frozenset()


def may_flow(text: str) -> bool:
    """Return whether a text has the words of a flow at all: a few searches of the whole text."""
    runs = (
        calls.RUNS_TEXT.search(text)
        or calls.STARTS.search(text)
        or calls.SHELL_RUNS.search(text)
        or calls.BARE_SHELL.search(text)
        or calls.RUNS_NAME.search(text)
    )
    comes = (
        calls.FETCHES.search(text)
        or calls.HIDDEN_ADDRESS.search(text)
        or calls.CONNECTS.search(text)
    )
    if runs and (comes or _is_decoded(text) or _is_line(text)):
        return True
    if calls.LOADS_ADDRESS.search(text):
        return True
    is_secret = calls.SECRET_FILES.search(text) or calls.ENVIRONMENT.search(text)
    is_sent = calls.SENDS.search(text) or _ADDRESSED.search(text)
    return bool((is_secret or calls.STORES.search(text)) and is_sent)


def _is_decoded(text: str) -> bool:
    return bool(calls.DECODES.search(text) or calls.SHELL_DECODES.search(text))


def _is_line(text: str) -> bool:
    return bool(calls.SECOND_HALF.search(text) or calls.WHOLE_LINE.search(text))


def flows_in(text: str) -> Iterator[Flow]:
    """Yield the flows of a text: what is fetched and run, and what is secret and sent."""
    sources = [(value, find) for value, find in SOURCES if find.search(text) is not None]
    steps = [_Step(one, source_of(one, sources)) for one in statements_of(text)]
    values = _follow(steps)
    is_joined = any([step.source & marks.SOCKET for step in steps])
    is_fed = _FED.search(text) is not None and _READS_CODE.search(text) is not None
    for step in steps:
        statement = step.statement
        if is_joined and _gives_shell(step, values):
            yield Flow(is_secret=False, line=statement.text.strip(), is_shell=True)
        if statement.is_import or not (step.source or statement.names & values.keys()):
            continue
        if (pieced := _runs(step, values, sources)) is not None:
            yield Flow(is_secret=False, line=statement.text.strip(), is_pieced=pieced)
        elif is_fed and _FED.search(statement.text) and marks_of(step.names, values) & _FOREIGN:
            yield Flow(is_secret=False, line=statement.text.strip())
        if _sends(step, values):
            yield Flow(is_secret=True, line=statement.text.strip())


def _follow(steps: list[_Step]) -> dict[str, int]:
    """The values of all names, once nothing changes any more."""
    given = {step.statement.defines: step.statement.given for step in steps}
    given.pop("", None)
    values: dict[str, int] = {}
    for _ in range(_PASSES):
        before = dict(values)
        inside, chosen = "", marks.NONE
        for step in steps:
            statement = step.statement
            inside = statement.defines or inside
            value = step.source | marks_of(step.names, values)
            chosen = value if step.is_choice else chosen
            if step.is_arm and chosen:
                # What a case is about is what the patterns of its arms take apart.
                for name in statement.names:
                    values[name] = values.get(name, marks.NONE) | chosen
            if value:
                _spread(step, value, inside, given, values)
            _spread_back(step, values)
        if values == before:
            break
    return values


def _spread(
    step: _Step,
    value: int,
    inside: str,
    given: dict[str, frozenset[str]],
    values: dict[str, int],
) -> None:
    """Give the value to every name that the statement sets, fills or hands it over to."""
    statement = step.statement
    if step.is_answer:
        value &= ~_FOREIGN  # a field of an answer is data
    found = set(statement.sets)
    if not statement.defines:
        found |= statement.given
        for name in statement.names & given.keys():
            found |= given[name]
    found |= step.fills
    if inside and step.returns:
        found.add(inside)
    for name in found:
        values[name] = values.get(name, marks.NONE) | value


def _filled_by(text: str, *, is_set: bool) -> frozenset[str]:
    """The variables of a goal that fetches, and the file that a download is put into."""
    found: list[str] = [] if is_set else _CAPITAL.findall(text)
    if "download" in text.lower():
        for word in islice(_WORD_TEXT.findall(text), _MATCHES):
            found += (word, f"./{word}")
    return frozenset(found)


def _spread_back(step: _Step, values: dict[str, int]) -> None:
    """Give a file what is written to the stream that it was opened as."""
    if step.opened:
        value = marks_of(step.statement.sets, values) & _FOREIGN
        for name in step.opened if value else ():
            values[name] = values.get(name, marks.NONE) | value


def _called(text: str) -> set[str]:
    """Names of functions, methods and what they belong to: no values."""
    called: set[str] = set()
    for match in islice(_NOT_VALUE.finditer(text), 40):
        parts = match.group().rstrip("( \t\n").split(".")
        # `path.write_bytes(data)` fills `path`.
        keep = parts[:-1] if _KEEPS.search(parts[-1] + "(") is not None else []
        called.update([part for part in parts if part not in keep])
    return called


def _runs(step: _Step, values: dict[str, int], sources: list[Source]) -> bool | None:
    """Whether a statement runs what is foreign; True if by a line put together of pieces."""
    value = step.source | marks_of(step.names, values)
    text = step.statement.text
    if not value & (_FOREIGN | marks.LINE | _HALVES):
        return None
    if calls.LOADS_ADDRESS.search(text) is not None or _runs_text(text, value, values, sources):
        return False
    for match in islice(_EXECUTED.finditer(text), _MATCHES):
        if marks_of(names_in(match.group(1)), values) & _FOREIGN:
            return False
    for match in islice(calls.STARTS.finditer(code_of(text)), _MATCHES):
        begin = match.end() - (match.group()[-1:] in _QUOTES)
        given = text[begin : begin + _REACH]
        handed = _all_of(given, values, sources)
        if handed & _HALVES == _HALVES:
            return True
        if handed & marks.LINE or (handed & _FOREIGN and _starts_foreign(given, values)):
            return False
    return None


def _gives_shell(step: _Step, values: dict[str, int]) -> bool:
    """Whether a shell is started for a connection, or a line that came over it."""
    text = step.statement.text
    if calls.BARE_SHELL.search(text) is not None:
        return True
    if not marks_of(step.names, values) & marks.SOCKET:
        return False
    for match in islice(calls.RUNS_NAME.finditer(text), _MATCHES):
        if values.get(match.group(1), marks.NONE) & marks.SOCKET:
            return True
    for match in islice(calls.STARTS.finditer(code_of(text)), _MATCHES):
        given = _until_closed(text[match.end() :][:_REACH])
        is_line = values.get(first_name(given), marks.NONE) & marks.SOCKET
        if is_line or (
            _INTERPRETED.search(given) and marks_of(names_in(given), values) & marks.SOCKET
        ):
            return True
    return False


def _runs_text(text: str, value: int, values: dict[str, int], sources: list[Source]) -> bool:
    """Whether foreign text is run as code: of its language, or by a shell in a text."""
    code = code_of(text)
    for match in islice(calls.RUNS_TEXT.finditer(code), _MATCHES):
        handed = _all_of(text[match.end() :], values, sources)
        # What takes no argument runs what the statement has fetched: `(eval-buffer)`.
        if (handed or (value if code[match.end() :].startswith(")") else handed)) & _FOREIGN:
            return True
    return bool(value & marks.DECODED) and calls.SHELL_RUNS.search(text) is not None


def _starts_foreign(given: str, values: dict[str, int]) -> bool:
    """Whether the program is foreign, or the code that an interpreter gets."""
    given = _WRAPPERS.sub("", given, count=1) if _WRAPPERS.match(given) else given
    if _INTERPRETED.search(given) is not None or _is_answer_run(given) or _is_decoded_run(given):
        return True
    if values.get(first_name(given), marks.NONE) & _FOREIGN:
        return True
    programs = programs_in(given.partition(",")[0])
    return bool(marks_of(frozenset(programs), values) & _FOREIGN)


def _is_answer_run(given: str) -> bool:
    """Whether the first thing that is started is a call that fetches: `system(get(url))`."""
    match = calls.FETCHES.search(given)
    if match is None or "(" not in match.group() or "," in given[: match.start()]:
        return False
    return not any(sign in given[: match.start()] for sign in "\"'`")


def _is_decoded_run(given: str) -> bool:
    """Whether the first thing that is started is decoded on the spot: `exec(unhex(LINE))`."""
    first = _until_comma(given)
    match = calls.DECODES.search(first)
    return match is not None and not any(sign in first[: match.start()] for sign in "\"'`")


def _until_comma(given: str) -> str:
    """The first argument of a call."""
    depth = 0
    for at, sign in enumerate(given[:_REACH]):
        depth += _DEPTH.get(sign, 0)
        if depth < 0 or (depth == 0 and sign == ","):
            return given[:at]
    return given


def _sends(step: _Step, values: dict[str, int]) -> bool:
    value = marks_of(step.names, values) | step.source
    if not value & _SECRET:
        return False
    text = marks.without_child(step.statement.text)
    code = code_of(text)
    is_out = calls.SENDS.search(code) is not None or (
        calls.STARTS.search(code) is not None and calls.SENDING_PROGRAM.search(text) is not None
    )
    if not is_out:
        joined = [m for m in islice(_ADDRESSED.finditer(text), 4) if not _KEY.search(m["last"])]
        is_out = any([_all_of(text[m.end() :], values, []) & _SECRET for m in joined])
    if not is_out and value & marks.FETCHED:
        handed = [_all_of(text[m.end() :], values, []) for m in islice(_HANDS.finditer(code), 4)]
        is_out = any([one & _SECRET for one in handed])
    return is_out and (bool(value & marks.ALL_SECRETS) or calls.LOGS_IN.search(text) is None)


def _all_of(given: str, values: dict[str, int], sources: list[Source]) -> int:
    """The values in the arguments of a call: up to the bracket that ends them."""
    piece = _until_closed(given[:_REACH])
    names = names_in(piece)
    part = CodeStatement(text=piece, names=names, sets=frozenset(), given=frozenset())
    return marks_of(names, values) | source_of(part, sources)


def _until_closed(text: str) -> str:
    depth = 0
    for match in _BRACKET.finditer(text):
        depth += 1 if match.group() in "([{" else -1
        if depth < 0:
            return text[: match.start()]
    return text
