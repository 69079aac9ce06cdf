"""A real daemon tells a URL what becomes of calls: asked, decided, ran."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from live_daemon import LiveDaemon, served, wait_until

from signoff.effects.handlers.notify import HEADER, is_signed

SECRET = "a secret of the receiver"
TOKEN = "ghp_Ab3dEf6hIj9kLm2nOp5qRs8tUv1wXy4zABCD"
PUSH = "docker push registry.example.org/app:1"


class Receiver(ThreadingHTTPServer):
    """Keeps what it is told, if it is signed."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.events: list[dict[str, Any]] = []

    def told(self, kind: str) -> list[dict[str, Any]]:
        return [one for one in self.events if one["event"] == kind]


class _Handler(BaseHTTPRequestHandler):
    server: Receiver

    def do_POST(self) -> None:
        """Keep the event."""
        body = self.rfile.read(int(self.headers["Content-Length"]))
        assert is_signed(SECRET, self.headers[HEADER], body, now=time.time())
        self.server.events.append(json.loads(body))
        self.send_response(204)
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Keep still."""


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    server = Receiver()
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


def configure(home: Path, receiver: Receiver, more: str = "") -> None:
    config = LiveDaemon(home=home, port=0).config
    url = f"http://127.0.0.1:{receiver.server_address[1]}/signoff"
    config.joinpath("signoff.yaml").write_text(
        f"channels: [web]\nevents: {{url: '{url}', secret_file: events.secret{more}}}\n", "utf-8"
    )
    secret = config / "events.secret"
    secret.write_text(SECRET)
    secret.chmod(0o600)


def test_each_step_of_a_call_is_told(home: Path, receiver: Receiver) -> None:
    """Signed, without arguments, secrets in names masked."""
    configure(home, receiver)
    with served(home) as daemon:
        daemon.tell_of("PreToolUse", "t1", "echo one", f"s-{TOKEN}")
        daemon.tell_of("PostToolUse", "t1", "echo one", f"s-{TOKEN}")
        daemon.tell_of("PreToolUse", "t2", "rm -rf /", f"s-{TOKEN}")
        threading.Thread(target=_ignoring, args=(daemon,), daemon=True).start()
        wait_until(lambda: receiver.told("asked") and receiver.told("ran"))
        wait_until(lambda: len(receiver.told("decided")) >= 2)
    allowed, denied = receiver.told("decided")[:2]
    [ran] = receiver.told("ran")
    assert ("allow", "deny") == (allowed["verdict"], denied["verdict"])
    assert (allowed["decision"], False) == (ran["decision"], ran["failed"])
    assert "destructive.system-files" in denied["findings"]
    assert ["Bash"] == [one["tool"] for one in receiver.told("asked")]
    whole = json.dumps(receiver.events)
    assert not [word for word in (TOKEN, "echo one", "registry.example.org/app") if word in whole]


def _ignoring(daemon: LiveDaemon) -> None:
    """Ask; the daemon ends before anybody answers."""
    try:
        daemon.tell_of("PreToolUse", "t3", PUSH, f"s-{TOKEN}")
    except OSError:
        return


def test_only_what_is_wanted_is_told(home: Path, receiver: Receiver) -> None:
    """`only` leaves the others out."""
    configure(home, receiver, more=", only: [ran]")
    with served(home) as daemon:
        daemon.tell_of("PreToolUse", "t1", "echo one", f"s-{TOKEN}")
        daemon.tell_of("PostToolUse", "t1", "echo one", f"s-{TOKEN}")
        wait_until(lambda: bool(receiver.events))
    assert ["ran"] == [one["event"] for one in receiver.events]


def test_each_call_is_judged_once_before_it_is_asked_and_decided(
    home: Path, receiver: Receiver
) -> None:
    """Also one that nobody is asked about; without arguments, as all events."""
    configure(home, receiver, more=", only: [judged, asked, decided]")
    with served(home) as daemon:
        daemon.tell_of("PreToolUse", "t1", "echo one", f"s-{TOKEN}")
        daemon.tell_of("PreToolUse", "t2", "rm -rf /", f"s-{TOKEN}")
        wait_until(lambda: len(receiver.told("decided")) == 2)
        threading.Thread(target=_ignoring, args=(daemon,), daemon=True).start()
        wait_until(lambda: bool(receiver.told("asked")))
    kinds = [one["event"] for one in receiver.events]
    assert ["judged", "decided", "judged", "decided", "judged", "asked"] == kinds[:6]
    assert ["allow", "deny", "ask"] == [one["verdict"] for one in receiver.told("judged")]
    assert "destructive.system-files" in receiver.told("judged")[1]["findings"]
    whole = json.dumps(receiver.events)
    assert not [word for word in (TOKEN, "echo one", "registry.example.org/app") if word in whole]


def test_a_secret_others_can_read_is_a_problem(home: Path, receiver: Receiver) -> None:
    """Nothing is sent, and the daemon says why; calls are decided all the same."""
    configure(home, receiver)
    (LiveDaemon(home=home, port=0).config / "events.secret").chmod(0o644)
    with served(home) as daemon:
        daemon.tell_of("PreToolUse", "t1", "echo one", f"s-{TOKEN}")
        problems = daemon.signoff("status").stdout
    assert "events" in problems
    assert [] == receiver.events
