"""How far an approval may reach, as channels offer it: once, for this session, exactly this.

A call that may be approved once only offers nothing more, and says why. The words of what "for
this session" covers are shown before anybody can choose it; where they are too long, it is not
offered. It is the second button of every card.

    reaches(pending)   ->  (Reach(Scope.SESSION), Reach(Scope.EXACT, 5), ...)
    Reach.of("e15")    ->  Reach(Scope.EXACT, 15)
"""

from __future__ import annotations

from typing import assert_never

from msgspec import Struct

from signoff.challenge.channel import ApprovalScope
from signoff.challenge.pending import PendingRequest
from signoff.challenge.terms.session_scope import shape_words

MINUTES = (5, 15, 60)
SCOPE_LIMIT = 200  # characters of what a session's approval covers


class ScopeChoice(Struct, frozen=True):
    """What an approval covers: this call once, for some minutes, or calls like it."""

    scope: ApprovalScope = ApprovalScope.ONCE
    minutes: int = 0

    @property
    def code(self) -> str:
        """Short form used in messages and forms; "" for "once"."""
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
        """Its text on a button."""
        match self.scope:
            case ApprovalScope.ONCE:
                return "Allow once"
            case ApprovalScope.SESSION:
                return "For this session"
            case ApprovalScope.EXACT:
                return f"Exactly this, {self.minutes} min"
            case _:
                assert_never(self.scope)

    @classmethod
    def of(cls, code: str) -> ScopeChoice | None:
        """Return the choice with this short form, None if it is not one that is offered."""
        # Codes come back from messengers: anything but what is offered, `e9999` say, is no choice
        # (T-45).
        return next((one for one in (ONCE, *WIDER) if one.code == code), None)


ONCE = ScopeChoice()
SESSION = ScopeChoice(ApprovalScope.SESSION)
WIDER = (
    SESSION,
    *(ScopeChoice(ApprovalScope.EXACT, minutes) for minutes in MINUTES),
)


def reaches(pending: PendingRequest) -> tuple[ScopeChoice, ...]:
    """Return the choices wider than "once" that may be offered for this request."""
    if why_once(pending):
        return ()
    return tuple(one for one in WIDER if one.scope is ApprovalScope.EXACT or session_scope(pending))


def why_once(pending: PendingRequest) -> str:
    """Return why only a one-time approval is offered, "" if wider ones are too."""
    return pending.once_only


def session_scope(pending: PendingRequest) -> str:
    """Return in words which calls an approval for the session covers, "" if not offered."""
    context = pending.context
    if not context.shape or not context.session or why_once(pending):
        return ""
    words = shape_words(context.shape)
    # Nobody would read more on a button's line, and nobody approves what they did not read.
    return words if len(words) <= SCOPE_LIMIT else ""


def session_line(pending: PendingRequest) -> str:
    """Return the card's line on what "for this session" covers, "" if not offered."""
    covers = session_scope(pending)
    return f"for this session covers: {covers}" if covers else ""
