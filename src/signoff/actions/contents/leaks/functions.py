"""The functions of a text in any language, and what their calls are given.

Heads of functions differ in few words, so a text is cut at them. A function in a function ends the
outer one: what is asked here is only which values stand near each other.

    def a():\\n  post(b())\\ndef b():\\n  return 1     "" before them, `a`, `b`
"""

from __future__ import annotations

from itertools import islice

from msgspec import Struct

from signoff.actions.vocabulary import lazy_re, lazy_re2, words

_MOST = 200
_LONGEST = 6_000  # characters of one function
_REACH = 900  # characters of the arguments of one call
_TRAILING = 500  # of the block behind them: `post(url) { setBody(x) }`
_HEAD = lazy_re2(
    r"(?m)^[ \t]*(?:(?:export|default|async|public|private|protected|static|override|final|suspend"
    r"|internal|inline|pub|create|or|replace|unsafe|virtual|sealed)[ \t]+){0,5}"
    r"(?:(?i:def|defp|func|function|fun|fn|sub|proc|procedure|method)[ \t]+(?:\([^)\n]*\)[ \t]*)?"
    r"(?:self\.)?(\w+)"
    r"|(?:const|let|var|val)[ \t]+(\w+)[ \t]*=[ \t]*(?:async[ \t]*)?(?:\([^\n]*\)|\w+)[ \t]*=>"
    r"|(?:[\w<>\[\],.?*&:]+[ \t]+){1,4}[*&]?(\w+)[ \t]*\([^;={}\n]*(?:\)[^;\n]*|,[ \t]*)$"
    r"|(?:async[ \t]+)?(\w+)[ \t]*\([^;=\n]*\)[ \t]*(?::[^\n{;]{1,60})?\{[ \t]*$)"
)
_NO_HEADS = words("if for while switch catch else return foreach using lock when do try elif until")
_BRACKET = lazy_re(r"[()]")


class CodeFunction(Struct, frozen=True, kw_only=True):
    """One function, or the text before the first one, whose name is ""."""

    name: str
    text: str


def functions_of(text: str) -> tuple[CodeFunction, ...]:
    """Return the functions of a text in their order; what is far behind a head is left out."""
    found: list[tuple[int, str]] = [(0, "")]
    for match in islice(_HEAD.finditer(text), _MOST):
        name = next((group for group in match.groups() if group), "")
        first = match.group().split(None, 1)[:1]
        if name and name not in _NO_HEADS and _NO_HEADS.isdisjoint(first):
            found.append((match.start(), name))
    ends = [start for start, _ in found[1:]] + [len(text)]
    return tuple(
        CodeFunction(name=name, text=text[start : min(end, start + _LONGEST)])
        for (start, name), end in zip(found, ends, strict=True)
    )


def arguments(text: str, at: int) -> str:
    """Return what stands in the brackets of a call, opened before `at`, up to a limit."""
    depth = 0
    piece = text[at : at + _REACH]
    for match in _BRACKET.finditer(piece):
        depth += 1 if match.group() == "(" else -1
        if depth < 0:
            return piece[: match.start()]
    return piece


def given_to(text: str, at: int) -> str:
    """Return what a call is given whose bracket was opened before `at`, with its block."""
    given = arguments(text, at)
    end = at + len(given)
    behind = text[end + 1 : end + 1 + _TRAILING]
    is_block = text[end : end + 1] == ")" and behind.lstrip(" \t").startswith("{")
    return given + behind if is_block else given
