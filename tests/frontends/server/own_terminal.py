"""A program on a terminal of its own, and somebody who reads it and types."""

from __future__ import annotations

import os
import pty
import re
import select
import signal
import sys
import time
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Self

from live_daemon import LiveDaemon

WITHIN_S = 60.0


class OwnTerminal:
    """One program, as PATH finds it, and its terminal; ended with the block it is used in."""

    def __init__(
        self, command: Sequence[str], environment: Mapping[str, str], *, folder: str = "/"
    ) -> None:
        self.shown = ""
        self._status: int | None = None
        self._pid, self._keyboard = pty.fork()
        if self._pid == 0:
            # A shell that starts tests in the background leaves this signal ignored.
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            os.chdir(folder)
            os.execvpe(command[0], list(command), environment)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        if self._status is None:
            os.kill(self._pid, signal.SIGTERM)
            os.waitpid(self._pid, 0)
        os.close(self._keyboard)

    def until(self, text: str) -> str:
        """Read to a text; return everything shown so far."""
        self.found(re.escape(text))
        return self.shown

    def found(self, pattern: str) -> re.Match[str]:
        """Read until something is shown."""
        deadline = time.monotonic() + WITHIN_S
        while not (found := re.search(pattern, self.shown)):
            assert time.monotonic() < deadline and self._read(), self.shown
        return found

    def type(self, line: str) -> None:
        """Type a line."""
        os.write(self._keyboard, f"{line}\n".encode())

    def confirm(self, word: str) -> None:
        """Type a word out where it counts: what is typed before the `>` stands is thrown away."""
        self.found(rf"type: {word}\s+> ")
        self.shown = ""
        self.type(word)

    def interrupt(self) -> None:
        """Press Control-C."""
        os.write(self._keyboard, b"\x03")

    def to_end(self) -> str:
        """Read until the program ends; return everything it showed."""
        while self._read():
            pass
        return self.shown

    def end(self) -> int:
        """Read until the program ends; return its exit status."""
        deadline = time.monotonic() + WITHIN_S
        # A program that ends in silence still needs its terminal until it has ended.
        while not (ended := os.waitpid(self._pid, os.WNOHANG))[0] and time.monotonic() < deadline:
            if not self._read():
                time.sleep(0.05)
        if not ended[0]:
            os.kill(self._pid, signal.SIGTERM)
            ended = os.waitpid(self._pid, 0)
        self._status = os.waitstatus_to_exitcode(ended[1])
        self.to_end()
        return self._status

    def _read(self) -> bool:
        """Read what is there; False at the end."""
        if not select.select([self._keyboard], [], [], WITHIN_S)[0]:
            return False
        try:
            piece = os.read(self._keyboard, 65_536)
        except OSError:  # how the end of a terminal is told
            return False
        self.shown += piece.decode(errors="replace")
        return bool(piece)


def on_terminal(daemon: LiveDaemon, *words: str) -> OwnTerminal:
    """Run our command line on a terminal of its own, in the daemon's home."""
    command = [sys.executable, "-I", "-m", "signoff", *words]
    return OwnTerminal(command, daemon.environment, folder=str(daemon.home))


def typed_code(daemon: LiveDaemon, *words: str, after: str, typed: str = "") -> tuple[int, str]:
    """Run a command that shows a code; type that, or something else.

    Args:
        after: what stands before the code.

    Returns:
        Its exit status, and everything it showed.
    """
    with on_terminal(daemon, *words) as terminal:
        code = terminal.found(rf"{after}: ([2-9A-Z]{{6}})\s")[1]
        terminal.found(r"\n> ")
        terminal.type(typed or code.lower())
        return terminal.end(), terminal.shown
