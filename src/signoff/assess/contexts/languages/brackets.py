"""Tells whether a value closes brackets that it did not open.

A value breaks out of brackets only by closing one that the application opened.

    closes_more_than_it_opens("*)(uid=*")          ->  True
    closes_more_than_it_opens("see [the list][1]") ->  False
    is_one_group("(&(a=1)(b=2))")                  ->  True
"""

from __future__ import annotations

_PAIRS = {")": "(", "]": "[", "}": "{"}
_OPEN = frozenset(_PAIRS.values())


def closes_more_than_it_opens(text: str) -> bool:
    """Return whether brackets are unbalanced: closed before opened, or mismatched."""
    opened: list[str] = []
    for sign in text:
        if sign in _OPEN:
            opened.append(sign)
        elif sign in _PAIRS and (not opened or opened.pop() != _PAIRS[sign]):
            return True
    return False


def is_one_group(text: str) -> bool:
    """Return whether a value is a single pair of round brackets with its content."""
    plain = text.strip()
    if plain[:1] != "(" or plain[-1:] != ")":
        return False
    depth = 0
    for place, sign in enumerate(plain):
        depth += (sign == "(") - (sign == ")")
        if depth == 0:
            return place == len(plain) - 1
    return False
