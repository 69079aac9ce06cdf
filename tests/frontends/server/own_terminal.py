"""A program on a terminal of its own, and somebody who reads it and types."""

from __future__ import annotations

import contextlib
import os
import pty
import select
import signal
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field

from live_daemon import LiveDaemon

WITHIN_S = 30.0


@dataclass(slots=True, kw_only=True)
class OwnTerminal:
    """One program and its terminal."""

    pid: int
    keyboard: int
    shown: str = field(default="")

    def until(self, text: str) -> str:
        """Read to a text; return everything shown so far."""
        deadline = time.monotonic() + WITHIN_S
        while text not in self.shown:
            assert time.monotonic() < deadline, self.shown
            assert self._read(), self.shown
        return self.shown

    def to_end(self) -> str:
        """Read until the program ends; return everything it showed."""
        while self._read():
            pass
        return self.shown

    def type(self, line: str) -> None:
        """Type a line."""
        os.write(self.keyboard, f"{line}\n".encode())

    def _read(self) -> bool:
        """Read what is there; False at the end."""
        if not select.select([self.keyboard], [], [], WITHIN_S)[0]:
            return False
        try:
            piece = os.read(self.keyboard, 65_536)
        except OSError:
            return False
        self.shown += piece.decode(errors="replace")
        return bool(piece)


@contextlib.contextmanager
def on_terminal(daemon: LiveDaemon, *words: str) -> Iterator[OwnTerminal]:
    """Run our command line on a terminal of its own, in the daemon's home."""
    pid, keyboard = pty.fork()
    if pid == 0:
        os.chdir(daemon.home)
        command = [sys.executable, "-I", "-m", "signoff", *words]
        os.execve(sys.executable, command, daemon.environment)
    try:
        yield OwnTerminal(pid=pid, keyboard=keyboard)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGTERM)
        os.waitpid(pid, 0)
        os.close(keyboard)
