"""Connections that say nothing, beside a daemon that decides: they take nothing from it (T-42)."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from bench.ports import free_port, is_listening
from bench.warm_home import give_patterns
from live_daemon import LiveDaemon, wait_until

FILES = 300  # that the daemon may have open, as few as a careful system allows
SILENT = 600
HALF = b"POST /v1/actions HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Le"
LIMITED = """
import os, resource, sys
resource.setrlimit(resource.RLIMIT_NOFILE, (int(sys.argv[1]), int(sys.argv[1])))
os.execv(sys.executable, [sys.executable, *sys.argv[2:]])
"""


@pytest.fixture
def daemon(tmp_path: Path) -> Iterator[LiveDaemon]:
    """Run a daemon that may open few files."""
    give_patterns(tmp_path)
    found = LiveDaemon(home=tmp_path, port=free_port())
    process = subprocess.Popen(
        [
            sys.executable,
            "-c",
            LIMITED,
            str(FILES),
            *f"-I -m signoff serve --port {found.port}".split(),
        ],
        env=found.environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        wait_until(lambda: is_listening(found.port))
        yield found
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=60)


@pytest.mark.parametrize("sent", [b"", HALF], ids=["nothing", "half a head"])
def test_silent_connections_starve_no_decision(daemon: LiveDaemon, sent: bytes) -> None:
    """Twice as many as the daemon may have files: each new one is taken, and the oldest ended."""
    with contextlib.ExitStack() as stack:
        for number in range(SILENT):
            line = stack.enter_context(socket.create_connection(("127.0.0.1", daemon.port)))
            if sent:
                with contextlib.suppress(OSError):
                    line.sendall(sent)
            if number % 100 == 0:
                assert daemon.act("git status").said["verdict"] == "allow"
        started = time.monotonic()
        answers = [daemon.act("git status").said["verdict"] for _ in range(20)]

    assert ["allow"] * 20 == answers
    assert time.monotonic() - started < 10


def test_silent_connections_to_the_port_leave_the_socket_alone(daemon: LiveDaemon) -> None:
    """Each of the two has its own share of the files."""
    with contextlib.ExitStack() as stack:
        for _ in range(SILENT):
            stack.enter_context(socket.create_connection(("127.0.0.1", daemon.port)))
        with socket.socket(socket.AF_UNIX) as line:
            line.settimeout(15)
            line.connect(os.fspath(daemon.socket))
            line.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")

            assert line.recv(100).startswith(b"HTTP/1.1 200 ")
