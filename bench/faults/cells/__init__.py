"""Every cell of the matrix: a visible table of where they come from, one line a component."""

from __future__ import annotations

from bench.faults.cell import Cell
from bench.faults.cells import (
    adapters,
    check,
    client,
    clock,
    daemon,
    http_kind,
    in_process,
    installed_line,
    mcp_proxy,
    model,
    overload,
    people,
    python_gate,
    rules,
    store,
    store_daemon,
)

CELLS: tuple[Cell, ...] = (
    *installed_line.cells(),
    *client.cells(),
    *daemon.cells(),
    *http_kind.cells(),
    *in_process.cells(),
    *store.cells(),
    *store_daemon.cells(),
    *rules.cells(),
    *check.cells(),
    *python_gate.cells(),
    *adapters.cells(),
    *mcp_proxy.cells(),
    *model.cells(),
    *clock.cells(),
    *overload.cells(),
    *people.cells(),
)

# Components whose cells take hundredths of a second each.
_CHEAP = ("installed command", "hook client")


def short_version() -> tuple[Cell, ...]:
    """Return what runs with the tests: all that is cheap, of the rest one a component and kind."""
    chosen: dict[str, Cell] = {}
    for cell in CELLS:
        is_cheap = cell.component.startswith(_CHEAP)
        if cell.is_quick:
            keys = [cell.id] if is_cheap else [cell.component, cell.kind.value]
            for key in keys:
                chosen.setdefault(key, cell)
    return tuple(dict.fromkeys(chosen.values()))
