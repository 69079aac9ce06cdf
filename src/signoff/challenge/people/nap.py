"""A nap: for a bounded time, small questions are let through unasked.

What a nap lets through is what one tap could approve for the whole session anyway: at most MEDIUM,
understood, of a known shape, with no stronger proof chosen and no rule of the user's that asks.
Reading secrets and sending data away are asked about as well: no end of a nap brings them back.
Everything else is asked about as always. Nothing that is denied is let through, and a nap is kept
in the memory of this process only: no file starts one, and a restart ends it.

    switch.start(by="ada", seconds=1_800)
    switch.current()            Nap(by="ada", ...) until it is over
    switch.end()
"""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import datetime

from msgspec import Struct

from signoff.assess.assessed import Assessed
from signoff.assess.challenges import is_strengthened
from signoff.assess.level import Level
from signoff.assess.verdict import Verdict
from signoff.challenge.answer import BY_NAP, NAP_UP_TO, Answer
from signoff.challenge.ladder import Standing
from signoff.challenge.request import Request
from signoff.challenge.terms.session_scope import shape_of

SHORTEST_S, LONGEST_S = 60.0, 4 * 3_600.0
TERMINAL = "terminal"
LEAKS = ("credential-access.", "exfiltration.", "secret")  # no time limit brings data back


class Nap(Struct, frozen=True, kw_only=True):
    """A period in which calls up to level `NAP_UP_TO` run without asking.

    Args:
        by: the admin who started it.
        ends_s, wall_ends_s: its end on the process's clock and since the epoch; the earlier one
            counts, so that neither a suspended machine nor a clock set back makes it longer.
    """

    by: str
    ends_s: float
    wall_ends_s: float

    def __str__(self) -> str:
        """Say what holds, and until when."""
        until = datetime.fromtimestamp(self.wall_ends_s).astimezone().strftime("%H:%M")
        return (
            f"nap until {until}, started by {self.by}: questions up to {NAP_UP_TO.value} that one"
            " tap could approve are let through unasked; `signoff nap --end` ends it"
        )


class NapSwitch:
    """Starts and ends naps; at most one is in force."""

    def __init__(
        self,
        *,
        clock: Callable[[], float] = time.monotonic,
        wall: Callable[[], float] = time.time,
    ) -> None:
        self._clock, self._wall = clock, wall
        self._nap: Nap | None = None

    def start(self, *, by: str, seconds: float) -> Nap:
        """Start a nap in place of any other.

        Raises:
            ValueError: it is shorter or longer than a nap may be.
        """
        if not SHORTEST_S <= seconds <= LONGEST_S:
            raise ValueError(f"a nap lasts 1 minute to {LONGEST_S / 3_600:g} hours")
        self._nap = Nap(by=by, ends_s=self._clock() + seconds, wall_ends_s=self._wall() + seconds)
        return self._nap

    def end(self) -> bool:
        """End the nap; return whether there was one."""
        was_there, self._nap = self.current() is not None, None
        return was_there

    def current(self) -> Nap | None:
        """Return the nap in force, None if there is none."""
        nap = self._nap
        if nap is None or self._clock() >= nap.ends_s or self._wall() >= nap.wall_ends_s:
            self._nap = None
        return self._nap


class Napping(Struct, frozen=True, kw_only=True):
    """Answers calls during a nap, after grants were asked."""

    switch: NapSwitch
    granted: Standing

    async def answer(self, request: Request) -> Answer | None:
        """Return the answer a grant or the nap gives, None if neither covers this."""
        answer = await self.granted.answer(request)
        if answer is not None:
            return answer
        nap = self.switch.current()
        if nap is None or why_not_napped(request.assessment):
            return None
        return Answer(
            verdict=Verdict.ALLOW, decided_by=BY_NAP, who=nap.by, channel=TERMINAL, words=str(nap)
        )


def why_not_napped(assessed: Assessed) -> str:
    """Return why a call is asked about even during a nap, "" if the nap covers it."""
    if assessed.level > NAP_UP_TO or assessed.level is Level.CRITICAL:
        return f"its level is above {NAP_UP_TO.value}"
    # Whoever wrote that rule wants to be asked; a nap is not newer than that wish.
    if assessed.rule is not None:
        return "a rule asks about it"
    if any(one.category.startswith(LEAKS) for one in assessed.findings):
        return "it reads secrets or sends data away"
    if is_strengthened(assessed.challenge, assessed.level):
        return "a stronger proof was chosen for it"
    return "" if shape_of(assessed) else "it is approved once only"
