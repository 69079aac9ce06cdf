"""Reading the record: the newest entries that match, and how many of each kind there are.

tail(store, 20, where={"verdict": "deny", "agent": "claude"})
stats(store, ("verdict", "tool"))["verdict"]["deny"]
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol, TypeAlias, runtime_checkable

from signoff.actions.action import Json
from signoff.effects.store import RecordEntry, Store
from signoff.errors import TamperedRecord
from signoff.storage.chain import Head, VerifyResult

BLOCK = 500  # read from the end, so that the newest page needs one read
Content: TypeAlias = Mapping[str, Json]


@runtime_checkable
class Readable(Protocol):
    """Port: an audit log that can be read."""

    def entries(self, *, first: int = 1, last: int | None = None) -> Iterator[RecordEntry]:
        """Yield the entries from `first` to `last`, both included."""

    def head(self) -> Head:
        """Return the newest entry's number and hash."""


class Record(Readable, Store, Protocol):
    """Port: the audit log of one machine, in any kind of storage."""

    def leaves(self, *, first: int = 1, last: int | None = None) -> Iterator[bytes]:
        """Yield the leaf hashes of the entries from `first` to `last`, both included."""

    def remove_contents(self, *, upto: int) -> int:
        """Delete the contents of entries up to this number; return how many had contents."""

    def verify(self) -> VerifyResult:
        """Check the whole hash chain."""

    def close(self) -> None:
        """Close files and connections; the next use opens them again."""


@runtime_checkable
class RemovedContents(Protocol):
    """Port: an audit log that can list the entries whose contents were deleted."""

    def removed_entries(self) -> Iterator[RecordEntry]:
        """Yield the entries whose contents were deleted, with empty bodies."""


def tail(store: Readable, count: int, *, where: Mapping[str, str] | None = None) -> list[Content]:
    """Return the newest `count` entries, newest last.

    Args:
        where: only entries whose fields have these values.

    Raises:
        StoreError: the log cannot be read, or an entry is not a JSON object.
    """
    found: list[Content] = []
    wanted = dict(where or {})
    last = store.head().seq
    while last > 0 and len(found) < count:
        first = max(1, last - BLOCK + 1)
        block = [content_of(entry) for entry in store.entries(first=first, last=last)]
        matching = (content for content in reversed(block) if _has(content, wanted))
        found.extend(
            content for content, _ in zip(matching, range(count - len(found)), strict=False)
        )
        last = first - 1
    return found[::-1]


def stats(store: Readable, fields: Sequence[str]) -> dict[str, Counter[str]]:
    """Count the entries by the value of each of these fields.

    Raises:
        StoreError: the record cannot be read, or an entry in it is no JSON object.
    """
    counts: dict[str, Counter[str]] = {field: Counter() for field in fields}
    for entry in store.entries():
        content = content_of(entry)
        for field in fields:
            counts[field][str(content.get(field, ""))] += 1
    return counts


def content_of(entry: RecordEntry) -> Content:
    """Return the parsed content of an audit entry.

    Raises:
        TamperedRecord: its bytes are not a JSON object.
    """
    try:
        content = json.loads(entry.body)
    except (ValueError, TypeError, RecursionError) as error:
        raise TamperedRecord(f"entry {entry.seq} is no JSON: {error}", seq=entry.seq) from error
    if not isinstance(content, dict):
        raise TamperedRecord(f"entry {entry.seq} is no JSON object", seq=entry.seq)
    return content


def _has(content: Content, wanted: Mapping[str, str]) -> bool:
    """Tell whether all the wanted fields have the wanted values."""
    return all(str(content.get(field, "")) == value for field, value in wanted.items())
