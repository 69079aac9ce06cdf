"""The two engines that can look for many patterns in one linear pass.

Hyperscan is the fast one; RE2's set is used where Hyperscan has no wheel. Both answer with the
places of the patterns found in the order they were given. Neither is imported before first use,
and both release the interpreter while they scan.

    engine = fastest(patterns)
    engine.scan(b"drop table x")  ->  [3, 17]
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Protocol

from signoff.assess.patterns.pattern import Pattern

if TYPE_CHECKING:
    from hyperscan import Database

RE2_MEMORY = 128 << 20  # the library's 8 MB make it throw its automaton away all the time
_LENGTH = 32


class Engine(Protocol):
    """Port: searches a text for many patterns in one pass."""

    def scan(self, data: bytes) -> list[int]:
        """Return the indexes of the patterns that match in `data`, each once, in any order."""


class Shelf(Protocol):
    """A cache of compiled patterns that survives restarts.

    What it returns is loaded into an engine as it is, so it must come from a place that only the
    user can write; what cannot be trusted is not returned.
    """

    def take(self, name: str) -> bytes:
        """Return what was stored under a name, b"" if there is nothing trustworthy."""

    def put(self, name: str, compiled: bytes) -> None:
        """Store something under a name; on failure, it is compiled again next time."""


class HyperscanEngine:
    """Hyperscan in block mode, one match for each pattern, one scratch for each thread.

    Patterns are compiled `chunk` at a time: the time to compile grows faster than their number,
    the time to scan by a microsecond for each chunk.
    """

    def __init__(
        self, patterns: Sequence[Pattern], *, chunk: int = 1000, stored: bytes = b""
    ) -> None:
        import hyperscan  # noqa: PLC0415 - loaded on first use: 10 ms, and absent on some systems

        self._seal = _seal(patterns, chunk)
        self._library = hyperscan
        starts = range(0, len(patterns), chunk)
        if stored:
            self._databases = self._load(stored)
            if len(self._databases) != len(starts):
                raise ValueError("some of the stored patterns are missing")
        else:
            self._databases = [self._compile(patterns, at, at + chunk) for at in starts]
        self._threads = threading.local()

    def scan(self, data: bytes) -> list[int]:
        """Return the indexes of the patterns that match, each once, in any order."""
        found: list[int] = []
        add = found.append

        def on_match(place: int, _start: int, _end: int, _flags: int, _context: object) -> None:
            add(place)

        try:
            # Scratch memory is per thread: Hyperscan must not use one in two scans at once.
            pairs = self._threads.pairs
        except AttributeError:
            made = [(one, self._library.Scratch(one)) for one in self._databases]
            pairs = self._threads.pairs = made
        for database, scratch in pairs:
            database.scan(data, match_event_handler=on_match, scratch=scratch)
        return found

    def serialise(self) -> bytes:
        """Return the compiled patterns as bytes, with a hash of what they were made from."""
        parts = [bytes(self._library.dumpb(one)) for one in self._databases]
        return b"".join([self._seal, *(len(part).to_bytes(4, "big") + part for part in parts)])

    def _compile(self, patterns: Sequence[Pattern], start: int, end: int) -> Database:
        library = self._library
        bits = {
            "i": library.HS_FLAG_CASELESS,
            "s": library.HS_FLAG_DOTALL,
            "m": library.HS_FLAG_MULTILINE,
        }
        chosen = patterns[start:end]
        database: Database = library.Database(mode=library.HS_MODE_BLOCK)
        database.compile(
            expressions=[pattern.expression.encode() for pattern in chosen],
            ids=list(range(start, start + len(chosen))),
            flags=[
                # One report for each pattern: without it, `a+` would report at every letter.
                library.HS_FLAG_SINGLEMATCH | sum(bits[flag] for flag in pattern.flags)
                for pattern in chosen
            ],
        )
        return database

    def _load(self, stored: bytes) -> list[Database]:
        library = self._library
        # Hyperscan loads whatever it is given; a stale database would silently miss new patterns.
        if stored[:_LENGTH] != self._seal:
            raise ValueError("the stored patterns were made from others")
        databases: list[Database] = []
        at = _LENGTH
        try:
            while at < len(stored):
                size = int.from_bytes(stored[at : at + 4], "big")
                part = stored[at + 4 : at + 4 + size]
                databases.append(library.loadb(part, library.HS_MODE_BLOCK))
                at += 4 + size
        except library.error as error:
            raise ValueError("the stored patterns are of another version or machine") from error
        return databases


class Re2Engine:
    """RE2's pattern set: slower than Hyperscan, on every platform, with the same results."""

    def __init__(self, patterns: Sequence[Pattern]) -> None:
        import re2  # noqa: PLC0415 - loaded on first use: 5 ms

        options = re2.Options()
        options.max_mem = RE2_MEMORY
        options.log_errors = False
        options.encoding = re2.Options.Encoding.LATIN1  # bytes, as Hyperscan reads them
        self._set = re2.Set.SearchSet(options)
        for pattern in patterns:
            self._set.Add(pattern.source)
        self._canary = self._set.Add("")  # is in every text
        self._set.Compile()

    def scan(self, data: bytes) -> list[int]:
        """Return the indexes of the patterns that match, each once, in any order.

        Raises:
            MemoryError: the engine gave up; it says so only by finding nothing at all.
        """
        found: list[int] = self._set.Match(data) or []
        if self._canary not in found:
            raise MemoryError("the pattern engine ran out of memory")
        return [place for place in found if place != self._canary]


def fastest(
    patterns: Sequence[Pattern], *, chunk: int = 1000, shelf: Shelf | None = None
) -> Engine:
    """Return the fastest engine available for these patterns, from the cache if possible.

    Args:
        chunk: number of patterns compiled at once.
        shelf: the cache; None = none.
    """
    found = kept(patterns, chunk=chunk, shelf=shelf)
    if found is not None:
        return found
    try:
        engine = _compiled(tuple(patterns), chunk)
    except ImportError:
        return Re2Engine(patterns)
    if shelf is not None:
        shelf.put(_seal(patterns, chunk).hex(), engine.serialise())
    return engine


@lru_cache(maxsize=8)
def _compiled(patterns: tuple[Pattern, ...], chunk: int) -> HyperscanEngine:
    return HyperscanEngine(patterns, chunk=chunk)


def kept(patterns: Sequence[Pattern], *, chunk: int, shelf: Shelf | None) -> Engine | None:
    """Return the engine from the cache; None if it is missing or from another version."""
    stored = b"" if shelf is None else shelf.take(_seal(patterns, chunk).hex())
    try:
        return HyperscanEngine(patterns, chunk=chunk, stored=stored) if stored else None
    # A miss, not a failure: `fastest` compiles anew and replaces what is on the shelf.
    except (ImportError, ValueError):
        return None


def _seal(patterns: Sequence[Pattern], chunk: int) -> bytes:
    # Chunk and order count too: a database answers with places, which `ids` turns into names.
    text = f"{chunk}\0" + "\0".join(f"{pattern.id}\1{pattern.source}" for pattern in patterns)
    return hashlib.sha256(b"signoff-patterns-v1\0" + text.encode()).digest()
