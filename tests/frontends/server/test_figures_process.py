"""The figures of `status`, `sessions`, `pending`, `doctor` and the inbox agree: a real daemon."""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Iterator
from pathlib import Path

from inbox_caller import ASKS_ON_THE_WEB, Scene, at_inbox, said_by
from live_daemon import LiveDaemon, served, wait_until

ASKED = ("docker system prune -af", "npm publish", "git push --force origin feature/x")
RULES = """
version: 1
rules:
  - name: ask-first
    action: escalate
    match: {command: touch}
    reason: a test wants to be asked
"""


@contextlib.contextmanager
def asked(home: Path, commands: tuple[str, ...] = ASKED) -> Iterator[Scene]:
    """Have hooks of one session of Claude Code wait for people."""
    daemon = LiveDaemon(home=home, port=0)
    (daemon.config / "signoff.yaml").write_text(ASKS_ON_THE_WEB)
    with served(home) as daemon:
        scene = Scene(daemon=daemon, person=at_inbox(daemon), session="s1")
        daemon.request("POST", "/hooks/claude-code", json.dumps(scene.call("ls")).encode())
        hooks = [scene.hook(command, f"toolu_{at}") for at, command in enumerate(commands)]
        try:
            if commands:
                scene.asked(len(commands))
            yield scene
        finally:
            for hook in hooks:
                hook.kill()
                hook.communicate()


def figures(daemon: LiveDaemon) -> dict[str, int | str]:
    """Return what commands and pages say."""
    status, sessions = daemon.signoff("status").stdout, daemon.signoff("sessions").stdout
    pending = daemon.signoff("pending").stdout.splitlines()
    found = re.search(r"pending (\d+)", status)
    session = re.match(r"(\w+) +claude-code s1 .*: (\d+) calls, (\d+) asked", sessions)
    assert found is not None, status
    assert session is not None, sessions
    assert "last Bash" in sessions
    return {
        "status": int(found[1]),
        "pending": sum("left" in line for line in pending),
        "state": session[1],
        "calls": int(session[2]),
        "asked": int(session[3]),
    }


def test_what_waits_is_counted_the_same_everywhere(home: Path) -> None:
    """Three hooks wait: three pending, three asked of four calls, and the session waits."""
    with asked(home) as scene:
        said = figures(scene.daemon)
        shown, sessions = scene.person.get("/web/"), scene.person.get("/web/sessions")

    assert {"status": 3, "pending": 3, "state": "waiting", "calls": 4, "asked": 3} == said
    assert 'data-waiting="3"' in shown
    assert '>waiting</td><td data-label="calls">4, 3 asked' in sessions


def test_what_was_answered_waits_no_longer(home: Path) -> None:
    """The session works on, and what was asked stays counted once."""
    with asked(home, commands=()) as scene:
        hook = scene.hook(ASKED[0])
        scene.person.answer(scene.asked(), "deny")
        told = said_by(hook)["permissionDecision"]
        wait_until(lambda: "working" in scene.daemon.signoff("sessions").stdout)
        said = figures(scene.daemon)

    assert "deny" == told
    assert {"status": 0, "pending": 0, "state": "working", "calls": 2, "asked": 1} == said


def test_the_doctor_names_the_rules_the_daemon_judges_by(home: Path) -> None:
    """A file that is gone leaves its rules in force: the doctor counts as the daemon does."""
    daemon = LiveDaemon(home=home, port=0)
    file = daemon.config / "rules.yaml"
    file.write_text(RULES)
    with served(home) as daemon:
        daemon.act("ls")
        before = rules_of(daemon)
        file.unlink()
        wait_until(lambda: bool(daemon.request("GET", "/v1/status").said["problems"]))
        after = rules_of(daemon)

    assert before == after
    assert 8 == before[0]


def rules_of(daemon: LiveDaemon) -> tuple[int, ...]:
    """Return the number of rules, as `status` and as `doctor` say it."""
    texts = daemon.signoff("status").stdout, daemon.signoff("doctor").stdout
    found = [re.search(r"(\d+) rules", text) for text in texts]
    numbers = tuple(int(one[1]) for one in found if one)
    assert 2 == len(numbers), texts
    assert 1 == len(set(numbers)), texts
    return numbers
