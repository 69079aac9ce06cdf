"""A real daemon tells other services: of denials, and of nothing that could answer for anybody."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from live_daemon import LiveDaemon, served

pytest.importorskip("apprise")

SECRET = "ghp_Ab3dEf6hIj9kLm2nOp5qRs8tUv1wXy4zABCD"
WITHIN_S = 15.0


class Ntfy(ThreadingHTTPServer):
    """Takes messages as ntfy does."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.messages: list[dict[str, Any]] = []


class _Handler(BaseHTTPRequestHandler):
    server: Ntfy

    def do_POST(self) -> None:
        """Keep the message."""
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.messages.append(json.loads(body))
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, format: str, *args: object) -> None:
        """Keep still."""


@pytest.fixture
def ntfy() -> Iterator[Ntfy]:
    """Run the server."""
    server = Ntfy()
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


def test_a_session_refused_often_is_told_of(home: Path, ntfy: Ntfy) -> None:
    """Over HTTP, without the secret the agent put into its session's name."""
    port = ntfy.server_address[1]
    LiveDaemon(home=home, port=0).config.joinpath("signoff.yaml").write_text(
        f"limits: {{alert_after_denials: 3}}\nnotify: {{urls: ['ntfy://127.0.0.1:{port}/t']}}\n",
        "utf-8",
    )
    with served(home) as daemon:
        for _ in range(3):
            daemon.act("rm -rf ~", session_id=f"s-{SECRET}")
        deadline = time.monotonic() + WITHIN_S
        while not ntfy.messages and time.monotonic() < deadline:
            time.sleep(0.05)
    told = json.dumps(ntfy.messages)

    assert ["signoff denied 3 calls of one session"] == [one["title"] for one in ntfy.messages]
    assert SECRET not in told
    assert not {"actions", "click"} & set(ntfy.messages[0])
