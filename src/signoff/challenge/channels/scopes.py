"""How far an approval may reach, as channels offer it: once, the like of it, exactly this.

What may be approved once only offers nothing more, and says why. What the like of a call is has
to be shown whole before anybody can choose it; where there is no room for it, it is not offered.

    reaches(pending)   ->  (Reach(Scope.SESSION), Reach(Scope.EXACT, 5), ...)
    Reach.of("e15")    ->  Reach(Scope.EXACT, 15)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never

from signoff.challenge.channel import ApprovalScope
from signoff.challenge.pending import PendingRequest
from signoff.challenge.terms.grant import shape_words

MINUTES = (5, 15, 60)
LIKE_LIMIT = 200  # characters of what the like of a call is
SEVERAL = "what several people approve is approved once at a time"


@dataclass(frozen=True, slots=True)
class ScopeChoice:
    """How far one approval reaches."""

    scope: ApprovalScope = ApprovalScope.ONCE
    minutes: int = 0

    @property
    def code(self) -> str:
        """The short form of it, "" for once."""
        match self.scope:
            case ApprovalScope.ONCE:
                return ""
            case ApprovalScope.SESSION:
                return "s"
            case ApprovalScope.EXACT:
                return f"e{self.minutes}"
            case _:
                assert_never(self.scope)

    @property
    def label(self) -> str:
        """What it is called on a button."""
        match self.scope:
            case ApprovalScope.ONCE:
                return "Allow once"
            case ApprovalScope.SESSION:
                return "Allow the like for this session"
            case ApprovalScope.EXACT:
                return f"Exactly this, {self.minutes} min"
            case _:
                assert_never(self.scope)

    @classmethod
    def of(cls, code: str) -> ScopeChoice | None:
        """Return the reach of a short form, None for what is none of those offered."""
        return next((one for one in (ONCE, *WIDER) if one.code == code), None)


ONCE = ScopeChoice()
WIDER = (
    ScopeChoice(ApprovalScope.SESSION),
    *(ScopeChoice(ApprovalScope.EXACT, minutes) for minutes in MINUTES),
)


def reaches(pending: PendingRequest) -> tuple[ScopeChoice, ...]:
    """Return how far more than once an approval may reach."""
    if why_once(pending):
        return ()
    return tuple(one for one in WIDER if one.scope is ApprovalScope.EXACT or session_scope(pending))


def why_once(pending: PendingRequest) -> str:
    """Return why a request may be approved once only, "" if it may be granted."""
    return pending.context.once_only or (SEVERAL if len(pending.steps) > 1 else "")


def session_scope(pending: PendingRequest) -> str:
    """Return in words what an approval for the session covers, "" if it is not offered."""
    context = pending.context
    if not context.shape or not context.session or why_once(pending):
        return ""
    words = shape_words(context.shape)
    return words if len(words) <= LIKE_LIMIT else ""
