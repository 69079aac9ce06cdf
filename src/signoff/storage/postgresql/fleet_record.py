"""The records of all nodes, read as one: what every machine decided, in the order it was stored.

FleetRecord(link).entries()        numbered by their place in the store; gaps mean nothing
FleetRecord(link).chains()         the record of each node, which can be verified
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

from signoff.effects.store import RecordEntry
from signoff.storage.chain import Head
from signoff.storage.postgresql.link import StoreLink
from signoff.storage.postgresql.record import PostgresRecord

BLOCK = 1_000
ENTRIES = """
    SELECT position, seq, body, prev, hash, leaf FROM records
    WHERE position BETWEEN $1 AND $2 AND body <> '' ORDER BY position LIMIT $3
    """


class FleetRecord:
    """Reads the audit log entries of all nodes."""

    def __init__(self, link: StoreLink) -> None:
        self.link = link

    def entries(self, *, first: int = 1, last: int | None = None) -> Iterator[RecordEntry]:
        """Yield entries `first` to `last` of the shared store, both included; None = newest."""
        end = sys.maxsize if last is None else last
        while True:
            start = first
            rows = self.link.run(lambda db: db.fetch(ENTRIES, start, end, BLOCK))  # noqa: B023 - run here
            for position, seq, body, prev, own_hash, leaf in rows:
                first = position + 1
                yield RecordEntry(seq=seq, body=body, prev=prev, hash=own_hash, leaf=leaf)
            if len(rows) < BLOCK:
                return

    def head(self) -> Head:
        """Return number and hash of the newest entry."""
        newest = "SELECT position, hash FROM records ORDER BY position DESC LIMIT 1"
        row = self.link.run(lambda db: db.fetchrow(newest))
        return Head() if row is None else Head(seq=row["position"], hash=row["hash"])

    def chains(self) -> tuple[PostgresRecord, ...]:
        """Return the audit log of each node, by name."""
        rows = self.link.run(lambda db: db.fetch("SELECT name FROM nodes ORDER BY name"))
        names = (self.link.address.unscoped(row["name"]) for row in rows)
        return tuple(PostgresRecord(self.link, node=name) for name in names)
