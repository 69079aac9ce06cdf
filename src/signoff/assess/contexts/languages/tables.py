"""Gives the cells of bodies that are tables by their media type: CSV, TSV and HL7.

Each cell is a value: what an application does, it does with a cell. A body that is no table of its
type is read like any other text.

    cells_of("text/csv", "name,total\\nAnn,=SUM(A1)\\n")  ->  ("name", "total", "Ann", "=SUM(A1)")
"""

from __future__ import annotations

import csv
import io

from signoff.actions.vocabulary import lazy_re

CELL_LIMIT = 2_000
SIZE_LIMIT = 256 << 10
ROWS_AT_LEAST = 2

_SEGMENT = lazy_re(r"[A-Z][A-Z0-9]{2}(?:\||\Z)")
_LINE_END = lazy_re(r"\r\n?|\n")


def cells_of(content_type: str, text: str) -> tuple[str, ...]:
    """Return the cells of a table such as CSV; () if it is none or too large."""
    if len(text) > SIZE_LIMIT:
        return ()
    if "text/csv" in content_type or "tab-separated" in content_type:
        rows = _rows(text, "\t" if "tab-" in content_type else ",")
    elif "hl7" in content_type:
        rows = _segments(text)
    else:
        return ()
    cells = tuple(cell for row in rows for cell in row if cell.strip())
    return cells if len(rows) >= ROWS_AT_LEAST and len(cells) <= CELL_LIMIT else ()


def _rows(text: str, delimiter: str) -> list[list[str]]:
    """Read rows that all have as many cells as the first one; [] for anything else."""
    try:
        read = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
        rows = [row for row in read if row]
    except csv.Error:
        return []
    is_table = len({len(row) for row in rows}) == 1 and len(rows[0]) > 1
    return rows if is_table else []


def _segments(text: str) -> list[list[str]]:
    """Read the fields of an HL7 message; [] for anything else."""
    lines = [line for line in _LINE_END.split(text.strip()) if line]
    is_message = text.lstrip().startswith("MSH|^~\\&|") and all(map(_SEGMENT.match, lines))
    return [line.replace("^~\\&", "").split("|") for line in lines] if is_message else []
