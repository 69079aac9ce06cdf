"""`$x`, `${x...}` and arithmetic: what a parameter stands for.

Every operand is resolved even where its value does not count, so that a substitution inside it
is seen. What depends on anything unknown is unknown.

    x=RM          ${x,,} -> rm        ${x:1} -> M        ${y:-d} -> unknown (y may be set outside)
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Protocol

import re2

from signoff.actions.known.secret_owners import secrets_in
from signoff.actions.shell.command import Word
from signoff.actions.shell.state import UNKNOWN_TEXT, ShellScope, unknown
from signoff.actions.shell.syntax.characters import is_digits
from signoff.actions.shell.words.arithmetic import evaluate
from signoff.values import replace

# Operations on longer values are not followed: the result is unknown.
MAX_VALUE = 2_000
NAMEREF = "&"  # begins `raw` of a variable that is a reference to the one named behind it

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*|[0-9]|[@*#?$!-]")
_BRACED = re.compile(r"([A-Za-z_][A-Za-z0-9_]*|[0-9]+|[@*#?$!-])(\[)?")
_TEST = re.compile(r":?[-=+?]")
_CASE: dict[str, Callable[[str], str]] = {
    "^^": str.upper,
    ",,": str.lower,
    "@U": str.upper,
    "@L": str.lower,
    "^": lambda text: text[:1].upper() + text[1:],
    ",": lambda text: text[:1].lower() + text[1:],
}
_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
# `=` but not `==`: `$((x=5))`, `((x+=1))` and `((x++))` set a variable, a comparison does not.
_CHANGED = re.compile(
    r"([A-Za-z_][A-Za-z0-9_]*)\s*(?:\[[^\]]*\]\s*)?(?:(?:<<|>>|[-+*/%&|^])?=(?!=)|\+\+|--)"
    r"|(?:\+\+|--)\s*([A-Za-z_][A-Za-z0-9_]*)"
)
_SLICE = re.compile(r"\s*(-?[0-9]{1,6})\s*(?::\s*(-?[0-9]{1,6})\s*)?")

Values = tuple[tuple[Word, ...], int, bool]


class OperandExpander(Protocol):
    """Port: the part of the expander that operands of expansions need."""

    def word(self, raw: str) -> Word:
        """Expand one word without splitting."""

    def quoted(self, text: str) -> Word:
        """Expand a text as if in double quotes."""


class ParameterReader:
    """Evaluates parameter expansions in one scope."""

    def __init__(self, scope: ShellScope, resolver: Callable[[], OperandExpander]) -> None:
        self.scope = scope
        self.resolver = resolver

    def read(self, raw: str, start: int, end: int) -> Values:
        """Return the values of the expansion at `start`, its end, and whether it is a list."""
        if raw.startswith("{", start + 1):
            values, is_list = self._braced(raw[start + 2 : end - 1])
            return values, end, is_list
        if raw.startswith("[", start + 1):
            return (self.arithmetic(raw[start + 2 : end - 1]),), end, False
        match = _NAME.match(raw, start + 1)
        if match is None:
            return (Word(text="$"),), start + 1, False
        name = match.group()
        if name in "@*":
            return self.scope.parameters, match.end(), True
        return (self.value(name),), match.end(), False

    def value(self, name: str) -> Word:
        """Return the value of a variable or special parameter."""
        known = self.scope.variables.get(name)
        if known is not None:
            return self._referred(known) if known.raw[:1] == NAMEREF else known
        if array := self.scope.arrays.get(name):
            return array[0]
        if is_digits(name) and name != "0":
            return self._positional(int(name))
        if name == "IFS":
            return Word(text=" \t\n")
        if name == "#" and all(word.is_known for word in self.scope.parameters):
            return Word(text=str(len(self.scope.parameters)))
        return unknown(raw=name)

    def _referred(self, reference: Word) -> Word:
        """What the variable holds that a reference (`declare -n`) names, as it is now."""
        held = self.scope.variables.get(reference.raw[1:])
        return held if held is not None and held.raw[:1] != NAMEREF else unknown()

    def _positional(self, number: int) -> Word:
        parameters = self.scope.parameters
        # An unknown word may be several once it is split, so the ones behind it have moved.
        if any(not word.is_known for word in parameters[: number - 1]):
            return unknown()
        return parameters[number - 1] if number <= len(parameters) else Word(text="")

    # -- ${...}

    def _braced(self, inside: str) -> tuple[tuple[Word, ...], bool]:
        if inside.startswith("#") and len(inside) > 1 and _BRACED.match(inside, 1):
            values, _ = self._braced(inside[1:])
            is_known = len(values) == 1 and values[0].is_known
            return (Word(text=str(len(values[0].text))) if is_known else unknown(),), False
        if inside.startswith("!") and len(inside) > 1:
            return (self._indirect(inside[1:]),), False
        match = _BRACED.match(inside)
        if match is None:
            return (self._unsure(inside),), False
        values, rest, is_list = self._subject(inside, match)
        if is_list and not rest:
            return values, True
        changed = tuple(self._operated(match[1], value, rest) for value in values)
        return (changed or (self._operated(match[1], Word(text=""), rest),)), is_list

    def _unsure(self, text: str) -> Word:
        """Unknown, but what is in it is looked at."""
        return unknown(self.resolver().quoted(text).sources)

    def _indirect(self, rest: str) -> Word:
        match = _BRACED.fullmatch(rest)
        named = self.value(match[1]) if match else None
        if named is None or not named.is_known or not _IDENTIFIER.fullmatch(named.text):
            return self._unsure(rest)
        held = self.value(named.text)
        return held if held.is_known or "$" in held.raw else replace(held, raw=f"${named.text}")

    def _subject(self, inside: str, match: re.Match[str]) -> tuple[tuple[Word, ...], str, bool]:
        name = match[1]
        if name in "@*":
            return self.scope.parameters, inside[match.end(1) :], True
        if not match[2]:
            return (self.value(name),), inside[match.end() :], False
        close = _closing(inside, match.end())
        subscript, rest = inside[match.end() : close], inside[close + 1 :]
        array = self.scope.arrays.get(name)
        if subscript in ("@", "*"):
            return array if array is not None else (self.value(name),), rest, True
        index = self.arithmetic(subscript)
        is_there = array is not None and index.is_known and is_digits(index.text)
        if array is not None and is_there and all(word.is_known for word in array):
            found = array[int(index.text)] if int(index.text) < len(array) else Word(text="")
            return (found,), rest, False
        held = "".join([secrets_in(word.raw) for word in array or () if not word.is_known])
        if index.text == "0" and array is None:
            return (self.value(name),), rest, False
        return (unknown(index.sources, held),), rest, False

    def _operated(self, name: str, value: Word, rest: str) -> Word:
        if not rest:
            return value
        if test := _TEST.match(rest):
            return self._tested(name, value, test.group(), rest[test.end() :])
        operand = self.resolver().word(rest)
        if _keeps_folder(value, rest, operand):
            return value
        made = self._changed(value, rest, operand) if _is_usable(value, operand) else None
        if made is None:
            return unknown(value.sources + operand.sources)
        return Word(
            text=made,
            sources=value.sources + operand.sources,
            is_decoded=value.is_decoded,
        )

    def _tested(self, name: str, value: Word, operator: str, raw: str) -> Word:
        """`:-`, `:=`, `:+`, `:?` and their forms without the colon."""
        operand = self.resolver().word(raw)
        # Unset, it ends the shell; so where anything follows, the value was there.
        if operator[-1] == "?":
            return value
        if not value.is_known:
            return unknown(value.sources + operand.sources)
        is_empty = not value.text and operator[0] == ":"
        if operator[-1] == "+":
            return Word(text="") if is_empty else operand
        if operator[-1] == "=" and is_empty:
            self.scope.assign(name, operand)
        return operand if is_empty else value

    def _changed(self, value: Word, rest: str, operand: Word) -> str | None:
        text = value.text
        if rest in _CASE:
            return _CASE[rest](text)
        if rest == "@P":
            return self._prompt(text)
        if rest[0] == ":":
            return _sliced(text, operand.text[1:])
        if rest[0] in "#%":
            # In a quoted pattern `*` is an ordinary character; which part was quoted is lost
            # here.
            return None if operand.is_quoted else _trimmed(text, operand.text)
        return _replaced(text, operand) if rest[0] == "/" else None

    def _prompt(self, text: str) -> str | None:
        shown = self.resolver().quoted(text)
        return shown.text if shown.is_known else None

    # -- arithmetic

    def arithmetic(self, raw: str) -> Word:
        """Return the value of an arithmetic expression, unknown if any part is."""
        text = self.resolver().quoted(raw)
        sources = list(text.sources)
        for match in _CHANGED.finditer(text.text[:MAX_VALUE]):
            self.scope.assign(match[1] or match[2], unknown())
        expression = text.text[:MAX_VALUE]
        names = dict.fromkeys(_IDENTIFIER.findall(expression))
        values: dict[str, str] = {}
        for name in names:
            value = self.scope.variables.get(name)
            if value is None:
                continue
            sources.extend(value.sources)
            if "$" in value.text or "`" in value.text:
                # The shell evaluates a value again, subscripts and substitutions included.
                sources.extend(self.resolver().quoted(value.text).sources)
            elif value.is_known:
                values[name] = value.text
        number = evaluate(expression, values) if text.is_known else None
        if number is None:
            return unknown(tuple(sources))
        return Word(text=str(number), sources=tuple(sources))


def _keeps_folder(value: Word, rest: str, operand: Word) -> bool:
    """Whether `${1%.txt}` of a file that a search found is a file in the same folders."""
    if rest[0] != "%" or value.is_known or not value.text.endswith("/" + UNKNOWN_TEXT):
        return False
    return operand.is_known and {"/", "*", "?", "["}.isdisjoint(operand.text)


def _is_usable(value: Word, operand: Word) -> bool:
    return value.is_known and operand.is_known and len(value.text) <= MAX_VALUE


def _closing(text: str, start: int) -> int:
    """Index of the `]` that matches a `[` before `start`."""
    level = 1
    for i in range(start, len(text)):
        level += {"[": 1, "]": -1}.get(text[i], 0)
        if level == 0:
            return i
    return len(text)


def _sliced(text: str, bounds: str) -> str | None:
    match = _SLICE.fullmatch(bounds)
    if match is None:
        return None
    start, count = _number(match[1]), _number(match[2] or "0")
    if start is None or count is None:
        return None
    rest = text[start:] if start >= 0 else text[start:] if -start <= len(text) else ""
    return rest if match[2] is None else rest[:count]


def _number(written: str) -> int | None:
    """A number as the shell's arithmetic reads it: a leading zero means octal."""
    digits = written.removeprefix("-")
    base = 8 if digits[0] == "0" else 10
    if base == 8 and not {"8", "9"}.isdisjoint(digits):
        return None
    return int(written, base)


def _pattern(glob: str, *, is_lazy: bool) -> str | None:
    """A shell pattern in the syntax of the regular expression engine."""
    # Classes and escapes differ between the shell's patterns and regular expressions.
    if "[" in glob or "\\" in glob or len(glob) > 200:
        return None
    star = ".*?" if is_lazy else ".*"
    parts = {"*": star, "?": "."}
    return "".join(parts.get(c) or re2.escape(c) for c in glob)


def _trimmed(text: str, operand: str) -> str | None:
    side = operand[0]
    is_longest = operand[1:2] == side
    glob = operand[2:] if is_longest else operand[1:]
    # For a suffix the part before it is matched: the longest suffix has the shortest head.
    pattern = _pattern(glob, is_lazy=not is_longest)
    if pattern is None:
        return None
    if side == "#":
        match = re2.match(f"(?s){pattern}", text)
        return text[match.end() :] if match else text
    head = ".*?" if is_longest else ".*"
    match = re2.fullmatch(f"(?s)({head}){pattern}", text)
    return str(match[1]) if match else text


def _replaced(text: str, operand: Word) -> str | None:
    body = operand.text[1:]
    mode = body[:1] if body[:1] in ("/", "#", "%") else ""
    old, _, new = body[len(mode) :].partition("/")
    if not old:
        return text
    # Since bash 5.2 `&` stands for what was matched.
    if operand.is_quoted or "&" in new or any(c in old for c in "*?[\\"):
        return None
    if mode == "/":
        # Every match is replaced, so the text may grow many times over.
        made = text.replace(old, new)
        return made if len(made) <= MAX_VALUE else None
    if mode == "#":
        return new + text[len(old) :] if text.startswith(old) else text
    if mode == "%":
        return text[: -len(old)] + new if text.endswith(old) else text
    return text.replace(old, new, 1)
