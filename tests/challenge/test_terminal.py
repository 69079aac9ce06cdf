"""The terminal channel, on a real terminal of its own."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from signoff.challenge.channels.terminal import TerminalChannel
from signoff.challenge.request import Request
from signoff.testing import FakeAssessment, make_action

PROMPT = b"type yes or no: "

# Takes a terminal as its own, asks on it, and says on stdout what came of it.
ASKER = """
import asyncio, fcntl, os, sys, termios
fcntl.ioctl(os.open(sys.argv[3], os.O_RDWR), termios.TIOCSCTTY, 0)
from signoff.challenge.channels.terminal import TerminalChannel
from signoff.challenge.request import Request
from signoff.testing import FakeAssessment, make_action
action = make_action(user_id="usr_\\u202e123")
request = Request(action=action, assessment=FakeAssessment(action=action))
channel = TerminalChannel(min_review_s=float(sys.argv[1]), timeout_s=float(sys.argv[2]))
answer = asyncio.run(channel.ask(request))
print("none" if answer is None else f"{answer.verdict} {answer.decided_by}")
"""


def converse(
    lines: Sequence[bytes],
    *,
    wait_s: float = 0.0,
    typed_before: bytes = b"",
    min_review_s: float = 0,
    timeout_s: float = 20,
) -> tuple[str, bytes]:
    """Type each line at a prompt; return what came of it and all that was shown."""
    keyboard, terminal = pty.openpty()
    os.write(keyboard, typed_before)
    asker = subprocess.Popen(
        [sys.executable, "-c", ASKER, str(min_review_s), str(timeout_s), os.ttyname(terminal)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        start_new_session=True,
    )
    shown = b""
    for line in lines:
        shown += read_until(keyboard, PROMPT)
        time.sleep(wait_s)
        os.write(keyboard, line)
    out = asker.communicate(timeout=30)[0].decode().strip()
    shown += read_until(keyboard, b"")
    os.close(terminal)
    os.close(keyboard)
    return out, shown


def read_until(keyboard: int, end: bytes) -> bytes:
    """Read what was shown up to the end that is waited for; for b"" what is there now."""
    shown = b""
    while not (end and shown.endswith(end)):
        if not select.select([keyboard], [], [], 20 if end else 0.2)[0]:
            return shown
        shown += os.read(keyboard, 100_000)
    return shown


@pytest.mark.parametrize(("line", "outcome"), [(b"yes\n", "allow"), (b"no\n", "deny")])
def test_yes_and_no_are_answers(line: bytes, outcome: str) -> None:
    """Typed out, and recorded as given on the terminal."""
    assert converse([line])[0] == f"{outcome} terminal"


@pytest.mark.parametrize("line", [b"\n", b"y\n", b"YES\n", b"yes please\n", b"\xff\n"])
def test_anything_else_is_asked_again(line: bytes) -> None:
    """There is no default, and nothing close to yes is yes."""
    outcome, shown = converse([line, b"no\n"])

    assert (outcome, shown.count(b"neither yes nor no")) == ("deny terminal", 1)


def test_an_answer_too_fast_to_have_read_the_card_does_not_count() -> None:
    """The same word counts once the time is over."""
    outcome, shown = converse([b"yes\n", b"yes\n"], min_review_s=0.6, wait_s=0.35)

    assert (outcome, shown.count(b"too fast")) == ("allow terminal", 1)


def test_what_was_typed_before_the_card_is_thrown_away() -> None:
    """An answer that was waiting in the line answers nothing."""
    assert converse([b"no\n"], typed_before=b"yes\n")[0] == "deny terminal"


def test_no_answer_in_time_is_no_answer() -> None:
    """The channel gives up; the ladder makes a refusal of it."""
    assert converse([], timeout_s=0.3)[0] == "none"


def test_the_end_of_input_is_no_answer() -> None:
    """Control-D at the prompt answers nothing."""
    assert converse([b"\x04"])[0] == "none"


def test_the_card_is_shown_with_everything_visible() -> None:
    """No character of the call reaches the terminal raw."""
    shown = converse([b"no\n"])[1].decode()

    assert "usr_\\u{202E}123" in shown
    assert "\u202e" not in shown


@pytest.mark.parametrize("make", ["missing", "file"])
def test_without_a_terminal_nobody_is_asked(make: str, tmp_path: Path) -> None:
    """A path that is not there or no terminal gives no answer, and nothing is written to it."""
    path = tmp_path / "tty"
    if make == "file":
        path.write_text("")
    action = make_action()
    request = Request(action=action, assessment=FakeAssessment(action=action))

    assert TerminalChannel(path=str(path)).ask_now(request) is None
    assert not path.exists() or path.read_text() == ""
