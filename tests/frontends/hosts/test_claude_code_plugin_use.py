"""A plugin that is installed and switched on is a guard; one that is off, or bent, is none."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from bench.warm_home import give_patterns

from signoff.frontends.client.places import Places
from signoff.frontends.hosts.claude_code.checkup import asks_daemon, check_up
from signoff.frontends.hosts.claude_code.install import HOST
from signoff.frontends.hosts.claude_code.kinds import HookKind
from signoff.frontends.hosts.claude_code.plugin import plugin_files, write_plugin
from signoff.frontends.hosts.host import install
from signoff.frontends.server.control import is_healthy, stop

ID = "signoff@signoff"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Make a home in which the plugin was installed from a folder, as Claude Code notes it."""
    programs = Path(sys.executable).parent
    monkeypatch.setenv("HOME", str(tmp_path))
    give_patterns(tmp_path)
    monkeypatch.setenv("PATH", f"{programs}:{os.defpath}")
    monkeypatch.setenv("CLAUDE_PROJECT_DIR", str(tmp_path))
    market = tmp_path / "market"
    write_plugin(market)
    entry = {"scope": "user", "installPath": str(tmp_path / "cache")}
    write(tmp_path / ".claude/plugins/installed_plugins.json", {"plugins": {ID: [entry]}})
    source = {"source": "directory", "path": str(market)}
    write(tmp_path / ".claude/plugins/known_marketplaces.json", {"signoff": {"source": source}})
    switch(tmp_path, is_on=True)
    config = tmp_path / ".config" / "signoff"
    config.mkdir(parents=True)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        said = f"server: {{port: {probe.getsockname()[1]}}}\n"
    (config / "signoff.yaml").write_text(said, encoding="utf-8")
    yield tmp_path
    stop(Places(str(tmp_path / ".local" / "state" / "signoff")))


def write(path: Path, said: object) -> None:
    """Write a file as JSON."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(said), encoding="utf-8")


def switch(folder: Path, *, is_on: bool, name: str = "settings.json") -> None:
    """Switch the plugin on or off in one settings file."""
    write(folder / ".claude" / name, {"enabledPlugins": {ID: is_on}})


def bad(home: Path) -> list[str]:
    """Return what the check-up complains of."""
    return [check.said for check in check_up(home, home / "project") if not check.is_good]


def test_a_plugin_alone_guards(home: Path) -> None:
    """No hook stands in any settings, and none is missed."""
    said = [check.said for check in check_up(home, home / "project")]

    assert [] == bad(home)
    assert any("the hook denied the test call" in one for one in said)


def test_a_plugin_asks_the_daemon(home: Path) -> None:
    """Which it starts, so that people are asked on every channel."""
    places = Places(str(home / ".local" / "state" / "signoff"))
    hooks = json.loads(plugin_files()["hooks/hooks.json"])["hooks"]
    event = {"hook_event_name": "PreToolUse", "session_id": "s", "cwd": str(home)}
    call = {**event, "tool_name": "Bash", "tool_input": {"command": "rm -rf ~"}}

    def fire(name: str, said: Mapping[str, object]) -> str:
        done = subprocess.run(
            ["/bin/sh", "-c", hooks[name][-1]["hooks"][0]["command"]],
            input=json.dumps(said),
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
        assert 0 == done.returncode, done.stderr
        return done.stdout

    denied = json.loads(fire("PreToolUse", call))["hookSpecificOutput"]["permissionDecision"]
    reported = fire("SessionStart", {**event, "hook_event_name": "SessionStart"})

    assert ("deny", "{}") == (denied, reported.strip())
    assert is_healthy(places)
    assert asks_daemon(home, home / "project")


@pytest.mark.parametrize(
    "words", [("nobody",), (), ("claude-code", "--deadline"), ("claude-code", "--deadline", "x")]
)
def test_a_hook_that_cannot_reach_the_daemon_refuses(home: Path, words: tuple[str, ...]) -> None:
    """By its status, whatever is wrong with its words."""
    done = subprocess.run(
        [sys.executable, "-I", "-m", "signoff", "hook", *words, "--daemon"],
        input="{}",
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )

    assert (2, "") == (done.returncode, done.stdout)


def test_a_plugin_from_elsewhere_is_read_where_it_was_put(home: Path) -> None:
    """Only one of a folder is read from there."""
    source = {"source": "github", "repo": "somebody/signoff"}
    write(home / ".claude/plugins/known_marketplaces.json", {"signoff": {"source": source}})
    before = bad(home)
    (home / "market" / "signoff").rename(home / "cache")

    assert (1, []) == (len(before), bad(home))


@pytest.mark.parametrize("name", ["settings.json", "settings.local.json"])
def test_a_plugin_a_project_switches_off_is_no_guard(home: Path, name: str) -> None:
    """What stands nearer to the project counts."""
    switch(home / "project", is_on=False, name=name)

    assert any("not guarded from here" in said for said in bad(home))


def test_a_plugin_of_another_project_is_no_guard(home: Path) -> None:
    """It is installed there, and not here."""
    entry = {"scope": "project", "projectPath": str(home / "other"), "installPath": "/x"}
    write(home / ".claude/plugins/installed_plugins.json", {"plugins": {ID: [entry]}})

    assert any("not guarded from here" in said for said in bad(home))


def test_a_plugin_that_was_bent_is_named_and_not_run(home: Path) -> None:
    """Its command is somebody else's text."""
    path = home / "market/signoff/hooks/hooks.json"
    text = path.read_text(encoding="utf-8").replace("if answer=", f"touch {home}/ran; if answer=")
    path.write_text(text, encoding="utf-8")

    assert any("not as this version has it" in said for said in bad(home))
    assert not (home / "ran").exists()


def test_files_of_plugins_that_cannot_be_read_are_named(home: Path) -> None:
    """What is broken is no guard, and no crash."""
    (home / ".claude/plugins/installed_plugins.json").write_text("{", encoding="utf-8")

    assert any("installed_plugins.json cannot be read" in said for said in bad(home))


def test_both_ways_at_once_are_noted(home: Path) -> None:
    """Each call is judged twice: no problem, but not wanted."""
    install(HOST, home, is_user=True, kind=HookKind.IN_PROCESS)
    said = [check.said for check in check_up(home, home / "project")]

    assert [] == bad(home)
    assert any("judged twice" in one for one in said)
