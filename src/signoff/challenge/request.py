"""What a channel is given to ask about, and the one method a channel has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from signoff.actions.action import Action
from signoff.assess.assessed import Assessed
from signoff.challenge.answer import Answer


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One question put to whoever must answer it."""

    action: Action
    assessment: Assessed


class Channel(Protocol):
    """A way to somebody who can answer: a person, a model, the host's own prompt."""

    @property
    def name(self) -> str:
        """The name answers of this channel are recorded under."""

    async def ask(self, request: Request) -> Answer | None:
        """Return the answer, None if nobody there could or would give one."""
