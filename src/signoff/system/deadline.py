"""Ends this process at a deadline, whatever it does then, or by another program in its place."""

from __future__ import annotations

import os
import sys
from typing import NoReturn

if sys.platform == "win32":
    import ctypes
    import subprocess

    from signoff.system.kernel32 import failure, kernel32

    REFUSED = 2  # what hosts read as a denial
    ONCE = 0x8  # WT_EXECUTEONLYONCE

    def end_after(seconds: float) -> None:
        """End this process after some seconds with the exit status of a refusal.

        Raises:
            OSError: the system sets no timer.
        """
        timer = ctypes.c_void_p()
        # Called by the system's own thread, with no Python in between: a library that does not
        # return holds nothing up. Its argument is the exit status.
        if not kernel32.CreateTimerQueueTimer(
            ctypes.byref(timer),
            None,
            ctypes.cast(kernel32.ExitProcess, ctypes.c_void_p),
            ctypes.c_void_p(REFUSED),
            int(seconds * 1_000),
            0,
            ONCE,
        ):
            raise failure()

    def replace_process(words: list[str]) -> NoReturn:
        """Run a program with this process's streams, and end with its exit status."""
        # An exec would end this process at once there, and its caller would not wait.
        os._exit(subprocess.call(words))  # noqa: S603 - our own words

else:
    import signal

    def end_after(seconds: float) -> None:
        """End this process after some seconds, by a signal that nothing holds up."""
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        # A signal mask is inherited: a host that blocks SIGALRM would switch the deadline off.
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGALRM})
        signal.setitimer(signal.ITIMER_REAL, seconds)

    def replace_process(words: list[str]) -> NoReturn:
        """Become another program.

        Raises:
            OSError: it cannot be started.
        """
        os.execv(words[0], words)  # noqa: S606 - our own words
