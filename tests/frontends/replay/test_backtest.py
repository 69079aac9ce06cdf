"""The audit log judged again under other rules: what would change, and what people had decided."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from bench.warm_home import give_patterns

from signoff.effects.store import RecordDraft
from signoff.frontends.replay.backtest import (
    BacktestResult,
    ReplayRules,
    ReplaySource,
    backtest,
)
from signoff.frontends.replay.summary_text import changed_lines
from signoff.settings import load_settings
from signoff.storage.sqlite import SqliteStore
from signoff_start import run_signoff

DENY_STATUS = """version: 1
rules:
  - name: no-status
    action: deny
    tool: Bash
    match: {command: git status}
    reason: not here
"""
ALLOW_PUSH = """version: 1
rules:
  - name: pushes
    action: allow
    tool: Bash
    match: {command: git push}
    reason: fine
"""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Return a home with a project in it, and folders of signoff's."""
    home = tmp_path / "home"
    (home / "app" / ".git").mkdir(parents=True)
    (home / ".local/state/signoff").mkdir(parents=True, mode=0o700)
    give_patterns(home)
    return home


def entry(home: Path, command: str, **said: str) -> dict[str, Any]:
    """Return the content of an entry, as far as a replay reads it."""
    return {
        "ts": "2026-03-04T10:00:00",
        "tool": "Bash",
        "agent": "a",
        "session": "s",
        "source": "claude-code",
        "cwd": f"{home}/app",
        "verdict": "allow",
        "decided_by": "score",
        "leaning": "allow",
        "approver": "",
        "action_redacted": {"command": command},
        **said,
    }


def record(home: Path, *contents: Mapping[str, Any]) -> str:
    """Write an audit log and return its path."""
    path = str(home / ".local/state/signoff/record.db")
    store = SqliteStore(path)
    store.append_batch([RecordDraft(content=content) for content in contents])
    store.close()
    return path


def replayed(
    home: Path, path: str, rules: str, *, jobs: int = 1, since: str = ""
) -> BacktestResult:
    """Judge a log under these rules and under none."""
    file = home / "new.yaml"
    file.write_text(rules)
    settings = load_settings(environment={"HOME": str(home), **folders(home)})
    return backtest(
        ReplaySource(record=path, home=str(home), since=since),
        ReplayRules(settings=settings),
        ReplayRules(settings=settings, rules_file=str(file)),
        jobs=jobs,
    )


def folders(home: Path) -> dict[str, str]:
    """Return variables that name folders below a home."""
    return {
        "SIGNOFF_CONFIG_DIR": str(home / ".config/signoff"),
        "SIGNOFF_STATE_DIR": str(home / ".local/state/signoff"),
    }


def test_a_stricter_rule_shows_what_it_would_deny(home: Path) -> None:
    """Only the calls that it covers change."""
    path = record(home, entry(home, "git status"), entry(home, "ls"))

    result = replayed(home, path, DENY_STATUS)

    assert {"allow -> deny": 1} == result.moved
    assert (2, 1, "git status") == (result.calls, result.changes[0].seq, result.changes[0].call)
    assert "not here" in result.changes[0].reason


def test_a_refusal_by_a_person_is_told_first(home: Path) -> None:
    """A rule that lets through what somebody refused is the first thing to know."""
    push, asked = "git push --force origin topic", {"leaning": "ask", "decided_by": "web"}
    path = record(
        home,
        entry(home, push, **asked, verdict="allow", approver="ann"),
        entry(home, push, **asked, verdict="deny", approver="ben"),
        entry(home, push, leaning="ask", decided_by="timeout", verdict="deny"),
    )

    result = replayed(home, path, ALLOW_PUSH)

    assert {"ask -> allow": 3} == result.moved
    assert ["allow", "deny", ""] == [one.person for one in result.changes]
    assert [2] == [one.seq for one in result.overruled]
    shown = list(changed_lines(result, most=1))
    assert "1 would pass alone although a person refused them" in shown
    assert any(line.startswith("2 ") for line in shown)


def test_the_history_of_a_session_counts(home: Path) -> None:
    """A script that the session wrote is read when it runs."""
    script = "cat > x.sh <<'END'\ngit status\nEND"
    path = record(home, entry(home, script), entry(home, "sh x.sh"))

    assert [2] == [one.seq for one in replayed(home, path, DENY_STATUS).changes]


def test_the_result_does_not_depend_on_processes(home: Path) -> None:
    """Sessions over two processes give what one gives, in the order of the log."""
    contents = [entry(home, "git status", session=f"s{n % 7}") for n in range(30)]
    path = record(home, *contents)

    assert replayed(home, path, DENY_STATUS) == replayed(home, path, DENY_STATUS, jobs=2)


def test_what_the_log_does_not_tell_is_said(home: Path) -> None:
    """Cut calls are not judged, masked ones are counted, test calls of the doctor are left out."""
    cut = {"action_redacted": {"cut": "too large to be kept whole", "heads": ["command"]}}
    masked = entry(home, "curl -H 'Authorization: Bearer hmac:0123456789abcdef' https://x.example")
    canary = entry(home, "rm -rf /", session="signoff-doctor")
    path = record(home, entry(home, "") | cut, masked, canary)

    result = replayed(home, path, DENY_STATUS)

    assert (1, 1, 1) == (result.calls, result.cut, result.masked)
    assert 2 == sum(line.startswith("note: ") for line in changed_lines(result, most=0))


def test_older_calls_set_the_scene_only(home: Path) -> None:
    """Calls before the start are not counted."""
    old = entry(home, "git status") | {"ts": "2026-03-01T10:00:00"}
    path = record(home, old, entry(home, "git status"))

    assert [2] == [one.seq for one in replayed(home, path, DENY_STATUS, since="2026-03-02").changes]


def signoff(home: Path, arguments: Sequence[str]) -> subprocess.CompletedProcess[str]:
    """Run the command line as this user."""
    environment = {"PATH": os.environ["PATH"], "HOME": str(home)}
    return run_signoff("replay", "--since", "all", *arguments, env=environment, cwd=Path.cwd())


def test_the_exit_status_is_for_builds(home: Path) -> None:
    """0 nothing changes, 1 something does, 2 what a person refused would pass; 2 on bad rules."""
    push = {"leaning": "ask", "decided_by": "web", "verdict": "deny", "approver": "ann"}
    record(home, entry(home, "git status"), entry(home, "git push --force origin x", **push))
    same, strict, loose, bad = (
        home / f"{name}.yaml" for name in ("same", "strict", "loose", "bad")
    )
    same.write_text(DENY_STATUS.replace("git status", "git nothing"))
    strict.write_text(DENY_STATUS)
    loose.write_text(ALLOW_PUSH)
    bad.write_text("rules: 3")

    done = {path.stem: signoff(home, ["--rules", str(path)]) for path in (same, strict, loose, bad)}

    assert {"same": 0, "strict": 1, "loose": 2, "bad": 2} == {
        name: one.returncode for name, one in done.items()
    }
    assert "bad.yaml:1" in done["bad"].stderr


def test_the_strict_pack_asks_more(home: Path) -> None:
    """What leaves the project would be asked about, and work in it passes as before."""
    commands = ("git push origin feature/login", "npm install lodash", "git status", "npm test")
    record(home, *(entry(home, command) for command in commands))
    found = json.loads(signoff(home, ["--pack", "strict", "--json"]).stdout)

    assert {"allow -> ask": 2} == found["moved"]
    assert list(commands[:2]) == [one["call"] for one in found["changes"]]


def test_a_pack_and_json(home: Path) -> None:
    """Another pack is another side; alone the log is compared with what it says itself."""
    record(home, entry(home, "git push --force origin x", leaning="ask"), entry(home, "ls"))

    strict = json.loads(signoff(home, ["--pack", "permissive", "--json"]).stdout)
    alone = signoff(home, [])

    assert 2 == strict["calls"]
    assert (0, "2 calls judged again: 0 would change") == (
        alone.returncode,
        alone.stdout.splitlines()[0],
    )


def test_no_log_is_told(home: Path) -> None:
    """Before anything was recorded there is nothing to judge."""
    assert "there is no audit log" in signoff(home, []).stderr
