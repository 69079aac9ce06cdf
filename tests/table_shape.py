"""What nodes of the version before rely on in the shared tables, and what a table change breaks.

By what a change does and not by its words: the tables are compared before and after it. A key may
become wider, which refuses less, unless a statement of an older version names it (ON CONFLICT).
"""

from __future__ import annotations

import functools
import re
from typing import NamedTuple

import msgspec
from bench.fleet.statements import FOLDER, read_kept

from postgres_server import PostgresServer, shared_server
from signoff.storage.postgresql.address import StoreAddress
from signoff.storage.postgresql.link import StoreLink
from signoff.storage.postgresql.migrating import Migration, _migrate, migrations

# Of each table: columns with type and whether they must be given; constraints but for keys; keys by
# their columns; unique indexes that are no plain keys.
SHAPE = """
    SELECT json_object_agg(name, parts) FROM (
        SELECT relname AS name, json_build_object(
            'columns', (SELECT coalesce(json_object_agg(attname, json_build_array(
                    format_type(atttypid, atttypmod),
                    attnotnull AND NOT atthasdef AND attidentity = '')), '{}')
                FROM pg_attribute WHERE attrelid = one.oid AND attnum > 0 AND NOT attisdropped),
            'rules', (SELECT coalesce(json_object_agg(conname, pg_get_constraintdef(oid)), '{}')
                FROM pg_constraint WHERE conrelid = one.oid AND contype NOT IN ('p', 'u')),
            'keys', (SELECT coalesce(json_agg((SELECT json_agg(attname ORDER BY attname)
                    FROM pg_attribute WHERE attrelid = one.oid AND attnum = ANY(indkey))), '[]')
                FROM pg_index WHERE indrelid = one.oid AND indisunique AND indpred IS NULL
                    AND indexprs IS NULL),
            'unique', (SELECT coalesce(json_object_agg(indexrelid::regclass::text,
                    pg_get_indexdef(indexrelid)), '{}')
                FROM pg_index WHERE indrelid = one.oid AND indisunique AND NOT (indpred IS NULL
                    AND indexprs IS NULL))
        ) AS parts
        FROM pg_class AS one WHERE relnamespace = 'signoff'::regnamespace AND relkind IN ('r', 'p')
    ) AS found
    """
CONFLICT = re.compile(r"INSERT INTO (\w+)(?:(?!INSERT).)*?ON CONFLICT \(([\w, ]+)\)", re.DOTALL)
FUNCTIONS = """
    SELECT coalesce(json_agg(oid::regprocedure::text || ' ' || prorettype::regtype::text), '[]')
    FROM pg_proc WHERE pronamespace = 'signoff'::regnamespace
    """


class Column(NamedTuple):
    """A column; `is_needed`: a row cannot be written without it."""

    kind: str
    is_needed: bool


class Table(msgspec.Struct, frozen=True):
    """A table; rules and unique indexes by name, as SQL, but for keys, which are columns."""

    columns: dict[str, Column]
    rules: dict[str, str]
    keys: tuple[frozenset[str], ...]
    unique: dict[str, str]


class Shape:
    """The tables and functions of a database."""

    def __init__(self, server: PostgresServer, database: str) -> None:
        found = server.sql(database, "SET search_path = signoff", SHAPE, FUNCTIONS)
        tables, functions = found.splitlines()
        self.tables = msgspec.json.decode(tables, type=dict[str, Table])
        self.functions = msgspec.json.decode(functions, type=list[str])

    def broken_by(self, after: Shape) -> list[str]:
        """Return what a node that relies on this shape can no longer do."""
        found = [f"no function {one}" for one in self.functions if one not in after.functions]
        for name, table in self.tables.items():
            if name not in after.tables:
                found.append(f"no table {name}")
                continue
            found += [f"{name}: {one}" for one in _broken(table, after.tables[name])]
            found += [
                f"{name}: no key {', '.join(sorted(key))}, which a statement names"
                for key in table.keys
                if (name, key) in named_keys() and key not in after.tables[name].keys
            ]
        return found


def _broken(before: Table, after: Table) -> list[str]:
    was, now = before.columns, after.columns
    found = [f"no column {one}" for one in was if one not in now]
    changed = [one for one in was if one in now and was[one] != now[one]]
    found += [f"{one} is another type, or must be given now" for one in changed]
    found += [f"{one} must be given" for one in now if one not in was and now[one].is_needed]
    rules = (
        after.rules.items() - before.rules.items() | after.unique.items() - before.unique.items()
    )
    # What was told apart by fewer columns is told apart by more of them.
    narrow = [key for key in after.keys if not any(key >= old for old in before.keys)]
    found += [f"no two may have the same {', '.join(sorted(key))}" for key in narrow]
    return found + [f"what is written must keep {one}" for one, _ in rules]


@functools.cache
def named_keys() -> frozenset[tuple[str, frozenset[str]]]:
    """Return the keys that statements of older versions name, with their tables."""
    said = [one.sql for path in FOLDER.glob("*.json") for one in read_kept(path)]
    return frozenset(
        (table, frozenset(columns.replace(" ", "").split(",")))
        for sql in said
        for table, columns in CONFLICT.findall(sql)
    )


def apply(changes: tuple[Migration, ...], *, database: str = "") -> str:
    """Apply table changes, to a new database if none is named; return its name."""
    server = shared_server()
    if database:
        return _migrated(server.address(database=database), changes)
    own = tuple(ours for ours, given in zip(migrations(), changes, strict=False) if ours == given)
    new = server.address(copy_of=_own_template(own))
    return new.database if own == changes else _migrated(new, changes)


@functools.cache
def _own_template(own: tuple[Migration, ...]) -> str:
    """Return a database with the first of signoff's own table changes, to be copied."""
    return _migrated(shared_server().address(), own)


def _migrated(address: StoreAddress, changes: tuple[Migration, ...]) -> str:
    link = StoreLink(address)
    try:

        async def made(db: object) -> None:
            await _migrate(db, changes)

        link.run(made)
    finally:
        link.close()
    return address.database
