"""An agent is started only if its hook is there, works, and refuses what it must."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from bench.warm_home import give_patterns
from msgspec import structs

from signoff.frontends.cli import run
from signoff.frontends.client import found, places
from signoff.frontends.client.places import Places
from signoff.frontends.client.service_layout import LAYOUT
from signoff.settings import CONFIG_DIR, STATE_DIR
from signoff_start import run_signoff

AGENT = """#!/bin/sh
if [ "$1" = --version ]; then echo "99.9.9"; exit 0; fi
echo "started: $*"; touch "$HOME/started"
"""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Return a home with an agent on its PATH, where signoff judges without a daemon."""
    give_patterns(tmp_path)
    config = tmp_path / ".config" / "signoff"
    config.mkdir(parents=True)
    said = "hosts: {without_daemon: in_process}\nchannels: []\n"
    (config / "signoff.yaml").write_text(said, encoding="utf-8")
    for name in ("gemini", "other"):
        program = tmp_path / "bin" / name
        program.parent.mkdir(exist_ok=True)
        program.write_text(AGENT, encoding="utf-8")
        program.chmod(0o755)
    (tmp_path / "project").mkdir()
    return tmp_path


def signoff(home: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run our command line in this home."""
    path = f"{home / 'bin'}:{os.environ['PATH']}"
    return run_signoff(*words, env={"PATH": path, "HOME": str(home)}, cwd=home / "project")


def test_a_guarded_agent_is_started(home: Path) -> None:
    """With its own words, after the canary."""
    assert signoff(home, "install", "gemini").returncode == 0

    done = signoff(home, "run", "--", "gemini", "exec", "-p", "hello hooks")

    assert done.stdout == "started: exec -p hello hooks\n", done.stderr
    assert "its hook refused what it must" in done.stderr


def test_an_agent_without_its_hook_is_not_started(home: Path) -> None:
    """Never installed, taken away, edited, or pointing at nothing that judges."""
    done = signoff(home, "run", "--", "gemini")
    assert (done.returncode, "signoff install gemini" in done.stderr) == (2, True)
    assert signoff(home, "install", "gemini").returncode == 0
    hooks = home / ".gemini" / "settings.json"
    text = hooks.read_text(encoding="utf-8")
    for edited in (text.replace("exit 2", "exit 0"), text.replace(sys.executable, "/bin/true")):
        assert edited != text
        hooks.write_text(edited, encoding="utf-8")
        done = signoff(home, "run", "--", "gemini")
        assert (done.returncode, "is not guarded" in done.stderr) == (2, True), done.stderr

    assert not (home / "started").exists()


@pytest.mark.parametrize(
    "words",
    [
        ("other",),
        ("nothing-there",),
        ("gemini", "-c", "features.hooks=false"),
        ("gemini", "--setting-sources=project"),
        ("gemini", "--bare"),
        ("gemini", "--settings", '{"disableAllHooks": true}'),
    ],
)
def test_what_cannot_be_guarded_is_not_started(home: Path, words: tuple[str, ...]) -> None:
    """Programs signoff knows no hook of, and options that take the hook away."""
    done = signoff(home, "run", "--", *words)

    assert done.returncode == 2
    assert not (home / "started").exists()


@pytest.mark.parametrize(
    "word",
    ["hooks.x=1", "-chooks.x=1", "-c=hooks=[]", "--config=hooks.x=1", "-cfeatures.hooks=false"],
)
def test_options_that_switch_hooks_off_are_named(home: Path, word: str) -> None:
    """However the option and its value are written."""
    done = signoff(home, "run", "--", "gemini", word)

    assert done.returncode == 2
    assert f"`{word}` can switch the hook off" in done.stderr


def test_settings_that_cannot_be_read_start_nothing(home: Path) -> None:
    """The hook would refuse every call."""
    assert signoff(home, "install", "gemini").returncode == 0
    (home / ".config" / "signoff" / "signoff.yaml").write_text("pack: lax\n", encoding="utf-8")

    assert signoff(home, "run", "--", "gemini").returncode == 2
    assert not (home / "started").exists()


@pytest.mark.parametrize("is_service", [True, False])
def test_no_daemon_is_started_beside_the_service(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_service: bool
) -> None:
    """A service is started by the system; without one the user's own daemon is started."""
    state = str(tmp_path / "service")
    layout = structs.replace(
        LAYOUT, unit=str(tmp_path if is_service else tmp_path / "none"), state=state
    )
    monkeypatch.setattr(found, "LAYOUT", layout)
    monkeypatch.setattr(places, "LAYOUT", layout)
    started: list[Places] = []
    monkeypatch.setattr(run, "start", started.append)
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in (CONFIG_DIR, STATE_DIR):
        monkeypatch.delenv(name, raising=False)
    run._start_daemon()

    own = Places(str(tmp_path / ".local" / "state" / "signoff"))
    assert started == ([] if is_service else [own])
