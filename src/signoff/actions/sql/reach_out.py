"""What SQL does beyond the tables: files and programs of the server, network, password tables."""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import Operation, ResourceType, Trait, Verb
from signoff.actions.sql.grammar import FUNCTIONS, SECRET_TABLES, SHELL_FUNCTIONS
from signoff.actions.sql.server import SERVER_PROGRAM, SqlServer, named_tables
from signoff.actions.sql.statement import Statement

_SENDS = frozenset({Trait.SENDS_FILES})
_SECRET = frozenset({Trait.READS_SECRET})
_MOST_WORDS, _LONGEST_SCHEME = 200, 20


def reaching_effects(statement: Statement, server: SqlServer) -> Iterator[Operation]:
    """Yield the effects outside the database: by functions, INTO clauses and tables."""
    keys = statement.keys
    for index, current in enumerate(keys):
        if current in FUNCTIONS and (_is_call(statement, index)):
            yield _call(statement, index, server)
        elif current == "INTO" and statement.key(index + 1) in {"OUTFILE", "DUMPFILE"}:
            yield server.effect(
                Verb.WRITE, "into outfile", statement, target=statement.text(index + 2),
                thing=ResourceType.FILE, traits=_SENDS, reversible=False,
            )  # fmt: skip
    for table in named_tables(statement):
        name = table.upper()
        if name in SECRET_TABLES or name.rpartition(".")[2] in SECRET_TABLES:
            yield server.effect(
                Verb.READ,
                "select",
                statement,
                target=table,
                thing=ResourceType.CREDENTIAL,
                traits=_SECRET,
            )


def _is_call(statement: Statement, index: int) -> bool:
    before = statement.key(index - 1)
    return statement.key(index + 1) == "(" or before in {"EXEC", "EXECUTE", "CALL"} or (
        before == "." and statement.key(index + 1) != "="
    ) or statement.key(index + 1) == "."  # fmt: skip


def _call(statement: Statement, index: int, server: SqlServer) -> Operation:
    name = statement.keys[index]
    verb, thing, traits, reversible = FUNCTIONS[name]
    target = statement.text(index + 2) or statement.text(index + 1)
    if thing is ResourceType.PROCESS and "FROM" in statement.keys:
        traits |= {Trait.BY_PATTERN}  # every connection that a query selects
    if verb is Verb.EXECUTE:
        return server.opaque(
            f"`{name.lower()}` runs code outside the database", statement.source, target=target,
            does=SERVER_PROGRAM if name in SHELL_FUNCTIONS else name.lower(),
        )  # fmt: skip
    return server.effect(
        verb, name, statement, target=target, thing=thing, traits=traits, reversible=reversible
    )


def copy_effects(statement: Statement, server: SqlServer) -> Iterator[Operation]:
    """Yield the effects of COPY: rows to or from a table, file, stage or program."""
    keys = statement.keys
    table = statement.name(2 if statement.key(1) in {"INTO", "BINARY"} else 1)
    if "PROGRAM" in keys:
        program = statement.text(keys.index("PROGRAM") + 1)
        yield server.opaque(
            "runs a program on the database server", statement.source, target=program,
            does=SERVER_PROGRAM,
        )  # fmt: skip
    at = max(statement.find("TO", 1), statement.find("FROM", 1))
    # `COPY INTO 's3://bucket/x' FROM table` writes to an address, as to a stage.
    address = statement.text(2) if "://" in statement.text(2) else ""
    is_export = statement.key(at) == "TO" or table.startswith("@") or address != ""
    place = address or statement.text(at + 1)
    if is_export:
        yield server.effect(Verb.READ, "copy", statement, target=table)
        if place or table.startswith("@") or statement.text(2):
            yield server.effect(
                Verb.WRITE, "copy to", statement, target=place or table, thing=ResourceType.FILE,
                traits=_SENDS, reversible=False,
            )  # fmt: skip
        return
    if place:
        yield server.effect(
            Verb.READ, "copy from", statement, target=place, thing=ResourceType.FILE
        )
    yield server.effect(Verb.WRITE, "copy", statement, target=table)


def unload_effects(statement: Statement, server: SqlServer) -> Iterator[Operation]:
    """Yield the effects of UNLOAD and EXPORT: rows that are read, and written to addresses.

    Redshift and Athena, BigQuery, Exasol and CockroachDB name the address somewhere in the text.
    """
    lead = statement.key(0).lower()
    yield server.effect(Verb.READ, lead, statement, traits=_SENDS)
    # Behind `AS` or `FROM` a query or a table follows; UNLOAD quotes its query.
    for place in range(1, min(len(statement.keys), _MOST_WORDS)):
        text = statement.text(place)
        if "://" in text[:_LONGEST_SCHEME]:
            yield server.effect(
                Verb.WRITE, f"{lead} to", statement, target=text, thing=ResourceType.FILE,
                traits=_SENDS, reversible=False,
            )  # fmt: skip
            return


UNLOADS = {"UNLOAD": unload_effects, "EXPORT": unload_effects}
