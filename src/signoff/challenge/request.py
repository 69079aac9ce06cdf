"""What a channel is given to ask about, and the one method a channel has."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from typing import Protocol

from msgspec import Struct

from signoff.actions.action import Action
from signoff.assess.assessed import Assessed
from signoff.challenge.answer import Answer


class WaitBudget(Struct, frozen=True, kw_only=True):
    """How long the caller can wait for an answer; no answer in time is a denial.

    Args:
        until: deadline by `time.monotonic()`; None = as long as the request is open.
        gone: awaitable that returns once the caller has disconnected; None if unknown.
    """

    until: float | None = None
    gone: Callable[[], Awaitable[object]] | None = None

    def left_s(self, at_most: float) -> float:
        """Return the seconds left until the deadline, `at_most` if there are more."""
        if self.until is None:
            return at_most
        return max(0.0, min(at_most, self.until - time.monotonic()))


ENDLESS = WaitBudget()


class Request(Struct, frozen=True, kw_only=True):
    """One question to the model, the approvers or the host: may this action run?

    Args:
        thought: what the model said before people are asked, "" if it was not asked.
        patience: how long to wait for an answer.
    """

    action: Action
    assessment: Assessed
    patience: WaitBudget = ENDLESS
    thought: str = ""


class Channel(Protocol):
    """Somebody or something that can answer a request: a person, a model, the host's prompt."""

    @property
    def name(self) -> str:
        """The channel's name, recorded with its answers."""

    async def ask(self, request: Request) -> Answer | None:
        """Ask and wait; return the answer, None if there is none."""
