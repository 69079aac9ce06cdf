"""Policies, mode, trust and approvers that nodes share, on real daemons."""

from __future__ import annotations

import json
import os
import re
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from inbox_caller import Person, at_inbox
from live_daemon import LiveDaemon, wait_until
from own_terminal import typed_code
from shared_nodes import nodes_of
from test_inbox_process import post

from postgres_server import shared_server
from signoff.build.gate import build_gate
from signoff.settings import load_settings
from signoff.testing import make_action

WITHIN_S = 1.0
DENIED = "rm -rf ~"


@pytest.fixture
def nodes(tmp_path: Path) -> Iterator[tuple[LiveDaemon, ...]]:
    """Give two nodes that use trust."""
    with nodes_of(shared_server(), tmp_path, more="trust: {enabled: true}\n") as found:
        yield found


def within_a_second(is_so: Callable[[], bool]) -> None:
    """Wait until something is so, and not longer than other nodes may take."""
    start_s = time.monotonic()
    wait_until(is_so)
    assert time.monotonic() - start_s <= WITHIN_S


def send(person: Person, path: str, **fields: str) -> int:
    """Send a form of the inbox."""
    return post(person.daemon, path, person.cookie, token=person.token, **fields).status


def said_to(daemon: LiveDaemon) -> tuple[str, str]:
    """Return verdict and decider of a call that is refused."""
    said = daemon.act(DENIED, session_id="s1").said
    return said["verdict"], said["decided_by"]


def test_a_policy_of_one_node_is_one_of_the_other(nodes: tuple[LiveDaemon, ...]) -> None:
    """Added here, removed there; its node may die meanwhile."""
    first, second = map(at_inbox, nodes)
    assert 303 == send(first, "/web/policies/add", text="a tulip is fine", tool="Bash")

    within_a_second(lambda: "a tulip is fine" in second.get("/web/policies"))
    wait_until(lambda: "a tulip is fine" in second.daemon.signoff("policies", "list").stdout)
    assert 303 == send(second, "/web/policies/remove", id="pol_0")
    within_a_second(lambda: "a tulip is fine" not in first.get("/web/policies"))
    assert "CHANGED OUTSIDE" not in nodes[0].signoff("status").stdout
    assert 303 == send(first, "/web/policies/add", text="ask me first", tool="")
    os.kill(nodes[0].pid, signal.SIGKILL)
    within_a_second(lambda: "ask me first" in second.get("/web/policies"))


def test_shadow_mode_is_of_all_nodes(nodes: tuple[LiveDaemon, ...]) -> None:
    """Begun with a code on one, ended by anybody on another; also for gates without a daemon."""
    first, second = nodes
    assert "deny" == said_to(second)[0]
    status, said = typed_code(first, "shadow", "on", "--days", "7", after="blocked")
    assert 0 == status, said

    within_a_second(lambda: said_to(second) == ("allow", "shadow"))
    assert "NOT ENFORCED" in second.signoff("status").stdout
    second.signoff("shadow", "off")
    within_a_second(lambda: said_to(first)[0] == "deny")


def test_an_incident_counts_on_all_nodes(nodes: tuple[LiveDaemon, ...]) -> None:
    """Whichever node it was reported on."""
    first, second = nodes
    assert 0 == first.signoff("trust", "revoke", "claude-code").returncode

    wait_until(lambda: "revoked" in second.signoff("trust").stdout)


def test_a_gate_beside_the_daemon_holds_the_locks_of_all_nodes(
    nodes: tuple[LiveDaemon, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It reads the store itself: its node's daemon may be gone."""
    first, second = nodes
    monkeypatch.setenv("HOME", str(second.home))
    for name in ("XDG_CONFIG_HOME", "XDG_STATE_HOME"):
        monkeypatch.delenv(name, raising=False)
    gate = build_gate(load_settings(), channels=())
    call = make_action("git status")
    assert gate.check_now(call).allowed
    os.kill(second.pid, signal.SIGKILL)
    first.signoff("lock")

    within_a_second(lambda: not gate.check_now(call).allowed)
    assert "locked" in gate.check_now(call).reason


def test_an_approver_who_is_revoked_on_one_node_may_answer_on_none(tmp_path: Path) -> None:
    """Though the other node's file names them still; that is shown there."""
    web = {"channel": "web", "id": "owner"}
    people = [
        {"id": "owner", "role": "admin", "identities": [web, _terminal()]},
        {"id": "bob", "role": "admin", "identities": [{"channel": "web", "id": "bob"}]},
    ]
    with nodes_of(shared_server(), tmp_path, approvers=people) as (first, second):
        assert "bob" in second.signoff("approvers", "list").stdout
        path = first.config / "approvers.json"
        path.write_text(json.dumps({"version": 1, "approvers": people[:1]}), "utf-8")
        person = at_inbox(first)
        wait_until(lambda: "PROBLEM   CHANGED OUTSIDE: approvers" in first.signoff("status").stdout)
        code = re.search(r"\b([0-9A-Z]{4}-[0-9A-Z]{4})\b", person.get("/web/policies"))
        assert code is not None
        assert 303 == send(person, "/web/changes/confirm", code=code[1])

        wait_until(
            lambda: "PROBLEM   CHANGED OUTSIDE: approvers" in second.signoff("status").stdout
        )
        assert "PROBLEM   CHANGED OUTSIDE" not in first.signoff("status").stdout


def _terminal() -> dict[str, str]:
    return {"channel": "terminal", "id": f"uid:{os.getuid()}"}
