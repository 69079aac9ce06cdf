"""Real daemons on one PostgreSQL: what one records the other reads; without it all is refused."""

from __future__ import annotations

import json
import signal
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from live_daemon import LiveDaemon, served, wait_until

from postgres_server import PostgresServer, binaries


@pytest.fixture(scope="module")
def server() -> Iterator[PostgresServer]:
    """Give a server that may be killed."""
    if not binaries():
        pytest.skip("no PostgreSQL (apt-get install postgresql)")
    made = PostgresServer()
    made.make()
    made.start()
    yield made
    made.remove()


@pytest.fixture
def nodes(server: PostgresServer, tmp_path: Path) -> Iterator[tuple[LiveDaemon, LiveDaemon]]:
    """Give two daemons on a new database."""
    database = server.address().database
    with ExitStack() as stack:
        first, second = (
            stack.enter_context(served(home_of(tmp_path, node, server.url(database))))
            for node in ("a", "b")
        )
        yield first, second


def home_of(folder: Path, node: str, url: str) -> Path:
    """Write the settings of a node."""
    home = folder / node
    config = home / ".config" / "signoff"
    config.mkdir(parents=True)
    (config / "signoff.yaml").write_text(
        f"store: {{url: '{url}', node: {node}}}\nchannels: [web]\n"
    )
    return home


def verdict(daemon: LiveDaemon, command: str = "git status") -> str:
    """Return the verdict on a call."""
    return str(daemon.act(command, session_id="s1").said.get("verdict", ""))


def test_what_one_node_decides_every_node_reads(nodes: tuple[LiveDaemon, LiveDaemon]) -> None:
    """One record, verified as a whole; status and doctor say where it is."""
    first, second = nodes
    assert ["allow", "allow"] == [verdict(one) for one in nodes]

    tail = second.signoff("audit", "tail").stdout
    verified = first.signoff("audit", "verify").stdout
    counted = json.loads(first.signoff("audit", "stats", "--json").stdout)
    doctor = first.signoff("doctor").stdout

    assert (1, 1) == (tail.count(" a 2"), tail.count(" b 2"))
    assert 2 == verified.count("hash chain verified")
    assert 2 == counted["decisions"]
    assert "node b" in second.signoff("status").stdout
    assert "2 nodes" in doctor
    assert "not encrypted" not in doctor


def test_without_the_database_every_call_is_refused_until_it_is_back(
    server: PostgresServer, nodes: tuple[LiveDaemon, LiveDaemon]
) -> None:
    """It says why, and nobody has to restart anything."""
    first, second = nodes
    assert "allow" == verdict(first)

    server.stop(signal.SIGKILL)
    try:
        refused = [one.act("git status", session_id="s1").said for one in nodes]
        status = first.signoff("status").stdout
        alive, ready = (first.request("GET", one) for one in ("/healthz", "/readyz"))
        counted = first.request("GET", "/metrics").body.decode().splitlines()
    finally:
        server.start()

    assert ["deny", "deny"] == [one.get("verdict") for one in refused]
    assert all("cannot" in one["reason"] and "store" in one["reason"] for one in refused)
    assert "cannot" in status
    assert (200, 503) == (alive.status, ready.status)
    assert "store" in ready.said["reason"]
    assert "signoff_store_up 0" in counted
    assert "signoff_store_refused_total 0" not in counted
    # Without a call: who is not ready is sent none.
    wait_until(lambda: first.request("GET", "/readyz").status == 200)
    assert "signoff_store_up 1" in first.request("GET", "/metrics").body.decode().splitlines()
    wait_until(lambda: ["allow", "allow"] == [verdict(first), verdict(second)])
    assert 0 == first.signoff("audit", "verify").returncode
