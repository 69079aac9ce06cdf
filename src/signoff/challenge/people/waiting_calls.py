"""Which calls wait for people in this process: bounded for each session and in all, and counted.

waiting = WaitingCalls(WaitingLimits(overall=10_000, per_session=100))
with waiting.entered("claude-code", "s1", is_held=True):    TooManyWaiting where it is full
    ...
Counted(people, sessions.asking)    counts each call as soon as people are asked about it
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from typing import TypeAlias

from signoff.actions.action import Action
from signoff.challenge.answer import Answer
from signoff.challenge.pending import TooManyWaiting, WaitingLimits
from signoff.challenge.request import Channel, Request

Count: TypeAlias = Callable[[Action], AbstractContextManager[None]]


class Ending(AbstractContextManager[None]):
    """A context manager that runs one function on exit.

    It is smaller than one made from a generator, which holds five objects, half a kilobyte.
    """

    __slots__ = ("_end",)

    def __init__(self, end: Callable[[], None]) -> None:
        self._end = end

    def __exit__(self, *_: object) -> None:
        """Do it, whatever the block ended with."""
        self._end()


class WaitingCalls:
    """Counts the calls that wait for people.

    Args:
        limits: how many may wait.
        most_held: how many of them may hold a connection, so that others can connect.
    """

    def __init__(self, limits: WaitingLimits, *, most_held: int | None = None) -> None:
        self._limits = limits
        self.most_held = limits.overall if most_held is None else most_held
        self._lock = threading.Lock()
        self._by_session: Counter[tuple[str, str]] = Counter()
        self._held = 0

    def entered(self, host: str, session: str, *, is_held: bool) -> AbstractContextManager[None]:
        """Count one waiting call until the returned context ends.

        Args:
            is_held: the call holds a connection while it waits.

        Raises:
            TooManyWaiting: there is no room for it.
        """
        asker = host, session
        with self._lock:
            self._limits.refuse(
                of_session=self._by_session[asker], overall=self._by_session.total()
            )
            # Hooks that only wait must not keep out the terminal in which somebody would answer
            # them.
            if is_held and self._held >= self.most_held:
                raise TooManyWaiting(
                    f"{self._held} hooks wait for people already, and the daemon may open no more"
                    " connections (`ulimit -n`), so nobody is asked: call it again later"
                )
            self._by_session[asker] += 1
            self._held += is_held
        return Ending(partial(self._left, asker, is_held))

    def _left(self, asker: tuple[str, str], is_held: bool) -> None:  # noqa: FBT001 - of a partial
        with self._lock:
            self._held -= is_held
            self._by_session[asker] -= 1
            # Sessions come and go for as long as the daemon runs: an empty count would stay
            # for ever.
            if not self._by_session[asker]:
                del self._by_session[asker]


def uncounted(_: Action) -> AbstractContextManager[None]:
    """Return a context that counts nothing: the default where calls are not limited."""
    return nullcontext()


class Counted:
    """Wraps a channel so that its waiting calls are counted."""

    def __init__(self, people: Channel, count: Count) -> None:
        self._people, self._count = people, count
        self.name = people.name

    async def ask(self, request: Request) -> Answer | None:
        """Ask the wrapped channel and return its answer."""
        with self._count(request.action):
            return await self._people.ask(request)
