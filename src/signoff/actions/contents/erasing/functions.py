"""The functions that a text of any language defines, their parameters and what callers hand over.

fun wipe(p: Path) { ... }   DefinedFunction(name="wipe", parameters=("p",), ...)
wipe(home)                  one of its calls: ("home",)
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import re2
from msgspec import Struct

from signoff.actions.contents.erasing.brackets import inner, parts
from signoff.actions.vocabulary import lazy_re, lazy_re2, words

_MOST = 60
_MOST_CALLS = 12
# `def f(a)`, `func (s *S) f(a string)`, `name = (a) =>`, `name <- function(a)`, `void F(Path a) {`.
_DEFINES = lazy_re2(
    r"(?m)\b(?P<word>def|defp|func|fn|function|fun|sub|proc)\s+(?:\([^)\n]{0,60}\)\s*)?(?:self\."
    r"|[A-Z]\w*[.:])?"
    r"(?P<a>[A-Za-z_]\w*(?:-\w+)*)[!?]?\s*(?:[<\[][^>\]\n]{0,60}[>\]])?\s*(?:\((?P<p>[^)\n]{0,300})\))?"
    r"|\b(?P<b>[A-Za-z_]\w*)\s*(?::[^=\n]{0,60})?(?:="
    r"|<-)\s*(?:async\s+)?(?:function\s*\w*\s*\((?P<q>[^)\n]{0,300})\)"
    r"|\((?P<r>[^)\n]{0,300})\)\s*(?::\s*[^=\n]{1,40})?(?:=>|->)|lambda\s+(?P<s>[^:\n]{0,100}):)"
    r"|^[ \t]*(?P<type>[A-Za-z_][\w<>\[\],.?*&:"
    r" \t]{0,80}?[\s*&>])(?:\w+::)?(?P<c>[A-Za-z_]\w*)\s*\((?P<t>[^)\n]{0,300})\)"
    r"\s*(?:(?:async|const|noexcept|override|throws\s+[\w, ]+)\s*\*?\s*)*(?:\{|=>|$)"
)
_NO_TYPES = words("return new throw await else case yield raise if for while not and or echo print")
_NO_NAMES = words("if for foreach while switch catch return with using lock function match unless")
_NAME = lazy_re(r"[A-Za-z_]\w*")
# Perl and PowerShell name the arguments in the body.
_WITHIN = lazy_re2(
    r"\bmy\s*\(?\s*((?:[$@%]\w+\s*,?\s*)+)\)?\s*=\s*(?:@_|shift)|(?i:\bparam)\s*\(([^)\n]{1,200})\)"
)
_HEAD = 160  # characters


class DefinedFunction(Struct, frozen=True, kw_only=True):
    """One definition.

    Args:
        head: where its head ends; a default stands before that.
        calls: place and arguments of each call in the same text.
    """

    name: str
    parameters: tuple[str, ...]
    start: int
    head: int
    end: int
    calls: tuple[tuple[int, tuple[str, ...]], ...]


def functions_in(text: str) -> tuple[DefinedFunction, ...]:
    """Return the functions of a text in their order; each ends where the next begins."""
    found = [(match, name) for match in _heads(text) if (name := _name_of(match))]
    ends = [*[match.start() for match, _ in found][1:], len(text)]
    defined = tuple([(match.start(), match.end()) for match, _ in found])
    return tuple(
        [
            DefinedFunction(
                name=name,
                parameters=(given := _parameters(match, text)),
                start=match.start(),
                head=match.end(),
                end=end,
                calls=tuple(_calls(text, name, defined)) if given else (),
            )
            for (match, name), end in zip(found, ends, strict=False)
        ]
    )


def _heads(text: str) -> Iterator[re2._Match[str]]:
    return islice(_DEFINES.finditer(text), _MOST)


def _name_of(match: re2._Match[str]) -> str:
    kind = (match.group("type") or "").split()
    name = str(match.group("a") or match.group("b") or match.group("c") or "")
    is_call = bool(kind) and kind[0] in _NO_TYPES
    return "" if is_call or name in _NO_NAMES else name


def _parameters(match: re2._Match[str], text: str) -> tuple[str, ...]:
    given = next((str(match.group(one)) for one in "pqrst" if match.group(one)), "")
    if not given and match.group("word") in ("sub", "function"):
        taken = _WITHIN.search(text[match.end() : match.end() + _HEAD])
        given = str(taken.group(1) or taken.group(2)) if taken is not None else ""
    is_go = match.group("word") == "func" and ":" not in given
    return tuple([_parameter(one, is_go=is_go) for one in parts(given)])


def _parameter(said: str, *, is_go: bool) -> str:
    """The name of a parameter: before its type, or behind it."""
    before, sign, _ = said.partition("=")[0].replace("::", ".").partition(":")
    names = _NAME.findall(before)
    if not names:
        return ""
    return str(names[0] if is_go and not sign else names[-1])


def _calls(
    text: str, name: str, defined: tuple[tuple[int, int], ...]
) -> Iterator[tuple[int, tuple[str, ...]]]:
    call = re2.compile(rf"\b{name}\b[!?]?(\s*\(|[ \t]+[$\"'~:@A-Za-z])")
    for match in islice(call.finditer(text), _MOST_CALLS):
        is_open = match.group(1).endswith("(")
        start = match.end() if is_open else match.end() - 1
        given = inner(text, start) if is_open else text[start : start + 200].partition("\n")[0]
        if not any([begin <= match.start() < end for begin, end in defined]):
            yield match.start(), parts(given)
