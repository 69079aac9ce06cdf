"""Reads a GraphQL document: only its strings are values, the rest is its grammar.

strings_of('{ user(name: "kim") { id } }')  ->  ("kim",)
strings_of("{{7*7}}")                       ->  None: no GraphQL
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise

from msgspec import Struct, field

from signoff.actions.action import Json
from signoff.actions.vocabulary import lazy_re
from signoff.values import replace

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
# A bracket, and whether it is one of arguments or stands within one.
_Open = tuple[str, bool]
_CLOSES = {")": "(", "]": "[", "}": "{"}


def strings_of(text: str) -> tuple[str, ...] | None:
    """Return the string literals of a GraphQL document, None if the text is not one."""
    at, end = 0, len(text)
    strings: list[str] = []
    open_signs: list[_Open] = []
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


def _goes_on(before: str, token: str, open_signs: list[_Open]) -> bool:
    if not before and token not in _STARTS:
        return False
    is_given = bool(open_signs) and open_signs[-1][1]
    is_selection = before == "{" and not is_given
    if is_selection and not (token[0].isalpha() or token[0] in "_."):
        return False
    if token in ("(", "[", "{"):
        open_signs.append((token, is_given or token in ("(", "[")))
    elif token in _CLOSES:
        return bool(open_signs) and open_signs.pop()[0] == _CLOSES[token]
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


class _Definition(Struct):
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


class GraphqlCall(Struct, frozen=True):
    """One field that a document asks for.

    Args:
        arguments: names of what it is given.
        parent: the field it is asked for in, "" for none.
        rounds: how often a field of this name stands around it, itself included.
    """

    name: str
    arguments: tuple[str, ...]
    parent: str
    rounds: int


def calls_of(text: str) -> tuple[GraphqlCall, ...]:
    """Return the fields that a GraphQL document asks for, in their order; () if it is none.

    Fragments are not expanded: a circle of them is no document that a server takes.
    """
    if strings_of(text) is None:
        return ()
    words = [one.group() for one in _TOKEN.finditer(text) if one.lastgroup != "blank"]
    calls: list[GraphqlCall] = []
    around: list[str] = []
    counts: Counter[str] = Counter()
    name, at = "", 0
    while at < len(words):
        word = words[at]
        if word == "(":
            end = _closed_at(words, at)
            if calls and name == calls[-1].name:
                calls[-1] = replace(calls[-1], arguments=_names_in(words[at:end]))
            at = end
        elif word == "{":
            around.append(name)
            counts[name] += 1
        elif word == "}":
            counts[around.pop()] -= 1
        elif around and _is_field(words, at):
            name = word
            calls.append(GraphqlCall(word, (), around[-1], counts[word] + 1))
        at += 1
    return tuple(calls)


def _closed_at(words: Sequence[str], at: int) -> int:
    """Return where the bracket at this place is closed."""
    depth = 0
    for place in range(at, len(words)):
        depth += (words[place] == "(") - (words[place] == ")")
        if not depth:
            return place
    return len(words)


def _names_in(words: Sequence[str]) -> tuple[str, ...]:
    """Return the names of arguments and of the members of objects in them."""
    return tuple([name for name, sign in pairwise(words) if sign == ":"])


def _is_field(words: Sequence[str], at: int) -> bool:
    word, before, after = words[at], words[at - 1], words[at + 1 : at + 2]
    is_name = word[0].isalpha() or word[0] == "_"
    return is_name and after != [":"] and before not in ("...", "@", "on", "$")


def documents_of(query: Json, body: str) -> list[str]:
    """Return the GraphQL documents of a request; "" for an operation that is sent by its name."""
    told = query.get("query") if isinstance(query, Mapping) else None
    found = [told] if isinstance(told, str) and _is_one(told) else []
    body = body.strip()
    if body.startswith(("{", "[")):
        try:
            said = json.loads(body)
        except (ValueError, RecursionError):
            return [*found, body] if _is_one(body) else found
        each = said if isinstance(said, list) else [said]
        return [*found, *(_document(one) for one in each if isinstance(one, dict))]
    return [*found, body] if _is_one(body) else found


def _document(said: Mapping[str, object]) -> str:
    text = said.get("query")
    return text if isinstance(text, str) and _is_one(text) else ""


def _is_one(text: str) -> bool:
    """Tell whether a text is meant as a GraphQL document."""
    lead = text[:TEXT_LIMIT].lstrip("\ufeff \t\r\n,")
    return lead.startswith((*_STARTS, "#")) and "{" in text
