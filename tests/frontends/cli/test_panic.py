"""The panic switch works whatever else is broken, and says where it catches nothing."""

from __future__ import annotations

import fcntl
import json
import os
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from signoff.actions.action import Action
from signoff.frontends.cli.app import app
from signoff.storage.locks.lock_file import LockFile


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the state folder of a home in which one session was seen."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("SIGNOFF_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.setenv("SIGNOFF_CONFIG_DIR", str(tmp_path / "config"))
    (tmp_path / "config").mkdir()
    folder = tmp_path / "state"
    folder.mkdir(mode=0o700)
    seen = {"session": "s1", "host": "claude-code", "label": "", "project": "", "state": "working"}
    times = {"first_seen": 1.0, "last_seen": 2.0}
    counts = dict.fromkeys(("calls", "asks", "denials", "tries", "rounds"), 0)
    one = {**seen, "last_tool": "", "failed_call": "", **counts, **times}
    (folder / "sessions.json").write_text(json.dumps({"sessions": [one]}), encoding="utf-8")
    return folder


def run(*words: str) -> Result:
    """Run our command line in this process."""
    return CliRunner().invoke(app, words)


def locked(state: Path) -> str:
    """Return why a call of Claude Code is locked."""
    action = Action(tool="Bash", arguments={"command": "ls"}, cwd="/", source="claude-code")
    return LockFile.of(str(state)).reason(action)


def test_broken_settings_keep_nobody_from_locking(state: Path) -> None:
    """Where things go wrong, the switch must not."""
    (state.parent / "config" / "signoff.yaml").write_text("server: [", encoding="utf-8")

    assert 0 == run("lock").exit_code
    assert "everything is locked" in locked(state)


@pytest.mark.parametrize("word", ["status", "sessions", "down"])
def test_broken_settings_keep_nobody_from_looking(state: Path, word: str) -> None:
    """What runs can be seen and ended."""
    (state.parent / "config" / "signoff.yaml").write_text("server: [", encoding="utf-8")

    assert "not YAML" not in run(word).output


def test_a_lock_that_catches_nothing_seen_says_so(state: Path) -> None:
    """A name that is mistyped in a hurry locks nobody."""
    mistyped = run("lock", "agent", "claude")

    assert "" == locked(state)
    assert 0 == mistyped.exit_code
    assert "no agent of that name was seen so far; those that were: claude-code" in mistyped.output


def test_a_lock_that_catches_somebody_says_nothing_more(state: Path) -> None:
    """The warning is for what is unusual."""
    assert "warning" not in run("lock", "session", "s1").output
    assert "warning" not in run("lock", "agent", "Claude-Code").output
    assert "agent `Claude-Code` is locked" in locked(state)


def test_a_daemon_that_hangs_is_not_said_to_be_gone(state: Path) -> None:
    """Its place is held: it has to be ended, and that is said."""
    with (state / "daemon.lock").open("w") as held:
        held.write(f"{os.getpid()}\n")
        held.flush()
        fcntl.flock(held, fcntl.LOCK_EX)
        said = run("status")

    assert 1 == said.exit_code
    hangs = f"process {os.getpid()} does not answer: `signoff up` ends it and starts another"
    assert hangs in said.output
