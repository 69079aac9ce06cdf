"""What all nodes hold, as rows of the shared store: seen with the requests, put by version.

rows = PostgresRows(tables, watch)
FleetStanding(rows, key.standing)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from signoff.storage.approvals.arrows import Lost
from signoff.storage.confirmed.fleet import SeenRows, SharedRow
from signoff.storage.postgresql.approvals.arrows import has_changed
from signoff.storage.postgresql.approvals.tables import RequestTables
from signoff.storage.postgresql.approvals.watch import StoreWatch
from signoff.storage.postgresql.link import Db

HEADS = "SELECT kind, version, seal FROM standing"
ROWS = "SELECT kind, version, content, seal FROM standing"
# One that is not there is made, and one that is there goes on from a version: never both.
MAKE = "INSERT INTO standing VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING"
MOVE = """
    UPDATE standing SET version = $2, content = $3, seal = $4, changed_on = $5
    WHERE kind = $1 AND version = $6
    """


class PostgresRows:
    """The shared state's rows (`SharedRows`) in PostgreSQL."""

    def __init__(self, tables: RequestTables, watch: StoreWatch) -> None:
        self._tables, self._watch = tables, watch
        self._known: dict[str, SharedRow] = {}
        self._told: list[Callable[[SeenRows, float], None]] = []
        watch.also.append(self._looked)

    def follow(self, seen: Callable[[SeenRows, float], None]) -> None:
        """Call `seen` with all rows after every read from now on."""
        self._told.append(seen)

    def problem(self) -> str:
        """Return why the rows cannot be read now, "" if they can."""
        if self._watch.is_fresh:
            return ""
        self._watch.follow()  # from the first question on
        link = self._tables.link
        old = f"the store `{link.address.shown}` was not seen for too long"
        return f"what all nodes hold cannot be seen: {link.problem() or self._watch.failure or old}"

    def look(self) -> None:
        """Read the rows now, and regularly from now on; each time call `seen`.

        Raises:
            StoreError: the rows cannot be read.
        """
        self._watch.follow()
        self._watch.look()

    def put(self, rows: Sequence[SharedRow], was: Mapping[str, int]) -> bool:
        """Replace rows if they still have these versions, all or none; return False otherwise.

        Raises:
            StoreError: that cannot be done, or it cannot be known.
        """

        async def put(db: Db) -> bool:
            try:
                async with db.transaction():
                    for row in rows:
                        await self._put(db, row, was[row.kind])
            except Lost:
                return False
            return True

        return self._tables.run(put)

    async def _put(self, db: Db, row: SharedRow, was: int) -> None:
        values = (row.kind, row.version, row.content, row.seal, self._tables.node)
        said = await (db.execute(MOVE, *values, was) if was else db.execute(MAKE, *values))
        if not has_changed(said):
            raise Lost

    async def _looked(self, db: Db, at_s: float) -> None:
        """Read what changed; contents, which may be long, only where the rest says so."""
        heads = {row["kind"]: (row["version"], row["seal"]) for row in await db.fetch(HEADS)}
        if heads != {kind: (row.version, row.seal) for kind, row in self._known.items()}:
            self._known = {
                row["kind"]: SharedRow(
                    kind=row["kind"],
                    version=row["version"],
                    content=row["content"],
                    seal=row["seal"],
                )
                for row in await db.fetch(ROWS)
            }
        for told in self._told:
            told(self._known, at_s)


def watched_rows(tables: RequestTables) -> PostgresRows:
    """Return the rows for a process that watches nothing else in the store."""
    return PostgresRows(tables, StoreWatch(tables, expire=_nothing, changed=lambda *_: None))


async def _nothing(*_: object) -> tuple[str, ...]:
    return ()
