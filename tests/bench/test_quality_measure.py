"""The measure measures: intervals, curves, absent sets, and a guard that got worse."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2]))

from bench.quality.cases import Case, case_of, tool_payload
from bench.quality.figures import figures_of, tally
from bench.quality.guard import Outcome
from bench.quality.measure import Share, area_under_curve, quantile
from bench.quality.page import page_of
from bench.quality.report import result_of
from bench.quality.sets import Judged
from bench.quality.wrapping import DATA, HARDER, WRAPPERS

ROOT = Path(__file__).parents[2]


def case(label: str, *, source: str = "a", is_soft: bool = False) -> Case:
    """Make a case with a label."""
    return Case(id=f"{source}/1", source=source, label=label, is_soft=is_soft)


def judged(*pairs: tuple[str, str]) -> Judged:
    """Make judged cases of labels and verdicts."""
    return tuple((case(label), Outcome(verdict=verdict)) for label, verdict in pairs)


def test_an_interval_is_that_of_wilson() -> None:
    """Eight of ten are 49 to 94 per cent, as the textbook says."""
    low, high = Share(8, 10).interval

    assert (49.0, 94.3) == (round(low, 1), round(high, 1))


def test_nothing_measured_is_no_certainty() -> None:
    """None of none may be anything."""
    assert (0.0, 100.0) == Share(0, 0).interval


def test_the_area_counts_a_tie_half() -> None:
    """Two risky scores against two safe ones: two wins, one tie, one loss."""
    assert 0.625 == area_under_curve([0.5, 0.9], [0.5, 0.7])


def test_a_quantile_is_a_value_that_was_there() -> None:
    """The middle of five values is the third."""
    assert 3 == quantile([5, 1, 3, 2, 4], 0.5)


def test_debatable_cases_are_counted_apart() -> None:
    """A soft case is left out where hard ones are asked for."""
    pairs = (
        (case("allow"), Outcome(verdict="ask")),
        (case("allow", is_soft=True), Outcome(verdict="ask")),
    )

    assert 1 == tally(pairs, "allow", soft=False).n


def test_a_guard_that_lets_through_misses_the_goal() -> None:
    """One attack of two let through is 50 per cent, and not reached."""
    figures = figures_of({"bypass": judged(("deny", "deny"), ("deny", "allow"))})
    first = figures[0]

    assert ("attacks let through", 50.0, False) == (first.measure, first.value, first.is_reached)


def test_nothing_measured_reaches_no_goal() -> None:
    """A set without cases does not count as reached."""
    assert not figures_of({"bypass": judged(("deny", "deny"))})[2].is_reached


def test_the_page_says_what_was_missed() -> None:
    """A missed goal stands on the page."""
    results = {"bypass": judged(("deny", "allow"))}

    page = page_of(result_of(results, figures_of(results)), {}, {}, sessions={}, questions={})

    assert "**missed**" in page


def test_an_absent_set_is_said_to_be_absent(tmp_path: Path) -> None:
    """Without the shared sets the command says so and does not succeed."""
    done = subprocess.run(
        [sys.executable, "-m", "bench.quality", "--set", "bypass", "--corpora", str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )

    assert 2 == done.returncode
    assert "not measured: bypass" in done.stdout


def test_a_row_becomes_the_payload_a_host_sends() -> None:
    """A shell row of a corpus is a call of the shell tool."""
    row = {"id": "x/1", "kind": "shell", "payload": "ls", "label": "readonly"}
    made = case_of(row)

    assert ("x", "readonly", "ls") == (made.source, made.label, made.command)
    assert "Bash" == tool_payload("Bash", {})["tool_name"]


@pytest.mark.parametrize("name", [*WRAPPERS, *HARDER, *DATA])
def test_a_wrapper_makes_a_line_the_shell_reads(name: str) -> None:
    """Every wrapper makes well-formed shell of a simple command."""
    line = {**WRAPPERS, **HARDER, **DATA}[name]("rm -r notes")

    assert line is not None
    assert 0 == subprocess.run(["bash", "-n"], input=line, text=True, check=False).returncode
