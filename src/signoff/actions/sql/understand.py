"""SQL text -> Operations: what every statement does, recognised by its leading and embedded words.

Every word outside strings, quoted names and comments is looked at once. A statement that holds
none of the words that can change or leave the database is a read, whatever else is in it;
the others are distinguished by `grammar` and `statement_kinds`. Statements inside others (CTEs,
blocks, T-SQL without semicolons, EXPLAIN ANALYZE, texts run as SQL) are read as statements.

    understand_sql("WITH d AS (DELETE FROM logs RETURNING *) SELECT * FROM d")
        -> DELETE logs, UNBOUNDED, not reversible; READ d
"""

from __future__ import annotations

from functools import lru_cache

from signoff.actions.operation import Operation, Operations, Reach, Verb
from signoff.actions.sql.grammar import RISKY
from signoff.actions.sql.leads import effects_of
from signoff.actions.sql.lexis import MAX_TOKENS, lexes_of
from signoff.actions.sql.server import SERVER_PROGRAM, SqlServer, named_tables
from signoff.actions.sql.statement import Statement, statements
from signoff.values import replace

MAX_CHARS = 100_000
MAX_OPERATIONS = 200
MAX_CACHED = 1_000

_PRODUCTION = frozenset({"prod", "production", "prd", "live"})
_PLAIN_LEADS = frozenset({"SELECT", "SHOW", "VALUES", "DESCRIBE", "DESC"})


def understand_sql(
    text: str, *, dialect: str = "", environment: str = "", group: int = 0, program: str = "sql"
) -> Operations:
    """Parse SQL text into Operations; what is unknown has `understood=False`.

    Args:
        dialect: `postgres`, `mysql`, `sqlite` ...; "" = unknown, so every reading counts.
        environment: `production`, `staging` ... of the database, "" if unknown.
        group: index of the command the SQL belongs to.
        program: the program that runs it.
    """
    if len(text) <= MAX_CACHED:
        return _understand_cached(text, dialect, environment, group, program)
    return _understand(text, dialect, environment, group, program)


def lines_run_by(operations: Operations) -> tuple[str, ...]:
    """Return the shell lines that SQL would run on the database's machine."""
    return tuple(
        one.target for one in operations if one.target and one.program.endswith(SERVER_PROGRAM)
    )


def _understand(text: str, dialect: str, environment: str, group: int, program: str) -> Operations:
    server = SqlServer(
        reach=Reach.PRODUCTION if environment.lower() in _PRODUCTION else Reach.PROJECT,
        group=group,
        program=program,
    )
    if len(text) > MAX_CHARS:
        return (server.opaque("text is too long to be read", text[:200]),)
    readings = [_read(text, replace(server, lexis=lexis)) for lexis in lexes_of(text, dialect)]
    closed = [found for found, is_closed in readings if is_closed]
    if not closed:
        return (server.opaque("a quote or comment is never closed", text[:200]),)
    return tuple(dict.fromkeys(operation for found in closed for operation in found))


_understand_cached = lru_cache(maxsize=1024)(_understand)


def _read(text: str, server: SqlServer) -> tuple[Operations, bool]:
    found, is_closed = statements(text, server.lexis)
    if sum(len(statement.raw) for statement in found) > MAX_TOKENS:
        return (server.opaque("text is too long to be read", text[:200]),), is_closed
    operations: list[Operation] = []
    for statement in found:
        operations.extend(_plain(statement, server) or effects_of(statement, server))
        if len(operations) > MAX_OPERATIONS:
            operations.append(server.opaque("too many statements", statement.source))
            break
    if not operations:
        operations.append(server.effect(Verb.INERT, "nothing", Statement(raw=(), keys=())))
    return tuple(operations), is_closed


def _plain(statement: Statement, server: SqlServer) -> tuple[Operation, ...]:
    """Read a statement that only looks, () if any word in it could do more."""
    if statement.keys[0] not in _PLAIN_LEADS or not RISKY.isdisjoint(statement.keys):
        return ()
    return (
        server.effect(
            Verb.READ, statement.keys[0], statement, target=", ".join(named_tables(statement))
        ),
    )
