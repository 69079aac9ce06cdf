"""How far an approval may reach, as channels offer it: once, the like of it, exactly this.

What may be approved once only offers nothing more, and says why. What the like of a call is has
to be shown whole before anybody can choose it; where there is no room for it, it is not offered.

    reaches(pending)   ->  (Reach(Scope.SESSION), Reach(Scope.EXACT, 5), ...)
    Reach.of("e15")    ->  Reach(Scope.EXACT, 15)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never

from signoff.challenge.channel import Scope
from signoff.challenge.pending import PendingRequest
from signoff.challenge.terms.grant import shape_words

MINUTES = (5, 15, 60)
LIKE_LIMIT = 200  # characters of what the like of a call is
SEVERAL = "what several people approve is approved once at a time"


@dataclass(frozen=True, slots=True)
class Reach:
    """How far one approval reaches."""

    scope: Scope = Scope.ONCE
    minutes: int = 0

    @property
    def code(self) -> str:
        """The short form of it, "" for once."""
        match self.scope:
            case Scope.ONCE:
                return ""
            case Scope.SESSION:
                return "s"
            case Scope.EXACT:
                return f"e{self.minutes}"
            case _:
                assert_never(self.scope)

    @property
    def label(self) -> str:
        """What it is called on a button."""
        match self.scope:
            case Scope.ONCE:
                return "Allow once"
            case Scope.SESSION:
                return "Allow the like for this session"
            case Scope.EXACT:
                return f"Exactly this, {self.minutes} min"
            case _:
                assert_never(self.scope)

    @classmethod
    def of(cls, code: str) -> Reach | None:
        """Return the reach of a short form, None for what is none of those offered."""
        return next((one for one in (ONCE, *WIDER) if one.code == code), None)


ONCE = Reach()
WIDER = (Reach(Scope.SESSION), *(Reach(Scope.EXACT, minutes) for minutes in MINUTES))


def reaches(pending: PendingRequest) -> tuple[Reach, ...]:
    """Return how far more than once an approval may reach."""
    if why_once(pending):
        return ()
    return tuple(one for one in WIDER if one.scope is Scope.EXACT or the_like(pending))


def why_once(pending: PendingRequest) -> str:
    """Return why a request may be approved once only, "" if it may be granted."""
    return pending.context.once_only or (SEVERAL if len(pending.steps) > 1 else "")


def the_like(pending: PendingRequest) -> str:
    """Return in words what an approval for the session covers, "" if it is not offered."""
    context = pending.context
    if not context.shape or not context.session or why_once(pending):
        return ""
    words = shape_words(context.shape)
    return words if len(words) <= LIKE_LIMIT else ""
