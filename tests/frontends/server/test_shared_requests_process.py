"""Requests that nodes share: asked on one daemon, listed, answered and used on another, once."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from inbox_caller import at_inbox
from live_daemon import LiveDaemon, served
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
    waiting = first.act(CALL, session_id="s1", id="r1", cwd="/")
    assert 202 == waiting.status
    id = asked(second)

    assert 303 == at_inbox(second).answer(id, "approve")

    assert "allow" == answer_of(first, waiting.headers["location"])


def test_an_approval_outlives_the_node_it_was_asked_on(nodes: tuple[LiveDaemon, ...]) -> None:
    """Its agent asks again on another node, and is let go once; then people are asked again."""
    first, second = nodes
    first.act(CALL, session_id="s1", id="r1", cwd="/")
    id = asked(second)
    os.kill(first.pid, signal.SIGKILL)

    assert 303 == at_inbox(second).answer(id, "approve")
    again = second.act(CALL, session_id="s1", id="r1", cwd="/")
    # It waits until the first node does not hold the id any more, if that still does.
    place = again.headers.get("location", f"/v1/actions/{again.said['id']}")
    assert "allow" == answer_of(second, place)
    once_more = second.act(CALL, session_id="s1", id="r2", cwd="/")

    assert 202 == once_more.status
    assert id not in [one["id"] for one in pending(second)]
    assert 0 == second.signoff("audit", "verify").returncode


def test_two_requests_of_one_call_are_let_go_once(nodes: tuple[LiveDaemon, ...]) -> None:
    """The database says which: the other one is asked about again."""
    first, second = nodes
    waiting = first.act(CALL, session_id="s1", id="r1", cwd="/")
    also = second.act(CALL, session_id="s1", id="r2", cwd="/")
    request = asked(second)

    at_inbox(second).answer(request, "approve")
    at_inbox(first).answer(asked(first, besides=request), "deny")

    found = [
        answer_of(daemon, reply.headers["location"])
        for daemon, reply in ((first, waiting), (second, also))
    ]
    assert ["allow", "deny"] == sorted(found)


def test_who_asks_again_elsewhere_gets_the_same_answer(nodes: tuple[LiveDaemon, ...]) -> None:
    """While people are asked as well as after; it is one decision, recorded once."""
    first, second = nodes
    waiting = first.act(CALL, session_id="s1", id="r1", cwd="/")
    also = second.act(CALL, session_id="s1", id="r1", cwd="/")
    at_inbox(second).answer(asked(second), "approve")
    said = [
        daemon.request("GET", f"{reply.headers['location']}?wait=30").body
        for daemon, reply in ((first, waiting), (second, also))
    ]
    # The ticket of one node is known to the other one, too.
    said.append(second.request("GET", waiting.headers["location"]).body)

    os.kill(first.pid, signal.SIGKILL)
    said.append(second.act(CALL, session_id="s1", id="r1", cwd="/").body)

    assert 1 == len(set(said))
    assert "allow" == json.loads(said[0])["verdict"]
    assert 1 == len(second.signoff("audit", "tail", "--json").stdout.splitlines())


def test_a_request_id_of_another_node_is_not_used_for_other_bytes(
    nodes: tuple[LiveDaemon, ...],
) -> None:
    """Neither for another call nor for the same call on another file."""
    first, second = nodes
    script = first.home / "run.sh"
    script.write_text("true\n", "utf-8")
    call = {"session_id": "s1", "id": "r1", "cwd": str(first.home)}
    answer = first.act("cat ./run.sh", **call)
    same = second.act("cat ./run.sh", **call)

    other = second.act("cat ./other.sh", **call)
    script.write_text("false\n", "utf-8")
    changed = second.act("cat ./run.sh", **call)

    assert (answer.status, answer.body) == (same.status, same.body)
    assert (409, 409) == (other.status, changed.status)
    assert ("deny", "deny") == (other.said["verdict"], changed.said["verdict"])


def test_an_answer_that_is_written_into_the_database_is_refused(
    nodes: tuple[LiveDaemon, ...],
) -> None:
    """Here a refusal becomes that of an allowed call."""
    first, second = nodes
    allowed = first.act("git status", session_id="s1", id="r1", cwd="/")
    first.act("rm -rf ~", session_id="s1", id="r2", cwd="/")
    database = (first.config / "signoff.yaml").read_text().partition("'")[2].partition("'")[0]
    forged = (
        "SET search_path = signoff; UPDATE kept_answers AS old SET answer = new.answer,"
        " answered = new.answered, seal = new.seal FROM kept_answers AS new"
        f" WHERE new.answer LIKE '%{allowed.said['id']}%'"
    )
    shared_server().sql(database.rpartition("/")[2], forged)

    again = second.act("rm -rf ~", session_id="s1", id="r2", cwd="/")

    assert (500, "deny") == (again.status, again.said["verdict"])
    assert "changed in the store" in again.said["reason"]


def test_a_refusal_on_another_node_reaches_who_waits(nodes: tuple[LiveDaemon, ...]) -> None:
    """With the words that were said there."""
    first, second = nodes
    waiting = first.act(CALL, session_id="s1", id="r1", cwd="/")
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
    waiting = first.act(CALL, session_id="s1", id="r1", cwd="/")
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

        asked(first)
        assert [] == pending(second)
