"""Rows of a shared store edited by who has not the key of the nodes: nothing is let through."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from inbox_caller import at_inbox
from live_daemon import LiveDaemon
from shared_nodes import asked, nodes_of

from postgres_server import shared_server

CALL = "git reset --hard"
Sql = Callable[[str], str]


@pytest.fixture
def nodes(tmp_path: Path) -> Iterator[tuple[LiveDaemon, ...]]:
    """Give two nodes."""
    with nodes_of(shared_server(), tmp_path) as found:
        yield found


@pytest.fixture
def sql(nodes: tuple[LiveDaemon, ...]) -> Sql:
    """Give somebody at the database."""
    settings = (nodes[0].config / "signoff.yaml").read_text()
    database = settings.partition("'")[2].partition("'")[0].rpartition("/")[2]
    return lambda text: shared_server().sql(database, f"SET search_path = signoff; {text}")


def verdict_of(daemon: LiveDaemon, place: str) -> str:
    """Return the verdict on an action that was taken in."""
    return str(daemon.request("GET", f"{place}?wait=5").said.get("verdict"))


def test_a_grant_that_nobody_gave_covers_nothing(nodes: tuple[LiveDaemon, ...], sql: Sql) -> None:
    """For the very bytes that are asked about: its seal is not of the nodes."""
    first, second = nodes
    first.act(CALL, session_id="s1", id="r1", cwd="/")
    asked(second)
    sql(
        "INSERT INTO grants (digest, shape, session, agent, said, author, channel, created,"
        " expires, seal) SELECT digest, '', 's1', '', 'yes', 'owner', 'web',"
        " extract(epoch FROM now()) - 1, extract(epoch FROM now()) + 600, repeat('a', 64)"
        " FROM requests"
    )

    for daemon in nodes:
        assert 202 == daemon.act(CALL, session_id="s1", id="r2", cwd="/").status


@pytest.mark.parametrize(
    "edit",
    [
        "action = replace(encode(action, 'escape'), '--hard', '--soft')::bytea",
        "digest = repeat('a', 64)",
        "steps = '[]'",
    ],
)
def test_an_approval_of_an_edited_request_lets_nothing_through(
    nodes: tuple[LiveDaemon, ...], sql: Sql, edit: str
) -> None:
    """A person may approve what was edited: it is not what is asked."""
    first, second = nodes
    waiting = first.act(CALL, session_id="s1", id="r1", cwd="/")
    id = asked(second)
    sql(f"UPDATE requests SET {edit}")
    # What it seals on the second node is not what the first one asked; it may refuse at once.
    with_card = f'href="/web/requests/{id}"' in at_inbox(second).get("/web")
    if with_card:
        at_inbox(second).answer(id, "approve")

    assert "allow" != verdict_of(first, waiting.headers["location"])


def test_an_answer_moved_to_another_request_lets_nothing_through(
    nodes: tuple[LiveDaemon, ...], sql: Sql
) -> None:
    """Its seal is over the request it was given to."""
    first, second = nodes
    first.act("git stash drop", session_id="s1", id="r1", cwd="/")
    given = asked(second)
    at_inbox(second).answer(given, "approve")
    waiting = first.act(CALL, session_id="s1", id="r2", cwd="/")
    other = asked(first, besides=given)
    sql(
        "INSERT INTO answers SELECT"
        f" '{other}', step, approver, channel, verdict, proof, words, took_s, was_fast, at_s, seal"
        f" FROM answers WHERE request_id = '{given}';"
        f" UPDATE requests SET state = 'approved', decided_by = 'owner' WHERE id = '{other}'"
    )

    assert "deny" == verdict_of(first, waiting.headers["location"])
