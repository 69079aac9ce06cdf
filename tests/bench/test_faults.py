"""The fault matrix in short: no fault of any part lets a call through, and broken builds are seen.

`python -m bench.faults` is all of it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib import import_module
from operator import attrgetter
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2]))

from bench.faults.calls import (
    BENIGN,
    DANGER,
    DOUBT,
    Call,
    Observation,
    Outcome,
    Seen,
    Trial,
    outcome_of,
)
from bench.faults.cell import Cell, Kind
from bench.faults.cells import CELLS, short_version
from bench.faults.cells.python_gate import FAILURES
from bench.faults.controls import CONTROLS, Control
from bench.faults.running import Theatre, is_there

CHEAP = tuple(control for control in CONTROLS if control.build.client or not control.build.patch)
BY_ID = {cell.id: cell for cell in CELLS}


@pytest.fixture(scope="module")
def theatre(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Theatre]:
    """Return what gives each cell a home of its own."""
    yield Theatre(tmp_path_factory.mktemp("faults"))


@pytest.mark.parametrize("cell", short_version(), ids=lambda cell: cell.id)
def test_a_fault_lets_nothing_through(theatre: Theatre, cell: Cell) -> None:
    """Every cell ends in a refusal or the correct answer, and its fault did happen."""
    if not all(map(is_there, cell.needs)):
        pytest.skip(f"this fault is made with {', '.join(cell.needs)}")
    result = theatre.run(cell)

    assert result.outcome.is_good, result.said


@pytest.mark.parametrize("control", CHEAP, ids=lambda control: control.cell)
def test_a_broken_build_is_seen(theatre: Theatre, control: Control) -> None:
    """The positive control of a class: the same cell calls a broken build a silent pass."""
    result = theatre.run(BY_ID[control.cell], control.build)

    assert Outcome.SILENT_PASS == result.outcome, result.said


@pytest.mark.parametrize(("module", "name", "_"), FAILURES.values(), ids=FAILURES)
def test_what_is_made_to_fail_is_there(module: str, name: str, _: str) -> None:
    """A part that was renamed would not fail, and its cell would show nothing."""
    assert callable(attrgetter(name)(import_module(f"signoff.{module}")))


def test_every_class_has_cells_and_a_control() -> None:
    """Nothing is claimed of a class that nobody tried to break."""
    assert set(Kind) == {cell.kind for cell in CELLS} == {control.kind for control in CONTROLS}
    assert len(BY_ID) == len(CELLS)


@pytest.mark.parametrize(
    ("call", "seen", "expected"),
    [
        (DANGER, Seen.RUNS, Outcome.SILENT_PASS),
        (DOUBT, Seen.RUNS, Outcome.SILENT_PASS),
        (BENIGN.must_not_run(), Seen.RUNS, Outcome.SILENT_PASS),
        (DANGER, Seen.ASKED, Outcome.WRONG),
        (BENIGN, Seen.HANGS, Outcome.HANGS),
        (DOUBT, Seen.ASKED, Outcome.CORRECT),
        (BENIGN, Seen.RUNS, Outcome.CORRECT),
        (DANGER, Seen.REFUSED, Outcome.REFUSED),
    ],
)
def test_a_call_is_judged_by_what_it_may_come_to(call: Call, seen: Seen, expected: Outcome) -> None:
    """Further than it may is a silent pass, or wrong."""
    found = Observation(trials=(Trial(call=call, seen=seen),), evidence="it happened")

    assert expected == outcome_of(found)


def test_a_fault_that_did_not_happen_shows_nothing() -> None:
    """A refusal without the fault is no success."""
    found = Observation(trials=(Trial(call=DANGER, seen=Seen.REFUSED),), evidence="")

    assert Outcome.NOT_EXERCISED == outcome_of(found)
