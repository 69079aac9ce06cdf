"""The hook with its real gate: what it cannot read or record, it refuses (T-19, T-47, T-56)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from bench.warm_home import give_patterns

from signoff.frontends.hosts.claude_code.kinds import command_line
from signoff.storage.sqlite import SqliteStore


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Return a home with a project under version control."""
    (tmp_path / "home" / "project" / ".git").mkdir(parents=True)
    return tmp_path / "home"


def hook(
    home: Path, command: str, *, folder: str = "project", environment: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Send one shell call through the installed command, as the host would."""
    if not (home / ".local").exists():
        give_patterns(home)
    project = home / "project"
    event = {
        "hook_event_name": "PreToolUse",
        "tool_name": "Bash",
        "tool_input": {"command": command},
        "cwd": str(project),
        "session_id": "s",
    }
    variables = {
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "CLAUDE_PROJECT_DIR": str(project),
        **(environment or {}),
    }
    return subprocess.run(
        ["/bin/sh", "-c", command_line(sys.executable)],
        input=json.dumps(event),
        cwd=home / folder,
        env=variables,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def verdict(done: subprocess.CompletedProcess[str]) -> str:
    """Return what the host makes of it."""
    if done.returncode != 0:
        return f"blocked by status {done.returncode}"
    said = json.loads(done.stdout).get("hookSpecificOutput", {})
    return str(said.get("permissionDecision", "no decision"))


def settings(home: Path, text: str) -> None:
    """Write the user's settings."""
    file = home / ".config" / "signoff" / "signoff.yaml"
    file.parent.mkdir(parents=True)
    file.write_text(text, encoding="utf-8")


@pytest.mark.parametrize(
    ("command", "expected"),
    [("git status", "allow"), ("git reset --hard", "ask"), ("rm -rf ~", "deny")],
)
def test_each_verdict_reaches_the_host(home: Path, command: str, expected: str) -> None:
    """The positive control: allow, ask and deny come out as they are."""
    assert verdict(hook(home, command)) == expected


def test_calls_at_the_same_time_are_all_answered_and_recorded(home: Path) -> None:
    """A host runs the hooks of parallel calls at once; none is lost, none blocks another."""
    with ThreadPoolExecutor(max_workers=6) as pool:
        done = list(pool.map(lambda _: hook(home, "git status"), range(6)))

    record = SqliteStore(str(home / ".local" / "state" / "signoff" / "record.db"))
    checked = record.verify()
    record.close()
    assert [verdict(answer) for answer in done] == ["allow"] * 6
    assert (checked.ok, checked.count) == (True, 6)


def test_a_record_that_cannot_be_written_is_a_refusal(home: Path) -> None:
    """An allow leaves only after it is on the record."""
    (home / ".local").mkdir()
    (home / ".local" / "state").write_text("in the way", encoding="utf-8")

    assert verdict(hook(home, "git status")) in {"deny", "blocked by status 2"}


def test_a_record_of_something_else_is_a_refusal(home: Path) -> None:
    """A record that is no record is not written over."""
    record = home / ".local" / "state" / "signoff" / "record.db"
    record.parent.mkdir(parents=True)
    record.write_bytes(b"no database" * 1000)

    assert verdict(hook(home, "git status")) in {"deny", "blocked by status 2"}
    assert record.read_bytes() == b"no database" * 1000


@pytest.mark.parametrize("text", ["hosts: {allow: everything}", "hosts: [", "unknown: 1", "\t"])
def test_bad_settings_are_a_refusal(home: Path, text: str) -> None:
    """Settings that cannot be read never mean the mildest ones."""
    settings(home, text)

    done = hook(home, "git status")

    assert verdict(done) == "blocked by status 2"
    assert "signoff.yaml" in done.stderr


def test_bad_rules_are_a_refusal(home: Path) -> None:
    """Rules that cannot be read never mean no rules."""
    settings(home, "pack: balanced")
    (home / ".config" / "signoff" / "rules.yaml").write_text("rules: 7", encoding="utf-8")

    assert verdict(hook(home, "git status")) in {"deny", "blocked by status 2"}


def test_no_variable_switches_it_off(home: Path) -> None:
    """A variable of our name that we do not know stops the start."""
    done = hook(home, "rm -rf ~", environment={"SIGNOFF_DISABLED": "1"})

    assert verdict(done) == "blocked by status 2"


@pytest.mark.parametrize("name", ["PYTHONPATH", "PYTHONSTARTUP", "PYTHONHOME", "PYTHONINSPECT"])
def test_pythons_variables_do_not_reach_the_guard(home: Path, name: str) -> None:
    """The guard runs isolated: a module planted through the environment is not loaded (T-57)."""
    planted = home / "planted"
    planted.mkdir()
    for module in ("signoff.py", "sitecustomize.py", "json.py"):
        (planted / module).write_text("raise SystemExit(0)\n", encoding="utf-8")

    assert verdict(hook(home, "rm -rf ~", environment={name: str(planted)})) == "deny"


def test_a_module_in_the_project_is_not_loaded(home: Path) -> None:
    """The folder the hook starts in is no place to import from."""
    for module in ("signoff.py", "json.py", "yaml.py"):
        (home / "project" / module).write_text("raise SystemExit(0)\n", encoding="utf-8")

    assert verdict(hook(home, "rm -rf ~")) == "deny"


@pytest.mark.parametrize(
    ("setting", "expected"), [("score", "allow"), ("rule", "no decision"), ("never", "no decision")]
)
def test_the_setting_says_which_allows_are_told(home: Path, setting: str, expected: str) -> None:
    """With `rule` and `never` the host's own prompts stay."""
    settings(home, f"hosts: {{allow: {setting}}}")

    assert verdict(hook(home, "git status")) == expected


def test_leaving_the_project_does_not_loosen_its_settings(home: Path) -> None:
    """The project is the one the session was started in, wherever the hook runs."""
    (home / "project" / ".signoff.yaml").write_text("hosts: {allow: never}", encoding="utf-8")

    assert verdict(hook(home, "git status", folder="")) == "no decision"
