"""A process of its own that judges the audit log again with one policy line let through.

    python -m signoff.frontends.web.softening.trial LINE SINCE

It prints a `BacktestResult` in JSON. The settings are those of the environment.
"""

from __future__ import annotations

import os
import sys

import msgspec

from signoff.assess.verdict import Verdict
from signoff.errors import SignoffError
from signoff.frontends.replay.backtest import BacktestResult, ReplayRules, ReplaySource, backtest
from signoff.settings import load_settings
from signoff.values import replace

BEHIND = 19  # how far behind hooks it stands for the processor


def try_line(line: str, since: str) -> BacktestResult:
    """Return what allowing a policy line would have changed since a time (ISO 8601).

    Raises:
        SignoffError: the settings or the audit log cannot be read.
    """
    before = load_settings()
    after = replace(before, lines={**before.lines, line: Verdict.ALLOW})
    source = ReplaySource(record=before.record_file, home=before.home, since=since)
    return backtest(source, ReplayRules(settings=before), ReplayRules(settings=after))


def main() -> None:
    """Print the result as JSON, or why there is none; runs in a process of its own."""
    if sys.platform != "win32":
        os.nice(BEHIND)
    try:
        result = try_line(*sys.argv[1:3])
    except SignoffError as error:
        sys.exit(str(error))
    sys.stdout.buffer.write(msgspec.json.encode(result))


if __name__ == "__main__":
    main()
