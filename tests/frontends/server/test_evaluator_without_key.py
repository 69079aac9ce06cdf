"""A model that is configured and can never be asked is said everywhere one looks."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from bench.ports import free_port
from live_daemon import LiveDaemon
from own_terminal import on_terminal

from signoff.frontends.doctor.daemon import check_daemon
from signoff.settings import Settings, load_settings

KEY = "ANTHROPIC_API_KEY"
EVALUATOR = "evaluator: {model: claude-haiku-4-5-20251001}\n"
SAID = f"evaluator: `{KEY}` is not set, so `claude-haiku-4-5-20251001` is never asked"


@pytest.fixture
def managed(home: Path) -> Iterator[LiveDaemon]:
    """Return a home with a model configured; its daemon is started and ended by commands."""
    daemon = LiveDaemon(home=home, port=free_port())
    text = f"server: {{port: {daemon.port}}}\n{EVALUATOR}"
    (daemon.config / "signoff.yaml").write_text(text, "utf-8")
    yield daemon
    daemon.signoff("down")


def with_key(daemon: LiveDaemon, *words: str) -> subprocess.CompletedProcess[str]:
    """Run the command line where the key is set."""
    return subprocess.run(
        [sys.executable, "-I", "-m", "signoff", *words],
        env={**daemon.environment, KEY: "a-key-for-tests-only"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def settings_of(home: Path, **variables: str) -> Settings:
    """Read the settings of a home."""
    places = {
        "SIGNOFF_CONFIG_DIR": str(home / ".config" / "signoff"),
        "SIGNOFF_STATE_DIR": str(home / ".local" / "state" / "signoff"),
    }
    return load_settings(environment={**places, **variables})


def test_start_status_and_doctor_say_it(managed: LiveDaemon) -> None:
    """Also where the shell that asks has the key: the daemon's environment counts."""
    up = managed.signoff("up")
    status, from_elsewhere = managed.signoff("status"), with_key(managed, "status")
    doctor = json.loads(managed.signoff("doctor", "--json").stdout)
    said = [check for check in doctor["checks"] if check["about"] == "evaluator"]
    log = (managed.state / "log" / "daemon.log").read_text(encoding="utf-8")

    assert 0 == up.returncode
    assert all(SAID in text for text in (up.stdout, status.stdout, from_elsewhere.stdout, log))
    assert (1, 1) == (status.returncode, from_elsewhere.returncode)
    assert [(False, True)] == [(one["is_good"], SAID in one["said"]) for one in said]
    assert "evaluator" in said[0]["fix"]


def test_with_a_key_they_name_the_model(managed: LiveDaemon) -> None:
    """And the shell that asks needs none."""
    up = with_key(managed, "up")
    status = managed.signoff("status")
    [check] = [one for one in check_daemon(settings_of(managed.home)) if one.about == "evaluator"]

    assert (0, 0) == (up.returncode, status.returncode), status.stdout
    assert "model     claude-haiku-4-5-20251001 is asked before people" in status.stdout
    assert "PROBLEM" not in up.stdout + status.stdout
    assert check.is_good


def test_the_foreground_says_it_on_its_terminal(home: Path) -> None:
    """`signoff serve` prints it as it starts."""
    daemon = LiveDaemon(home=home, port=free_port())
    (daemon.config / "signoff.yaml").write_text(EVALUATOR, "utf-8")
    with on_terminal(daemon, "serve", "--port", str(daemon.port)) as terminal:
        shown = terminal.until("Control-C ends it")

    assert f"PROBLEM {SAID}" in shown


@pytest.mark.parametrize(
    ("text", "variables", "found"),
    [
        (EVALUATOR, {}, [False]),
        (EVALUATOR, {KEY: "k"}, [True]),
        ("evaluator: {api: openai, base_url: 'http://127.0.0.1:9/v1'}\n", {}, [True]),
        ("evaluator: {key_env: OTHER_KEY}\n", {KEY: "k"}, [False]),
        ("pack: balanced\n", {}, []),
    ],
)
def test_without_a_daemon_the_doctor_looks_at_its_own_environment(
    tmp_path: Path, text: str, variables: dict[str, str], found: list[bool]
) -> None:
    """A hook that judges by itself would have the same; a model that needs no key is fine."""
    file = tmp_path / ".config" / "signoff" / "signoff.yaml"
    file.parent.mkdir(parents=True)
    file.write_text(f"server: {{port: {free_port()}}}\n{text}", encoding="utf-8")
    checks = check_daemon(settings_of(tmp_path, **variables))

    assert found == [check.is_good for check in checks if check.about == "evaluator"]
