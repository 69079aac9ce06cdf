"""The doctor says who is guarded, tries it, and names what fixes each problem."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
from pathlib import Path
from typing import Any

import pytest
from bench.warm_home import give_patterns

from signoff_start import run_signoff


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Return a home with a project in it, in which hooks judge by themselves."""
    settings = tmp_path / ".config" / "signoff" / "signoff.yaml"
    settings.parent.mkdir(parents=True)
    settings.write_text("hosts: {without_daemon: in_process}\n", encoding="utf-8")
    (tmp_path / "project").mkdir()
    give_patterns(tmp_path)
    return tmp_path


def signoff(home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run our command line in this home, with no agent on the PATH."""
    environment = {"HOME": str(home), "PATH": os.defpath}
    return run_signoff(*arguments, env=environment, cwd=home / "project")


def examined(home: Path, *arguments: str) -> tuple[int, list[dict[str, Any]]]:
    """Return the doctor's exit status and findings."""
    done = signoff(home, "doctor", "--json", *arguments)
    said = json.loads(done.stdout)
    assert said["healthy"] == (done.returncode == 0)
    return done.returncode, said["checks"]


def bad(checks: list[dict[str, Any]], about: str) -> list[str]:
    """Return what is wrong with one thing."""
    return [c["said"] for c in checks if c["about"] == about and not c["is_good"]]


def test_a_guarded_host_is_healthy(home: Path) -> None:
    """Installed and refusing what it must: exit status 0, every adapter tried."""
    signoff(home, "install", "cursor")
    status, checks = examined(home, "--host", "cursor")

    tried = [c for c in checks if "denied the test call" in c["said"]]
    assert (0, 2) == (status, len(tried)), checks


def test_an_unguarded_host_has_no_time_limits(home: Path) -> None:
    """Where no hook is installed, none ends after some time."""
    (home / ".claude").mkdir(exist_ok=True)
    _, checks = examined(home)
    said = [one["said"] for one in checks if one["about"] == "claude-code"]

    assert said
    assert not [one for one in said if "time limits" in one]


def test_a_host_that_is_here_is_found(home: Path) -> None:
    """A host's folder shows it is used; without our hook that is a problem with a fix."""
    (home / ".codeium" / "windsurf").mkdir(parents=True)
    status, checks = examined(home)

    assert 1 == status
    assert ["not guarded from here"] == bad(checks, "windsurf")
    assert "run `signoff install windsurf`" in [c["fix"] for c in checks]


def test_no_host_at_all_is_a_problem(home: Path) -> None:
    """Nothing guarded must not look like everything guarded."""
    status, checks = examined(home)

    assert 1 == status
    assert bad(checks, "hosts")


def test_a_hook_that_was_changed_is_named_and_not_run(home: Path) -> None:
    """Text of somebody else is not started, however much it looks like ours."""
    signoff(home, "install", "windsurf")
    path = home / ".codeium" / "windsurf" / "hooks.json"
    text = path.read_text(encoding="utf-8").replace("exit 2", f"touch {home}/ran; exit 2")
    path.write_text(text, encoding="utf-8")
    status, checks = examined(home, "--host", "windsurf")

    assert 1 == status
    assert any("not as this environment installs it" in said for said in bad(checks, "windsurf"))
    assert not (home / "ran").exists()


def test_a_guard_that_cannot_judge_is_a_problem(home: Path) -> None:
    """A refusal of everything is no success: broken rules come out."""
    signoff(home, "install", "kiro")
    rules = home / ".config" / "signoff" / "rules.yaml"
    rules.write_text("version: 1\nrules: 7\n", encoding="utf-8")
    status, checks = examined(home, "--host", "kiro")

    assert 1 == status
    assert bad(checks, "rules")
    assert any("cannot judge" in said for said in bad(checks, "kiro"))


def test_settings_that_cannot_be_read_are_named(home: Path) -> None:
    """A broken file is a problem of its host."""
    path = home / ".gemini" / "settings.json"
    path.parent.mkdir()
    path.write_text("{", encoding="utf-8")
    _, checks = examined(home, "--host", "gemini")

    assert any("cannot be read" in said for said in bad(checks, "gemini"))


def test_a_record_that_does_not_add_up_is_named(home: Path) -> None:
    """The newest entries are looked at each time."""
    signoff(home, "install", "kiro")
    examined(home, "--host", "kiro")
    record = sqlite3.connect(home / ".local" / "state" / "signoff" / "record.db")
    with record:
        record.execute("UPDATE head SET hash = zeroblob(32)")
    record.close()
    _, checks = examined(home, "--host", "kiro")

    assert bad(checks, "record")


def test_files_that_others_can_change_are_named(home: Path) -> None:
    """Rules that anybody can write are nobody's rules."""
    (home / ".config" / "signoff").chmod(0o777)
    _, checks = examined(home, "--host", "kiro")

    (fix,) = (c["fix"] for c in checks if c["about"] == "files")
    assert f"run `chmod 755 {home}/.config/signoff`" == fix


@pytest.mark.parametrize("name", ["signoff.yaml", "approver.key"])
def test_each_file_that_others_can_change_is_named(home: Path, name: str) -> None:
    """A folder that is closed does not close a file in it."""
    path = home / ".config" / "signoff" / name
    path.touch()
    path.chmod(0o666)
    _, checks = examined(home, "--host", "kiro")

    assert any(str(path) in said for said in bad(checks, "files"))


def test_settings_of_our_own_that_cannot_be_read_are_named(home: Path) -> None:
    """They are a finding with a fix, and JSON stays JSON."""
    path = home / ".config" / "signoff" / "signoff.yaml"
    path.write_text("server: [", encoding="utf-8")
    status, checks = examined(home, "--host", "kiro")

    assert (1, 1) == (status, len(bad(checks, "settings")))


def test_a_lock_on_everything_is_named(home: Path) -> None:
    """A canary that a lock refused says nothing of the judgement."""
    signoff(home, "install", "kiro")
    signoff(home, "lock")
    status, checks = examined(home, "--host", "kiro")

    assert (1, 1) == (status, len(bad(checks, "locks")))


def test_a_record_that_cannot_be_opened_is_named(home: Path) -> None:
    """What stands in its place is named, and not a change of its rights."""
    record = home / ".local" / "state" / "signoff" / "record.db"
    record.mkdir(parents=True)
    _, checks = examined(home, "--host", "kiro")

    (fix,) = (c["fix"] for c in checks if c["about"] == "record")
    assert fix.startswith("see who put it there")


def test_text_names_the_fix_beside_the_problem(home: Path) -> None:
    """What a person reads says what to do."""
    done = signoff(home, "doctor", "--host", "cline")

    assert 1 == done.returncode
    assert "fix: run `signoff install cline`" in done.stdout
