"""The terminal of this process: opened for reading and writing, and read with a deadline.

terminal = open_terminal()
discard_typed(terminal)
piece = read_typed(terminal, within_s=60.0)
"""

from __future__ import annotations

import os
import sys
import time

from signoff.system.files import CLOEXEC, NOCTTY

PIECE = 4_096  # bytes

if sys.platform == "win32":
    import _winapi
    import msvcrt

    TERMINAL = "CONOUT$"
    TERMINAL_ERRORS: tuple[type[Exception], ...] = (OSError,)
    LOOK_EVERY_S = 0.02
    BACKSPACE, ENTER, END, INTERRUPT = "\b", "\r\n", "\x1a", "\x03"

    def _is_in_front(terminal: int) -> bool:
        """Return whether what is typed reaches this process: it has a console to read from."""
        try:
            os.close(os.open("CONIN$", os.O_RDWR | CLOEXEC))
        except OSError:
            return False
        return os.isatty(terminal)

    def discard_typed(terminal: int) -> None:
        """Throw away what was typed and not yet read."""
        while msvcrt.kbhit():
            msvcrt.getwch()

    def _is_readable(pipe: int) -> bool:
        try:
            return bool(_winapi.PeekNamedPipe(msvcrt.get_osfhandle(pipe), 0)[0])
        except OSError:  # its other end is closed
            return True

    def read_typed(terminal: int, *, within_s: float, stop: int = -1) -> bytes | None:
        """Return a line that was typed; b"" at the end of input, None for none in time.

        Args:
            stop: descriptor of a pipe; None is returned as soon as it becomes readable, -1 = none.
        """
        line, until = "", time.monotonic() + within_s
        while time.monotonic() < until and (stop < 0 or not _is_readable(stop)):
            if not msvcrt.kbhit():
                time.sleep(LOOK_EVERY_S)
                continue
            key = msvcrt.getwch()
            if key == INTERRUPT:
                raise KeyboardInterrupt
            if key == END:
                return b""
            if key in ENTER:
                _echo("\r\n")
                return f"{line}\n".encode()
            if key == BACKSPACE:
                _echo("\b \b" if line else "")
                line = line[:-1]
            elif key.isprintable() and len(line) < PIECE:
                _echo(key)
                line += key
        return None

    def _echo(text: str) -> None:
        for key in text:
            msvcrt.putwch(key)

else:
    import select
    import termios

    TERMINAL = "/dev/tty"
    TERMINAL_ERRORS: tuple[type[Exception], ...] = (OSError, termios.error)

    def _is_in_front(terminal: int) -> bool:
        """Return whether what is typed reaches this process and no other in the foreground."""
        return os.isatty(terminal) and os.tcgetpgrp(terminal) == os.getpgrp()

    def discard_typed(terminal: int) -> None:
        """Throw away what was typed and not yet read."""
        termios.tcflush(terminal, termios.TCIFLUSH)

    def read_typed(terminal: int, *, within_s: float, stop: int = -1) -> bytes | None:
        """Return what was typed; b"" at the end of input, None for nothing in time.

        Args:
            stop: descriptor; None is returned as soon as it becomes readable, -1 = none.
        """
        watched = [terminal] if stop < 0 else [terminal, stop]
        ready = select.select(watched, [], [], within_s)[0] if within_s > 0 else []
        return None if not ready or stop in ready else os.read(terminal, PIECE)


def open_terminal(path: str = TERMINAL) -> int | None:
    """Open the controlling terminal; None if there is none or this is a background process.

    Reading from the background would suspend the process.
    """
    try:
        # A daemon that opens a terminal must not make it its own: its hang-up would end the
        # daemon.
        terminal = os.open(path, os.O_RDWR | NOCTTY | CLOEXEC)
    except OSError:
        return None
    try:
        # Another program in the foreground would get what is typed here.
        if _is_in_front(terminal):
            return terminal
    except OSError:
        os.close(terminal)
        return None
    os.close(terminal)
    return None
