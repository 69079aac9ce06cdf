"""The check-up is happy only with a hook that is installed, called, and refuses."""

from __future__ import annotations

import json
import shlex
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from bench.warm_home import give_patterns

from signoff.frontends.doctor.hosts import HostFolders, check_hosts
from signoff.frontends.hosts.claude_code.adapter import ADAPTER
from signoff.frontends.hosts.claude_code.checkup import check_up, fire_canary
from signoff.frontends.hosts.claude_code.install import HOST
from signoff.frontends.hosts.claude_code.kinds import HookKind, command_line
from signoff.frontends.hosts.host import install, warnings_of


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a home of its own, for the hook too, on a machine without Claude Code."""
    monkeypatch.setenv("HOME", str(tmp_path))
    give_patterns(tmp_path)
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setenv("CLAUDE_PROJECT_DIR", str(tmp_path))
    return tmp_path


def bad(home: Path, project: Path | None = None) -> list[str]:
    """Return what the check-up complains of."""
    found = check_up(home, project or home / "project")
    return [check.said for check in found if not check.is_good]


def settings(folder: Path) -> Path:
    """Return the path of a settings file."""
    return folder / ".claude" / "settings.json"


def test_a_guarded_home_is_healthy(home: Path) -> None:
    """Installed and refusing: nothing to complain of."""
    install(HOST, home, is_user=True, kind=HookKind.IN_PROCESS)

    assert bad(home) == []


def test_no_hook_is_bad(home: Path) -> None:
    """Without a hook nothing is guarded."""
    assert bad(home) == [
        "no hook of this environment is called for every tool: not guarded from here"
    ]


def test_hooks_that_are_off_are_bad(home: Path) -> None:
    """A project that switches hooks off is named."""
    install(HOST, home, is_user=True, kind=HookKind.IN_PROCESS)
    project = home / "project"
    settings(project).parent.mkdir(parents=True)
    settings(project).write_text('{"disableAllHooks": true}', encoding="utf-8")

    assert bad(home, project) == [
        f"`disableAllHooks` is true in {settings(project)}: Claude Code does not call signoff"
    ]


def test_a_hook_of_another_place_is_bad_and_not_started(home: Path) -> None:
    """A command that is not ours to the letter is somebody else's text."""
    install(HOST, home, is_user=True, kind=HookKind.IN_PROCESS)
    text = settings(home).read_text(encoding="utf-8")
    marker = home / "started"
    settings(home).write_text(text.replace("if answer=", f"touch {marker}; if answer=", 1), "utf-8")

    assert len(bad(home)) == 2
    assert not marker.exists()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param('"matcher": "*"', '"matcher": "Bash"', id="for one tool only"),
        pytest.param('"timeout": 60', '"timeout": 20', id="limit of an older version"),
        pytest.param('"onFailure": "block"', '"onFailure": "allow"', id="goes on after failure"),
        pytest.param("--deadline 50", "--deadline 40", id="deadline of an older version"),
    ],
)
def test_a_hook_that_guards_less_is_bad(home: Path, old: str, new: str) -> None:
    """What was installed by an older version, or bent since, is no guard."""
    install(HOST, home, is_user=True, kind=HookKind.IN_PROCESS)
    text = settings(home).read_text(encoding="utf-8")
    assert old in text
    settings(home).write_text(text.replace(old, new), encoding="utf-8")

    first, second = bad(home)
    assert "is not as this environment installs it" in first
    assert "not guarded from here" in second


def test_reports_that_are_missing_are_bad(home: Path) -> None:
    """The hook of a version that reported less decides, and has to be installed again."""
    config = home / ".config" / "signoff"
    config.mkdir(parents=True)
    (config / "signoff.yaml").write_text("hosts: {without_daemon: in_process}\n", encoding="utf-8")
    install(HOST, home, is_user=True, kind=HookKind.COMMAND)
    said = json.loads(settings(home).read_text(encoding="utf-8"))
    del said["hooks"]["PostToolUse"]
    settings(home).write_text(json.dumps(said), encoding="utf-8")

    (complaint,) = bad(home)
    assert "what reports beside it is not as this version has it" in complaint


def test_settings_that_cannot_be_read_are_bad(home: Path) -> None:
    """Broken settings are named, and the rest is still looked at."""
    settings(home).parent.mkdir()
    settings(home).write_text("{", encoding="utf-8")

    assert "cannot be read" in bad(home)[0]


def test_a_hook_that_cannot_judge_is_bad(home: Path) -> None:
    """Blocking everything is safe, but it is not well."""
    check = fire_canary(command_line(str(home / "gone")))

    assert not check.is_good
    assert "cannot judge (status 2)" in check.said


def test_a_hook_that_denies_without_judging_is_bad(home: Path) -> None:
    """A daemon that fails over the call denies it as well, with status 0."""
    failure = ADAPTER.failure("StoreError: the disk is full").stdout
    check = fire_canary(f"printf %s {shlex.quote(failure)}")

    assert not check.is_good
    assert "the disk is full" in check.said


def test_stops_that_nobody_waits_for_are_bad(home: Path) -> None:
    """Where the settings say so, and the hook was installed before they did."""
    config = home / ".config" / "signoff"
    install(HOST, home, is_user=True, kind=HookKind.COMMAND)
    config.mkdir(parents=True, exist_ok=True)
    (config / "signoff.yaml").write_text(
        "hosts: {without_daemon: in_process}\nstops: {mode: ask}\n", encoding="utf-8"
    )
    before = [said for said in bad(home) if "`stops` has changed" in said]
    install(HOST, home, is_user=True, kind=HookKind.COMMAND)
    after = [said for said in bad(home) if "`stops` has changed" in said]

    assert (1, []) == (len(before), after)


def test_a_hook_that_reaches_nobody_says_who_is_missing(home: Path) -> None:
    """Installing again would not bring a daemon that does not run."""
    config = home / ".config" / "signoff"
    config.mkdir(parents=True)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    (config / "signoff.yaml").write_text(f"server: {{port: {port}}}\n", encoding="utf-8")
    install(HOST, home, is_user=True, kind=HookKind.HTTP)

    found = check_up(home, home / "project")
    assert ["run `signoff up`"] == [check.fix for check in found if not check.is_good]


def test_settings_that_were_moved_are_said(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Claude Code does not read the usual folder then: by installation and by the doctor."""
    changes = install(HOST, home, is_user=True, kind=HookKind.IN_PROCESS)
    folders = HostFolders(home=home, project=home / "project")
    before = [check for check in check_hosts(folders, ["claude-code"]) if not check.is_good]
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", "/w/claude")
    (after,) = [check for check in check_hosts(folders, ["claude-code"]) if not check.is_good]

    assert before == []
    assert "CLAUDE_CONFIG_DIR is `/w/claude`" in after.said
    assert after.said in warnings_of(HOST, changes, is_user=True)


@pytest.mark.parametrize(
    ("platform", "file"),
    [
        ("linux", "/etc/claude-code/managed-settings.json"),
        ("darwin", "/Library/Application Support/ClaudeCode/managed-settings.json"),
    ],
)
def test_managed_settings_are_found_on_each_system(platform: str, file: str) -> None:
    """Their place is fixed by Claude Code."""
    line = (
        f"import sys; sys.platform = {platform!r};"
        "from signoff.frontends.hosts.claude_code.checkup import MANAGED; print(MANAGED)"
    )
    done = subprocess.run([sys.executable, "-c", line], capture_output=True, text=True, check=False)

    assert done.stdout.strip() == file, done.stderr
