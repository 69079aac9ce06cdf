"""Starts `signoff` in a process of its own, a good deal cheaper than an exec.

Most of what a start costs is importing 850 modules: 0.2 seconds of processor time for a command,
0.5 for a daemon. `fork_server.py` imports them once a test process, and forks. The process has its
own id, memory, environment, folder and streams, and runs `signoff/__main__.py` as a user's does.
Its command line and its parent are those of the server: a test of those, of a terminal, or of the
start itself runs `[sys.executable, *SIGNOFF, ...]`.

    done = run_signoff("audit", "tail", env={"HOME": str(home)}, cwd=home)
    daemon = start_signoff("serve", env={"HOME": str(home)})
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Protocol

SIGNOFF = ("-I", "-m", "signoff")
SERVER = Path(__file__).with_name("fork_server.py")
# Without these (macOS) a start is an exec.
CAN_FORK = hasattr(os, "pidfd_open") and hasattr(socket, "SOCK_SEQPACKET")
# The interpreter of the tests may be told things by its environment, the server may not.
CLEAN = {"PATH": os.defpath}


class StartedProcess(Protocol):
    """What `subprocess.Popen` gives, as far as tests use it."""

    @property
    def pid(self) -> int:
        """The process id."""

    def poll(self) -> int | None:
        """Return the exit status, None while it runs."""

    def wait(self, timeout: float | None = None) -> int:
        """Wait for its end; return the exit status."""

    def send_signal(self, sig: int) -> None:
        """Send a signal, if it still runs."""

    def kill(self) -> None:
        """Kill it, if it still runs."""


class ForkedProcess:
    """A process of the fork server."""

    def __init__(self, answers: socket.socket) -> None:
        self._answers = answers
        self.pid = self._told()
        self._status: int | None = None

    def poll(self) -> int | None:
        """Return the exit status, None while it runs."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            return self.wait(0)
        return None

    def wait(self, timeout: float | None = None) -> int:
        """Wait for its end; return the exit status.

        Raises:
            subprocess.TimeoutExpired: it still runs after `timeout` seconds.
        """
        if self._status is None:
            self._answers.settimeout(timeout)
            try:
                self._status = self._told()
            except (TimeoutError, BlockingIOError):
                raise subprocess.TimeoutExpired("signoff", timeout or 0) from None
            self._answers.close()
        return self._status

    def send_signal(self, sig: int) -> None:
        """Send a signal, if it still runs."""
        if self.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, sig)

    def kill(self) -> None:
        """Kill it, if it still runs."""
        self.send_signal(signal.SIGKILL)

    def _told(self) -> int:
        said = self._answers.recv(32)
        assert said, "the fork server is gone"
        return int(said)


def run_signoff(
    *words: str,
    env: Mapping[str, str],
    cwd: str | Path = "/",
    stdin: str = "",
    new_session: bool = False,
    timeout: float = 120,
) -> subprocess.CompletedProcess[str]:
    """Run a command to its end, without a terminal.

    Raises:
        subprocess.TimeoutExpired: it did not end within `timeout` seconds, and was killed.
    """
    with _file() as given, _file() as out, _file() as err:
        given.write(stdin.encode())
        given.seek(0)
        streams = (given, out, err)
        process = start_signoff(*words, env=env, cwd=cwd, streams=streams, new_session=new_session)
        try:
            status = process.wait(timeout)
        finally:
            process.kill()
            process.wait()
        return subprocess.CompletedProcess(words, status, *map(_read, (out, err)))


def start_signoff(
    *words: str,
    env: Mapping[str, str],
    cwd: str | Path = "/",
    streams: Sequence[IO[bytes]] = (),
    stderr: int = subprocess.DEVNULL,
    new_session: bool = False,
) -> StartedProcess:
    """Start a command that goes on: a daemon.

    Args:
        streams: standard input, output and error; `/dev/null` if there are none.
        stderr: a descriptor for standard error instead.
    """
    with open(os.devnull, "r+b") as nothing:
        given = [one.fileno() for one in streams or [nothing] * 3]
        if stderr >= 0:
            given[2] = stderr
        if not CAN_FORK:
            return subprocess.Popen(
                [sys.executable, *SIGNOFF, *words],
                env=dict(env),
                cwd=cwd,
                stdin=given[0],
                stdout=given[1],
                stderr=given[2],
                start_new_session=new_session,
            )
        task = {"words": words, "env": dict(env), "cwd": str(cwd), "new_session": new_session}
        here, there = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with there:
            socket.send_fds(
                _server(sys.executable), [json.dumps(task).encode()], [there.fileno(), *given]
            )
    return ForkedProcess(here)


@functools.cache
def _server(python: str) -> socket.socket:
    """Return the server of one Python: tests of a broken installation name another one."""
    here, there = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with there:
        process = subprocess.Popen(
            [python, "-I", str(SERVER), str(there.fileno())],
            env=CLEAN,
            pass_fds=[there.fileno()],
            stdin=subprocess.DEVNULL,
        )

    def end() -> None:
        here.close()
        process.wait()

    atexit.register(end)
    return here


def _file() -> IO[bytes]:
    return tempfile.TemporaryFile()


def _read(stream: IO[bytes]) -> str:
    stream.seek(0)
    return stream.read().decode()
