"""The tables of the shared store, made and brought up to date by numbered SQL files.

Forward only. A file adds what a newer signoff needs and takes nothing away that the version before
uses, so two versions can run side by side while machines are upgraded one after the other; what
nobody uses any more is removed one version later, by a file with the line `-- least: N`: nodes that
know fewer than N files refuse the store. A node also refuses files changed after they were applied.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from importlib import resources
from typing import NamedTuple

from signoff.errors import StoreError, WrongTenant
from signoff.storage.postgresql.link import SCHEMA, Db
from signoff.storage.postgresql.tenants import check_tenant

LOCK = 7_306_080_001  # an advisory lock: one node at a time changes tables
FOLDER = "migrations"
LEAST = "SELECT coalesce(max(least), 0) FROM migrations"
MAY_READ = """
    SELECT EXISTS (SELECT FROM pg_namespace WHERE nspname = $1
        AND has_schema_privilege(oid, 'USAGE'))
    """


class Migration(NamedTuple):
    """One numbered migration file."""

    number: int
    name: str
    sql: str

    @property
    def digest(self) -> str:
        """SHA-256 of the file in hex."""
        return hashlib.sha256(self.sql.encode()).hexdigest()


def migrations() -> tuple[Migration, ...]:
    """Return all migrations in order."""
    folder = resources.files(__package__) / FOLDER
    files = sorted(one.name for one in folder.iterdir() if one.name.endswith(".sql"))
    return tuple(
        Migration(int(name[:4]), os.path.splitext(name)[0], (folder / name).read_text("utf-8"))
        for name in files
    )


async def prepare(db: Db, *, tenant: str = "") -> None:
    """Check the database's schema and migrate it; a tenant's role cannot migrate.

    Raises:
        StoreError: it is newer than this signoff, or its settings make writes unsafe.
        WrongTenant: it would not keep this node to its tenant.
    """
    # With it off, the promise that an allowed call is in the record would not hold.
    if await db.fetchval("SHOW fsync") != "on":
        raise StoreError("the database runs with `fsync = off` and loses what it has confirmed")
    if tenant:
        await _check_made(db)
    else:
        await _make(db)
    await check_tenant(db, tenant)


async def _check_made(db: Db) -> None:
    """Refuse tables that are older than this signoff: a tenant's role cannot change them."""
    may_read = await db.fetchval(MAY_READ, SCHEMA)
    applied, known = await _applied(db) if may_read else {}, migrations()
    _check_same(applied, known)
    if lacking := [one.name for one in known if one.number not in applied]:
        raise WrongTenant(
            f"this role may not see the tables, or they lack {lacking[0]}: the role that owns them"
            " must open the store with this version of signoff first, and add the tenant"
        )
    await _check_least(db, known)


async def _make(db: Db) -> None:
    known = migrations()
    if await _applied(db) != {one.number: one.digest for one in known}:
        async with db.transaction():
            await db.execute("SELECT pg_advisory_xact_lock($1)", LOCK)
            await _migrate(db, known)


async def _applied(db: Db) -> dict[int, str]:
    """Return the digests of what was applied, by number."""
    if await db.fetchval("SELECT to_regclass($1)", f"{SCHEMA}.migrations") is None:
        return {}
    rows = await db.fetch(f"SELECT number, digest FROM {SCHEMA}.migrations")  # noqa: S608 - ours
    return {row["number"]: row["digest"] for row in rows}


async def _migrate(db: Db, known: tuple[Migration, ...]) -> None:
    """Apply what is missing, in one transaction."""
    await db.execute(f"CREATE SCHEMA IF NOT EXISTS {SCHEMA}")
    await db.execute(
        "CREATE TABLE IF NOT EXISTS migrations (number int PRIMARY KEY, name text NOT NULL,"
        " digest text NOT NULL, least int NOT NULL, at timestamptz NOT NULL DEFAULT now())"
    )
    # Read again under the lock: another node may have applied them meanwhile.
    applied = await _applied(db)
    await _check_least(db, known)
    _check_same(applied, known)
    for one in known:
        if one.number not in applied:
            await db.execute(one.sql)
            await db.execute(
                "INSERT INTO migrations (number, name, digest, least) VALUES ($1, $2, $3, $4)",
                *(one.number, one.name, one.digest, _least(one)),
            )


async def _check_least(db: Db, known: tuple[Migration, ...]) -> None:
    least, newest = await db.fetchval(LEAST), known[-1].number
    if least > newest:
        raise StoreError(
            f"the store was made for a newer signoff (tables {least}, this one knows {newest}):"
            " upgrade this machine"
        )


def _check_same(applied: Mapping[int, str], known: tuple[Migration, ...]) -> None:
    """Refuse tables that are others than this signoff was tested with."""
    for one in known:
        if applied.get(one.number, one.digest) != one.digest:
            raise StoreError(f"table change {one.name} was another one when it was applied")


def _least(migration: Migration) -> int:
    """Return which tables a node must know at least, as the file's line `-- least: N` says."""
    for line in migration.sql.splitlines():
        if line.startswith("-- least:"):
            return int(line.removeprefix("-- least:"))
    return 0
