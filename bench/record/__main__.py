"""Run one suite of faults and attacks on the audit log, or measure it.

.venv/bin/python -m bench.record tampering
.venv/bin/python -m bench.record tampering --control     must fail, or the suite shows nothing
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping

from bench import io_faults, kill_loop
from bench.record import (
    bit_flips,
    forged_proofs,
    many_decisions,
    power_cut,
    tampering,
    two_writers,
)

SUITES: Mapping[str, Callable[..., int]] = {
    "tampering": tampering.run,
    "kill": kill_loop.run,
    "io-faults": io_faults.run,
    "power-cut": power_cut.run,
    "bit-flips": bit_flips.run,
    "forged-proofs": forged_proofs.run,
    "two-writers": two_writers.run,
    "many-decisions": many_decisions.run,
}


def main() -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("suite", choices=SUITES)
    parser.add_argument("--control", action="store_true", help="a fault that must be noticed")
    parser.add_argument("--count", type=int, help="how many, instead of the suite's own number")
    chosen = parser.parse_args()
    more = {} if chosen.count is None else {"count": chosen.count}
    return SUITES[chosen.suite](is_control=chosen.control, **more)


if __name__ == "__main__":
    sys.exit(main())
