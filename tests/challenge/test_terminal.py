"""The terminal channel, on a real terminal of its own."""

from __future__ import annotations

import asyncio
import os
import pty
import select
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from signoff.challenge.channel import NobodyThere
from signoff.challenge.channels.terminal import TerminalChannel
from signoff.errors import StoreError
from signoff.testing import InMemoryApprovals, make_request

PROMPT = b"type yes or no: "

# Takes a terminal as its own, asks on it, and says on stdout what came of it.
ASKER = """
import asyncio, fcntl, os, signal, sys, termios
fcntl.ioctl(os.open(sys.argv[1], os.O_RDWR), termios.TIOCSCTTY, 0)
from signoff.values import replace
from signoff.assess.level import Challenge, Level
from signoff.challenge.channels.terminal import TerminalChannel
from signoff.challenge.pending import ClockReading
from signoff.challenge.people.announcing import Announcer
from signoff.challenge.terms.approver import Approver
from signoff.challenge.terms.plan import ApprovalPlan, ChannelTerms
from signoff.challenge.terms.step import ProofKind
from signoff.storage.approvals.arrows import moment_now
from signoff.testing import InMemoryApprovals, make_action, make_request, make_response
passed_s = 0.0  # by this clock, beyond what passes anyway

def moment():
    now = moment_now()
    wall_s, running_s = (shown + passed_s for shown in (now.wall_s, now.running_s))
    return ClockReading(wall_s=wall_s, running_s=running_s, boot_id=now.boot_id)

def let_pass(*_):
    global passed_s
    passed_s += 60

signal.signal(signal.SIGUSR1, let_pass)
challenge, least_s, answer_s, elsewhere_s = Challenge(sys.argv[2]), *map(float, sys.argv[3:6])
plan = ApprovalPlan(
    channels=(ChannelTerms(name="terminal"),),
    answer_s=answer_s,
    review_s={},
    proof_review_s={kind: least_s for kind in ProofKind},
)
me = Approver(id=f"uid:{os.getuid()}")
approvals = InMemoryApprovals(plan=plan, people=(me, Approver(id="ada")), clock=moment)
channel = TerminalChannel(approval_service=approvals.approval_service, timeout_s=answer_s)
announcer = Announcer(store=approvals.store, plan=plan, channels=(channel,))
people = replace(approvals.asking(), announcer=announcer)
action = make_action(user_id="usr_\\u202e123")
request = make_request(level=Level.LOW, challenge=challenge, action=action)

async def elsewhere():
    await asyncio.sleep(elsewhere_s)
    for pending in await approvals.store.listed():
        await approvals.approval_service.answer(make_response(pending, "ada", channel="web"))

async def ask():
    other = asyncio.create_task(elsewhere())
    answer = await people.ask(request)
    other.cancel()
    return answer

answer = asyncio.run(ask())
print("none" if answer is None else f"{answer.verdict} {answer.decided_by}: {answer.words}")
"""


def converse(
    lines: Sequence[tuple[bytes, bytes]],
    *,
    challenge: str = "confirm",
    is_slow: bool = False,
    typed_before: bytes = b"",
    seconds: tuple[float, float, float] = (0, 20, 100),
) -> tuple[str, bytes]:
    """Type each line at its prompt; return what came of it and all that was shown.

    Args:
        is_slow: whether a minute passes before each line but the first, by the asker's clock.
        seconds: to read the card, until it expires, until it is answered elsewhere.
    """
    keyboard, terminal = pty.openpty()
    os.write(keyboard, typed_before)
    asker = subprocess.Popen(
        [sys.executable, "-c", ASKER, os.ttyname(terminal), challenge, *map(str, seconds)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        start_new_session=True,
    )
    shown = b""
    for number, (prompt, line) in enumerate(lines):
        shown += read_until(keyboard, prompt)
        if is_slow and number:
            asker.send_signal(signal.SIGUSR1)
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


@pytest.mark.parametrize(
    ("line", "outcome"),
    [
        (b"yes\n", "allow terminal:"),
        (b"no\n", "deny terminal:"),
        (b"no: use a branch\n", "deny terminal: use a branch"),
    ],
)
def test_yes_and_no_are_answers(line: bytes, outcome: str) -> None:
    """Typed out, and recorded as given on the terminal, with the words for the agent."""
    assert converse([(PROMPT, line)])[0] == outcome


@pytest.mark.parametrize("line", [b"\n", b"y\n", b"YES\n", b"yes please\n", b"\xff\n"])
def test_anything_else_is_asked_again(line: bytes) -> None:
    """There is no default, and nothing close to yes is yes."""
    outcome, shown = converse([(PROMPT, line), (PROMPT, b"no\n")])

    assert (outcome, shown.count(b"neither yes nor no")) == ("deny terminal:", 1)


def test_an_answer_too_fast_to_have_read_the_card_does_not_count() -> None:
    """The same word counts once the time is over."""
    outcome, shown = converse(
        [(PROMPT, b"yes\n"), (PROMPT, b"yes\n")], seconds=(60, 600, 600), is_slow=True
    )

    assert (outcome, shown.count(b"too fast")) == ("allow terminal:", 1)


def test_what_was_typed_before_the_card_is_thrown_away() -> None:
    """An answer that was waiting in the line answers nothing."""
    assert converse([(PROMPT, b"no\n")], typed_before=b"yes\n")[0] == "deny terminal:"


@pytest.mark.parametrize("lines", [[], [(PROMPT, b"\x04")]])
def test_without_an_answer_it_expires(lines: list[tuple[bytes, bytes]]) -> None:
    """Nothing typed, or the end of input."""
    assert converse(lines, seconds=(0, 2, 100))[0].startswith("deny timeout:")


def test_what_is_answered_elsewhere_is_asked_no_more() -> None:
    """The terminal is free again at once."""
    started = time.monotonic()
    outcome, shown = converse([], seconds=(0, 60, 1))

    assert outcome == "allow web:"
    assert b"no answer was given here" in shown
    assert time.monotonic() - started < 15


def test_a_quiz_is_held() -> None:
    """By the numbers of the choices; what is no number is asked again."""
    number = b"number, or no to refuse: "
    lines = [(number, b"9\n"), *[(number, b"1\n")] * 2, (PROMPT, b"no\n")]
    outcome, shown = converse(lines, challenge="quiz")

    assert (outcome, shown.count(b"not one of the numbers")) == ("deny terminal:", 1)


def test_an_explanation_is_held() -> None:
    """To its first empty line; a short one is told so."""
    good = b"it removes delete_user for the one called usr_\\u{202E}123 for good\n"
    more = b"from the table of people and that cannot be undone by anybody later on\n"
    lines = [
        (b"> ", b"deletes it\n"),
        (b"> ", b"\n"),
        (PROMPT, b"yes\n"),
        (b"> ", good),
        (b"> ", more),
        (b"> ", b"\n"),
        (PROMPT, b"yes\n"),
    ]
    outcome, shown = converse(lines, challenge="teach-back")

    assert (outcome, shown.count(b"at least 15 words what would happen; that")) == (
        "allow terminal:",
        1,
    )


def test_the_card_is_shown_with_everything_visible() -> None:
    """No character of the call reaches the terminal raw."""
    shown = converse([(PROMPT, b"no\n")])[1].decode()

    assert "usr_\\u{202E}123" in shown
    assert "\u202e" not in shown


@pytest.mark.parametrize("make", ["missing", "file"])
def test_without_a_terminal_nobody_is_there(make: str, tmp_path: Path) -> None:
    """A path that is not there or no terminal is known at once, and nothing is written to it."""
    path = tmp_path / "tty"
    if make == "file":
        path.write_text("")
    approvals = InMemoryApprovals()
    approvals.ask(make_request())
    channel = TerminalChannel(approval_service=approvals.approval_service, path=str(path))

    with pytest.raises(NobodyThere):
        asyncio.run(channel.announce(approvals.channel.announced[0]))
    assert not path.exists() or path.read_text() == ""


def test_a_terminal_is_closed_where_nothing_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """A store that fails must not cost a descriptor for each request."""
    approvals = InMemoryApprovals()
    approvals.ask(make_request())
    channel = TerminalChannel(approval_service=approvals.approval_service)
    opened = os.open(os.devnull, os.O_RDWR)
    monkeypatch.setattr("signoff.challenge.channels.terminal.open_terminal", lambda _: opened)

    async def fail(*_: object) -> None:
        raise StoreError("no disk")

    monkeypatch.setattr(type(approvals.approval_service), "open", fail)
    with pytest.raises(StoreError):
        asyncio.run(channel.announce(approvals.channel.announced[0]))
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(opened)
