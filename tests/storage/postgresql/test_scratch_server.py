"""The PostgreSQL of the tests: what a killed test process leaves behind is removed by the next."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

from postgres_server import PostgresServer, abandoned, shared_server

KILLED = """
import os, signal
from postgres_server import PostgresServer
server = PostgresServer()
server.make()
server.start()
print(server.folder, server.process.pid, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_what_a_killed_process_leaves_is_removed() -> None:
    """Its server ends and its files go; those of a process that runs stay."""
    own = shared_server()
    tests = Path(__file__).parents[2]
    done = subprocess.run(
        [sys.executable, "-c", KILLED],
        cwd=tests,
        env={**os.environ, "PYTHONPATH": str(tests)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    folder, process = done.stdout.split()
    left = Path(folder)
    assert -signal.SIGKILL == done.returncode
    # Another test process may have been quicker.
    assert not left.exists() or left in abandoned(str(left.parent))

    other = PostgresServer()
    other.make()
    other.remove()

    assert not left.exists()
    assert folder.encode() not in _command_line(process)
    assert Path(own.folder).exists()
    assert "1" == own.sql("postgres", "SELECT 1")


def _command_line(process: str) -> bytes:
    try:
        return Path("/proc", process, "cmdline").read_bytes()
    except FileNotFoundError:
        return b""
