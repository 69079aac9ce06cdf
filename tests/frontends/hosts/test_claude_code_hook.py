"""The hook's process says one JSON object or refuses by its exit status (T-01, T-02, T-06)."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from typing import Any

import pytest

from signoff.frontends.strict_json import MAX_BYTES

# The real door before a judge that does what a test asks for.
DOOR = """
import os, sys, time
from signoff.assess.verdict import Verdict
from signoff.decide.decision import Decision
from signoff.frontends.hosts.local_hook import run
from signoff.settings import HostsAllow

def decide(action):
    {body}
    return Decision(action=action, verdict=Verdict.DENY, decided_by="rule", reason="no " +
                    action.tool, level="high", challenge="quiz", digest="")

def connect(adapter):
    {connect}
    return decide, HostsAllow.SCORE

sys.exit(run(["claude-code", *sys.argv[1:]], connect))
"""
EVENT = {
    "hook_event_name": "PreToolUse",
    "tool_name": "Bash",
    "tool_input": {"command": "ls"},
    "cwd": "/w",
    "session_id": "s",
}


def knock(
    event: bytes | dict[str, Any] = EVENT,
    *arguments: str,
    body: str = "pass",
    connect: str = "pass",
) -> subprocess.CompletedProcess[bytes]:
    """Send one event to the door."""
    raw = event if isinstance(event, bytes) else json.dumps(event).encode()
    code = DOOR.format(body=body, connect=connect)
    return subprocess.run(
        [sys.executable, "-I", "-c", code, *arguments],
        input=raw,
        capture_output=True,
        check=False,
        timeout=30,
    )


def test_a_decision_is_one_json_object() -> None:
    """The positive control: a decision comes out in the host's form."""
    done = knock()

    assert done.returncode == 0
    assert json.loads(done.stdout)["hookSpecificOutput"]["permissionDecisionReason"] == (
        "signoff: no Bash"
    )


def test_nothing_else_reaches_stdout() -> None:
    """Prints of libraries, also below Python, end up on stderr."""
    done = knock(body='print("debug"); os.write(1, b"raw"); os.system("echo child")')

    assert json.loads(done.stdout)
    assert {b"debug", b"child"} <= set(done.stderr.replace(b"raw", b"").split())


def test_a_report_of_what_has_happened_is_no_decision() -> None:
    """After the call there is nothing left to decide."""
    assert knock(EVENT | {"hook_event_name": "PostToolUse"}).stdout == b"{}\n"


@pytest.mark.parametrize(
    "event",
    [
        b"",
        b"not json",
        b"{}",
        b'{"tool_name":"Bash"}',
        b'{"function":"f"}',
        b'{"hook_event_name":"HttpRequest","method":"GET"}',
        b'{"hook_event_name":"Stop","tool_name":"Bash","tool_input":{}}',
        b"\xff\xfe",
        b"[" * 100_000,
        b'{"tool_name":"\x1b[2J","tool_input":{}}',
        b'"' + b"x" * (2 * MAX_BYTES) + b'"',
    ],
)
def test_an_unreadable_event_is_refused(event: bytes) -> None:
    """Exit status 2, a short reason, no traceback, nothing on stdout."""
    done = knock(event)

    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.startswith(b"signoff: cannot decide, so it is refused: BadPayload")
    assert done.stderr.count(b"\n") == 1
    assert b"\x1b" not in done.stderr


@pytest.mark.parametrize(
    "failure",
    [
        "raise RuntimeError('boom')",
        "raise SystemExit(0)",
        "raise KeyboardInterrupt",
        "raise MemoryError",
        "return None",
        "import nothing_of_this_name",
    ],
)
def test_a_failing_judge_is_a_refusal(failure: str) -> None:
    """No exception of any kind lets a call through, not even a polite exit."""
    while_judging, while_starting = knock(body=failure), knock(connect=failure)

    assert (while_judging.returncode, while_judging.stdout) == (2, b"")
    assert (while_starting.returncode, while_starting.stdout) == (2, b"")


@pytest.mark.parametrize("stuck", ["time.sleep(60)", "sum(range(10**12))"])
def test_a_stuck_judge_ends_at_the_deadline(stuck: str) -> None:
    """Waiting and computing without end are both cut off, with no answer given."""
    started = time.monotonic()
    done = knock(EVENT, "--deadline", "0.5", body=stuck)

    assert done.returncode != 0
    assert done.stdout == b""
    assert time.monotonic() - started < 10


@pytest.mark.parametrize("arguments", [["--deadline"], ["--allow"], ["--deadline", "soon"]])
def test_an_unknown_argument_is_a_refusal(arguments: list[str]) -> None:
    """A mistyped installation blocks and says so."""
    assert knock(EVENT, *arguments).returncode == 2
