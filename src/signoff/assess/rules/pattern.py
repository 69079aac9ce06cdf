"""Text patterns of a rule: literal, regex, glob, and the texts of a call they are held against.

Rules kept here: every pattern runs in linear time (RE2), whatever the text; the strict reading is
for allow rules and must not be talked into more than was written, the loose reading is for deny
and escalate rules and must not be talked out of what was written. Where a path has dot or
empty segments, strict wants both its forms to match and loose is content with either.

    Glob("/srv/**/*.yaml").matches(Text("/srv/a/../../etc/x.yaml"), strict=True)  -> False
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Protocol

import re2
from msgspec import Struct

from signoff.actions.vocabulary import lazy_re

PATTERN_LIMIT = 2_000  # characters of one pattern
PROGRAM_LIMIT = 4_000  # RE2 instructions of one pattern; what is bigger can leave its fast path
GLOB_DEPTH_LIMIT = 8  # nested braces
_SCHEME = lazy_re(r"[A-Za-z][A-Za-z0-9+.-]*://")
_RANGE = lazy_re(r"(.)-(.)", re.DOTALL)


class BadPattern(ValueError):
    """A pattern is not valid. The message says why and what to do; the loader adds the place."""


class CompiledPattern(Protocol):
    """Port: a compiled RE2 pattern."""

    @property
    def programsize(self) -> int:
        """Number of RE2 instructions, its cost."""

    def search(self, text: bytes) -> object | None:
        """Return the first match anywhere in the text, or None."""


class Text:
    """One value of a call as text; caches its encoded and resolved forms."""

    __slots__ = ("_encoded", "_resolved", "gate", "is_past_gate", "value")

    def __init__(self, value: str) -> None:
        self.value = value
        self.gate: CompiledPattern | None = None  # the joined expression it was held against last
        self.is_past_gate = False
        self._encoded: bytes | None = None
        self._resolved: str | None = None

    @property
    def encoded(self) -> bytes:
        """The value as UTF-8; lone surrogates become `?`."""
        if self._encoded is None:
            self._encoded = self.value.encode(errors="replace")
        return self._encoded

    @property
    def resolved(self) -> str:
        """The value as a path with `.` and `..` resolved."""
        if self._resolved is None:
            self._resolved = without_dots(self.value)
        return self._resolved


class Literal(Struct, frozen=True):
    """A pattern that matches one exact value."""

    text: str

    def matches(self, text: Text, *, strict: bool) -> bool:
        """Tell whether the value equals this text; `strict` makes no difference."""
        del strict  # equal is equal
        return self.text == text.value

    def describe(self) -> str:
        """Return the pattern in words for people."""
        return f"literal `{self.text}`"


@dataclass(frozen=True, slots=True)
class Regex:
    """An RE2 expression, searched anywhere in the value unless it is anchored.

    Raises:
        BadPattern: RE2 cannot compile it, or it is too large.
    """

    text: str
    compiled: CompiledPattern = field(init=False, repr=False, compare=False)
    size: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "compiled", compile_regex(self.text))
        object.__setattr__(self, "size", self.compiled.programsize)

    def matches(self, text: Text, *, strict: bool) -> bool:
        """Tell whether the expression matches somewhere in the value."""
        del strict  # found is found
        return self.compiled.search(text.encoded) is not None

    def describe(self) -> str:
        """Return the pattern in words for people."""
        return f"regex `{self.text}`"


@dataclass(frozen=True, slots=True)
class Glob:
    """A pattern for a whole path or name: `*` stops at a slash, `**` does not.

    Raises:
        BadPattern: a bracket or brace is not closed, or it is too large.
    """

    text: str
    compiled: CompiledPattern = field(init=False, repr=False, compare=False)
    prefix: str = field(init=False, repr=False, compare=False)  # every match starts with it

    def __post_init__(self) -> None:
        object.__setattr__(self, "compiled", compile_glob(self.text))
        object.__setattr__(self, "prefix", _plain_prefix(self.text))

    def matches(self, text: Text, *, strict: bool) -> bool:
        """Strict: all readings of the text match. Loose: one does, or the folder itself."""
        value, resolved = text.value, text.resolved
        is_hit = self._is_hit(value)
        if strict:
            return is_hit and (resolved == value or self._is_hit(resolved))
        if is_hit or (resolved != value and self._is_hit(resolved)):
            return True
        return self.text.endswith("/**") and self._is_hit(resolved.rstrip("/") + "/")

    def matches_value(self, value: str, *, strict: bool) -> bool:
        """Like `matches`, for a plain string."""
        return self.matches(Text(value), strict=strict)

    def describe(self) -> str:
        """Return the pattern in words for people."""
        return f"glob `{self.text}`"

    def _is_hit(self, value: str) -> bool:
        return value.startswith(self.prefix) and self.compiled.search(as_bytes(value)) is not None


TextPattern = Literal | Regex | Glob


def as_bytes(text: str) -> bytes:
    """Encode a text as UTF-8; characters that cannot be encoded become `?`."""
    return text.encode(errors="replace")


def compile_regex(pattern: str) -> CompiledPattern:
    """Compile an expression with RE2.

    Raises:
        BadPattern: RE2 cannot compile it, or it is too big.
    """
    if not pattern:
        raise BadPattern("the pattern is empty; leave `match` out to mean every use")
    if len(pattern) > PATTERN_LIMIT:
        raise BadPattern(f"the pattern has {len(pattern)} characters (at most {PATTERN_LIMIT})")
    compiled = _compile(pattern)
    if compiled.programsize > PROGRAM_LIMIT:
        raise BadPattern(
            f"regex `{pattern}` is too big ({compiled.programsize} steps, at most"
            f" {PROGRAM_LIMIT}); use smaller repeats"
        )
    return compiled


def compile_gate(expressions: tuple[str, ...]) -> CompiledPattern:
    """Join expressions into one that matches wherever any of them does.

    Raises:
        BadPattern: together they are too big.
    """
    return _compile("|".join(f"(?:{expression})" for expression in expressions))


def _compile(pattern: str) -> CompiledPattern:
    options = re2.Options()
    # Nobody asks where a match is: without groups RE2 keeps to its fast engine.
    options.never_capture = True
    options.log_errors = False
    try:
        compiled: CompiledPattern = re2.compile(pattern, options)
    except (re2.error, UnicodeEncodeError) as error:
        raise BadPattern(f"regex `{pattern}` cannot be used: {_reason(error)}") from error
    return compiled


def _reason(error: Exception) -> str:
    reason = error.args[0] if error.args else ""
    words = reason.decode(errors="replace") if isinstance(reason, bytes) else str(reason)
    if "invalid perl operator" in words:
        return f"{words}; look-around is not supported, write two rules instead"
    if "invalid escape sequence" in words:
        return f"{words}; RE2 has no back-references, and `\\z` for the end of the text"
    return words


def is_normal(path: str) -> bool:
    """Return whether a path certainly has no `.`, `..` or empty segments."""
    return "./" not in path and "//" not in path and not path.endswith(".")


def without_dots(path: str) -> str:
    """Return a path with `.`, `..` and empty segments resolved; the rest is unchanged."""
    if is_normal(path):
        return path
    scheme = _SCHEME.match(path)  # its two slashes are no empty segment
    start = scheme.end() if scheme else 0
    first, *rest = path[start:].split("/")
    is_rooted = scheme is not None or not first
    kept = [first] if is_rooted or first != "." else []
    for at, segment in enumerate(rest, 1):
        # The last empty one is the slash at the end.
        if segment == "." or (not segment and at < len(rest)):
            continue
        if segment == ".." and len(kept) > is_rooted and kept[-1] != "..":
            kept.pop()
        elif segment != ".." or not is_rooted:
            kept.append(segment)
    return path[:start] + "/".join(kept)


def compile_glob(pattern: str) -> CompiledPattern:
    """Compile a glob to a whole-value RE2 pattern.

    Raises:
        BadPattern: a bracket or brace is not closed, or it is too big.
    """
    if not pattern:
        raise BadPattern("the glob is empty; leave `match` out to mean every use")
    # With `(?s)`, as a name may hold line ends.
    return compile_regex(rf"(?s)\A{translate_glob(pattern)}\z")


def _plain_prefix(pattern: str) -> str:
    ends = [at for at in map(pattern.find, "*?[{\\") if at >= 0]
    end = min(ends, default=len(pattern))
    if pattern[end : end + 2] == "**" and pattern[end - 1 : end] == "/":
        end -= 1  # `/**/` may stand for a single slash
    return pattern[:end]


def translate_glob(pattern: str) -> str:
    """Translate a glob to an RE2 expression.

    Raises:
        BadPattern: a bracket or brace is not closed, or a backslash ends it.
    """
    parts: list[str] = []
    depth = at = 0
    while at < len(pattern):
        char = pattern[at]
        if char == "*":
            piece, at = _star(pattern, at)
        elif char == "[":
            piece, at = _bracket(pattern, at)
        elif char == "\\":
            piece, at = _escaped(pattern, at)
        else:
            piece, depth = _plain(char, depth)
            at += 1
        if depth > GLOB_DEPTH_LIMIT:
            raise BadPattern(f"glob `{pattern}` nests braces deeper than {GLOB_DEPTH_LIMIT}")
        parts.append(piece)
    if depth:
        raise BadPattern(f"glob `{pattern}` has a `{{` that is not closed; write `\\{{` for itself")
    return "".join(parts)


def _plain(char: str, depth: int) -> tuple[str, int]:
    """Write one character, and the depth of braces after it."""
    if char == "{":
        return "(?:", depth + 1
    if char == "}" and depth:
        return ")", depth - 1
    if char == "," and depth:
        return "|", depth
    return "[^/]" if char == "?" else str(re2.escape(char)), depth


def _star(pattern: str, at: int) -> tuple[str, int]:
    end = at
    while end < len(pattern) and pattern[end] == "*":
        end += 1
    if end - at == 1:
        return "[^/]*", end
    if pattern[end : end + 1] == "/" and (at == 0 or pattern[at - 1] == "/"):
        return "(?:.*/)?", end + 1
    return ".*", end


def _bracket(pattern: str, at: int) -> tuple[str, int]:
    start = at + 1
    is_negated = pattern[start : start + 1] in ("!", "^")
    start += is_negated
    # A `]` right behind the opening bracket stands for itself, as in a shell.
    end = pattern.find("]", start + 1)
    if end < 0:
        raise BadPattern(f"glob `{pattern}` has a `[` that is not closed; write `\\[` for itself")
    if is_negated:
        # Like `*`, what a negated bracket stands for is never a slash.
        return f"[^/{''.join(_ranges(pattern[start:end]))}]", end + 1
    if "/" in _RANGE.sub("", pattern[start:end]):
        raise BadPattern(f"glob `{pattern}` has a `/` in `[]`; write it outside: `{{a,/}}`")
    return f"[{''.join(_ranges(pattern[start:end]))}]", end + 1


def _ranges(inner: str) -> Iterator[str]:
    """Give what stands in a bracket, piece by piece, each without the slash."""
    at = 0
    while at < len(inner):
        found = _RANGE.match(inner, at)
        first, last = found.groups() if found else (inner[at], inner[at])
        at = found.end() if found else at + 1
        if first <= "/" <= last:
            pieces = ((first, "."), ("0", last))
            yield from (_range(low, high) for low, high in pieces if low <= high)
        else:
            yield _range(first, last)


def _range(first: str, last: str) -> str:
    return f"{re2.escape(first)}-{re2.escape(last)}"


def _escaped(pattern: str, at: int) -> tuple[str, int]:
    if at + 1 == len(pattern):
        raise BadPattern(f"glob `{pattern}` ends in a backslash; write `\\\\` for itself")
    return str(re2.escape(pattern[at + 1])), at + 2
