"""Put every component under every fault; fail on a silent pass, a wrong answer or a hang.

python -m bench.faults                       everything, three times, and every control
python -m bench.faults --only store --runs 1 cells whose name holds the word
python -m bench.faults --publish             and write docs/faults.md
"""

from __future__ import annotations

import argparse
import sys

from bench.faults.cells import CELLS
from bench.faults.running import run_all


def main() -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--only", default="")
    chosen = parser.parse_args()
    bad = 0
    for result in run_all((c for c in CELLS if chosen.only in c.id), runs=chosen.runs):
        bad += not result.outcome.is_good
        print(f"{result.outcome.value:14} {result.took_s:6.2f}s {result.cell.id}", flush=True)
        if not result.outcome.is_good:
            print(f"    {result.said}")
    print(f"{bad} bad")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
