"""What CREATE, ALTER and DROP do, by the kind of thing they name."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from signoff.actions.operation import Operation, ResourceType, Trait, Verb
from signoff.actions.sql.bounds import is_bounded, is_bounded_deletion
from signoff.actions.sql.grammar import (
    ACCOUNTS,
    DATA_EXTENSIONS,
    KIND_PREFIXES,
    KINDS,
    ROUTINES,
    UNTRUSTED_LANGUAGES,
    WHOLE_STORES,
)
from signoff.actions.sql.server import NO_TRAITS, SqlServer
from signoff.actions.sql.statement import Statement, is_name

_LOSS = frozenset({Trait.SCHEMA_LOSS})
# DuckDB's functions that read files: a table made of these is made again from them.
_OF_FILES = frozenset({
    "READ_CSV", "READ_CSV_AUTO", "READ_PARQUET", "PARQUET_SCAN", "READ_JSON", "READ_JSON_AUTO",
    "READ_NDJSON", "READ_XLSX", "ST_READ",
})  # fmt: skip
_WHOLE = frozenset({Trait.SCHEMA_LOSS, Trait.WHOLE_STORE})
_LATER = frozenset({Trait.RUNS_LATER})
_BY_THE_CLOCK = ("EVENT", "TASK", "EXTENSION", "ASSEMBLY", "LIBRARY", "LANGUAGE")
_NAME_PREFIXES = frozenset({"IF", "NOT", "EXISTS", "CONCURRENTLY", "ONLY", "COLUMN"})
_SECOND_KINDS = frozenset({
    "INDEX", "SEARCH", "CONFIGURATION", "DICTIONARY", "PARSER", "TEMPLATE", "WRAPPER", "DATA",
    "VIEW", "TABLE", "LOG", "MAPPING", "METHOD",
})  # fmt: skip


def kind_of(statement: Statement) -> tuple[str, int]:
    """Return the kind of object a CREATE, ALTER or DROP names, and the index of its name."""
    at = 1
    while statement.key(at) in KIND_PREFIXES:
        at += 1
    kind = statement.key(at)
    if kind not in KINDS and statement.key(at - 1) in KINDS:
        return statement.key(at - 1), at
    at += 1
    while statement.key(at) in _SECOND_KINDS and is_name(statement.key(at + 1)):
        at += 1
    while statement.key(at) in _NAME_PREFIXES:
        at += 1
    return kind, at


def drop_effects(statement: Statement, server: SqlServer) -> Iterator[Operation]:
    """Yield the effects of a DROP."""
    kind, at = kind_of(statement)
    target = ", ".join(_names(statement, at)) or kind.lower()
    thing = ResourceType.ACCOUNT if kind in ACCOUNTS else ResourceType.DATABASE
    if kind in ROUTINES:
        thing = ResourceType.CODE
    is_whole = kind in WHOLE_STORES or kind == "OWNED"
    yield server.effect(
        Verb.DELETE, f"drop {kind}", statement, target=target, thing=thing,
        traits=_WHOLE if is_whole else _LOSS, reversible=False,
    )  # fmt: skip


def _names(statement: Statement, at: int) -> Iterator[str]:
    """Yield the names in a list such as `a, b.c`."""
    while name := statement.name(at):
        yield name
        comma = statement.find(",", at)
        if comma < 0 or comma > at + 6:
            return
        at = comma + 1


def truncate_effects(statement: Statement, server: SqlServer) -> Iterator[Operation]:
    """Yield the effects of a TRUNCATE."""
    at = 1
    while statement.key(at) in {"TABLE", "ONLY", "IF", "EXISTS", "DATABASE", "ALL", "TABLES"}:
        at += 1
    is_whole = statement.key(1) in {"DATABASE", "ALL"}
    yield server.effect(
        Verb.DELETE, "truncate", statement, target=", ".join(_names(statement, at)),
        traits=_WHOLE if is_whole else _LOSS, reversible=False,
    )  # fmt: skip


def create_effects(statement: Statement, server: SqlServer) -> Iterator[Operation]:
    """Yield the effects of a CREATE: of data, code or accounts."""
    kind, at = kind_of(statement)
    target = statement.name(at)
    does = f"create {kind}"
    if kind in ROUTINES:
        yield from _routine_effects(statement, server, does=does, target=target)
    elif kind in ACCOUNTS:
        traits = frozenset({Trait.OPENS_ACCESS}) if "SUPERUSER" in statement.keys else NO_TRAITS
        yield server.effect(
            Verb.CONFIGURE,
            does,
            statement,
            target=target,
            thing=ResourceType.ACCOUNT,
            traits=traits,
        )
    elif kind == "TABLE" and _replaces(statement):
        yield server.effect(
            Verb.WRITE, does, statement, target=target, traits=_LOSS, reversible=False
        )
    else:
        yield server.effect(Verb.WRITE, does, statement, target=target)


def _replaces(statement: Statement) -> bool:
    """Tell a table that another takes the place of, unless it is made of files or passes."""
    is_replaced = statement.keys[1:3] == ("OR", "REPLACE")
    is_passing = statement.key(3) in {"TEMP", "TEMPORARY"} or not _OF_FILES.isdisjoint(
        statement.keys
    )
    return is_replaced and not is_passing


def _routine_effects(
    statement: Statement, server: SqlServer, *, does: str, target: str
) -> Iterator[Operation]:
    if does.endswith("EXTENSION") and target.lower() in DATA_EXTENSIONS:
        yield server.effect(Verb.WRITE, does, statement, target=target)
        return
    # Functions and triggers are schema; what starts by the clock runs with nobody there.
    traits = _LATER if does.endswith(_BY_THE_CLOCK) else NO_TRAITS
    yield server.effect(
        Verb.WRITE, does, statement, target=target, thing=ResourceType.CODE, traits=traits
    )
    keys = statement.keys
    languages = {statement.key(at + 1) for at, word in enumerate(keys) if word == "LANGUAGE"}
    written = {name.upper().strip("'\"") for name in statement.raw}
    if "SONAME" in keys or not UNTRUSTED_LANGUAGES.isdisjoint(
        languages | _extension(keys, written)
    ):
        yield server.opaque("code that the database does not hold", statement.source, target=target)


def _extension(keys: tuple[str, ...], written: set[str]) -> set[str]:
    """Return the names a CREATE EXTENSION, LANGUAGE or ASSEMBLY may mean by a language."""
    if "ASSEMBLY" in keys[:4]:
        return {"EXTERNAL"}
    return written if {"EXTENSION", "LANGUAGE"} & set(keys[:6]) else set()


def alter_effects(statement: Statement, server: SqlServer) -> Iterator[Operation]:
    """Yield the effects of an ALTER, and whether data or schema is lost."""
    kind, at = kind_of(statement)
    target = statement.name(at)
    if kind == "TABLE" and (change := _mutation(statement, at)):
        yield _mutated(statement, server, change, target)
        return
    does = f"alter {kind}"
    loses = _loses(statement, kind)
    if kind in ACCOUNTS:
        thing = ResourceType.ACCOUNT
    elif kind in ROUTINES:
        thing = ResourceType.CODE
    else:
        thing = ResourceType.DATABASE
    if kind == "DEFAULT" and "GRANT" in statement.keys:
        yield server.effect(
            Verb.CONFIGURE, does, statement, thing=ResourceType.ACCOUNT,
            traits=frozenset({Trait.OPENS_ACCESS}),
        )  # fmt: skip
        return
    if _lifts_row_security(statement):
        yield server.effect(
            Verb.CONFIGURE, "disable row level security", statement, target=target,
            thing=ResourceType.PROTECTION, traits=frozenset({Trait.WEAKENS}),
        )  # fmt: skip
        return
    is_server = kind in {"SYSTEM", "SERVER", "RESOURCE"}
    traits = frozenset({Trait.GLOBAL}) if is_server else NO_TRAITS
    verb = Verb.CONFIGURE if is_server or thing is ResourceType.ACCOUNT else Verb.WRITE
    yield server.effect(
        verb, does, statement, target=target, thing=thing,
        traits=traits | _LOSS if loses else traits, reversible=not loses,
    )  # fmt: skip


def _mutation(statement: Statement, at: int) -> str:
    """Return DELETE or UPDATE for ClickHouse's `ALTER TABLE t DELETE WHERE c`, else ""."""
    while statement.key(at + 1) == ".":
        at += 2
    at += 1
    if statement.keys[at : at + 2] == ("ON", "CLUSTER"):
        at += 3
    lead, where = statement.key(at), statement.find("WHERE", at)
    if lead not in {"DELETE", "UPDATE"} or where < 0:
        return ""
    # Behind a comma the same ALTER may do anything else.
    is_alone = statement.find(",", where) < 0 and (lead == "UPDATE" or where - at <= 4)
    return lead if is_alone else ""


def _mutated(statement: Statement, server: SqlServer, change: str, target: str) -> Operation:
    """Return the effect of ClickHouse's change of rows, as that of a plain DELETE or UPDATE."""
    is_deletion = change == "DELETE"
    bounded = is_bounded_deletion(statement, target) if is_deletion else is_bounded(statement)
    return server.effect(
        Verb.DELETE if is_deletion else Verb.WRITE, change.lower(), statement, target=target,
        traits=NO_TRAITS if bounded else frozenset({Trait.UNBOUNDED}),
        reversible=bounded and not is_deletion,
    )  # fmt: skip


def _lifts_row_security(statement: Statement) -> bool:
    """Tell `ALTER TABLE t DISABLE ROW LEVEL SECURITY`, and `NO FORCE`."""
    at = statement.find("ROW")
    is_named = at > 1 and statement.keys[at + 1 : at + 3] == ("LEVEL", "SECURITY")
    before = statement.key(at - 1), statement.key(at - 2)
    return is_named and (before[0] == "DISABLE" or before == ("FORCE", "NO"))


_LOSING = frozenset({"DROP", "TRUNCATE", "PURGE", "DISCARD", "DELETE"})
_LOSING_PAIRS = frozenset({
    ("EXCHANGE", "PARTITION"), ("REMOVE", "PARTITIONING"),
    ("CLEAR", "COLUMN"), ("REMOVE", "FILE"), ("COALESCE", "PARTITION"),
    ("REPLACE", "PARTITION"), ("REPLACE", "COLUMNS"), ("DATA", "TYPE"), ("MODIFY", "COLUMN"),
    ("CHANGE", "COLUMN"),
})  # fmt: skip
_KEEPS_TYPE = frozenset({
    "SET", "DROP", "ADD", "RESTART", "RESET", "VISIBLE", "INVISIBLE", "COMMENT", "RENAME",
    "SYNCHRONIZE", "DEFAULT", "",
})  # fmt: skip


def _loses(statement: Statement, kind: str) -> bool:
    """Say whether an ALTER drops, empties or retypes something."""
    keys = statement.keys
    if not _LOSING.isdisjoint(keys):
        return any(
            (word in _LOSING and keys[at - 1] not in {"ON", ".", "AFTER", "FOR", ","})
            or word == "DROP"
            for at, word in enumerate(keys)
        )  # fmt: skip
    if kind != "TABLE":
        return False
    # A partition that is detached or switched keeps its rows; what it replaces may be emptied.
    if "TRUNCATE_TARGET" in keys:
        return "OFF" not in keys
    pairs = set(pairwise(keys))
    return not _LOSING_PAIRS.isdisjoint(pairs) or "MODIFY" in keys or _retypes(statement)


def _retypes(statement: Statement) -> bool:
    """Say whether `ALTER [COLUMN] name type` or `ALTER name TYPE type` is in it."""
    names_column = "COLUMN" in statement.keys
    for at, word in enumerate(statement.keys[1:], start=1):
        if word != "ALTER":
            continue
        name_at = at + 2 if statement.key(at + 1) == "COLUMN" else at + 1
        after = statement.key(name_at + 1)
        if after == "TYPE" or (names_column and is_name(after) and after not in _KEEPS_TYPE):
            return True
    return False
