"""A call of an MCP tool waits for a person at the inbox of a real daemon, behind a real proxy."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from inbox_caller import (
    ASKS_ON_THE_WEB,
    Scene,
    asking_on_the_web,
    at_inbox,
    hook_client,
    said_by,
)
from live_daemon import LiveDaemon, wait_until

SERVER = str(Path(__file__).parents[2] / "e2e" / "notes_server.py")
CALL = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "tools/call",
    "params": {"name": "delete_all_notes", "arguments": {}, "_meta": {"progressToken": 7}},
}


@pytest.fixture
def daemon(home: Path) -> Iterator[LiveDaemon]:
    """Return a daemon that asks at its inbox."""
    with asking_on_the_web(home, f"{ASKS_ON_THE_WEB}mcp: {{wait_s: 1}}\n") as running:
        yield running


class Proxy:
    """A proxy before a server of notes, as a client starts it."""

    def __init__(self, daemon: LiveDaemon, *given: str) -> None:
        server = [sys.executable, SERVER, *given]
        words = ["-I", "-m", "signoff", "mcp", "--name", "notes", "--", *server]
        self.process = subprocess.Popen(
            [sys.executable, *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=daemon.environment,
            cwd=daemon.home,
            text=True,
        )

    def say(self, message: object) -> None:
        """Send a message."""
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()

    def result(self) -> Any:  # noqa: ANN401 - any result
        """Return the next result; progress before it is passed over."""
        assert self.process.stdout is not None
        while "result" not in (said := json.loads(self.process.stdout.readline())):
            assert said["method"] == "notifications/progress"
        return said["result"]

    def close(self) -> None:
        """End it."""
        self.process.communicate(timeout=60)


@pytest.fixture
def proxy(daemon: LiveDaemon) -> Iterator[Proxy]:
    """Return a running proxy."""
    running = Proxy(daemon)
    yield running
    running.close()


def test_an_approved_call_runs_and_its_end_is_noted(daemon: LiveDaemon, proxy: Proxy) -> None:
    """A client that asks for progress waits as long as people take."""
    scene = Scene(daemon=daemon, person=at_inbox(daemon), session="")
    proxy.say(CALL)
    id = scene.asked()
    assert not (daemon.home / "delete_all_notes").exists()
    assert "mcp__notes__delete_all_notes" in scene.person.get(f"/web/requests/{id}")

    assert scene.person.answer(id, "approve") == 303

    assert proxy.result()["content"][0]["text"] == "done"
    assert (daemon.home / "delete_all_notes").exists()
    wait_until(lambda: scene.requests() == [(id, "done")])


def test_a_denied_call_does_not_run(daemon: LiveDaemon, proxy: Proxy) -> None:
    """And the model reads what the person wrote."""
    scene = Scene(daemon=daemon, person=at_inbox(daemon), session="")
    proxy.say(CALL)

    assert scene.person.answer(scene.asked(), "deny", words="keep them") == 303

    result = proxy.result()
    assert result["isError"] is True
    assert "keep them" in result["content"][0]["text"]
    assert not (daemon.home / "delete_all_notes").exists()


def test_an_answer_that_comes_late_is_found_by_the_same_call(
    daemon: LiveDaemon, proxy: Proxy
) -> None:
    """A client that asks for no progress is refused in time; the request stays open, once."""
    scene = Scene(daemon=daemon, person=at_inbox(daemon), session="")
    call = {**CALL, "params": {"name": "delete_all_notes", "arguments": {}}}
    proxy.say(call)
    assert proxy.result()["isError"] is True
    assert scene.person.answer(scene.asked(), "approve") == 303

    proxy.say({**call, "id": 2})

    assert "isError" not in proxy.result()
    assert (daemon.home / "delete_all_notes").exists()
    assert len(scene.requests()) == 1


def test_what_the_hook_of_the_host_has_asked_about_is_not_asked_again(
    daemon: LiveDaemon, proxy: Proxy
) -> None:
    """The host gives both the same id of the call; once, and for no other arguments."""
    scene = Scene(daemon=daemon, person=at_inbox(daemon), session="")
    proxy.say({"jsonrpc": "2.0", "id": 0, "method": "tools/list"})
    assert proxy.result()["tools"]
    event = {
        **scene.call(""),
        "tool_name": "mcp__notes__delete_all_notes",
        "tool_input": {},
        "cwd": str(daemon.home),
    }
    hook = hook_client(daemon, event)
    assert scene.person.answer(scene.asked(), "approve") == 303
    assert "allow" == said_by(hook)["permissionDecision"]
    meta = {"claudecode/toolUseId": event["tool_use_id"]}

    def put(id: int, **arguments: str) -> bool:
        params = {"name": "delete_all_notes", "arguments": arguments, "_meta": meta}
        proxy.say({**CALL, "id": id, "params": params})
        return "isError" not in proxy.result()

    # One second is all that the proxy waits for people here.
    assert [True, False, False] == [put(1), put(2), put(3, folder="x")]
    assert 3 == len(scene.requests())


def test_a_tool_that_is_held_back_is_on_the_record(daemon: LiveDaemon) -> None:
    """A description changes between two sessions; the record says so, once for each tool."""
    described = daemon.home / "described.txt"

    def listed(words: str) -> Proxy:
        described.write_text(words, encoding="utf-8")
        running = Proxy(daemon, str(described))
        running.say({"jsonrpc": "2.0", "id": 0, "method": "tools/list"})
        running.result()
        return running

    def held() -> list[str]:
        said = daemon.signoff("audit", "tail", "-n", "50", "--json").stdout
        entries = [json.loads(line) for line in said.splitlines()]
        return sorted(one["tool"] for one in entries if "held back" in one["reason"])

    both = ["mcp__notes__delete_all_notes", "mcp__notes__list_notes"]
    listed("Lists notes.").close()
    changed = listed("Lists all notes there are.")
    wait_until(lambda: held() == both, 120)
    again = listed("Lists all notes there are.")
    again.close()
    changed.close()

    assert both == held()
