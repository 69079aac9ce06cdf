"""Learned rules and a real daemon: an admin accepts one, it holds, a refusal takes it away."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from inbox_caller import Scene, asking_on_the_web, at_inbox
from live_daemon import LiveDaemon, wait_until
from own_terminal import typed_code

from signoff.actions.action import Json
from signoff.effects.store import RecordDraft
from signoff.storage.sqlite import SqliteStore

PUSH = "git push --force-with-lease origin topic"


@pytest.fixture
def daemon(home: Path) -> Iterator[LiveDaemon]:
    """Return a daemon that asks on the web, and whose log has approvals in it."""
    (home / "app" / ".git").mkdir(parents=True)
    (home / ".local/state/signoff").mkdir(parents=True, mode=0o700, exist_ok=True)
    store = SqliteStore(str(home / ".local/state/signoff/record.db"))
    approval: dict[str, Json] = {
        "ts": datetime.now(UTC).isoformat(timespec="microseconds"),
        "tool": "Bash",
        "agent": "claude-code",
        "session": "s1",
        "source": "claude-code",
        "cwd": str(home / "app"),
        "verdict": "allow",
        "decided_by": "web",
        "leaning": "ask",
        "approver": "owner",
        "action_redacted": {"command": PUSH},
    }
    store.append_batch([RecordDraft(content={**approval}) for _ in range(3)])
    store.close()
    with asking_on_the_web(home) as running:
        yield running


def proposed(daemon: LiveDaemon) -> list[str]:
    """Return the ids of what is proposed."""
    said = json.loads(daemon.signoff("learn", "--json").stdout)
    return [str(one["id"]) for one in said["proposals"]]


def at_terminal(daemon: LiveDaemon, *words: str, typed: str = "") -> tuple[int, str]:
    """Run a command at a terminal, and type the code that is shown there, or something else."""
    return typed_code(daemon, *words, after=r"code for [^\n]*", typed=typed)


def acted(daemon: LiveDaemon, command: str) -> int:
    """Return the status of a call in the project: 200 decided, 202 asked about."""
    return daemon.act(command, cwd=str(daemon.home / "app"), session_id="s7").status


def test_a_rule_is_accepted_at_a_terminal_and_withdrawn_by_a_refusal(daemon: LiveDaemon) -> None:
    """In between it lets through what it was learned from, and nothing else."""
    rules = daemon.config / "rules.yaml"
    assert 202 == acted(daemon, PUSH)
    (id,) = proposed(daemon)

    status, said = at_terminal(daemon, "learn", "accept", id)

    assert (0, True) == (status, "holds until" in said), said
    assert "accepted by" in rules.read_text()
    wait_until(lambda: acted(daemon, PUSH) == 200)
    assert 202 == acted(daemon, f"{PUSH} --tags")
    assert "rule.learn" in {act for act, _, _, how in daemon.acts() if id in how}
    listed = daemon.signoff("learn").stdout
    assert "learned-git-push" in listed

    # In another project it is asked about: there a person refuses it.
    scene = Scene(daemon=daemon, person=at_inbox(daemon), session="s8")
    hook = scene.hook(PUSH)
    assert 303 == scene.person.answer(scene.asked(), "deny")
    hook.communicate(timeout=60)

    wait_until(lambda: "learned-git-push" not in rules.read_text())
    wait_until(lambda: acted(daemon, PUSH) == 202)
    assert "withdrawn: learned-git-push" in daemon.signoff("learn").stdout
    assert [] == proposed(daemon)


def test_another_code_accepts_nothing(daemon: LiveDaemon) -> None:
    """And there is no way without a terminal, nor for an agent."""
    (id,) = proposed(daemon)

    status, said = at_terminal(daemon, "learn", "accept", id, typed="AAAAAA")
    piped = daemon.signoff("learn", "accept", id)

    assert (2, True) == (status, "not the code" in said), said
    assert 2 == piped.returncode
    assert not (daemon.config / "rules.yaml").exists()
    assert 404 == daemon.request("POST", "/v1/learning", b'{"accept": "prop_1"}').status
    by_agent = daemon.act("signoff learn accept prop_1a2b3c4d", session_id="s7")
    assert "deny" == by_agent.said["verdict"]
