"""Every code point there is, through everything that shows a call to somebody: none gets by raw.

The card as text, Telegram's cards and the pages of the inbox have theirs beside them:
`tests/challenge/test_card_text.py`, `tests/channels/telegram/test_telegram_cards.py`,
`tests/frontends/web/test_web_pages.py`.
"""

from __future__ import annotations

import errno
import json
import os
import pty
import sys
import threading
from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from signoff.actions.action import Action
from signoff.challenge.card import make_card
from signoff.challenge.channels.terminal import Conversation
from signoff.challenge.pending import ClockReading, Context, PendingRequest, RequestState
from signoff.challenge.request import Request
from signoff.challenge.terms.approver import Identity
from signoff.challenge.terms.step import ProofKind, ProofStep
from signoff.channels.slack.cards import draw
from signoff.frontends.cli.verdict_text import LINE_LIMIT
from signoff.frontends.cli.verdict_text import shown as shown_by_cli
from signoff.frontends.hosts.wording import REASON_LIMIT, bounded
from signoff.testing import FakeAssessment

CHUNK = 2_048
LAST_WORDS = b"no answer was given here\r\n"
READ_S = 30.0
NOW = datetime(2026, 1, 1, tzinfo=UTC)


def on_slack(text: str) -> str:
    """Return a Slack card."""
    blocks = draw(about(text), mask=str)
    return json.dumps(blocks, ensure_ascii=False)


def on_terminal(text: str) -> str:
    """Return what a conversation writes to a terminal."""
    keyboard, terminal = pty.openpty()
    said: list[bytes] = []
    reader = threading.Thread(target=lambda: said.append(read_conversation(keyboard)))
    reader.start()
    talk = Conversation(terminal=terminal, identity=Identity("terminal", "uid:1"))
    talk.hold(about(text), lambda _: pytest.fail("nobody answered"), timeout_s=0)
    reader.join(READ_S)  # the system may drop what was not read yet when a terminal is closed
    os.close(terminal)
    reader.join()
    os.close(keyboard)
    assert said[0].endswith(LAST_WORDS), said[0][-100:]
    return said[0].decode().replace("\r\n", "\n")


def read_conversation(keyboard: int) -> bytes:
    """Read a terminal to the last words of a conversation, or to its end."""
    said = b""
    while not said.endswith(LAST_WORDS):
        try:
            said += os.read(keyboard, 65_536)
        except OSError as error:
            assert error.errno == errno.EIO, error  # how the end of a terminal is told
            break
    return said


def about(text: str) -> PendingRequest:
    """Return a request about a shell line."""
    action = Action(tool="Bash", arguments={"command": text}, cwd="/p", description=text)
    card = make_card(Request(action=action, assessment=FakeAssessment(action=action)))
    return PendingRequest(
        id="r1",
        nonce="ab" * 16,
        digest="0" * 64,
        action=b"{}",
        card=card,
        level=card.level,
        challenge=card.challenge,
        steps=(ProofStep(kind=ProofKind.CONFIRM, min_review_s=0),),
        context=Context(),
        state=RequestState.PENDING,
        created_at=NOW,
        expires_at=NOW,
        created=ClockReading(wall_s=0.0),
    )


def in_pieces(show: Callable[[str], str], size: int) -> Callable[[str], str]:
    """Return a renderer of short texts that is given a long one piece by piece."""
    return lambda text: "".join(
        show(text[start : start + size]) for start in range(0, len(text), size)
    )


RENDERERS: dict[str, Callable[[str], str]] = {
    "slack": in_pieces(on_slack, 256),
    "terminal": on_terminal,
    "command line": in_pieces(shown_by_cli, LINE_LIMIT),
    "host": in_pieces(bounded, REASON_LIMIT // 10),
}


@pytest.mark.parametrize("name", RENDERERS)
@pytest.mark.parametrize("plane", range(17))
def test_no_character_is_shown_raw(name: str, plane: int) -> None:
    """T-36: control, format, private, unassigned and direction-changing ones are written out."""
    show, raw, count = RENDERERS[name], set(), 0
    for start in range(plane << 16, min((plane + 1) << 16, sys.maxunicode + 1), CHUNK):
        # Lone surrogates are no text: a call with one has no canonical form and gets no card.
        points = [p for p in range(start, start + CHUNK) if not 0xD800 <= p <= 0xDFFF]
        count += len(points)
        said = show("".join(map(chr, points))) if points else ""
        raw |= {char for char in said.replace("\n", "") if not char.isprintable()}

    assert (set(), True) == (raw, count >= 0x10000 - 0x800)
