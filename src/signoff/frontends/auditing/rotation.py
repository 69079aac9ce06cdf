"""Moves the contents of old entries out of the audit log into an archive; the proofs stay.

plan = plan_rotation(store, keeper, before="2026-01-01T00:00:00")
rotate(store, plan, Path("2025.jsonl"))    the archive is written and checked first
"""

from __future__ import annotations

import os
from pathlib import Path

from msgspec import Struct

from signoff.errors import StoreError
from signoff.storage.chain import hash_of, leaf_of
from signoff.storage.commits.retention import remove_contents
from signoff.storage.proof.checkpoints import CheckpointKeeper
from signoff.storage.reading import content_of
from signoff.storage.sqlite import SqliteStore


class RotationPlan(Struct, frozen=True, kw_only=True):
    """Which contents are moved: those of the entries `first` to `last`, both included."""

    first: int = 1
    last: int = 0

    @property
    def count(self) -> int:
        """Number of entries."""
        return max(0, self.last - self.first + 1)


def plan_rotation(store: SqliteStore, keeper: CheckpointKeeper, *, before: str) -> RotationPlan:
    """Find the entries older than a time (UTC, as entries write it); all of them are signed first.

    The newest entry stays. So does what comes after the first entry that is not older.

    Raises:
        StoreError: the log cannot be read or signed.
    """
    keeper.update()
    newest, plan = store.head().seq, RotationPlan()
    for entry in store.entries():
        if entry.seq == newest or str(content_of(entry).get("ts", "")) >= before:
            return plan
        first = plan.first if plan.last else entry.seq
        plan = RotationPlan(first=first, last=entry.seq)
    return plan


def rotate(store: SqliteStore, plan: RotationPlan, archive: Path) -> int:
    """Write the archive, flush it, read it again, and remove what is in it from the log.

    Raises:
        StoreError: the archive is there already, or something cannot be read or written; then
            nothing was removed.
    """
    expected = [entry.leaf for entry in store.entries(first=plan.first, last=plan.last)]
    try:
        with open(os.open(archive, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as target:
            for entry in store.entries(first=plan.first, last=plan.last):
                if entry.hash != hash_of(entry.body):
                    raise StoreError(f"entry {entry.seq} is damaged: run `signoff audit verify`")
                target.write(entry.body + b"\n")
            target.flush()
            os.fsync(target.fileno())
        with archive.open("rb") as source:
            found = [leaf_of(line.rstrip(b"\n")) for line in source]
    except OSError as error:
        raise StoreError(f"cannot write `{archive}`: {error.strerror or error}") from error
    if found != expected or len(found) != plan.count:
        raise StoreError(f"`{archive}` does not hold what the log does: nothing was removed")
    return remove_contents(store.path, upto=plan.last)
