"""Statements inside statements: CTEs, blocks, conditions, T-SQL that needs no semicolon.

parts(part of "IF x > 1 DELETE FROM a DROP TABLE b")  ->  DELETE FROM a ; DROP TABLE b
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.sql.grammar import EMBEDDED, KINDS
from signoff.actions.sql.statement import Statement, is_name

# What stands before a word that is no statement: `FOR UPDATE`, `ON DELETE`, `t.update`, `AS call`.
_NOT_AFTER = frozenset(
    {".", ",", "ON", "FOR", "AFTER", "BEFORE", "KEY", "AS", "=", "OF", "NOT", "<", ">"}
)
_NOT_NEXT = frozenset({
    "FROM", "WHERE", "AS", "AND", "OR", "ON", "IS", "IN", "SET", "ORDER", "GROUP", "JOIN", "UNION",
    "THEN", "END", "DESC", "ASC", "LIKE", "BETWEEN", "HASH", "LIMIT", "ROWS",
})  # fmt: skip
# Where a DELETE or UPDATE without a semicolon ends because another statement begins.
_NEXT_STATEMENT = frozenset({
    "SELECT", "IF", "WHILE", "BEGIN", "DECLARE", "PRINT", "COMMIT", "ROLLBACK", "GO",
})  # fmt: skip


def parts(statement: Statement, start: int = 1) -> Iterator[Statement]:
    """Yield every statement that begins inside `statement` at or after `start`."""
    if EMBEDDED.isdisjoint(statement.keys[start:]):
        return
    begins = [at for at in range(start, len(statement.keys)) if _begins(statement, at)]
    for number, begin in enumerate(begins):
        limit = begins[number + 1] if number + 1 < len(begins) else len(statement.keys)
        yield statement.part(begin, _end(statement, begin, limit))


def own_part(statement: Statement) -> Statement:
    """Return a DELETE or UPDATE without the statements that follow it with no semicolon."""
    for at in range(1, len(statement.keys)):
        if _begins(statement, at):
            return statement.part(0, _end(statement, 0, at))
    return statement.part(0, _end(statement, 0, len(statement.keys)))


def _begins(statement: Statement, at: int) -> bool:
    word = statement.keys[at]
    if word not in EMBEDDED:
        return False
    following = statement.key(at + 1)
    before = statement.key(at - 1)
    if before in _NOT_AFTER or (before == "THEN" and "MERGE" in statement.keys):
        return False
    can_be_name = is_name(following) and following not in _NOT_NEXT
    match word:
        case "DELETE":
            begins = following == "FROM" or can_be_name
        case "DROP" | "CREATE" | "ALTER":
            begins = following in KINDS
        case "RESTORE" | "BACKUP":
            begins = following in {"DATABASE", "LOG", "TABLE"}
        case "SHUTDOWN":
            begins = following in {"", "WITH", ";"}
        case "EXEC" | "EXECUTE" if following in {"(", "'"}:
            begins = True
        case _:
            begins = can_be_name
    return begins


def _end(statement: Statement, begin: int, limit: int) -> int:
    """Return where the statement at `begin` ends: its parenthesis, the next statement, the end."""
    depth = 0
    for index in range(begin + 1, limit):
        current = statement.keys[index]
        depth += (current == "(") - (current == ")")
        if depth < 0:
            return index
        if (
            depth == 0
            and current in _NEXT_STATEMENT
            and statement.keys[begin] in {"DELETE", "UPDATE"}
        ):
            return index
    return limit
