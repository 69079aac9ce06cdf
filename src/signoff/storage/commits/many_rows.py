"""Many rows by few statements: a thread that stores gives the interpreter away at each of them.

Rows go in by powers of two, so that few statements are known, each once.

    insert(db, "INSERT INTO calls VALUES", rows, then=" ON CONFLICT DO NOTHING")
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from functools import cache
from itertools import chain
from typing import TypeAlias

MOST = 64  # rows of one statement: their parameters stay below the least limit of any SQLite

Row: TypeAlias = "tuple[int | str | bytes, ...]"


def insert(
    db: sqlite3.Connection, into: str, rows: Sequence[Row], *, then: str = ""
) -> list[tuple[int | str | bytes, ...]]:
    """Insert rows of equal width in one statement; return the rows of its RETURNING clause.

    Args:
        into: SQL up to VALUES.
        then: SQL after the values.
    """
    returned: list[tuple[int | str | bytes, ...]] = []
    first = 0
    while left := len(rows) - first:
        # The largest power of two that is left: seven statements serve any number of rows.
        count = min(MOST, 1 << (left.bit_length() - 1))
        piece = rows[first : first + count]
        statement = _statement(into, then, count, len(piece[0]))
        returned += db.execute(statement, tuple(chain.from_iterable(piece))).fetchall()
        first += count
    return returned


@cache
def _statement(into: str, then: str, count: int, width: int) -> str:
    """Return the statement for so many rows; `into` and `then` are words of our own."""
    row = f"({', '.join('?' * width)})"
    return f"{into} {', '.join([row] * count)}{then}"
