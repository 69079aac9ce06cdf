"""Databases that have their tables already: copies of one that is made once a test process.

Making the tables takes two thirds of the processor time of a test that writes a few rows.

    StoreLink(made_address(), prepare=prepare)    # finds nothing to do
"""

from __future__ import annotations

import functools

from postgres_server import shared_server
from signoff.storage.postgresql.address import StoreAddress
from signoff.storage.postgresql.link import StoreLink
from signoff.storage.postgresql.migrating import prepare
from signoff.values import replace

OWNER = "owner_of_template"


def made_address() -> StoreAddress:
    """Return the address of a new database with tables that belong to the superuser."""
    return shared_server().address(copy_of=_superuser_template())


@functools.cache
def owned_template() -> str:
    """Return a database with tables that belong to the role `OWNER`, which is no superuser."""
    server = shared_server()
    empty = server.address()
    grant = f"GRANT CREATE ON DATABASE {empty.database} TO {OWNER}"
    server.sql("postgres", f"CREATE ROLE {OWNER} LOGIN", grant)
    return _with_tables(replace(empty, user=OWNER))


@functools.cache
def _superuser_template() -> str:
    return _with_tables(shared_server().address())


def _with_tables(empty: StoreAddress) -> str:
    """Make the tables of an empty database as a node does; return its name."""
    link = StoreLink(empty, prepare=prepare)
    link.run(lambda db: db.fetchval("SELECT 1"))
    link.close()
    return empty.database
