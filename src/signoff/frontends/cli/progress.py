"""Says what is being done while it takes more than a moment; on a terminal only.

with progress("starting the daemon"):
    start(places)

with progress("reading the audit log", total=head.seq) as line:
    for entry in entries:
        line.at(entry.seq)
"""

from __future__ import annotations

import shutil
import sys
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from signoff.frontends.cli.styled_lines import shows_ansi

QUIET_S = 0.7  # what is done by then needs no word
TICK_S = 0.1
SIGNS = "|/-\\"
BAR = 20  # characters
Item = TypeVar("Item")


class ProgressLine:
    """A progress line on a terminal: a bar if the total is known, else a spinner.

    Args:
        total: the count at the end; 0 = unknown.
    """

    def __init__(self, doing: str, *, total: int, is_shown: bool) -> None:
        self._doing, self._total, self._is_shown = doing, total, is_shown
        self._since_s = time.monotonic()
        self._next_s = self._since_s + QUIET_S
        self._turn = self._done = 0

    def at(self, done: int, doing: str = "") -> None:
        """Set the progress.

        Args:
            done: the count so far.
            doing: replaces the text, if not "".
        """
        self._done, self._doing = done, doing or self._doing
        self.draw()

    def draw(self) -> None:
        """Draw the line, if enough time has passed since the last time."""
        if not self._is_shown or (now_s := time.monotonic()) < self._next_s:
            return
        self._next_s = now_s + TICK_S
        self._turn += 1
        columns = shutil.get_terminal_size().columns - 1
        sys.stderr.write(f"\r\033[K{self._said(now_s)[:columns]}")
        sys.stderr.flush()

    def end(self) -> None:
        """Erase the line."""
        if self._turn:
            sys.stderr.write("\r\033[K")
            sys.stderr.flush()

    def _said(self, now_s: float) -> str:
        if not self._total:
            took_s = now_s - self._since_s
            return f"{SIGNS[self._turn % len(SIGNS)]} {self._doing} ... {took_s:.0f} s"
        share = min(1.0, self._done / self._total)
        return f"[{'#' * int(share * BAR):<{BAR}}] {share:4.0%} {self._doing}"


@contextmanager
def progress(
    doing: str, *, total: int = 0, has_thread: bool | None = None, is_shown: bool = True
) -> Iterator[ProgressLine]:
    """Show progress on standard error while the block runs.

    Args:
        total: the final count; the caller reports progress with `at`. 0 = unknown.
        has_thread: False where the process forks meanwhile and the caller draws; None = a thread
            draws if no total is known.
        is_shown: False if the caller prints lines itself.
    """
    is_terminal = is_shown and shows_ansi(is_terminal=sys.stderr.isatty())
    line = ProgressLine(doing, total=total, is_shown=is_terminal)
    is_drawn = is_terminal and (not total if has_thread is None else has_thread)
    ended = threading.Event()
    drawer = threading.Thread(target=_draw, args=(line, ended), daemon=True)
    if is_drawn:
        drawer.start()
    try:
        yield line
    finally:
        ended.set()
        # Waited for, so that its line is gone before anything else is printed.
        if is_drawn:
            drawer.join()
        line.end()


def shown_each(doing: str, items: Iterable[Item]) -> Iterator[Item]:
    """Yield items that take long to compute; the progress line is hidden while the caller works."""
    found, none = iter(items), object()
    while True:
        with progress(doing):
            item = next(found, none)
        if item is none:
            return
        yield item  # type: ignore[misc]  # what is not `none` is an item


def _draw(line: ProgressLine, ended: threading.Event) -> None:
    while not ended.wait(TICK_S):
        line.draw()
