"""Reads a GraphQL document: only its strings are values, the rest is its grammar.

strings_of('{ user(name: "kim") { id } }')  ->  ("kim",)
strings_of("{{7*7}}")                       ->  None: no GraphQL
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from msgspec import Struct

from signoff.actions.vocabulary import lazy_re

TEXT_LIMIT = 64 << 10
SPREADS_LIMIT = 100  # fragments inside fragments
COUNT_LIMIT = 1_000_000
_TOKEN = lazy_re(
    r"(?P<blank>[\s,\ufeff]+|#[^\n]*)"
    r'|(?P<block>"""(?:[^"\\]|\\.|"(?!""))*""")|(?P<string>"(?:[^"\\\n]|\\.)*")'
    r"|(?P<sign>\.\.\.|[{}()\[\]:!$@=|&])|(?P<number>-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)"
    r"|(?P<name>[A-Za-z_]\w*)",
    re.DOTALL,
)
_STARTS = frozenset({"{", "query", "mutation", "subscription", "fragment"})
_CLOSES = {")": "(", "]": "[", "}": "{"}


def strings_of(text: str) -> tuple[str, ...] | None:
    """Return the string literals of a GraphQL document, None if the text is not one."""
    at, end = 0, len(text)
    strings: list[str] = []
    open_signs: list[str] = []
    before = ""
    while at < end:
        match = _TOKEN.match(text, at)
        if match is None or end > TEXT_LIMIT:
            return None
        at, kind, token = match.end(), match.lastgroup, match.group()
        if kind == "blank":
            continue
        if kind in ("block", "string"):
            strings.append(token.strip('"'))
        if not _goes_on(before, token, open_signs):
            return None
        before = token
    return tuple(strings) if before == "}" and not open_signs else None


def _goes_on(before: str, token: str, open_signs: list[str]) -> bool:
    if not before and token not in _STARTS:
        return False
    is_selection = before == "{" and "(" not in open_signs and "[" not in open_signs
    if is_selection and not (token[0].isalpha() or token[0] in "_."):
        return False
    if token in ("(", "[", "{"):
        open_signs.append(token)
    elif token in _CLOSES:
        return bool(open_signs) and open_signs.pop() == _CLOSES[token]
    return True


class GraphqlShape(Struct, frozen=True, kw_only=True):
    """The size of a GraphQL document, fragments expanded.

    Args:
        depth: fields inside fields; `{ a { b } }` has 2.
        aliases: fields under another name.
        introspects: it asks for the schema itself.
        is_circular: a fragment spreads itself.
    """

    depth: int
    aliases: int
    introspects: bool = False
    is_circular: bool = False


@dataclass(slots=True)
class _Definition:
    """One operation or fragment while it is read: how deep it goes, and where it spreads others."""

    depth: int = 0
    aliases: int = 0
    introspects: bool = False
    spreads: list[tuple[int, str]] = field(default_factory=list)


def shape_of(text: str) -> GraphqlShape | None:
    """Return the size of a GraphQL document; None if it is not one, or too long."""
    if strings_of(text) is None:
        return None
    parts: dict[str, _Definition] = {}
    words = [
        found.group()
        for found in _TOKEN.finditer(text)
        if found.lastgroup not in ("blank", "string", "block")
    ]
    part, depth, parens = _Definition(), 0, 0
    for before, word, after in zip(["", *words], words, [*words[1:], ""], strict=False):
        if word in ("(", ")"):
            parens += 1 if word == "(" else -1
        elif parens:
            continue  # values of arguments nest, but ask for nothing
        elif word in ("{", "}"):
            if not depth and before in ("", "}"):
                part = parts.setdefault("{", _Definition())  # an operation without a name
            depth += 1 if word == "{" else -1
        elif depth:
            _count(part, before, word, after, depth)
        else:
            part = _begun(parts, word, after) or part
    return _whole(parts)


def _begun(parts: dict[str, _Definition], word: str, name: str) -> _Definition | None:
    """Return the part that a word outside of every selection begins, None if it begins none."""
    if word not in _STARTS:
        return None
    return parts.setdefault(name if word == "fragment" else f"{word} {name}", _Definition())


def _count(part: _Definition, before: str, word: str, after: str, depth: int) -> None:
    if before == "...":
        if word != "on":
            part.spreads.append((depth, word))
        return
    if not (word[0].isalpha() or word[0] == "_") or before in ("@", "on", "$"):
        return
    part.depth = max(part.depth, depth)
    part.aliases += after == ":"
    part.introspects |= word in ("__schema", "__type")


def _whole(parts: dict[str, _Definition]) -> GraphqlShape:
    """Return the shape of all parts, each fragment counted where it is spread."""
    known: dict[str, tuple[int, int]] = {}
    is_circular = False

    def measured(name: str, above: frozenset[str]) -> tuple[int, int]:
        nonlocal is_circular
        if name in known:
            return known[name]
        if name in above or len(above) > SPREADS_LIMIT:
            is_circular = True
            return 0, 0
        part = parts.get(name, _Definition())
        depth, aliases = part.depth, part.aliases
        for at, spread in part.spreads:
            deeper, more = measured(spread, above | {name})
            depth, aliases = max(depth, at - 1 + deeper), min(aliases + more, COUNT_LIMIT)
        known[name] = depth, aliases
        return depth, aliases

    found = [measured(name, frozenset()) for name in parts]
    return GraphqlShape(
        depth=max((depth for depth, _ in found), default=0),
        aliases=max((aliases for _, aliases in found), default=0),
        introspects=any(one.introspects for one in parts.values()),
        is_circular=is_circular,
    )
