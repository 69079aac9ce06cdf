"""Known SQL texts and how they must be read: the self-test of the SQL reader.

check_sql()  ->  None, or BrokenReader
"""

from __future__ import annotations

from signoff.actions.sql.understand import understand_sql
from signoff.errors import BrokenReader

# Each text with its dialect and its operations: verb and target.
TEXTS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("SELECT 'it''s; DROP TABLE a' FROM b -- DROP TABLE c", "", ("read b",)),
    ('DROP /* x */ TABLE "a b"; SELECT 1', "postgres", ("delete a b", "read ")),
    ("SELECT E'\\'; DROP TABLE a' FROM t", "postgres", ("read t",)),
    ("UPDATE t SET a = 'x\\'' WHERE b = 'DROP'", "mysql", ("write t",)),
    ("SELECT `a` FROM b # DROP TABLE c", "mysql", ("read b",)),
    ("INSERT INTO [a]]b] VALUES (N'x')", "tsql", ("write a]]b",)),
    ("SELECT q'[it's]' FROM dual", "oracle", ("read dual",)),
    ('SELECT """a\'; DROP TABLE b""" FROM t', "bigquery", ("read t",)),
)


def check_sql() -> None:
    """Run the SQL parser on its test texts.

    Raises:
        BrokenReader: a result is wrong.
    """
    for text, dialect, expected in TEXTS:
        operations = understand_sql(text, dialect=dialect)
        found = tuple(f"{one.verb.value} {one.target}" for one in operations)
        if found != expected or not all(one.understood for one in operations):
            raise BrokenReader("SQL", text, found=found, expected=expected)
