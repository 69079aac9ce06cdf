"""Requests that nodes share: asked on one daemon, listed, answered and used on another, once."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from inbox_caller import at_inbox
from live_daemon import LiveDaemon, served, wait_until
from shared_nodes import asked, home_of, nodes_of, pending

from postgres_server import shared_server

CALL = "git reset --hard"


@pytest.fixture
def nodes(tmp_path: Path) -> Iterator[tuple[LiveDaemon, ...]]:
    """Give two nodes."""
    with nodes_of(shared_server(), tmp_path) as found:
        yield found


def answer_of(daemon: LiveDaemon, place: str) -> str:
    """Return the verdict on an action that was taken in, as soon as there is one."""
    return str(daemon.request("GET", f"{place}?wait=30").said.get("verdict"))


def test_what_is_asked_on_one_node_is_answered_on_another(
    nodes: tuple[LiveDaemon, ...],
) -> None:
    """Listed by its command line, shown in its inbox; the caller of the first node is let go."""
    first, second = nodes
    waiting = first.act(CALL, session_id="s1", request_id="r1", cwd="/")
    assert 202 == waiting.status
    id = asked(second)

    assert 303 == at_inbox(second).answer(id, "approve")

    assert "allow" == answer_of(first, waiting.headers["location"])


def test_an_approval_outlives_the_node_it_was_asked_on(nodes: tuple[LiveDaemon, ...]) -> None:
    """Its agent asks again on another node, and is let go once; then people are asked again."""
    first, second = nodes
    first.act(CALL, session_id="s1", request_id="r1", cwd="/")
    id = asked(second)
    os.kill(first.pid, signal.SIGKILL)

    assert 303 == at_inbox(second).answer(id, "approve")
    again = second.act(CALL, session_id="s1", request_id="r1", cwd="/")
    once_more = second.act(CALL, session_id="s1", request_id="r2", cwd="/")

    assert "allow" == again.said.get("verdict")
    assert 202 == once_more.status
    assert id not in [one["id"] for one in pending(second)]
    assert 0 == second.signoff("audit", "verify").returncode


def test_who_asks_again_on_two_nodes_is_let_go_on_one(nodes: tuple[LiveDaemon, ...]) -> None:
    """The database says which: the other one is asked about again."""
    first, second = nodes
    waiting = first.act(CALL, session_id="s1", request_id="r1", cwd="/")
    also = second.act(CALL, session_id="s1", request_id="r1", cwd="/")
    (request,) = pending(second)

    at_inbox(second).answer(request["id"], "approve")
    wait_until(lambda: len(pending(first)) == 1 and pending(first)[0]["id"] != request["id"])
    at_inbox(first).answer(asked(first), "deny")

    found = [
        answer_of(daemon, reply.headers["location"])
        for daemon, reply in ((first, waiting), (second, also))
    ]
    assert ["allow", "deny"] == sorted(found)


def test_a_refusal_on_another_node_reaches_who_waits(nodes: tuple[LiveDaemon, ...]) -> None:
    """With the words that were said there."""
    first, second = nodes
    waiting = first.act(CALL, session_id="s1", request_id="r1", cwd="/")
    id = asked(second)

    at_inbox(second).answer(id, "deny", words="use stash")

    said = first.request("GET", f"{waiting.headers['location']}?wait=30").said
    assert "deny" == said["verdict"]
    assert "use stash" in json.dumps(said)


def test_a_row_that_is_set_to_approved_lets_nothing_through(
    nodes: tuple[LiveDaemon, ...],
) -> None:
    """Who can write the database has not the key: an answer without its seal is none."""
    first, _ = nodes
    waiting = first.act(CALL, session_id="s1", request_id="r1", cwd="/")
    id = asked(first)
    database = (first.config / "signoff.yaml").read_text().partition("'")[2].partition("'")[0]
    forged = (
        "SET search_path = signoff; INSERT INTO answers VALUES"
        f" ('{id}', 0, 'owner', 'web', 'allow', 'confirm', '', 9, false,"
        " extract(epoch FROM now()), repeat('a', 64));"
        f" UPDATE requests SET state = 'approved', decided_by = 'owner' WHERE id = '{id}'"
    )
    shared_server().sql(database.rpartition("/")[2], forged)

    assert "deny" == answer_of(first, waiting.headers["location"])


def test_a_node_with_another_key_asks_nobody(tmp_path: Path) -> None:
    """What it sealed would hold nowhere: it refuses and says why, and so does doctor."""
    server = shared_server()
    url = server.url(server.address().database)
    with served(home_of(tmp_path, "a", url)) as first:
        first.act(CALL, session_id="s1", cwd="/")
        with served(home_of(tmp_path, "b", url, key="00" * 32)) as other:
            said = other.act(CALL, session_id="s2", cwd="/").said
            doctor = other.signoff("doctor").stdout

    assert "deny" == said["verdict"]
    assert "the key of this node" in said["reason"]
    assert "the key of this node" in doctor


def test_without_the_key_requests_stay_on_their_node(tmp_path: Path) -> None:
    """As before there was one: the log is shared, and questions are not."""
    server = shared_server()
    url = server.url(server.address().database)
    with (
        served(home_of(tmp_path, "a", url, key="")) as first,
        served(home_of(tmp_path, "b", url, key="")) as second,
    ):
        first.act(CALL, session_id="s1", cwd="/")

        assert 1 == len(pending(first))
        assert [] == pending(second)
