"""Somebody at a terminal of their own, who reads and types."""

from __future__ import annotations

import os
import pty
import re
import select
import signal
import sys
import time

from live_daemon import LiveDaemon

WITHIN_S = 60.0


class Terminal:
    """Somebody at a terminal of their own."""

    def __init__(self, daemon: LiveDaemon, *words: str) -> None:
        self.said = ""
        self._pid, self._keyboard = pty.fork()
        if self._pid == 0:
            # A shell that starts tests in the background leaves this signal ignored.
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            os.execve(
                sys.executable, [sys.executable, "-I", "-m", "signoff", *words], daemon.environment
            )

    def until(self, pattern: str) -> re.Match[str]:
        """Read until something stands there."""
        deadline = time.monotonic() + WITHIN_S
        while not (found := re.search(pattern, self.said)):
            assert time.monotonic() < deadline and self._read(), self.said
        return found

    def type(self, line: str) -> None:
        """Type a line."""
        os.write(self._keyboard, f"{line}\n".encode())

    def interrupt(self) -> None:
        """Press Control-C."""
        os.write(self._keyboard, b"\x03")

    def end(self) -> int:
        """Read to the end; return the exit status."""
        deadline = time.monotonic() + WITHIN_S
        # A program that ends in silence still needs its terminal until it has ended.
        while not (ended := os.waitpid(self._pid, os.WNOHANG))[0] and time.monotonic() < deadline:
            if not self._read():
                time.sleep(0.05)
        while ended[0] and self._read():
            pass
        os.close(self._keyboard)
        status = ended[1] if ended[0] else os.waitpid(self._pid, 0)[1]
        return os.waitstatus_to_exitcode(status)

    def _read(self) -> bool:
        if not select.select([self._keyboard], [], [], WITHIN_S)[0]:
            return False
        try:
            piece = os.read(self._keyboard, 4_096)
        except OSError:  # how the end of a terminal is told
            return False
        self.said += piece.decode("utf-8", "replace")
        return bool(piece)
