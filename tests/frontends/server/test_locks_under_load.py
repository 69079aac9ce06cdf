"""Locks while many agents ask at once: whatever is sent after a lock was set is refused by it."""

from __future__ import annotations

import http.client
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from live_daemon import LiveDaemon, served

from signoff.storage.locks.lock import Lock, LockScope
from signoff.storage.locks.lock_file import LockFile

AGENTS = 12
ROUNDS = 60
LOCK = Lock(scope=LockScope.TOOL, name="Bash")


@dataclass
class Crowd:
    """Agents that ask as fast as they are answered."""

    daemon: LiveDaemon
    is_over: threading.Event = field(default_factory=threading.Event)
    answers: list[str] = field(default_factory=list)

    def ask(self) -> None:
        """Ask until it is over, on one connection."""
        agent = Agent(self.daemon)
        while not self.is_over.is_set():
            self.answers.append(agent.ask())
        agent.close()


class Agent:
    """One agent with a connection of its own."""

    def __init__(self, daemon: LiveDaemon, session: str = "crowd") -> None:
        self._link = http.client.HTTPConnection("127.0.0.1", daemon.port, timeout=30)
        call = {"tool_name": "Bash", "tool_input": {"command": "ls"}, "cwd": str(daemon.home)}
        call["session_id"] = session
        self._body = json.dumps(call).encode()
        self._headers = {
            "Authorization": f"Bearer {daemon.token}",
            "Content-Type": "application/json",
        }

    def ask(self) -> str:
        """Return who decided about one more call."""
        self._link.request("POST", "/v1/actions", self._body, self._headers)
        said = json.loads(self._link.getresponse().read())
        return f"{said['verdict']} by {said['decided_by']}"

    def close(self) -> None:
        """Go away."""
        self._link.close()


@contextmanager
def crowded(daemon: LiveDaemon) -> Iterator[Crowd]:
    """Keep a daemon busy until the block ends."""
    crowd = Crowd(daemon)
    threads = [threading.Thread(target=crowd.ask) for _ in range(AGENTS)]
    for thread in threads:
        thread.start()
    try:
        yield crowd
    finally:
        crowd.is_over.set()
        for thread in threads:
            thread.join()


def test_a_lock_holds_for_whatever_is_sent_after_it(home: Path) -> None:
    """At once, for its session only, and still when somebody takes it out of the file."""
    with served(home) as daemon, crowded(daemon) as crowd:
        locks = LockFile.of(str(daemon.state))
        before, locked, gone = [], [], []
        for number in range(ROUNDS):
            agent = Agent(daemon, session=f"round-{number}")
            lock = Lock(scope=LockScope.SESSION, name=f"round-{number}")
            before.append(agent.ask())
            locks.add(lock)
            locked.append(agent.ask())
            locks.remove(lock)
            gone.append(agent.ask())
            agent.close()

    assert {"deny by lock"} == {*locked, *gone}
    assert {"allow by score"} == {*before, *crowd.answers}
    assert len(crowd.answers) > AGENTS


def test_many_who_ask_after_a_lock_are_all_refused(home: Path) -> None:
    """At the same moment, on connections that stood open before."""
    with served(home) as daemon, crowded(daemon):
        agents = [Agent(daemon) for _ in range(AGENTS)]
        before = [agent.ask() for agent in agents]
        LockFile.of(str(daemon.state)).add(LOCK)
        after: list[str] = []
        threads = [
            threading.Thread(target=lambda one=agent: after.append(one.ask())) for agent in agents
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for agent in agents:
            agent.close()

    assert ["allow by score"] * AGENTS == before
    assert ["deny by lock"] * AGENTS == after
