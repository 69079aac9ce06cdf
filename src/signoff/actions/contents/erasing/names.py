"""What the names of a text stand for: what they are given, go through, or get from a caller.

base = Path("/srv")        GivenName("base", 'Path("/srv")')
for d in base.iterdir():   GivenName("d", "base.iterdir()", is_loop=True)
def wipe(p): ...
wipe(base)                 GivenName("p", "base", within=0)
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from msgspec import Struct

from signoff.actions.contents.erasing.brackets import inner, parts, statement
from signoff.actions.contents.erasing.functions import DefinedFunction, functions_in
from signoff.actions.vocabulary import lazy_re2, words

_MOST = 160
_MOST_VALUES = 6
# `x = e`, `x := e`, `x <- e`, `val x: T = e`, `"--root", default=e`, `Type x(e)` of C++.
_GIVEN = lazy_re2(
    r"[$@%]?\b([A-Za-z_]\w*)(?:,\s*[\w_]+)?(?:\s*:\s*[\w<>?&\[\]|' ]{1,40}?)?\s*(?::=|\?\?=|\|\|="
    r"|<-|=)\s*"
)
_OPTION = lazy_re2(
    r"[\"']-{0,2}([A-Za-z][\w-]*)[\"'][^\n()]{0,120}?\bdefault(?:_value|Value)?\s*[=(:]\s*"
)
_DECLARED = lazy_re2(
    r"\b(?:QDirIterator|QDir|QString|(?:std::)?string|(?:std::)?(?:filesystem::|fs::)?path|QFile"
    r"|QFileInfo)\s+(\w+)\s*[({]"
)
# A loop over something: before it its variable, or behind it.
_LOOP = lazy_re2(
    r"\bfor(?:each)?\s+(?:await\s+)?(?:my\s+)?\(?\s*(?:my\s+|const\s+|let\s+|var\s+|val\s+"
    r"|final\s+|auto\s+)*"
    r"(?:[A-Z][\w<>.:]*\s+)?(?:const\s+)?(?:auto\s*&?\s*)?(?:[_\w]+\s*,\s*)?[(&*$@]*([A-Za-z_]\w*)(?:\s*,\s*[$\w]+)*\)?\s*"
    r"(?:in\b|of\b|<-|:=\s*range\b|:)\s*"
)
_PERL_LOOP = lazy_re2(r"\bfor(?:each)?\s+my\s+\$(\w+)\s*\(")
_PHP_LOOP = lazy_re2(r"\bforeach\s*\(\s*")
_AS = lazy_re2(r"\s+as\s+(?:\$\w+\s*=>\s*)?\$(\w+)\s*$")
_BEHIND = lazy_re2(r"[;{}]?([^;{}\n]{1,200}?)\s+for(?:each)?\s+\(?")
_EACH = lazy_re2(
    r"\.(?:each|forEach|foreach|map|filter|each_child|forEachRemaining)\s*(?:do\s*\|\s*"
    r"|\{\s*\|?\s*|\(\s*(?:async\s+)?\(?\s*)(?:final\s+)?"
    r"(?:\w+\s+)?[&|]?([A-Za-z_]\w*)?|\|\s*(?:ForEach-Object|%)\s*\{|Enum\.(?:each|map)\(\s*"
)
_CALLBACK = lazy_re2(r"\b(?:filepath\.Walk(?:Dir)?|Find\.find|Enum\.(?:each|map))\s*\(")
_BOUND_BY_CALLBACK = lazy_re2(r"(?:func\s*\(|fn\s+|\|\s*)([A-Za-z_]\w*)")
_BLOCK = lazy_re2(r"\s*(?:\bdo|\bloop|\{|:|=>)\s*(?:\n|$)|\s+\{")
_NO_VALUES = words("if else return not and or in is true false null nil None True False")


class GivenName(Struct, frozen=True, kw_only=True):
    """What a name is given in one place.

    Args:
        at: where the expression stands.
        within: number of the function in which it holds, -1 outside of all.
    """

    said: str
    at: int
    within: int
    is_loop: bool = False
    is_argument: bool = False


class Names:
    """All names of one text."""

    def __init__(self, text: str) -> None:
        self._functions = functions_in(text)
        self._bound: dict[str, list[GivenName]] = {}
        for name, said, at, is_loop in islice(_bound(text), _MOST):
            self._add(name, GivenName(said=said, at=at, within=self.within(at), is_loop=is_loop))
        for number, one in enumerate(self._functions):
            self._add_arguments(number, one)

    def within(self, at: int) -> int:
        """Return the number of the function a place stands in, -1 if in none."""
        return next((n for n, one in enumerate(self._functions) if one.start <= at < one.end), -1)

    def of(self, name: str, at: int) -> tuple[GivenName, ...]:
        """Return what a name can stand for at a place: what is nearest counts."""
        every = self._bound.get(name, ())
        here = self.within(at)
        near = [one for one in every if one.within == here and (one.is_argument or one.at < at)]
        given = [one for one in near if one.is_argument]
        if given and here >= 0 and len(given) == len(self._functions[here].calls):
            head = self._functions[here].head
            near = [one for one in near if one.is_argument or one.at >= head]
        return tuple((near or [one for one in every if not one.is_argument])[-_MOST_VALUES:])

    def _add(self, name: str, binding: GivenName) -> None:
        if name not in _NO_VALUES:
            self._bound.setdefault(name, []).append(binding)

    def _add_arguments(self, number: int, function: DefinedFunction) -> None:
        for at, given in function.calls:
            for name, said in zip(function.parameters, given, strict=False):
                if name:
                    bound = GivenName(said=said, at=at, within=number, is_argument=True)
                    self._add(name, bound)


def _bound(text: str) -> Iterator[tuple[str, str, int, bool]]:
    """Names with what they are given, and whether they go through it."""
    for find in (_GIVEN, _OPTION):
        for match in islice(find.finditer(text), _MOST):
            name = str(match.group(1)).replace("-", "_")
            said = statement(text, match.end())
            if said[:1] not in ("=", ">", "~"):
                yield name, _first_part(said), match.end(), False
    for match in islice(_DECLARED.finditer(text), _MOST):
        yield str(match.group(1)), inner(text, match.end()), match.end(), False
    yield from _loops(text)


def _first_part(said: str) -> str:
    """Return what is given; behind a comma, the next argument or default stands."""
    return next(iter(parts(said)), "")


def _loops(text: str) -> Iterator[tuple[str, str, int, bool]]:
    for match in islice(_LOOP.finditer(text), _MOST):
        yield str(match.group(1)), _head(text, match.end()), match.end(), True
    for match in islice(_PERL_LOOP.finditer(text), _MOST):
        yield str(match.group(1)), inner(text, match.end()), match.end(), True
    for match in islice(_PHP_LOOP.finditer(text), _MOST):
        said = inner(text, match.end())
        if (named := _AS.search(said)) is not None:
            yield str(named.group(1)), said[: named.start()], match.end(), True
    for match in islice(_BEHIND.finditer(text), _MOST):
        yield "_", statement(text, match.end()), match.end(), True
    yield from _handed_on(text)


def _handed_on(text: str) -> Iterator[tuple[str, str, int, bool]]:
    """What is listed and handed to a block: `x.each { |f| ... }`, `Walk(x, func(p string ...`."""
    for match in islice(_EACH.finditer(text), _MOST):
        start = max(text.rfind("\n", 0, match.start()), text.rfind(";", 0, match.start())) + 1
        said = text[start : match.start()].rpartition("= ")[2]
        for name in {str(match.group(1) or "it"), "it", "_"}:
            yield name, said, match.end(), True
    for match in islice(_CALLBACK.finditer(text), _MOST):
        given = inner(text, match.end())
        named = _BOUND_BY_CALLBACK.search(text[match.end() : match.end() + 300])
        if named is not None:
            yield str(named.group(1)), next(iter(given.split(",")), ""), match.end(), True


def _head(text: str, at: int) -> str:
    """What a loop goes through, without its block."""
    said = statement(text, at)
    begins = _BLOCK.search(said)
    return said[: begins.start()] if begins is not None else said
