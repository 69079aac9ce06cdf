"""Ends work that keeps the event loop's thread busy, so that one caller cannot stop all others.

A loop without end in the judgement of one call would leave every other call without an answer. So
the judgement has a limit in processor time, far above what any text takes. Past it an error is
raised inside the work, again and again until it ends; whoever called it takes that for a failure.

    end_endless_work()             once, on the main thread
    judge = limited(judge)
"""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable
from typing import ParamSpec, TypeVar

LIMIT_S = 5.0  # of processor time; the slowest input known takes 0.05 s
AGAIN_S = 0.5  # where what failed is followed by more work of the same kind

_Given = ParamSpec("_Given")
_Made = TypeVar("_Made")


class TooLong(Exception):
    """Work used more processor time than its limit."""


class _Watch:
    """Whether the signal is taken, and whether work runs that it may end."""

    is_set = is_running = False


def end_endless_work() -> None:
    """Install the timer's signal handler; call this once, on the main thread.

    Windows has no such timer: a hook that gets no answer in time refuses its call there.
    """
    if sys.platform == "win32":
        return
    signal.signal(signal.SIGVTALRM, _end)
    _Watch.is_set = True


def limited(work: Callable[_Given, _Made], *, limit_s: float = LIMIT_S) -> Callable[_Given, _Made]:
    """Wrap a function so that it raises `TooLong` after `limit_s` of processor time.

    The limit works on the main thread only, after `end_endless_work`.
    """

    def run(*args: _Given.args, **kwargs: _Given.kwargs) -> _Made:
        # Python runs signal handlers on the main thread, so the error would hit other work than
        # this.
        if (
            sys.platform == "win32"
            or not _Watch.is_set
            or threading.current_thread() is not threading.main_thread()
        ):
            return work(*args, **kwargs)
        _Watch.is_running = True
        # Processor time of this process: a machine that is busy with other work ends nothing.
        signal.setitimer(signal.ITIMER_VIRTUAL, limit_s, AGAIN_S)
        try:
            return work(*args, **kwargs)
        finally:
            # First: a signal that is on its way already must not end what comes next.
            _Watch.is_running = False
            signal.setitimer(signal.ITIMER_VIRTUAL, 0.0)

    return run


def _end(*_: object) -> None:
    if _Watch.is_running:
        raise TooLong("it took too long, which may be meant to keep signoff busy")
