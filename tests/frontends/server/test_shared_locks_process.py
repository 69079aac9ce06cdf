"""Locks that nodes share: set on one daemon, they hold on all; what is not believed locks."""

from __future__ import annotations

import os
import re
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from inbox_caller import at_inbox
from live_daemon import LiveDaemon, served, wait_until
from shared_nodes import database_of, home_of, nodes_of
from test_inbox_process import post

from postgres_server import PostgresServer, shared_server
from signoff.storage.locks.lock import Lock, LockScope
from signoff.storage.locks.lock_file import LockFile

CALL = "git status"
WITHIN_S = 1.0
NAME = "lock-1"


@pytest.fixture
def nodes(tmp_path: Path) -> Iterator[tuple[LiveDaemon, ...]]:
    """Give two nodes."""
    with nodes_of(shared_server(), tmp_path) as found:
        yield found


def verdict(daemon: LiveDaemon) -> str:
    """Return what a node says to a harmless call."""
    return str(daemon.act(CALL, session_id="s1").said.get("verdict"))


def why(daemon: LiveDaemon) -> str:
    """Return with what words it says it."""
    return str(daemon.act(CALL, session_id="s1").said.get("reason"))


def seconds_until(daemon: LiveDaemon, expected: str) -> float:
    """Return how long it takes until a node says this."""
    start_s = time.monotonic()
    while verdict(daemon) != expected:
        assert time.monotonic() - start_s < 30, why(daemon)
        time.sleep(0.02)
    return time.monotonic() - start_s


def lift(daemon: LiveDaemon) -> None:
    """Empty the file of locks, and confirm that with the code in the inbox."""
    person = at_inbox(daemon)
    LockFile.of(str(daemon.state)).remove(Lock(scope=LockScope.ALL))
    wait_until(lambda: code_in(person.get("/web/policies")) != "")
    code = code_in(person.get("/web/policies"))
    assert (
        303
        == post(daemon, "/web/changes/confirm", person.cookie, token=person.token, code=code).status
    )


def code_in(page: str) -> str:
    """Return the code that a page shows, "" if there is none."""
    found = re.search(r"\b([0-9A-Z]{4}-[0-9A-Z]{4})\b", page)
    return found[1] if found else ""


def test_a_lock_of_one_node_holds_on_the_other_within_a_second(
    nodes: tuple[LiveDaemon, ...],
) -> None:
    """Also for the other's command line, and over its restart; lifted there, it is lifted."""
    first, second = nodes
    assert ["allow", "allow"] == [verdict(first), verdict(second)]

    LockFile.of(str(first.state)).add(Lock(scope=LockScope.TOOL, name="Bash", since="now"))
    took_s = seconds_until(second, "deny")

    assert took_s <= WITHIN_S
    assert "tool `Bash` is locked since now" in why(second)
    wait_until(lambda: "Bash" in second.signoff("status").stdout)
    lift(second)
    assert seconds_until(first, "allow") <= WITHIN_S
    wait_until(lambda: not LockFile.of(str(first.state)).locks())


def test_a_lock_outlives_the_node_it_was_set_on(nodes: tuple[LiveDaemon, ...]) -> None:
    """Killed at once: what had reached the store holds."""
    first, second = nodes
    at_inbox(first)._post("/web/locks/add", scope="agent", name="x")
    LockFile.of(str(first.state)).add(Lock(scope=LockScope.ALL, since="now", by="ada"))
    seconds_until(second, "deny")
    os.kill(first.pid, signal.SIGKILL)
    time.sleep(3)

    assert "everything is locked since now" in why(second)


def test_a_node_that_was_away_learns_of_locks_before_its_first_call(tmp_path: Path) -> None:
    """It asks the store before it answers anybody."""
    server = shared_server()
    url = server.url(server.address().database)
    home = home_of(tmp_path, "b", url)
    with served(home) as second:
        assert "allow" == verdict(second)
    with served(home_of(tmp_path, "a", url)) as first:
        first.signoff("lock")
        time.sleep(WITHIN_S)
    with served(home) as second:
        assert "deny" == verdict(second)


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("UPDATE standing SET content = '{\"locks\":[]}', version = 9", "no node made their seal"),
        ("DELETE FROM standing WHERE kind = 'locks'", "are gone from the store"),
        (
            "ALTER TABLE standing DISABLE TRIGGER ALL; UPDATE standing SET version = version - 1"
            " WHERE kind = 'locks'",
            "were set back",
        ),
    ],
)
def test_rows_that_are_not_believed_lock_everything(
    nodes: tuple[LiveDaemon, ...], sql: str, expected: str
) -> None:
    """T-63: who writes the database unlocks nothing; an admin of a node puts back what it knew."""
    first, second = nodes
    LockFile.of(str(first.state)).add(Lock(scope=LockScope.TOOL, name="Edit", since="now"))
    wait_until(lambda: "Edit" in second.signoff("status").stdout)
    shared_server().sql(database_of(first), f"SET search_path = signoff; {sql}")

    assert [seconds_until(one, "deny") <= WITHIN_S for one in nodes] == [True, True]
    assert expected in why(second)
    assert "TAMPERING" in second.signoff("status").stdout
    person = at_inbox(first)
    wait_until(lambda: code_in(person.get("/web/policies")) != "")
    code = code_in(person.get("/web/policies"))
    post(first, "/web/changes/confirm", person.cookie, token=person.token, code=code)
    assert all(seconds_until(one, "allow") <= 3 for one in nodes)
    assert "Edit" in second.signoff("status").stdout


def test_a_node_that_cannot_see_the_database_refuses(tmp_path: Path) -> None:
    """After two seconds at most, and it goes on by itself."""
    server = PostgresServer()
    server.make()
    server.start()
    try:
        with nodes_of(server, tmp_path) as (first, _):
            assert "allow" == verdict(first)
            server.stop(signal.SIGKILL)
            assert "deny" == verdict(first)
            time.sleep(2.5)
            assert "cannot be seen" in first.signoff("status").stdout
            server.start()
            assert seconds_until(first, "allow") < 10
    finally:
        server.remove()
