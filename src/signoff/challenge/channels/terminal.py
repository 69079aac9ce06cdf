"""The controlling terminal: shows the card and takes `yes` or `no`, typed out.

Asks only where somebody can be there: on a real terminal, in the foreground. There is no default;
what was typed before the card stood is thrown away, and an answer that comes faster than the card
can be read does not count. Nobody there, or nothing said in time, is no answer.
"""

from __future__ import annotations

import asyncio
import os
import select
import termios
import time
from dataclasses import dataclass

from signoff.assess.verdict import Verdict
from signoff.challenge.answer import Answer
from signoff.challenge.card_text import draw_card
from signoff.challenge.request import Request

ANSWERS = {"yes": Verdict.ALLOW, "no": Verdict.DENY}
TRIES = 10
LINE_LIMIT = 1_024


@dataclass(frozen=True, slots=True, kw_only=True)
class TerminalChannel:
    """Asks on a terminal.

    Args:
        min_review_s: answers before that are thrown away.
        timeout_s: how long an answer is waited for.
    """

    path: str = "/dev/tty"
    min_review_s: float = 3.0
    timeout_s: float = 300.0
    name: str = "terminal"

    async def ask(self, request: Request) -> Answer | None:
        """Show the card and wait for the answer without holding up anything else."""
        return await asyncio.to_thread(self.ask_now, request)

    def ask_now(self, request: Request) -> Answer | None:
        """Show the card and wait for the answer."""
        card = draw_card(request)
        try:
            terminal = os.open(self.path, os.O_RDWR | os.O_NOCTTY | os.O_CLOEXEC)
        except OSError:
            return None
        try:
            return self._talk(terminal, card) if _is_attended(terminal) else None
        except (OSError, termios.error):
            return None
        finally:
            os.close(terminal)

    def _talk(self, terminal: int, card: str) -> Answer | None:
        """Show the card, then read lines until one counts."""
        _write(terminal, f"\nsignoff asks:\n{card}\n")
        shown = time.monotonic()
        termios.tcflush(terminal, termios.TCIFLUSH)
        for _ in range(TRIES):
            _write(terminal, "let it happen? type yes or no: ")
            line = _read_line(terminal, deadline=shown + self.timeout_s)
            took_s = time.monotonic() - shown
            if line is None:
                _write(terminal, "\nno answer: refused\n")
                return None
            verdict = ANSWERS.get(line.strip())
            if verdict is None:
                _write(terminal, "that is neither yes nor no\n")
            elif took_s < self.min_review_s:
                _write(terminal, f"too fast: read it for {self.min_review_s:g} seconds first\n")
            else:
                return self._answer(verdict, took_s)
        return None

    def _answer(self, verdict: Verdict, took_s: float) -> Answer:
        """Return what was answered."""
        return Answer(
            verdict=verdict,
            decided_by=self.name,
            who=f"uid {os.getuid()}",
            channel=self.name,
            took_s=took_s,
        )


def confirm(text: str, *, word: str, path: str = "/dev/tty", timeout_s: float = 120.0) -> bool:
    """Show a text on the terminal and tell whether somebody there typed the word in answer."""
    try:
        terminal = os.open(path, os.O_RDWR | os.O_NOCTTY | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        if not _is_attended(terminal):
            return False
        _write(terminal, f"\n{text}\n> ")
        termios.tcflush(terminal, termios.TCIFLUSH)
        line = _read_line(terminal, deadline=time.monotonic() + timeout_s)
        return line is not None and line.strip() == word
    except (OSError, termios.error):
        return False
    finally:
        os.close(terminal)


def _is_attended(terminal: int) -> bool:
    """Tell whether it is a terminal, and we are in front; in the background we would be stopped."""
    return os.isatty(terminal) and os.tcgetpgrp(terminal) == os.getpgrp()


def _write(terminal: int, text: str) -> None:
    """Write all of the text."""
    left = text.encode("utf-8")
    while left:
        left = left[os.write(terminal, left) :]


def _read_line(terminal: int, *, deadline: float) -> str | None:
    """Return one line without its end, None at the deadline or the end of input."""
    line = b""
    while not line.endswith(b"\n"):
        left_s = deadline - time.monotonic()
        if left_s <= 0 or not select.select([terminal], [], [], left_s)[0]:
            return None
        piece = os.read(terminal, LINE_LIMIT)
        if not piece or len(line) > LINE_LIMIT:
            return None
        line += piece
    return line.decode("utf-8", "replace").rstrip("\r\n")
