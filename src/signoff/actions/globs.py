"""A pattern of names as bash reads it, written as `fnmatch` reads it.

A bracket is negated by `^` as well as by `!`, holds classes (`[[:alpha:]]`), and ends behind a `]`
that stands first. Letter case is folded before, so `[[:upper:]]` takes letters of either case.
What a bracket takes is written out, so a pattern is as long as the names it can match.

    as_fnmatch(".en[^a]")         ->  ".en[!a]"
    as_fnmatch(".en[[:lower:]]")  ->  ".en[a-z]"
"""

from __future__ import annotations

import re
import string

_CLASSES = {
    **dict.fromkeys(("alpha", "lower", "upper"), "a-z"),
    **dict.fromkeys(("alnum", "word"), "a-z0-9"),
    **dict.fromkeys(("digit", "xdigit"), "0-9"),
    **dict.fromkeys(("graph", "print"), "!-~"),
    "punct": "!-/:-@{-~",
    "space": " ",
    "blank": " ",
}
_CLASSES["xdigit"] += "a-f"
_CLASSES["word"] += "_"
# `[[:x:]]`, `[[=e=]]` and `[[.e.]]` (POSIX 9.3.5).
_NAMED = re.compile(r"\[:([a-z]+):\]|\[[=.](.)[=.]\]")
# What the names of files are written with.
_LETTERS = string.ascii_lowercase + string.digits + "._-+~#$%&(){}=@,;: "
_STARS = re.compile(r"\*{2,}")


def as_fnmatch(glob: str) -> str:
    """Convert a lower-case shell glob to one for `fnmatch`, with brackets expanded."""
    if "[" not in glob:
        return _STARS.sub("*", glob) if "**" in glob else glob
    parts: list[str] = []
    at = 0
    while (start := glob.find("[", at)) >= 0:
        end = _bracket_end(glob, start)
        parts.append(glob[at:start])
        # A bracket that is not closed stands for itself.
        parts.append(_members(glob[start + 1 : end - 1]) if end else "[[]")
        at = end or start + 1
    return _STARS.sub("*", "".join([*parts, glob[at:]]))


def _bracket_end(glob: str, start: int) -> int:
    """The index behind the bracket that begins at `start`; 0 if it is not closed."""
    at = start + 1
    at += glob[at : at + 1] in ("!", "^")
    at += glob[at : at + 1] == "]"
    while at < len(glob):
        if glob[at] == "]":
            return at + 1
        named = _NAMED.match(glob, at)
        at = named.end() if named else at + 1
    return 0


def _members(inside: str) -> str:
    """A bracket by the letters it takes; `?` if it takes all of them."""
    is_negated = inside[:1] in ("!", "^")
    body = _NAMED.sub(_named, inside[is_negated:])
    taken = _taken(body)
    members = [c for c in _LETTERS if (c in taken) is not is_negated]
    if len(members) == len(_LETTERS):
        return "?"
    if len(members) == 1:
        return members[0]
    if is_negated and len(members) > len(_LETTERS) // 2:
        return "[!" + _written([c for c in _LETTERS if c in taken]) + "]"
    return "[" + _written(members) + "]" if members else "[/]"


def _named(match: re.Match[str]) -> str:
    return _CLASSES.get(match[1], "") if match[1] else match[2]


def _taken(body: str) -> frozenset[str]:
    """The characters that the inside of a bracket names one by one and by ranges."""
    taken: set[str] = set()
    at = 0
    while at < len(body):
        if body[at + 1 : at + 2] == "-" and at + 2 < len(body):
            taken.update(c for c in _LETTERS if body[at] <= c <= body[at + 2])
            at += 3
        else:
            taken.add(body[at])
            at += 1
    return frozenset(taken)


def _written(members: list[str]) -> str:
    """Letters as `fnmatch` takes them in a bracket: the dash last."""
    return "".join(c for c in members if c != "-") + "-" * ("-" in members)
