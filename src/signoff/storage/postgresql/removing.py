"""Removes the contents of old entries in the shared store, and keeps what proves them.

As `commits/retention.py` does for a file: number, hashes and leaf stay, so the hash chain and the
signed tree go on as before. The database lets contents go up to the noted number, and no others.

    count = remove_contents(link, "a", upto=1200)
"""

from __future__ import annotations

from signoff.storage.postgresql.link import Db, StoreLink

CHUNK = 2_000  # entries of one transaction: writers wait for none of them
NOTE = """
    UPDATE nodes SET removed_upto = greatest(removed_upto, least($2, seq - 1)) WHERE name = $1
    RETURNING removed_upto
    """
TABLES = 2  # the table change that notes what was removed
NEEDS = "UPDATE migrations SET least = $1 WHERE number = $1 AND least < $1"
NEXT = "SELECT min(seq) FROM records WHERE node = $1 AND seq BETWEEN $2 AND $3 AND body <> ''"
REMOVE = """
    UPDATE records SET body = '' WHERE node = $1 AND seq BETWEEN $2 AND $3 AND body <> ''
    """


def remove_contents(link: StoreLink, node: str, *, upto: int) -> int:
    """Delete the contents of a node's entries up to a number; return how many had any.

    Args:
        node: its name in the tables.

    Raises:
        StoreError: the store cannot be written; some chunks may be done.
    """
    # Nodes that do not know of removed contents would call the record damaged. No role of a tenant
    # may say so; it was said when the first tenant was added.
    if not link.address.tenant:
        link.run(lambda db: db.execute(NEEDS, TABLES))
    # `verify` calls a record damaged whose newest entry has no contents.
    last: int = link.run(lambda db: db.fetchval(NOTE, node, upto)) or 0
    # What an earlier run did not come to is done as well: the note says more than was removed.
    last, first, changed = min(last, upto), 1, 0
    while first <= last:
        start = link.run(lambda db: db.fetchval(NEXT, node, first, last))  # noqa: B023 - run here
        if start is None:
            break
        end = min(last, start + CHUNK - 1)
        said = link.run(lambda db: db.execute(REMOVE, node, start, end))  # noqa: B023 - run here
        changed += int(said.rpartition(" ")[2])
        first = end + 1
    return changed


async def removed_upto(db: Db, node: str) -> int:
    """Return the number up to which contents may have been deleted, 0 if none were."""
    found = await db.fetchval("SELECT removed_upto FROM nodes WHERE name = $1", node)
    return int(found or 0)
