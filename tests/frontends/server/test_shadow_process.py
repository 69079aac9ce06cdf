"""`signoff shadow` and a real daemon: an admin loosens, what is recorded says what it would be."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from inbox_caller import asking_on_the_web, hook_client
from live_daemon import LiveDaemon, served, wait_until
from own_terminal import typed_code
from test_python_calls_process import client_of, shell

from signoff.build.gate import build_gate, sealed_enforcement
from signoff.decide.decision import Enforcement
from signoff.settings import load_settings

DENIED, ASKED = "rm -rf ~", "git push --force origin topic"


@pytest.fixture
def daemon(home: Path) -> Iterator[LiveDaemon]:
    """Return a daemon that asks on the web."""
    with asking_on_the_web(home) as running:
        yield running


def shadow_on(daemon: LiveDaemon, *, typed: str = "") -> tuple[int, str]:
    """Set the mode at a terminal; type the code it shows there, or something else."""
    return typed_code(daemon, "shadow", "on", "--days", "7", after="blocked", typed=typed)


def verdicts(daemon: LiveDaemon, *commands: str) -> list[tuple[str, str]]:
    """Return verdict and decider of calls over the API."""
    answers = [daemon.act(command, session_id="s1").said for command in commands]
    return [(one.get("verdict", ""), one.get("decided_by", "")) for one in answers]


def test_shadow_mode_from_start_to_end(daemon: LiveDaemon) -> None:
    """Nothing is blocked, everything is recorded, status and doctor are loud, off is at once."""
    status, said = shadow_on(daemon)
    assert 0 == status, said
    calls = verdicts(daemon, DENIED, ASKED, "git status")
    python = client_of(daemon).check_now(shell(DENIED))
    event = {"hook_event_name": "PreToolUse", "tool_name": "Bash", "session_id": "s1"}
    hook = hook_client(daemon, {**event, "tool_input": {"command": DENIED}, "cwd": "/"})
    told = hook.communicate(timeout=30)[0]
    shown, doctor = daemon.signoff("status"), daemon.signoff("doctor")
    report = daemon.signoff("shadow", "report").stdout

    assert [("allow", "shadow"), ("allow", "shadow"), ("allow", "score")] == calls
    assert (True, "shadow") == (python.allowed, python.decided_by)
    assert {} == json.loads(told), "the host's own prompts must stay"
    assert (1, True) == (shown.returncode, "NOT ENFORCED" in shown.stdout)
    assert "NOT ENFORCED" in doctor.stdout
    assert "would have denied 3 and asked about 1" in report
    assert "destructive.home-files" in report

    assert "enforced" in daemon.signoff("shadow", "off").stdout
    assert "deny" == verdicts(daemon, DENIED)[0][0]
    assert "NOT ENFORCED" not in daemon.signoff("status").stdout
    acts = [(act, how) for act, _, _, how in daemon.acts()]
    assert [("enforcement.set", "shadow for 7 days"), ("enforcement.set", "enforce")] == acts[-2:]


def test_locks_and_signoffs_own_protection_hold(daemon: LiveDaemon) -> None:
    """What could switch the guard off for good is denied in every mode."""
    assert 0 == shadow_on(daemon)[0]
    own = verdicts(
        daemon, f"rm -rf {daemon.state}", "signoff shadow on", "signoff approve abc --yes"
    )
    daemon.signoff("lock")
    wait_until(lambda: verdicts(daemon, "git status")[0][0] == "deny")

    assert ["deny"] * 3 == [verdict for verdict, _ in own]


def test_it_survives_a_restart_and_a_changed_file_ends_it(daemon: LiveDaemon) -> None:
    """The seal holds for programs that decide themselves as well; without it all is enforced."""
    assert 0 == shadow_on(daemon)[0]
    file = daemon.state / "confirmed.json"
    folders = {"SIGNOFF_CONFIG_DIR": str(daemon.config), "SIGNOFF_STATE_DIR": str(daemon.state)}
    settings = load_settings(environment={**daemon.environment, **folders})

    def in_process() -> Enforcement:
        return sealed_enforcement(settings)()

    assert Enforcement.SHADOW is in_process()
    assert build_gate(settings, channels=()).check_now(shell(DENIED)).would_be is not None
    before = daemon.pid
    os.kill(before, signal.SIGTERM)
    wait_until(lambda: not Path(f"/proc/{before}").exists())
    with served(daemon.home) as again:
        assert [("allow", "shadow")] == verdicts(again, DENIED)
    said = json.loads(file.read_text())
    said["standing"]["enforced_from_s"] += 1
    file.write_text(json.dumps(said))

    assert Enforcement.ENFORCE is in_process()
    with served(daemon.home) as again:
        assert "deny" == verdicts(again, DENIED)[0][0]


def test_another_code_or_no_terminal_starts_none(daemon: LiveDaemon) -> None:
    """The socket is reached by every process of the user, agents as well."""
    status, said = shadow_on(daemon, typed="AAAAAA")
    headless = daemon.signoff("shadow", "on")

    assert 2 == status, said
    assert "not the code" in said
    assert 0 != headless.returncode
    assert "deny" == verdicts(daemon, DENIED)[0][0]
    assert 404 == daemon.request("POST", "/v1/enforcement", b'{"mode": "enforce"}').status
