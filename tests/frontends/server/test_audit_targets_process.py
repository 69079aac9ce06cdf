"""A daemon's audit log reaches a witness and a receiver of syslog, or its status says why not."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from bench.record import tampering
from live_daemon import LiveDaemon, served, wait_until

from signoff.storage.proof.note import Cosigner, NoteKey, open_signer
from signoff.storage.proof.witness import Witness

WAIT_S = 60.0


@pytest.fixture
def listening() -> Iterator[socket.socket]:
    """Return a socket that listens on loopback."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.settimeout(WAIT_S)
        yield listening


def settings_of(home: Path, url: str, key: NoteKey, port: int) -> None:
    """Write settings with a witness and a receiver."""
    folder = home / ".config/signoff"
    folder.mkdir(parents=True)
    (folder / "signoff.yaml").write_text(
        f"audit:\n  witnesses:\n    - url: {url}\n      key: {key.text}\n"
        f"  push:\n    - url: syslog+tcp://127.0.0.1:{port}\n"
    )


def test_entries_are_cosigned_and_sent(tmp_path: Path, listening: socket.socket) -> None:
    """By the settings alone, while the daemon runs."""
    state = tmp_path / ".local/state/signoff"
    log_key = open_signer(str(state / "checkpoint.key")).key
    witness = Witness(str(tmp_path / "witness"), Cosigner(bytes(32)), logs=(log_key,))
    with tampering.served(witness) as target:
        settings_of(tmp_path, target.url, target.key, listening.getsockname()[1])
        with served(tmp_path) as daemon:
            wait_until(lambda: bool([*state.glob("push/*.sent")]), WAIT_S)
            daemon.act("git status")
            connection, _ = listening.accept()
            with connection, connection.makefile("rb") as received:
                length = b"".join(iter(lambda: received.read(1), b" "))
                message = received.read(int(length))
            wait_until(lambda: bool(witness.seen()), WAIT_S)

    assert b'"class_name":"API Activity"' in message
    assert log_key.name == witness.seen()[0].origin


def test_the_status_says_what_is_away(tmp_path: Path) -> None:
    """Neither the witness nor the receiver listens."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        settings_of(tmp_path, f"http://127.0.0.1:{port}", Cosigner(bytes(32)).key, port)
        with served(tmp_path) as daemon:
            wait_until(lambda: bool([*daemon.state.glob("push/*.sent")]), WAIT_S)
            daemon.act("git status")
            wait_until(lambda: {"witness", "push"} <= problems_of(daemon), WAIT_S)


def problems_of(daemon: LiveDaemon) -> set[str]:
    """Return which of the two the status of a daemon complains about."""
    problems = json.loads(daemon.request("GET", "/v1/status").body)["problems"]
    words = {"witness": "did not cosign", "push": "for syslog+tcp"}
    return {name for name, said in words.items() if any(said in one for one in problems)}
