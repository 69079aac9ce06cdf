"""A node of the version before: what the newest table change made it say differently, put back.

with version_before():
    record.append_now(...)

[sys.executable, "-c", PROGRAM]      the same as a process
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

TABLES_BEFORE = 5  # the newest file of table changes it knows
APPEND = """
    WITH moved AS (
        UPDATE nodes SET seq = $4, hash = $5 WHERE name = $1 AND seq = $2 AND hash = $3
        AND (seq = 0 OR EXISTS (SELECT FROM records WHERE node = $1 AND seq = $2 AND hash = $3))
        RETURNING name
    ), added AS (
        INSERT INTO records (node, seq, body, prev, hash, leaf)
        SELECT name, entry.* FROM moved,
            unnest($6::bigint[], $7::bytea[], $8::bytea[], $9::bytea[], $10::bytea[]) AS entry
    ), base AS (
        SELECT nextval('fact_order') AS number FROM moved WHERE cardinality($11::bytea[]) > 0
    ), learned AS (
        INSERT INTO session_facts AS old (agent, session, kind, item, count, at)
        SELECT fact.agent, fact.session, fact.kind, fact.item, fact.count, base.number + fact.place
        FROM base, unnest($11::bytea[], $12::bytea[], $13::text[], $14::bytea[], $15::bigint[],
            $16::bigint[]) AS fact (agent, session, kind, item, count, place)
        ON CONFLICT (agent, session, kind, item)
        DO UPDATE SET count = old.count + excluded.count, at = excluded.at
    )
    SELECT count(*) FROM moved
    """
PACKAGE = "signoff.storage.postgresql"
SAID = {
    f"{PACKAGE}.record.APPEND": APPEND,
    f"{PACKAGE}.facts.TRY_PRUNING": "SELECT pg_try_advisory_xact_lock($1)",
    f"{PACKAGE}.approvals.requests.HOLD_OPENING": "SELECT pg_advisory_xact_lock($1)",
    f"{PACKAGE}.approvals.account_leases.TAKE": "SELECT pg_try_advisory_lock($1)",
    f"{PACKAGE}.approvals.watch.CHANNEL": "SELECT 'signoff'",
}
PROGRAM = f"""
import importlib
from signoff.storage.postgresql import migrating
known = migrating.migrations()[:{TABLES_BEFORE}]
migrating.migrations = lambda: known
async def unchecked(db, tenant):
    pass
migrating.check_tenant = unchecked
for name, said in {SAID!r}.items():
    module, _, constant = name.rpartition(".")
    vars(importlib.import_module(module))[constant] = said
from signoff.__main__ import main
main()
"""


@contextmanager
def version_before() -> Iterator[None]:
    """Say what the version before says."""
    with pytest.MonkeyPatch.context() as patch:
        for name, said in SAID.items():
            patch.setattr(name, said)
        yield
