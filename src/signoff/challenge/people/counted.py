"""People who are asked, with each call they are asked about counted as soon as they are.

Counted(people, sessions.asking)
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import TypeAlias

from signoff.actions.action import Action
from signoff.challenge.answer import Answer
from signoff.challenge.request import Channel, Request

Count: TypeAlias = Callable[[Action], AbstractContextManager[None]]


def uncounted(_: Action) -> AbstractContextManager[None]:
    """Count nothing."""
    return nullcontext()


class Counted:
    """A channel of the ladder around another."""

    def __init__(self, people: Channel, count: Count) -> None:
        self._people, self._count = people, count
        self.name = people.name

    async def ask(self, request: Request) -> Answer | None:
        """Return what people answered."""
        with self._count(request.action):
            return await self._people.ask(request)
