"""A real daemon, a real hook and a person: how a call waits, and what came of it."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from inbox_caller import ASKS_ON_THE_WEB, Person, Scene, at_inbox, said_by
from live_daemon import LiveDaemon, served, wait_until

COMMAND = "docker system prune -af"
KIRO = "/hooks/kiro"


def home_in(folder: Path) -> Path:
    """Return a home whose daemon asks on the web."""
    config = folder / "home" / ".config" / "signoff"
    config.mkdir(parents=True)
    (config / "signoff.yaml").write_text(ASKS_ON_THE_WEB)
    return folder / "home"


@pytest.fixture(scope="module")
def asking(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveDaemon]:
    """Return a daemon that asks on the web."""
    with served(home_in(tmp_path_factory.mktemp("daemon"))) as running:
        yield running


@pytest.fixture(scope="module")
def person(asking: LiveDaemon) -> Person:
    """Return the owner at the inbox."""
    return at_inbox(asking)


@pytest.fixture
def scene(asking: LiveDaemon, person: Person, request: pytest.FixtureRequest) -> Scene:
    """Return a session of its own."""
    return Scene(daemon=asking, person=person, session=request.node.name)


def edit(command: str) -> dict[str, str]:
    """Return the fields of a form in which the command was changed."""
    before, after = ({"command": text} for text in (COMMAND, command))
    return {"unedited": json.dumps(before), "edited": json.dumps(after)}


@pytest.mark.parametrize(
    ("event", "expected"), [("PostToolUse", "done"), ("PostToolUseFailure", "failed")]
)
def test_what_the_host_reports_is_noted(scene: Scene, event: str, expected: str) -> None:
    """A call that was approved ends as the host says it did; another call's end is not its own."""
    said = scene.approved(COMMAND)
    scene.reported(event, "toolu_2")
    ((request_id, before),) = scene.requests()
    scene.reported(event)

    assert ("allow", "executing") == (said["permissionDecision"], before)
    assert scene.requests() == [(request_id, expected)]
    assert expected in scene.person.get(f"/web/requests/{request_id}")


def test_a_call_that_has_no_id_is_known_by_what_it_is(scene: Scene) -> None:
    """Hosts without ids of calls report their calls once more."""
    call = {"session_id": scene.session, "cwd": "/", "tool_name": "execute_bash"}
    event = {**call, "hook_event_name": "preToolUse", "tool_input": {"command": COMMAND}}
    told, short = json.dumps(event).encode(), {"signoff-deadline": "0.5"}
    waiting = scene.daemon.request("POST", KIRO, told, headers=short)
    scene.person.answer(scene.asked(), "approve")
    allowed = scene.daemon.request("POST", KIRO, told, headers=short)
    for command in ("docker ps", COMMAND):
        ended = {**call, "hook_event_name": "postToolUse", "tool_input": {"command": command}}
        before = scene.requests()
        scene.daemon.request("POST", KIRO, json.dumps(ended).encode())

    assert ("2", "0") == (waiting.headers["signoff-exit"], allowed.headers["signoff-exit"])
    assert b"call it again later" in waiting.body
    assert b"has no prompt" not in waiting.body
    assert [state for _, state in (*before, *scene.requests())] == ["executing", "done"]


def test_a_restart_leaves_nothing_that_runs_unsaid(tmp_path: Path) -> None:
    """What was let go is uncertain then; what is open stays open, and its call is answered."""
    home = home_in(tmp_path)
    with served(home) as first:
        scene = Scene(daemon=first, person=at_inbox(first), session="s1")
        scene.approved(COMMAND)
        hook = scene.hook("docker system prune -f", "toolu_2")
        waiting = scene.asked(2)
        os.kill(first.pid, signal.SIGKILL)
        hook.communicate(timeout=30)
    with served(home) as second:
        scene = Scene(daemon=second, person=at_inbox(second), session="s1")
        states = dict(scene.requests())
        again = scene.hook("docker system prune -f", "toolu_3")
        assert scene.person.answer(waiting, "approve") == 303
        said = said_by(again)

    assert sorted(states.values()) == ["pending", "uncertain"]
    assert (said["permissionDecision"], len(states)) == ("allow", 2)


def test_a_hook_waits_as_long_as_people_take(scene: Scene) -> None:
    """It asks meanwhile whether the daemon lives, and goes on waiting."""
    hook = scene.hook(COMMAND)
    request_id = scene.asked()
    time.sleep(7)
    still = hook.poll()
    scene.person.answer(request_id, "approve")

    assert (still, said_by(hook)["permissionDecision"]) == (None, "allow")


def test_a_hook_that_cannot_wait_is_told_to_come_again(scene: Scene) -> None:
    """Before its own deadline; the request stays open, and the same call gets the answer."""
    first = said_by(scene.hook(COMMAND, deadline_s=8))
    scene.person.answer(scene.asked(), "approve")
    second = said_by(scene.hook(COMMAND, "toolu_2", deadline_s=8))

    assert "call it again later" in first["permissionDecisionReason"]
    assert (second["permissionDecision"], len(scene.requests())) == ("allow", 1)


def test_a_host_that_goes_away_uses_nothing_up(scene: Scene) -> None:
    """What is approved after it went is there for the next call."""
    hook = scene.hook(COMMAND)
    request_id = scene.asked()
    hook.kill()
    hook.communicate()
    wait_until(lambda: any("went away" in entry["reason"] for entry in scene.record()))
    scene.person.answer(request_id, "approve")
    between = scene.requests()
    said = said_by(scene.hook(COMMAND, "toolu_2"))

    assert between == [(request_id, "approved")]
    assert said["permissionDecision"] == "allow"


def test_what_a_person_changes_is_what_runs(scene: Scene) -> None:
    """It is judged again, and their change is its approval; the record holds both digests."""
    said = scene.approved(COMMAND, **edit("docker system prune -f"))
    last = scene.record()[-1]

    assert said["permissionDecision"] == "allow"
    assert said["updatedInput"] == last["action_redacted"] == {"command": "docker system prune -f"}
    assert (last["verdict"], last["decided_by"]) == ("allow", "web")
    assert len({last["action_digest"], last["edited_from"]}) == 2


def test_a_change_into_what_is_refused_is_refused(scene: Scene) -> None:
    """A person at the inbox is no way around the rules, and nothing is left to be used."""
    said = scene.approved(COMMAND, **edit("rm -rf /"))
    last = scene.record()[-1]

    assert (said["permissionDecision"], "updatedInput" in said) == ("deny", False)
    assert (last["verdict"], len(last["edited_from"])) == ("deny", 64)
    assert [state for _, state in scene.requests()] == ["failed"]


def test_a_change_into_something_worse_is_asked_anew(scene: Scene) -> None:
    """What was approved took less of a proof than this would."""
    hook = scene.hook(COMMAND)
    first = scene.asked()
    scene.person.answer(first, "approve", **edit("docker volume prune -af"))
    second = scene.asked(2)
    still = hook.poll()
    scene.person.answer(second, "deny")

    assert (still, said_by(hook)["permissionDecision"]) == (None, "deny")
    assert dict(scene.requests()) == {first: "failed", second: "denied"}


def test_whoever_waits_when_the_daemon_ends_is_refused(tmp_path: Path) -> None:
    """In the host's own form: a cut connection would begin the daemon again, or say nothing."""
    with served(home_in(tmp_path)) as daemon, ThreadPoolExecutor() as pool:
        scene = Scene(daemon=daemon, person=at_inbox(daemon), session="ending")
        hook = scene.hook(COMMAND)
        scene.asked()
        call = {"hook_event_name": "PreToolUse", "tool_name": "Bash", "session_id": "by-http"}
        told = json.dumps({**call, "tool_input": {"command": COMMAND}, "cwd": "/"}).encode()
        by_http = pool.submit(daemon.request, "POST", "/hooks/claude-code", told)
        Scene(daemon=daemon, person=scene.person, session="by-http").asked()
        daemon.signoff("down")
        said, answer = said_by(hook), by_http.result(30)

    assert said["permissionDecision"] == "deny"
    assert "nobody is waited for" in said["permissionDecisionReason"]
    assert (answer.status, answer.said["hookSpecificOutput"]["permissionDecision"]) == (200, "deny")
