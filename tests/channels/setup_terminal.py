"""A setup command on a terminal of its own, and a person who sends the code and types a word."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

CODE_DIGITS = 8
# Takes a terminal as its own and runs the command line on it.
ON_A_TERMINAL = """
import fcntl, os, sys, termios
fcntl.ioctl(os.open(sys.argv[1], os.O_RDWR), termios.TIOCSCTTY, 0)
os.execv(sys.executable, [sys.executable, "-I", "-m", "signoff", *sys.argv[2:]])
"""


def set_up(
    home: Path, *words: str, before_code: str, send: Callable[[str], None], typed: str
) -> int:
    """Run a command; send the code it shows, type a word at the end; return its exit status."""
    keyboard, terminal = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-c", ON_A_TERMINAL, os.ttyname(terminal), *words],
        env={"PATH": os.environ["PATH"], "HOME": str(home)},
        stdin=subprocess.DEVNULL,
        stdout=terminal,
        stderr=terminal,
        start_new_session=True,
    )
    send(read_until(keyboard, before_code.encode(), CODE_DIGITS).decode())
    read_until(keyboard, b"\r\n> ")
    os.write(keyboard, f"{typed}\n".encode())
    status = process.wait(timeout=60)
    os.close(keyboard)
    os.close(terminal)
    return status


def read_until(keyboard: int, mark: bytes, more: int = 0) -> bytes:
    """Read what is shown up to a mark and so many characters more; return those."""
    shown, deadline = b"", time.monotonic() + 60
    while len(shown.partition(mark)[2]) < more or mark not in shown:
        assert time.monotonic() < deadline, shown
        if select.select([keyboard], [], [], 0.1)[0]:
            shown += os.read(keyboard, 4_096)
    return shown.partition(mark)[2][:more]
