"""SQL text as statements: tokens cut at `;` and `GO`, bodies of routines kept whole.

A body counts as one with its CREATE only if its BEGIN ... END add up; else it is cut like the
rest, so that nothing can hide behind a routine that never ends.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from signoff.actions.sql.lexis import Lexis, key, tokens

_ROUTINES = frozenset({
    "FUNCTION", "PROCEDURE", "PROC", "TRIGGER", "EVENT", "PACKAGE", "TASK", "RULE", "MACRO",
})  # fmt: skip
_CREATES = frozenset({"CREATE", "ALTER", "REPLACE"})
_NO_CLOSE = frozenset({"IF", "LOOP", "WHILE", "REPEAT", "FOR"})
_NO_BLOCK = frozenset({"TRAN", "TRANSACTION", "WORK", ";", "DISTRIBUTED", ""})


class Statement(Struct, frozen=True, kw_only=True):
    """One SQL statement: its tokens as written, and their normalised keys (`lexis.key`)."""

    raw: tuple[str, ...]
    keys: tuple[str, ...]

    def key(self, index: int) -> str:
        """Return the key at `index`, "" beyond the end."""
        return self.keys[index] if 0 <= index < len(self.keys) else ""

    def part(self, start: int, end: int | None = None) -> Statement:
        """Return the tokens from `start` to `end` as a statement."""
        return Statement(raw=self.raw[start:end], keys=self.keys[start:end])

    def find(self, word: str, start: int = 0) -> int:
        """Return the index of `word` outside nested parentheses, from `start` on; -1 if absent."""
        if word not in self.keys:
            return -1
        depth = 0
        for index in range(start, len(self.keys)):
            current = self.keys[index]
            if current == "(":
                depth += 1
            elif current == ")":
                depth -= 1
                if depth < 0:
                    return -1
            elif depth == 0 and current == word:
                return index
        return -1

    def name(self, index: int) -> str:
        """Return the name at `index`, dotted and without quotes, "" if there is none."""
        parts: list[str] = []
        while is_name(self.key(index)):
            parts.append(self.raw[index].strip('"`[]'))
            if self.key(index + 1) != ".":
                break
            index += 3 if self.key(index + 2) == "." else 2
        return ".".join(parts)

    def text(self, index: int) -> str:
        """Return the string at `index` without its quotes, "" if it is not a string."""
        if self.key(index) not in {"'", '"'}:
            return ""
        return unquote(self.raw[index])

    @property
    def source(self) -> str:
        """The first characters of the statement, for evidence."""
        return " ".join(self.raw[:60])[:200]


def is_name(current: str) -> bool:
    """Tell whether a key can be a name: a word, a variable or a quoted name."""
    return bool(current) and (current == '"' or current[0].isalpha() or current[0] in "_@#")


def unquote(token: str) -> str:
    """Return what is inside the quotes of a string token."""
    if token.startswith("$"):
        tag = token[: token.index("$", 1) + 1]
        return token[len(tag) : -len(tag)]
    token = token.lstrip("eEnNxXbB") if token[0] not in "'\"" else token
    quote = token[:1]
    return token[1:-1].replace(quote * 2, quote)


def statements(text: str, lexis: Lexis) -> tuple[list[Statement], bool]:
    """Split a text into statements; False if a quote or comment stays open."""
    raw, is_closed = tokens(text, lexis)
    keys = [key(token) for token in raw]
    if ";" not in keys and "GO" not in keys:
        return ([Statement(raw=tuple(raw), keys=tuple(keys))] if raw else []), is_closed
    whole = [
        Statement(raw=tuple(raw[start:end]), keys=tuple(keys[start:end]))
        for start, end in _cuts(keys)
        if end > start
    ]
    return whole, is_closed


def _cuts(keys: list[str]) -> Iterator[tuple[int, int]]:
    start, count = 0, len(keys)
    while start < count:
        end = _routine_end(keys, start) if keys[start] in _CREATES else -1
        if end < 0:
            end = _plain_end(keys, start)
        yield start, end
        start = end + 1


def _plain_end(keys: list[str], start: int) -> int:
    for index in range(start, len(keys)):
        if keys[index] == ";" or (keys[index] == "GO" and keys[index - 1] not in {".", ",", "AS"}):
            return index
    return len(keys)


def _routine_end(keys: list[str], start: int) -> int:
    """Return where a routine's body ends, -1 if this is none or its blocks fail verification."""
    if _ROUTINES.isdisjoint(keys[start + 1 : start + 8]):
        return -1
    depth = 0
    for index in range(start, len(keys)):
        current = keys[index]
        if current in {";", "GO"} and depth == 0:
            return index
        if current in {"BEGIN", "CASE"} and keys[index - 1] != "END":
            depth += _following(keys, index) not in _NO_BLOCK
        elif current == "END" and _following(keys, index) not in _NO_CLOSE:
            depth -= 1
    return len(keys) if depth == 0 else -1


def _following(keys: list[str], index: int) -> str:
    return keys[index + 1] if index + 1 < len(keys) else ""
