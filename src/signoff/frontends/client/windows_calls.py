"""What the hook client asks of Windows, where `exchange.py` uses POSIX calls elsewhere.

Needs nothing of signoff but `system/handshake.py`, which it loads by its folder.
"""

from __future__ import annotations

import sys

if sys.platform != "win32":
    # As a missing module of the system, which is what it is.
    raise ModuleNotFoundError("windows_calls is for Windows alone", name="_winapi")

import _thread
import nt
import os
import subprocess
import time

# `client/` stands beside the folders of signoff's rooms; the client knows its own place only.
sys.path.insert(
    1, os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(__file__))), "system")
)
from handshake import connect_by_file  # type: ignore[import-not-found] # of that folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    import socket
    from collections.abc import Callable

CONNECT_S = 5.0
APART = subprocess.DETACHED_PROCESS | subprocess.CREATE_NEW_PROCESS_GROUP


class _Deadline:
    """When this process must have answered; of `time.monotonic`."""

    at_s = 0.0


_children: dict[int, subprocess.Popen[bytes]] = {}


def arm(deadline_s: float, end: Callable[[], object]) -> None:
    """Call `end`, which ends this process, at the deadline."""
    _Deadline.at_s = time.monotonic() + deadline_s

    def wait() -> None:
        time.sleep(max(0.0, left_s()))
        end()

    _thread.start_new_thread(wait, ())


def left_s() -> float:
    """Return the seconds to the deadline."""
    return _Deadline.at_s - time.monotonic()


def environment(name: bytes) -> bytes:
    """Return an environment variable, b"" if it is not set."""
    return os.environ.get(name.decode(), "").encode()


def folder_here() -> bytes:
    """Return the working folder."""
    return os.getcwd().encode()


def replace_by(command: list[str]) -> None:
    """Run another program with this process's streams, and end with its exit status."""
    nt._exit(subprocess.call(command))  # noqa: S603 - our own words


def start_apart(command: list[str]) -> int:
    """Start a program apart from the host and its console; return its process id."""
    null = subprocess.DEVNULL
    child = subprocess.Popen(  # noqa: S603 - our own words
        command, stdin=null, stdout=null, stderr=null, creationflags=APART
    )
    _children[child.pid] = child
    return child.pid


def status_of(child: int) -> tuple[int, int]:
    """Return a number other than 0 if a child has ended, and its status."""
    status = _children[child].poll()
    return (0, 0) if status is None else (child, status)


def connected(path: str) -> socket.socket | None:
    """Return a connection to the daemon, None if nobody listens there."""
    try:
        return connect_by_file(path, within_s=CONNECT_S)
    except OSError:
        return None
