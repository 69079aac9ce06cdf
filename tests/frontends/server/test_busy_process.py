"""A daemon with too many requests says that it is busy, and its hook asks again in time."""

from __future__ import annotations

import contextlib
import json
import socket
import subprocess
import sys
import threading
import time

from live_daemon import LiveDaemon

from signoff.frontends.client.words import CLIENT
from signoff.frontends.server.app import OPEN_LIMIT

HALF = (
    b"POST /hooks/claude-code HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"
    b"content-length: 10\r\n\r\n{"
)
EVENT = {
    "hook_event_name": "PreToolUse",
    "session_id": "busy",
    "tool_name": "Bash",
    "tool_input": {"command": "git status"},
}


def test_a_hook_outlasts_a_crowd(daemon: LiveDaemon) -> None:
    """As many requests as are served at once are half sent; a second later they are gone."""
    path = str(daemon.socket)
    words = [sys.executable, "-I", "-S", str(CLIENT), "claude-code", "--socket", path]
    words += ["--deadline", "20", "--without", "refuse"]
    with contextlib.ExitStack() as crowd:
        for _ in range(OPEN_LIMIT):
            link = crowd.enter_context(socket.socket(socket.AF_UNIX))
            link.connect(path)
            link.sendall(HALF)
        time.sleep(0.5)
        gone = threading.Timer(1, crowd.pop_all().close)
        gone.start()
        done = subprocess.run(
            words,
            input=json.dumps(EVENT | {"cwd": str(daemon.home)}).encode(),
            capture_output=True,
            check=False,
            timeout=30,
        )
        gone.join()

    assert (done.returncode, b"at once" in done.stdout + done.stderr) == (0, False)
    assert b"deny" not in done.stdout
