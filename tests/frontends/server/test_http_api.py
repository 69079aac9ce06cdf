"""The API: decides, answers again, says what is in force."""

from __future__ import annotations

import json
import uuid

import pytest
from live_daemon import LiveDaemon

from signoff.frontends.server.app import ENDPOINTS


@pytest.mark.parametrize(
    ("command", "verdict", "decided_by"),
    [
        ("git status", "allow", "score"),
        ("git reset --hard", "ask", "host"),
        ("rm -rf ~", "deny", "score"),
    ],
)
def test_an_action_is_decided(
    daemon: LiveDaemon, command: str, verdict: str, decided_by: str
) -> None:
    """Allow, ask and deny; with nobody to ask the question is handed to the caller's host."""
    said = daemon.act(command).said

    assert (said["status"], said["verdict"], said["decided_by"]) == ("decided", verdict, decided_by)


def test_a_decision_is_on_the_record_before_it_is_told(daemon: LiveDaemon) -> None:
    """What was answered is found there by its id."""
    said = daemon.act("git log").said

    tail = daemon.signoff("audit", "tail", "--json").stdout.splitlines()
    assert said["decision_id"] in {json.loads(line)["id"] for line in tail}


def test_the_same_request_gets_the_same_answer(daemon: LiveDaemon) -> None:
    """Once decided it is answered again, not decided again."""
    number = uuid.uuid4().hex

    first, second = (daemon.act("git status", id=number).said for _ in range(2))

    assert first == second
    assert first["request_id"] == number


def test_another_action_under_the_same_id_is_refused(daemon: LiveDaemon) -> None:
    """An answer is bound to what was asked."""
    number = uuid.uuid4().hex
    daemon.act("git status", id=number)

    reply = daemon.act("git log", id=number)

    assert (reply.status, reply.said["verdict"]) == (409, "deny")


def test_other_sessions_have_ids_of_their_own(daemon: LiveDaemon) -> None:
    """Two callers that count from one do not meet."""
    replies = [daemon.act("git status", id=7, session_id=name) for name in ("a", "b")]

    assert [reply.status for reply in replies] == [200, 200]
    assert replies[0].said["id"] != replies[1].said["id"]


def test_an_answer_can_be_fetched(daemon: LiveDaemon) -> None:
    """By the id of the action."""
    said = daemon.act("git status").said

    assert daemon.request("GET", f"/v1/actions/{said['id']}?wait=5").said == said


def test_an_unknown_action_is_not_found(daemon: LiveDaemon) -> None:
    """And that is no allow."""
    reply = daemon.request("GET", "/v1/actions/unknown")

    assert (reply.status, reply.said["verdict"]) == (404, "deny")


@pytest.mark.parametrize("wait", ["x", "-1", "61", "nan", "inf"])
def test_waiting_has_bounds(daemon: LiveDaemon, wait: str) -> None:
    """Nobody waits for ever."""
    said = daemon.act("git status").said

    assert daemon.request("GET", f"/v1/actions/{said['id']}?wait={wait}").status == 400


def test_the_callers_own_verdict_is_not_believed(daemon: LiveDaemon) -> None:
    """Nor who they say they are (T-07)."""
    said = daemon.act("rm -rf ~", verdict="allow", approved=True, source="person").said

    assert said["verdict"] == "deny"


def test_a_hook_is_answered_in_its_own_language(daemon: LiveDaemon) -> None:
    """With the status its client ends with."""
    event = {
        "hook_event_name": "PreToolUse",
        "tool_name": "Bash",
        "tool_input": {"command": "rm -rf ~"},
        "cwd": str(daemon.home),
        "session_id": "hooked",
    }
    reply = daemon.request("POST", "/hooks/claude-code", json.dumps(event).encode())

    assert reply.said["hookSpecificOutput"]["permissionDecision"] == "deny"
    assert reply.headers["signoff-exit"] == "0"


def test_sessions_are_listed_with_what_they_did(daemon: LiveDaemon) -> None:
    """Reports and decisions come together."""
    for kind in ("SessionStart", "Stop"):
        report = {"hook_event_name": kind, "session_id": "told", "cwd": "/w/shop"}
        daemon.request("POST", "/hooks/claude-code", json.dumps(report).encode())
    daemon.act("rm -rf ~", session_id="asked")

    found = {one["session"]: one for one in daemon.request("GET", "/v1/sessions").said["sessions"]}

    assert (found["told"]["state"], found["told"]["label"]) == ("idle", "shop")
    assert (found["asked"]["denials"], found["asked"]["last_tool"]) == (1, "Bash")


def test_everything_is_counted(daemon: LiveDaemon) -> None:
    """In the form Prometheus reads."""
    daemon.act("rm -rf ~")

    reply = daemon.request("GET", "/metrics")

    assert reply.headers["content-type"].startswith("text/plain; version=0.0.4")
    assert (
        b'signoff_decisions_total{verdict="deny",decided_by="score",level="critical"}' in reply.body
    )
    assert all(line[:1] in (b"#", b"s") for line in reply.body.splitlines())


@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
def test_health_needs_no_token(daemon: LiveDaemon, path: str) -> None:
    """And says nothing else."""
    reply = daemon.request("GET", path, headers={"Authorization": ""})

    assert (200, "ok") == (reply.status, reply.said["status"])
    assert reply.said.keys() == {"status", "version"}


def test_asking_whether_it_is_ready_records_nothing(daemon: LiveDaemon) -> None:
    """Its durable write changes no entry."""
    daemon.act("ls")
    before = daemon.signoff("audit", "stats", "--json").stdout

    assert 200 == daemon.request("GET", "/readyz").status
    assert before == daemon.signoff("audit", "stats", "--json").stdout
    assert 0 == daemon.signoff("audit", "verify").returncode


def test_the_description_is_true_to_the_routes(daemon: LiveDaemon) -> None:
    """Every route is described, and whatever is described is there."""
    paths = daemon.request("GET", "/openapi.json").said["paths"]

    described = {(method.upper(), path) for path, ways in paths.items() for method in ways}
    assert described == {(endpoint.method, endpoint.path) for endpoint in ENDPOINTS}
    for method, path in described:
        filled = path.replace("{host}", "claude-code").replace("{id}", "x")
        reply = daemon.request(method, filled, b"{}" if method == "POST" else None)
        known = paths[path][method.lower()]["responses"]
        assert str(reply.status) in known, (method, path, reply.status)


def test_status_says_what_is_in_force(daemon: LiveDaemon) -> None:
    """Rules, locks, problems, numbers."""
    said = daemon.request("GET", "/v1/status").said

    assert {"version", "uptime_s", "in_force", "locks", "problems", "pending", "last_error"} <= (
        said.keys()
    )
    assert said["problems"] == []
