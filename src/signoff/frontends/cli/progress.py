"""Says what is being done while it takes more than a moment; on a terminal only.

with progress("starting the daemon"):
    start(places)
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from signoff.frontends.cli.styled_lines import shows_ansi

QUIET_S = 0.7  # what is done by then needs no word
TICK_S = 0.1
SIGNS = "|/-\\"


@contextmanager
def progress(doing: str) -> Iterator[None]:
    """Show on standard error that something is being done, and for how long; gone at the end."""
    if not shows_ansi(is_terminal=sys.stderr.isatty()):
        yield
        return
    ended = threading.Event()
    shower = threading.Thread(target=_show, args=(doing, ended), daemon=True)
    shower.start()
    try:
        yield
    finally:
        ended.set()
        # Waited for, so that its line is gone before anything else is printed.
        shower.join()


def _show(doing: str, ended: threading.Event) -> None:
    since_s = time.monotonic()
    if ended.wait(QUIET_S):
        return
    turn = 0
    while not ended.is_set():
        took_s = time.monotonic() - since_s
        sys.stderr.write(f"\r{SIGNS[turn % len(SIGNS)]} {doing} ... {took_s:.0f} s ")
        sys.stderr.flush()
        turn += 1
        ended.wait(TICK_S)
    sys.stderr.write("\r\033[K")
    sys.stderr.flush()
