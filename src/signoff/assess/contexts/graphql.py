"""Reads a GraphQL document: only its strings are values, the rest is its grammar.

strings_of('{ user(name: "kim") { id } }')  ->  ("kim",)
strings_of("{{7*7}}")                       ->  None: no GraphQL
"""

from __future__ import annotations

import re

TEXT_LIMIT = 64 << 10
_TOKEN = re.compile(
    r"(?P<blank>[\s,\ufeff]+|#[^\n]*)"
    r'|(?P<block>"""(?:[^"\\]|\\.|"(?!""))*""")|(?P<string>"(?:[^"\\\n]|\\.)*")'
    r"|(?P<sign>\.\.\.|[{}()\[\]:!$@=|&])|(?P<number>-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)"
    r"|(?P<name>[A-Za-z_]\w*)",
    re.DOTALL,
)
_STARTS = frozenset({"{", "query", "mutation", "subscription", "fragment"})
_CLOSES = {")": "(", "]": "[", "}": "{"}


def strings_of(text: str) -> tuple[str, ...] | None:
    """Return the strings of a GraphQL document, None if the text is none."""
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
