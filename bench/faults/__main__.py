"""Put every component under every fault; fail on a silent pass, a wrong answer or a hang.

python -m bench.faults                       everything, three times, and every control
python -m bench.faults --only store --runs 1 cells whose name holds the word
python -m bench.faults --publish             and write docs/faults.md
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

from bench.faults.calls import Outcome
from bench.faults.cells import CELLS
from bench.faults.controls import CONTROLS, Control
from bench.faults.page import Run, page_of, totals_of
from bench.faults.running import Result, Theatre

PAGE = Path(__file__).parents[2] / "docs" / "faults.md"


def main() -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=3, help="how often each cell is run")
    parser.add_argument("--only", default="", help="cells and controls whose name holds this")
    parser.add_argument("--publish", action="store_true", help="write docs/faults.md")
    chosen = parser.parse_args()
    if chosen.publish and chosen.only:
        parser.error("a part is not published")
    run = put_through(chosen.only, runs=chosen.runs)
    print(totals_of(run))
    if chosen.publish:
        PAGE.write_text(page_of(run), encoding="utf-8")
    return 0 if run.is_good else 1


def put_through(only: str, *, runs: int) -> Run:
    """Run cells and controls, telling how each of them ends."""
    started, cells = time.monotonic(), {cell.id: cell for cell in CELLS}
    results: list[Result] = []
    controls: list[tuple[Control, Result]] = []
    with tempfile.TemporaryDirectory(prefix="faults-") as folder:
        theatre = Theatre(Path(folder))
        for cell in (cell for cell in CELLS if only in cell.id):
            results.append(theatre.repeat(cell, runs))
            _tell(results[-1], is_good=results[-1].outcome.is_good)
        for control in (control for control in CONTROLS if only in control.cell):
            result = theatre.run(cells[control.cell], control.build)
            controls.append((control, result))
            print(f"control: {control.build.name}")
            _tell(result, is_good=result.outcome is Outcome.SILENT_PASS)
    return Run(
        results=tuple(results), controls=tuple(controls), runs=runs,
        took_s=time.monotonic() - started,
    )  # fmt: skip


def _tell(result: Result, *, is_good: bool) -> None:
    """Say how a cell ended, and why where it must not."""
    print(f"{result.outcome.value:14} {result.took_s:6.2f}s {result.cell.id}", flush=True)
    if not is_good:
        print(f"    {result.said}")


if __name__ == "__main__":
    sys.exit(main())
