"""What tables are made of: closed sets of words, hashed and spelled in C, and late patterns.

The judgement asks thousands of times a second whether a word is in a set. `StrEnum` hashes its
members in Python; the text itself keeps its hash, so set membership costs a tenth. It finds their
text in Python as well, which a record does a dozen times.

The readers hold hundreds of patterns and one start of the command line uses a few: to compile all
of them took a ninth of it. A process that stays compiles the rest beforehand.

    _CODE = lazy_re(r"[0-9]+", re.ASCII)
    _CODE.search("a 12")       compiles it
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum
from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING, cast


class Vocabulary(StrEnum):
    """Base of the closed word lists; members are equal to their text and hash like it."""

    __hash__ = str.__hash__
    if not TYPE_CHECKING:  # the checker knows the text of every member
        value = property(attrgetter("_value_"))


def words(text: str) -> frozenset[str]:
    """Return the set of blank-separated words of `text`; used for tables of names."""
    return frozenset(text.split())


_METHODS = (
    *("search", "match", "fullmatch", "finditer", "findall", "sub", "subn", "split"),
    *("pattern", "flags", "groups", "groupindex"),
)
_waiting: list[_Later] = []


class _Later:
    """A pattern that is compiled when one of its methods is first used."""

    def __init__(self, compile_it: Callable[[], re.Pattern[str]]) -> None:
        self._compile_it = compile_it
        _waiting.append(self)

    def __getattr__(self, name: str) -> object:
        if name not in _METHODS:
            raise AttributeError(name)
        compiled = self._compile_it()
        for method in _METHODS:
            if hasattr(compiled, method):
                setattr(self, method, getattr(compiled, method))
        return getattr(compiled, name)


def lazy_re(source: str, flags: int = 0) -> re.Pattern[str]:
    """Return a pattern that is compiled on first use, else like `re.compile`.

    An invalid pattern raises then, or in `compile_all`.
    """
    return cast("re.Pattern[str]", _Later(partial(re.compile, source, flags)))


def lazy_re2(source: str) -> re.Pattern[str]:
    """Return an RE2 pattern, compiled on first use; for long untrusted texts (linear time).

    It has no lookaround; its `flags` are in the pattern itself.
    """
    return cast("re.Pattern[str]", _Later(partial(_compile_re2, source)))


def _compile_re2(source: str) -> re.Pattern[str]:
    import re2  # noqa: PLC0415 - `import signoff` does without it

    return cast("re.Pattern[str]", re2.compile(source))


_BLANK_IN_CLASS = re.compile(r"\[[^\]]*\\[sS]")


class _InAscii:
    """A pattern searched by RE2 in ASCII texts, and by `re` in others."""

    def __init__(self, source: str) -> None:
        if "$" in source or _BLANK_IN_CLASS.search(source):
            raise ValueError(f"`$`, or a blank in a class, has no equal in RE2: {source[:60]!r}")
        self._plain = lazy_re(source)
        # Blanks are what `re` takes for them: RE2 knows five.
        blanks = r"\x09-\x0d\x1c-\x20"
        linear = source.replace(r"\s", f"[{blanks}]").replace(r"\S", f"[^{blanks}]")
        self._linear = lazy_re2(linear)

    def search(self, text: str) -> re.Match[str] | None:
        """Search a text as `re` does."""
        return (self._linear if text.isascii() else self._plain).search(text)


def lazy_words_re(source: str) -> re.Pattern[str]:
    """Return a pattern of many words, a tenth of the work of `re` for a text with none of them.

    It finds what `re` finds and has `search` alone. RE2 syntax, no `\\s` in a class, no `$`.

    Raises:
        ValueError: it has one of these.
    """
    return cast("re.Pattern[str]", _InAscii(source))


class _Keyed:
    """A pattern that is searched only in texts with one of some words, of each of some groups."""

    def __init__(self, pattern: re.Pattern[str], groups: tuple[tuple[str, ...], ...]) -> None:
        self.unkeyed, self.groups = pattern, groups

    def search(self, text: str) -> re.Match[str] | None:
        """Search a text as the pattern alone does."""
        return self.unkeyed.search(text) if self._may_match(text) else None

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """Find in a text what the pattern alone finds."""
        return self.unkeyed.finditer(text) if self._may_match(text) else iter(())

    def _may_match(self, text: str) -> bool:
        folded = text.casefold()
        for group in self.groups:
            for key in group:
                if key in folded:
                    break
            else:
                return False
        return True

    def __getattr__(self, name: str) -> object:
        """Do anything else as the pattern alone does."""
        return getattr(self.unkeyed, name)


def keyed(pattern: re.Pattern[str], *keys: str) -> re.Pattern[str]:
    """Return a pattern whose `search` and `finditer` first look for words that each match contains.

    For texts that mostly do not match: looking for words is much cheaper. It saves most with RE2
    patterns that have counted repetitions, as their many states are built again for each text.

    Args:
        keys: groups of words, each blank-separated and in lower case; a match contains at least
            one word of every group.
    """
    groups = tuple(tuple(group.split()) for group in keys)
    return cast("re.Pattern[str]", _Keyed(pattern, groups))


def compile_all() -> Sequence[re.Pattern[str]]:
    """Compile all lazy patterns that were not used yet; return them.

    Raises:
        re.error: one is no valid pattern.
    """
    left = [cast("re.Pattern[str]", _waiting.pop()) for _ in range(len(_waiting))]
    for pattern in left:
        _ = pattern.pattern
    return left
