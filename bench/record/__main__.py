"""Run one suite of faults and attacks on the audit log.

.venv/bin/python -m bench.record tampering
.venv/bin/python -m bench.record tampering --control     must fail, or the suite shows nothing
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping

from bench.record import tampering

SUITES: Mapping[str, Callable[..., int]] = {
    "tampering": tampering.run,
}


def main() -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("suite", choices=SUITES)
    parser.add_argument("--control", action="store_true", help="a fault that must be noticed")
    chosen = parser.parse_args()
    return SUITES[chosen.suite](is_control=chosen.control)


if __name__ == "__main__":
    sys.exit(main())
