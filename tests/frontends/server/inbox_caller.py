"""A person at the inbox of a real daemon, and hooks that wait for what they say."""

from __future__ import annotations

import contextlib
import json
import re
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from live_daemon import LiveDaemon, served, wait_until
from test_inbox_process import post, signed_in

from signoff.frontends.client.words import CLIENT

TRIES, TAKEN_WITHIN_S = 5, 5.0
SEEN_S = 1.1  # the least time of reading that `ASKS_ON_THE_WEB` sets
ASKS_ON_THE_WEB = (
    "channels: [web]\n"
    "limits: {min_review_s: 1}\n"
    "approval: {review_s: {low: 0, medium: 0, high: 0, critical: 0}}\n"
)


def answer_until_taken(answer: Callable[[], object], is_taken: Callable[[], bool]) -> None:
    """Read a card and answer it; again where a busy daemon counts the reading from later on."""
    for _ in range(TRIES):
        time.sleep(SEEN_S)
        answer()
        until = time.monotonic() + TAKEN_WITHIN_S
        while time.monotonic() < until:
            if is_taken():
                return
            time.sleep(0.02)
    raise AssertionError("the answer was not taken")


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """The owner, signed in at the inbox."""

    daemon: LiveDaemon
    cookie: str
    token: str

    def answer(self, request_id: str, answer: str, **fields: str) -> int:
        """Read a request as long as it takes, and answer it; return the status."""
        path = f"/web/requests/{request_id}"
        shown = self.get(path)
        nonce = re.search(r'name="nonce" value="(\w+)"', shown)
        assert nonce is not None, shown
        self._post(f"{path}/seen")
        time.sleep(SEEN_S)
        return self._post(f"{path}/answer", nonce=nonce[1], answer=answer, **fields)

    def get(self, path: str) -> str:
        """Return a page."""
        return self.daemon.request("GET", path, headers={"Cookie": self.cookie}).body.decode()

    def _post(self, path: str, **fields: str) -> int:
        return post(self.daemon, path, self.cookie, token=self.token, **fields).status


@contextlib.contextmanager
def asking_on_the_web(home: Path, settings: str = ASKS_ON_THE_WEB) -> Iterator[LiveDaemon]:
    """Run a daemon with these settings in a new home."""
    config = home / ".config" / "signoff"
    config.mkdir(parents=True)
    (config / "signoff.yaml").write_text(settings, "utf-8")
    with served(home) as daemon:
        yield daemon


def at_inbox(daemon: LiveDaemon) -> Person:
    """Sign in as the owner."""
    cookie, token = signed_in(daemon)
    return Person(daemon=daemon, cookie=cookie, token=token)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """One session of an agent before a daemon, and the person who is asked; "" is every session."""

    daemon: LiveDaemon
    person: Person
    session: str

    def call(self, command: str, call_id: str = "toolu_1") -> dict[str, object]:
        """Return Claude Code's event for a shell line."""
        return {
            "hook_event_name": "PreToolUse",
            "session_id": self.session,
            "cwd": "/",
            "tool_name": "Bash",
            "tool_input": {"command": command},
            "tool_use_id": call_id,
        }

    def hook(
        self, command: str, call_id: str = "toolu_1", *, deadline_s: float = 60
    ) -> subprocess.Popen[str]:
        """Start the hook client as the host would; it waits for its answer."""
        return hook_client(self.daemon, self.call(command, call_id), deadline_s=deadline_s)

    def approved(self, command: str, **fields: str) -> Any:  # noqa: ANN401 - any JSON value
        """Put a call, approve it, and return what its hook then says."""
        hook = self.hook(command)
        assert self.person.answer(self.asked(), "approve", **fields) == 303
        return said_by(hook)

    def reported(self, event: str, call_id: str = "toolu_1") -> None:
        """Report what came of a call."""
        told = {**self.call("", call_id), "hook_event_name": event}
        reply = self.daemon.request("POST", "/hooks/claude-code", json.dumps(told).encode())
        assert (200, {}) == (reply.status, reply.said)

    def requests(self) -> list[tuple[str, str]]:
        """Return id and state of every request of the session, the oldest first."""
        path = self.daemon.state / "approvals.db"
        if not path.exists():
            return []
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=60)) as db:
            rows = db.execute("SELECT id, state, context FROM requests ORDER BY created_wall")
            found = [(str(id), str(state), json.loads(context)) for id, state, context in rows]
        wanted = self.session
        return [(id, state) for id, state, said in found if said["session"] == wanted or not wanted]

    def asked(self, count: int = 1) -> str:
        """Wait until so many requests were made; return the id of the last."""
        wait_until(lambda: len(self.requests()) >= count)
        return self.requests()[-1][0]

    def arguments(self, request_id: str) -> dict[str, Any]:
        """Return the arguments a request asks about."""
        path = self.daemon.state / "approvals.db"
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=60)) as db:
            query = "SELECT action FROM requests WHERE id = ?"
            (action,) = db.execute(query, (request_id,)).fetchone()
        found: dict[str, Any] = json.loads(action)["arguments"]
        return found

    def record(self) -> list[dict[str, Any]]:
        """Return what is recorded of the session, oldest first."""
        tail = self.daemon.signoff("audit", "tail", "-n", "50", "--json").stdout
        entries = [json.loads(line) for line in tail.splitlines()]
        return [entry for entry in entries if entry.get("session") == self.session]


def hook_client(
    daemon: LiveDaemon, call: Mapping[str, object], *, deadline_s: float = 60
) -> subprocess.Popen[str]:
    """Start the hook client with a call of Claude Code's."""
    client = [sys.executable, "-I", "-S", str(CLIENT), "claude-code"]
    options = {"--socket": daemon.socket, "--deadline": deadline_s, "--without": "refuse"}
    process = subprocess.Popen(
        [*client, *(str(word) for option in options.items() for word in option)],
        env=daemon.environment,
        cwd=daemon.home,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdin is not None
    process.stdin.write(json.dumps(call))
    process.stdin.close()
    process.stdin = None
    return process


def said_by(process: subprocess.Popen[str]) -> Any:  # noqa: ANN401 - any JSON value
    """Return what a hook client says in the end."""
    out, words = process.communicate(timeout=60)
    assert out, words
    return json.loads(out)["hookSpecificOutput"]
