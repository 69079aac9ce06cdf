"""docs/faults.md: the matrix as it was run, made by `python -m bench.faults --publish`."""

from __future__ import annotations

import datetime
import platform
from collections.abc import Iterator
from dataclasses import dataclass

from bench.faults.calls import Outcome
from bench.faults.controls import Control
from bench.faults.running import Result

HEAD = """# What happens when something breaks

Every part of signoff is put under faults: killed, hung, given garbage, without its disk, its
clock, its rules. Each cell of this matrix breaks one part in one way and then puts calls to it:
one that must be refused (`rm -rf ~`), often one that must be asked about (`git reset --hard`) and
a harmless one (`git status`). What comes back is read as the host reads it, in its least careful
version. A cell is **correct** if everything came out as it should, **refused** if nothing was let
through. A call that got further than it may is a silent pass (where the record is broken: any call
that is not on it) and fails the run, as do a wrong answer, a hang, and a fault that did not happen.

The page is made by `python -m bench.faults --publish`; do not edit it by hand.

"""
LIMITS = """
## What it does not show

- Rules that are cut off exactly where what is left are whole, shorter rules look like an
  edit: write rules aside and move them into place, as editors do. A running daemon reads a file
  only once it was left alone for a moment.
- A host that never calls its hook is outside of it: `signoff doctor` looks for that.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One run of the matrix."""

    results: tuple[Result, ...]
    controls: tuple[tuple[Control, Result], ...]
    runs: int
    took_s: float

    @property
    def is_good(self) -> bool:
        """Whether every cell held and every control was seen."""
        return all(result.outcome.is_good for result in self.results) and not self.unseen

    @property
    def unseen(self) -> int:
        """How many broken builds were not seen."""
        return sum(result.outcome is not Outcome.SILENT_PASS for _, result in self.controls)


def totals_of(run: Run) -> str:
    """Return the line of totals."""
    count = {outcome: 0 for outcome in Outcome}
    for result in run.results:
        count[result.outcome] += 1
    bad = len(run.results) - count[Outcome.CORRECT] - count[Outcome.REFUSED]
    tries = sum(result.runs for result in run.results)
    components = len({result.cell.component for result in run.results})
    return (
        f"{len(run.results)} cells over {components} components, {tries} runs:"
        f" {count[Outcome.REFUSED]} refused, {count[Outcome.CORRECT]} correct,"
        f" {count[Outcome.SILENT_PASS]} silent passes, {bad} bad in all;"
        f" {len(run.controls) - run.unseen} of {len(run.controls)} broken builds were seen;"
        f" {run.took_s:.0f} s"
    )


def page_of(run: Run) -> str:
    """Return the page."""
    return HEAD + "\n".join(_lines(run)) + "\n" + LIMITS


def _lines(run: Run) -> Iterator[str]:
    today = datetime.datetime.now(datetime.UTC).date()
    system = f"{platform.system()} {platform.machine()}, CPython {platform.python_version()}"
    often = "once" if run.runs == 1 else f"{run.runs} times"
    yield f"**{totals_of(run)}** (each cell {often}; {today}, {system}; times under other load)."
    yield ""
    yield "## Broken builds that were seen"
    yield ""
    yield "A build is broken on purpose at run time; its cell must call it a silent pass."
    yield ""
    yield "| class | broken build | cell | seen |"
    yield "| --- | --- | --- | --- |"
    for control, result in run.controls:
        is_seen = "yes" if result.outcome is Outcome.SILENT_PASS else "**no**"
        yield f"| {control.kind} | {control.build.name} | {control.cell} | {is_seen} |"
    for component in dict.fromkeys(result.cell.component for result in run.results):
        yield ""
        yield f"## {component[0].upper()}{component[1:]}"
        yield ""
        yield "| fault | class | outcome | slowest |"
        yield "| --- | --- | --- | --- |"
        for result in run.results:
            if result.cell.component == component:
                word = result.outcome.value if result.outcome.is_good else f"**{result.outcome}**"
                yield (
                    f"| {result.cell.fault} | {result.cell.kind} | {word} | {result.took_s:.1f} s |"
                )
