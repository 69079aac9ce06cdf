"""A real daemon asked in words: an agent that stopped, and its questions, answered in the inbox."""

from __future__ import annotations

import json
import re
import socket
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from live_daemon import LiveDaemon, Reply, served, wait_until
from test_inbox_process import post, signed_in

LINKS = re.compile(r"/web/questions/\w+")
QUESTIONS = [
    {
        "question": f"Which {what}?",
        "header": what,
        "multiSelect": False,
        "options": [{"label": f"{what} {at}", "description": ""} for at in (1, 2)],
    }
    for what in ("colour", "size")
]


@dataclass(slots=True)
class Hook:
    """A hook that waits for its answer."""

    daemon: LiveDaemon
    event: dict[str, Any]
    reply: Reply | None = None
    _thread: threading.Thread = field(init=False)

    def __post_init__(self) -> None:
        self._thread = threading.Thread(target=self._send)
        self._thread.start()

    def _send(self) -> None:
        said = {"session_id": "s1", "cwd": str(self.daemon.home), **self.event}
        self.reply = self.daemon.request("POST", "/hooks/claude-code", json.dumps(said).encode())

    def said(self) -> Any:  # noqa: ANN401 - any JSON value
        """Wait for the answer."""
        self._thread.join(60)
        assert self.reply is not None
        return self.reply.said


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who is signed in."""

    daemon: LiveDaemon
    cookie: str
    token: str

    def answer(self, **fields: str) -> str:
        """Wait for a question and answer it; return its page as it was."""
        wait_until(lambda: self.listed() != [])
        path = self.listed()[0]
        page = self.daemon.request("GET", path, headers={"Cookie": self.cookie}).body.decode()
        post(self.daemon, f"{path}/answer", self.cookie, token=self.token, **fields)
        wait_until(lambda: path not in self.listed())
        return page

    def listed(self) -> list[str]:
        """Return the questions that wait."""
        headers = {"Cookie": self.cookie}
        page = self.daemon.request("GET", "/web/inbox/list", headers=headers).body.decode()
        return LINKS.findall(page)


@pytest.fixture
def asked(tmp_path: Path) -> Iterator[tuple[LiveDaemon, Person]]:
    """Return a daemon that asks on the web, and somebody there."""
    config = tmp_path / ".config" / "signoff"
    config.mkdir(parents=True)
    (config / "signoff.yaml").write_text(
        "channels: [web]\nstops: {mode: ask, wait_s: 10, rounds: 1, tries: 1}\n"
    )
    with served(tmp_path) as daemon:
        yield daemon, Person(daemon, *signed_in(daemon))


def stop(daemon: LiveDaemon, **names: object) -> Hook:
    """Let an agent stop."""
    return Hook(daemon, {"hook_event_name": "Stop", "stop_hook_active": False, **names})


def test_an_agent_that_stopped_is_sent_on_once(asked: tuple[LiveDaemon, Person]) -> None:
    """With a person's words; the next stop in a row is one."""
    daemon, person = asked
    first = stop(daemon, last_assistant_message="All is written.")
    page = person.answer(words="now run the tests")
    again = stop(daemon, stop_hook_active=True)

    assert "block" == first.said()["decision"]
    assert "now run the tests" in first.said()["reason"]
    assert "All is written." in page
    assert {} == again.said()


def test_an_error_is_told_of_over_restarts_once(tmp_path: Path) -> None:
    """What the session was told is known to the next daemon."""
    config = tmp_path / ".config" / "signoff"
    config.mkdir(parents=True)
    (config / "signoff.yaml").write_text("channels: []\nstops: {mode: errors, tries: 1}\n")
    folder = tmp_path / ".claude" / "projects" / "p"
    folder.mkdir(parents=True)

    def failing(call: str) -> Any:  # noqa: ANN401 - any JSON value
        result = {"type": "tool_result", "tool_use_id": call, "is_error": True, "content": "no"}
        entries = [
            {"type": "user", "message": {"role": "user", "content": [result]}},
            {"type": "assistant", "message": {"role": "assistant", "content": "It failed."}},
        ]
        (folder / "s1.jsonl").write_text("\n".join(map(json.dumps, entries)) + "\n")
        with served(tmp_path) as daemon:
            return stop(daemon, last_assistant_message="It failed.").said()

    assert "1 of at most 1" in failing("t1")["reason"]
    assert {} == failing("t2")


def test_a_hook_that_went_away_takes_the_question_with_it(
    asked: tuple[LiveDaemon, Person],
) -> None:
    """Nobody answers for nobody."""
    daemon, person = asked
    body = json.dumps({"hook_event_name": "Stop", "stop_hook_active": False, "session_id": "s1"})
    head = (
        f"POST /hooks/claude-code HTTP/1.1\r\nhost: 127.0.0.1:{daemon.port}\r\n"
        f"authorization: Bearer {daemon.token}\r\ncontent-type: application/json\r\n"
        f"content-length: {len(body)}\r\n\r\n"
    )
    with socket.create_connection(("127.0.0.1", daemon.port), timeout=60) as link:
        link.sendall(f"{head}{body}".encode())
        wait_until(lambda: person.listed() != [])
    started = time.monotonic()
    wait_until(lambda: person.listed() == [])

    assert time.monotonic() - started < 20


def test_questions_of_the_agent_are_answered_in_the_inbox(
    asked: tuple[LiveDaemon, Person],
) -> None:
    """One after another; option and words go back as its tool's answers."""
    daemon, person = asked
    call = {"hook_event_name": "PreToolUse", "tool_name": "AskUserQuestion"}
    hook = Hook(daemon, {**call, "tool_input": {"questions": QUESTIONS}})
    first = person.answer(option="1")
    person.answer(words="something else")
    said = hook.said()["hookSpecificOutput"]

    assert "1 of 2" in first
    assert "allow" == said["permissionDecision"]
    assert {"Which colour?": "colour 2", "Which size?": "something else"} == said["updatedInput"][
        "answers"
    ]
