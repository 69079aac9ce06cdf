"""The real Claude Code behind the daemon, whatever becomes of it: nothing unjudged ever runs."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from claude_code import ClaudeCode, Session
from fake_messages_api import ToolCall
from resident import TRUSTING, left_in, resident

# How the hook reaches the daemon, and what it does without one.
WAYS = ("http", "command refuse", "command in_process", "command start")


def bash(command: str, *, before: Callable[[], object] | None = None) -> ToolCall:
    """Return a call of the shell."""
    return ToolCall(name="Bash", input={"command": command, "description": "x"}, before=before)


@dataclass(frozen=True, slots=True, kw_only=True)
class Guarded:
    """Claude Code with a daemon before it."""

    claude: ClaudeCode

    @property
    def state(self) -> Path:
        """The daemon's folder."""
        return self.claude.home / ".local" / "state" / "signoff"

    def send(self, number: signal.Signals) -> None:
        """Send a signal to the daemon."""
        os.kill(int((self.state / "daemon.lock").read_text(encoding="ascii")), number)

    def restart(self) -> None:
        """End the daemon and start it again."""
        for word in ("down", "up"):
            assert self.claude.signoff(word).returncode == 0

    def run(self, *calls: ToolCall) -> Session:
        """Run one session, and check that whatever has run was let through before."""
        session = self.claude.run(*calls, options=TRUSTING)
        allowed = {line["action_redacted"]["command"] for line in self.record("allow")}
        for name in self.files():
            assert any(f"touch {name}" in command for command in allowed), session.output
        return session

    def files(self) -> list[str]:
        """Return what the calls have left behind."""
        return left_in(self.claude)

    def record(self, verdict: str) -> list[dict[str, dict[str, str]]]:
        """Return the entries of the record with this verdict."""
        tail = self.claude.signoff("audit", "tail", "-n", "100", "--json").stdout
        entries = [json.loads(line) for line in tail.splitlines()]
        return [entry for entry in entries if entry["verdict"] == verdict]


@pytest.fixture(params=WAYS)
def guarded(claude: ClaudeCode, request: pytest.FixtureRequest) -> Iterator[Guarded]:
    """Return Claude Code before a running daemon; its hook gives up after three seconds."""
    kind, _, without = str(request.param).partition(" ")
    said = f"server: {{port: PORT}}\nhosts: {{without_daemon: {without or 'refuse'}}}\n"
    with resident(claude, {"signoff.yaml": said}, hooks=("claude-code", "--kind", kind)):
        text = claude.settings.read_text(encoding="utf-8")
        text = text.replace("--deadline 610", "--deadline 3")
        text = text.replace('"timeout": 620', '"timeout": 5')
        claude.settings.write_text(text, encoding="utf-8")
        yield Guarded(claude=claude)


def test_calls_are_judged_by_the_daemon(guarded: Guarded) -> None:
    """One runs, one is refused in both its parts, one that would be asked about is refused."""
    session = guarded.run(
        bash("touch one"), bash("touch two; rm -rf ~"), bash("touch three; git reset --hard")
    )

    assert guarded.files() == ["one"]
    assert ["signoff: " in result for result in session.results] == [False, True, True]
    assert "3 calls, 1 asked, 1 denied" in guarded.claude.signoff("sessions").stdout


def test_a_killed_daemon_lets_nothing_through(guarded: Guarded) -> None:
    """What runs after that was judged by another; what must not run does not."""
    guarded.run(
        bash("touch one"),
        bash("touch two", before=lambda: guarded.send(signal.SIGKILL)),
        bash("touch bad; rm -rf ~"),
    )

    assert guarded.files() in (["one"], ["one", "two"])


def test_a_hung_daemon_lets_nothing_through(guarded: Guarded) -> None:
    """While it hangs nothing runs; once it goes on, things do."""
    guarded.run(
        bash("touch one"),
        bash("touch two", before=lambda: guarded.send(signal.SIGSTOP)),
        bash("touch three", before=lambda: guarded.send(signal.SIGCONT)),
    )

    assert guarded.files() == ["one", "three"]


def test_a_restarted_daemon_goes_on(guarded: Guarded) -> None:
    """A restart in the middle of a session is not noticed."""
    guarded.run(
        bash("touch one"),
        bash("touch two", before=guarded.restart),
        bash("touch bad; rm -rf ~"),
        bash("touch three"),
    )

    assert guarded.files() == ["one", "three", "two"]


def test_a_lock_stops_a_running_session(guarded: Guarded) -> None:
    """The panic switch holds for the very next call."""
    lock = ("lock", "agent", "claude-code")
    guarded.run(bash("touch one"), bash("touch two", before=lambda: guarded.claude.signoff(*lock)))

    assert guarded.files() == ["one"]


def test_a_daemon_that_cannot_record_lets_nothing_through(guarded: Guarded) -> None:
    """A record that is gone is no reason to go on without one."""

    def lose() -> None:
        for name in ("record.db", "record.db-wal", "record.db-shm"):
            (guarded.state / name).rename(guarded.state / f"lost-{name}")

    session = guarded.claude.run(
        bash("touch one"), bash("touch two", before=lose), options=TRUSTING
    )

    assert guarded.files() == ["one"], session.output


def test_an_old_host_without_a_daemon_is_blocked_too(claude: ClaudeCode) -> None:
    """Older versions know no onFailure: the client's own refusal is enough for them."""
    config = claude.home / ".config" / "signoff"
    config.mkdir(parents=True)
    (config / "signoff.yaml").write_text("hosts: {without_daemon: refuse}\n", encoding="utf-8")
    assert claude.signoff("install", "claude-code", "--kind", "command").returncode == 0
    text = claude.settings.read_text(encoding="utf-8")
    claude.settings.write_text(text.replace('"block"', '"continue"'), encoding="utf-8")

    claude.run(bash("touch ran"), options=TRUSTING)

    assert not (claude.project / "ran").exists()
