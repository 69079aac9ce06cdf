"""Which values of a text flow where: fetched ones into what runs, secret ones into what sends.

A name that is set from a fetched value is fetched, too, and so is a file that it is written to and
a parameter that it is given for. Names of all functions of a text are one space: a name that means
two things counts as the worse.

    s = urlopen(u).read(); exec(s)          `s` is fetched, and is run
    p = home / ".netrc"; post(u, p.read())  `p` is secret, and is sent
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Flag, auto
from itertools import islice

import re2
from msgspec import Struct

from signoff.actions.contents.loaders import call_words as calls
from signoff.actions.contents.loaders.statements import (
    Statement,
    code_of,
    first_name,
    names_in,
    statements_of,
)
from signoff.actions.known.file_kinds import look
from signoff.actions.vocabulary import lazy_re, lazy_re2, words

_PASSES = 6
_MATCHES = 12
_REACH = 600  # characters behind a call that are its arguments


class Value(Flag):
    """What is known of a name's value."""

    NONE = 0
    FETCHED = auto()
    DECODED = auto()
    SECRET = auto()  # of one login
    ALL_SECRETS = auto()  # the whole environment, a whole store, several logins
    LINE = auto()  # a shell line that fetches and runs
    FIRST_HALF = auto()
    SECOND_HALF = auto()


class Flow(Struct, frozen=True, kw_only=True):
    """A flow that was found.

    Args:
        is_secret: a secret is sent; otherwise fetched or decoded code is run.
        line: the statement in which it happens.
        is_pieced: a shell line is put together of pieces.
    """

    is_secret: bool
    line: str
    is_pieced: bool = False


_FOREIGN = Value.FETCHED | Value.DECODED
_SECRET = Value.SECRET | Value.ALL_SECRETS
_HALVES = Value.FIRST_HALF | Value.SECOND_HALF
_KEEPS = lazy_re2(
    r"(?i)\b\w*(?:write|save|copy|store|dump|pipe|transfer|append|push|add|put|extend|insert"
    r"|update|download|retrieve|concat)\w*!?\s*\(|\.\w*(?:write|save|copy)\w*\s|<<|\bdest=|\bdest:|\s-[a-z]*[oO]\s|>>?\s"
)
_RETURNS = lazy_re2(r"(?i)\breturn\b|\byield\b")
_NOT_VALUE = lazy_re2(r"\w+(?:\.\w+)*\s*\(")
_INTERPRETED = lazy_re2(
    rf"(?i)^[\s\"'`(\[{{$frbu@]*(?:(?:sudo|env|nohup"
    rf"|setsid)[\s\"',]+)*{calls.INTERPRETERS}(?:[\s\"',\])]|$)"
)
_READ_BACK = lazy_re2(
    r"(?i)\bjson\.(?:load|parse|decode)|\.json\(|json_decode|yaml\.|\bparse(?:int|float)"
    r"|\bint\(|\blen\(|status_?code|\.version\b|\.tag_name"
)
_HANDS = lazy_re2(
    r"(?i)\b\w*(?:write|send|put|push|post|print|append|upload)\w*!?\s*[({]|<<|\bwith_?writer\b"
)
_BRACKET = lazy_re(r"[()\[\]{}]")
_SECRET_KINDS = words("credentials authorized-keys")
_Source = tuple[Value, "re2._Regexp[str]"]


class _Step:
    """A statement with what is asked of it again and again."""

    __slots__ = ("fills", "is_answer", "names", "returns", "source", "statement")

    def __init__(self, statement: Statement, source: Value) -> None:
        text = statement.text
        self.statement = statement
        self.source = source
        self.names = statement.names - {statement.defines}
        if calls.TO_CHILD.search(text) is not None:
            self.names &= names_in(calls.TO_CHILD.sub("", text))
        self.returns = _RETURNS.search(text) is not None
        self.is_answer = _READ_BACK.search(text) is not None
        fills = _KEEPS.search(text) is not None and not statement.is_import
        self.fills = statement.names - _called(text) if fills else frozenset()


def may_flow(text: str) -> bool:
    """Return whether a text has the words of a flow at all: a few searches of the whole text."""
    runs = (
        calls.RUNS_TEXT.search(text) or calls.STARTS.search(text) or calls.SHELL_RUNS.search(text)
    )
    if runs and (calls.FETCHES.search(text) or _is_decoded(text) or _is_line(text)):
        return True
    is_secret = calls.SECRET_FILES.search(text) or calls.ENVIRONMENT.search(text)
    return bool((is_secret or calls.STORES.search(text)) and calls.SENDS.search(text))


def _is_decoded(text: str) -> bool:
    return bool(calls.DECODES.search(text) or calls.SHELL_DECODES.search(text))


def _is_line(text: str) -> bool:
    return bool(calls.SECOND_HALF.search(text) or calls.WHOLE_LINE.search(text))


def flows_in(text: str) -> Iterator[Flow]:
    """Yield the flows of a text: what is fetched and run, and what is secret and sent."""
    sources = [(value, find) for value, find in _SOURCES if find.search(text) is not None]
    steps = [_Step(one, _source(one, sources)) for one in statements_of(text)]
    values = _follow(steps)
    for step in steps:
        statement = step.statement
        if statement.is_import or not (step.source or statement.names & values.keys()):
            continue
        if (pieced := _runs(step, values, sources)) is not None:
            yield Flow(is_secret=False, line=statement.text.strip(), is_pieced=pieced)
        if _sends(step, values):
            yield Flow(is_secret=True, line=statement.text.strip())


def _follow(steps: list[_Step]) -> dict[str, Value]:
    """The values of all names, once nothing changes any more."""
    given = {step.statement.defines: step.statement.given for step in steps}
    given.pop("", None)
    values: dict[str, Value] = {}
    for _ in range(_PASSES):
        before = dict(values)
        inside = ""
        for step in steps:
            statement = step.statement
            inside = statement.defines or inside
            value = step.source | _value_of(step.names, values)
            if value:
                _spread(step, value, inside, given, values)
        if values == before:
            break
    return values


def _spread(
    step: _Step,
    value: Value,
    inside: str,
    given: dict[str, frozenset[str]],
    values: dict[str, Value],
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
        values[name] = values.get(name, Value.NONE) | value


def _called(text: str) -> set[str]:
    """Names of functions, methods and what they belong to: no values."""
    called: set[str] = set()
    for match in islice(_NOT_VALUE.finditer(text), 40):
        parts = match.group().rstrip("( \t\n").split(".")
        # `path.write_bytes(data)` fills `path`.
        keep = parts[:-1] if _KEEPS.search(parts[-1] + "(") is not None else []
        called.update([part for part in parts if part not in keep])
    return called


_SOURCES: tuple[_Source, ...] = (
    (Value.FETCHED, calls.FETCHES),
    (Value.DECODED, calls.DECODES),
    (Value.DECODED, calls.SHELL_DECODES),
    (Value.LINE, calls.WHOLE_LINE),
    (Value.FIRST_HALF, calls.FIRST_HALF),
    (Value.SECOND_HALF, calls.SECOND_HALF),
    (Value.ALL_SECRETS, calls.STORES),
    (Value.ALL_SECRETS, calls.ENVIRONMENT),
    (Value.SECRET, calls.SECRET_FILES),
)


# What is a call only outside of texts: a scanner for such code holds the same words.
_IN_CODE = (calls.DECODES, calls.STORES, calls.ENVIRONMENT)


def _source(statement: Statement, sources: list[_Source]) -> Value:
    """What a statement itself brings in."""
    value = Value.NONE
    text = statement.text
    code = code_of(text)
    for brings, find in sources:
        if find.search(code if find in _IN_CODE else text) is None:
            continue
        if find is calls.ENVIRONMENT and find.search(calls.TO_CHILD.sub("", text)) is None:
            continue
        if find is calls.SECRET_FILES:
            logins = [name for name in statement.names if is_secret_path(name)]
            brings = Value.ALL_SECRETS if len(logins) > 1 else Value.SECRET
            brings = brings if logins else Value.NONE
        value |= brings
    return value & Value.FETCHED if statement.is_import else value


def is_secret_path(name: str) -> bool:
    """Return whether a path of a text, from the root or a home folder, holds secrets."""
    if "." not in name or not ("/" in name or name.startswith(".")):
        return False
    parts = [part for part in name.lower().replace("\\", "/").split("/") if part]
    at = next((n for n, part in enumerate(parts) if part.startswith(".") and part.strip(".")), None)
    if at is None:
        return False
    return look(("home", "user", *parts[at:]), local_from=2).kind in _SECRET_KINDS


def _value_of(names: frozenset[str], values: dict[str, Value]) -> Value:
    value = Value.NONE
    for name in names & values.keys():
        value |= values[name]
    return value


def _runs(step: _Step, values: dict[str, Value], sources: list[_Source]) -> bool | None:
    """Whether a statement runs what is foreign; True if by a line put together of pieces."""
    value = step.source | _value_of(step.names, values)
    if not value & (_FOREIGN | Value.LINE | _HALVES):
        return None
    text = step.statement.text
    code = code_of(text)
    for match in islice(calls.RUNS_TEXT.finditer(code), _MATCHES):
        handed = _all_of(text[match.end() :], values, sources)
        # What takes no argument runs what the statement has fetched: `(eval-buffer)`.
        if (handed or (value if code[match.end() :].startswith(")") else handed)) & _FOREIGN:
            return False
    for match in islice(calls.STARTS.finditer(code), _MATCHES):
        given = text[match.end() : match.end() + _REACH]
        handed = _all_of(given, values, sources)
        if handed & Value.LINE:
            return False
        if handed & _HALVES == _HALVES:
            return True
        if handed & _FOREIGN and _starts_foreign(given, values):
            return False
    is_shell = value & Value.DECODED and calls.SHELL_RUNS.search(text) is not None
    return False if is_shell else None


def _starts_foreign(given: str, values: dict[str, Value]) -> bool:
    """Whether the program is foreign, or the code that an interpreter gets."""
    if _INTERPRETED.search(given) is not None:
        return True
    if values.get(first_name(given), Value.NONE) & _FOREIGN:
        return True
    first = given.partition(",")[0]
    paths = [name for name in names_in(first) if "/" in name or "\\" in name]
    return bool(_value_of(frozenset(paths), values) & _FOREIGN)


def _sends(step: _Step, values: dict[str, Value]) -> bool:
    value = _value_of(step.names, values) | step.source
    if not value & _SECRET:
        return False
    text = calls.TO_CHILD.sub("", step.statement.text)
    code = code_of(text)
    is_out = calls.SENDS.search(code) is not None
    if not is_out and value & Value.FETCHED:
        handed = [_all_of(text[m.end() :], values, []) for m in islice(_HANDS.finditer(code), 4)]
        is_out = any([one & _SECRET for one in handed])
    return is_out and (bool(value & Value.ALL_SECRETS) or calls.LOGS_IN.search(text) is None)


def _all_of(given: str, values: dict[str, Value], sources: list[_Source]) -> Value:
    """The values in the arguments of a call: up to the bracket that ends them."""
    piece = _until_closed(given[:_REACH])
    names = names_in(piece)
    part = Statement(text=piece, names=names, sets=frozenset(), given=frozenset())
    return _value_of(names, values) | _source(part, sources)


def _until_closed(text: str) -> str:
    depth = 0
    for match in _BRACKET.finditer(text):
        depth += 1 if match.group() in "([{" else -1
        if depth < 0:
            return text[: match.start()]
    return text
