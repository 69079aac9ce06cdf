"""Every cell of the matrix: a visible table of where they come from, one line a component."""

from __future__ import annotations

from bench.faults.cell import Cell
from bench.faults.cells import (
    check,
    client,
    clock,
    daemon,
    http_kind,
    in_process,
    installed_line,
    model,
    overload,
    people,
    python_gate,
    rules,
    store,
)

CELLS: tuple[Cell, ...] = (
    *installed_line.cells(),
    *client.cells(),
    *daemon.cells(),
    *http_kind.cells(),
    *in_process.cells(),
    *store.cells(),
    *rules.cells(),
    *check.cells(),
    *python_gate.cells(),
    *model.cells(),
    *clock.cells(),
    *overload.cells(),
    *people.cells(),
)
