"""The audit log as a Parquet file, for tools that analyse data; needs `signoff[parquet]`.

write_parquet(contents, "log.parquet")  ->  1838 rows
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import islice

import pyarrow as pa
from pyarrow import parquet

from signoff.actions.action import Json
from signoff.frontends.auditing.formats import COLUMNS, call_of
from signoff.storage.reading import Content

BATCH = 10_000  # rows
WHOLE_NUMBERS = frozenset({"seq", "answered_in_ms"})
NUMBERS = frozenset({"risk", "threat", "latency_ms"})


def _type_of(name: str) -> pa.DataType:
    if name in WHOLE_NUMBERS:
        return pa.int64()
    return pa.float64() if name in NUMBERS else pa.string()


# The columns of the CSV, and the whole entry as JSON beside them.
SCHEMA = pa.schema([*((name, _type_of(name)) for name in COLUMNS), ("entry", pa.string())])


def write_parquet(contents: Iterable[Content], path: str) -> int:
    """Write entries into a new Parquet file; return their number.

    Raises:
        OSError: the file is there already, or cannot be written.
    """
    rows, count = iter(contents), 0
    with open(path, "xb") as target, parquet.ParquetWriter(target, SCHEMA) as writer:
        while batch := [_row(content) for content in islice(rows, BATCH)]:
            writer.write_table(pa.Table.from_pylist(batch, schema=SCHEMA))
            count += len(batch)
    return count


def _row(content: Content) -> dict[str, Json]:
    return dict(_cells({**content, "call": call_of(content)})) | {
        "entry": json.dumps(content, ensure_ascii=False, sort_keys=True)
    }


def _cells(content: Content) -> Iterator[tuple[str, Json]]:
    """Yield the cells of a row; what is not of the type of its column is left empty."""
    for name in COLUMNS:
        value = content.get(name)
        if name not in WHOLE_NUMBERS | NUMBERS:
            yield name, None if value is None else str(value)
        # To Python a bool is a number.
        elif isinstance(value, bool) or not isinstance(value, int | float):
            yield name, None
        else:
            yield name, float(value) if name in NUMBERS else int(value)
