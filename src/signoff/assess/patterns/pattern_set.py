"""Many patterns, looked for in one linear pass.

A set is compiled when it is first used, once; scanning costs microseconds a kilobyte, whatever
the text. Text over `TEXT_LIMIT` characters is read at its beginning and its end, and the answer
says so with the id `CUT`.

    SQL = PatternSet((Pattern("sql.drop", r"\\bdrop\\s+table\\b"),))
    SQL.scan("please DROP  TABLE users")               ->  frozenset({"sql.drop"})
    SQL.spans("sql.drop", "please DROP  TABLE users")  ->  ((7, 18),)
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from signoff.assess.patterns.disguise import DISGUISES, IDS, plain
from signoff.assess.patterns.disguise import TEXT_LIMIT as PLAIN_LIMIT
from signoff.assess.patterns.engines import (
    Engine,
    HyperscanEngine,
    Re2Engine,
    Shelf,
    fastest,
    kept,
)
from signoff.assess.patterns.pattern import Pattern

TEXT_LIMIT = 512 << 10
TAIL = 64 << 10
SPAN_LIMIT = 64
SPAN_TEXT = 128 << 10
SPAN_OVERLAP = 4 << 10
CUT = "text.cut"
NOTHING: frozenset[str] = frozenset()


class PatternSet:
    """Patterns compiled together; they match the same on every engine.

    Args:
        chunk: how many patterns Hyperscan compiles at once.
        is_quick: True to start with RE2, which compiles in milliseconds but scans slower,
            unless the cache has the compiled set. For large sets; `warm` returns the fast one.
        shelf: cache of compiled sets.
    """

    def __init__(
        self,
        patterns: Iterable[Pattern],
        engine: Engine | None = None,
        *,
        chunk: int = 1000,
        is_quick: bool = False,
        shelf: Shelf | None = None,
    ) -> None:
        self._chunk, self._is_quick, self._shelf = chunk, is_quick, shelf
        self.patterns = (*DISGUISES, *patterns)
        self._ids = tuple(pattern.id for pattern in self.patterns)
        if len(set(self._ids)) != len(self._ids):
            raise ValueError("two patterns have the same id")
        self._given = engine
        self._single: dict[str, _Finder] = {}

    @cached_property
    def _engine(self) -> Engine:
        if self._given:
            return self._given
        if self._is_quick:
            found = kept(self.patterns, chunk=self._chunk, shelf=self._shelf)
            # Not put on the shelf: RE2's set cannot be exported.
            return found or Re2Engine(self.patterns)
        return self._fastest

    @cached_property
    def _fastest(self) -> Engine:
        return fastest(self.patterns, chunk=self._chunk, shelf=self._shelf)

    def warm(self) -> PatternSet:
        """Return this set on the fastest engine available, compiled now."""
        own = self.patterns[len(DISGUISES) :]
        return PatternSet(own, self._fastest, chunk=self._chunk)

    def scan(self, text: str) -> frozenset[str]:
        """Return the ids of the patterns that match the text or its undisguised form."""
        is_cut = len(text) > TEXT_LIMIT
        if is_cut:
            # The line end keeps the two halves from making a match that the text does not hold.
            text = f"{text[: TEXT_LIMIT - TAIL]}\n{text[-TAIL:]}"
        places = self._places(text)
        if not places and not is_cut:
            return NOTHING
        found = self._names(places)
        if not IDS.isdisjoint(found):
            # Added, not replaced: what the text says as it stands counts too.
            found |= self._names(self._places(plain(text)))
            is_cut = is_cut or len(text) > PLAIN_LIMIT
        return frozenset({*found, CUT} if is_cut else found)

    def spans(self, id: str, text: str) -> tuple[tuple[int, int], ...]:
        """Return the (start, end) of each match, in characters; of its group 1 if it has one.

        At most `SPAN_LIMIT` matches in the first `SPAN_TEXT` characters.

        Raises:
            KeyError: no pattern has this id.
        """
        return tuple(span for _, span in self.places(id, text))

    def places(self, id: str, text: str) -> tuple[tuple[int, tuple[int, int]], ...]:
        """Return for each match its start and the (start, end) of the part that matters.

        Raises:
            KeyError: no pattern has this id.
        """
        return self._finder(id).places(text[:SPAN_TEXT])

    def reads_all(self, id: str, text: str) -> bool:
        """Return whether `places` returns every match, so that its limits are not reached."""
        places = self.places(id, text)
        if len(places) >= SPAN_LIMIT:
            return False
        start = max([SPAN_TEXT - SPAN_OVERLAP, *(end for _, (_, end) in places)])
        return len(text) <= SPAN_TEXT or not self._finder(id).places(text[start:])

    def serialise(self) -> bytes:
        """Return the compiled set for `restore`; b"" if the engine cannot export it."""
        engine = self._given or self._fastest
        return engine.serialise() if isinstance(engine, HyperscanEngine) else b""

    def restore(self, stored: bytes) -> PatternSet:
        """Return this set with its compiled form loaded from `stored`.

        The bytes must come from a place that only the user can write: forged ones are not detected.

        Raises:
            ValueError: they were made from other patterns or by another version.
        """
        own = self.patterns[len(DISGUISES) :]
        engine = HyperscanEngine(self.patterns, chunk=self._chunk, stored=stored)
        return PatternSet(own, engine, chunk=self._chunk)

    def _places(self, text: str) -> list[int]:
        return self._engine.scan(text.encode("utf-8", "replace"))

    def _names(self, places: list[int]) -> set[str]:
        ids = self._ids
        return {ids[place] for place in places}

    def _finder(self, id: str) -> _Finder:
        finder = self._single.get(id)
        if finder is None:
            # No lock: two threads make equal finders, and either may stay.
            finder = self._single[id] = _Finder(self._pattern(id))
        return finder

    def _pattern(self, id: str) -> Pattern:
        for pattern in self.patterns:
            if pattern.id == id:
                return pattern
        raise KeyError(id)


class _Finder:
    """One pattern compiled alone, to say where it is."""

    def __init__(self, pattern: Pattern) -> None:
        import re2  # noqa: PLC0415 - loaded on first use: 5 ms

        options = re2.Options()
        # Bytes, as the engines read them; offsets are turned into characters below.
        options.encoding = re2.Options.Encoding.LATIN1
        self._compiled = re2.compile(pattern.source.encode(), options)
        self._group = 1 if self._compiled.groups else 0

    def places(self, text: str) -> tuple[tuple[int, tuple[int, int]], ...]:
        data = text.encode("utf-8", "replace")
        found: list[tuple[int, tuple[int, int]]] = []
        for match in self._compiled.finditer(data):
            start, end = match.span(self._group)
            # Group 1 may stand in an alternative that did not match.
            span = (start, end) if start >= 0 else match.span()
            found.append((match.start(), span))
            if len(found) == SPAN_LIMIT:
                break
        if len(data) == len(text):
            return tuple(found)

        def place(offset: int) -> int:  # bytes to characters
            return len(data[:offset].decode("utf-8", "ignore"))

        return tuple((place(at), (place(start), place(end))) for at, (start, end) in found)
