"""Actions that were submitted, their answers, and the callers that wait for them.

An action with a request id is taken in once: the same one again gets the same answer, another one
under the same id is refused. Answers are kept for a while, and only so many of them. Where nodes
share requests, answers under request ids are kept in their store, and here only what waits.

    ticket = store.take(key, digest, decide)
    await store.wait(ticket, seconds=30)
    store.keep(number, answer)               an answer that was there at once
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Coroutine
from contextvars import Context

from msgspec import Struct

from signoff.challenge.pending import MOST_WAITING
from signoff.errors import SignoffError
from signoff.ids import new_id

ANSWERS_LIMIT = 4_096  # the oldest are forgotten first; a new id of theirs is judged anew
KEPT_S = 600.0  # a caller that lost its answer asks again within this, and gets the same one

Key = tuple[str, str, str]  # agent, session, request id


class OtherAction(SignoffError):
    """The request id was used for another action before."""


class IdempotencyStoreFull(SignoffError):
    """Too many actions wait for an answer."""


class ActionTicket(Struct):
    """One accepted action, and its answer once there is one."""

    id: str
    key: Key | None
    digest: str
    taken: float
    work: asyncio.Task[bytes] | bytes

    @property
    def answer(self) -> bytes | None:
        """The answer, None until there is one."""
        work = self.work
        if isinstance(work, bytes):
            return work
        return work.result() if work.done() else None

    @property
    def is_done(self) -> bool:
        """Whether it is answered or failed."""
        return isinstance(self.work, bytes) or self.work.done()


class IdempotencyStore:
    """Accepts actions, and stores their answers by request id.

    Args:
        limit: number of answers kept.
        most_waiting: number of actions that may wait.
    """

    def __init__(
        self,
        *,
        limit: int = ANSWERS_LIMIT,
        most_waiting: int = MOST_WAITING,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._limit, self._most_waiting = limit, most_waiting
        self._clock = clock
        self._tickets: dict[str, ActionTicket] = {}
        self._answered: OrderedDict[str, ActionTicket] = OrderedDict()  # in the order of that
        self._by_key: dict[Key, ActionTicket] = {}

    @property
    def pending(self) -> int:
        """Number of actions without an answer."""
        return len(self._tickets) - len(self._answered)

    def take(
        self,
        key: Key | None,
        digest: str,
        decide: Callable[[str], Coroutine[None, None, bytes]],
        *,
        is_kept: bool = True,
    ) -> ActionTicket:
        """Accept an action, or return the ticket its request id has already.

        Args:
            key: None if the caller gave no request id.
            digest: of the action.
            decide: makes the answer for a ticket id; its exceptions are raised by `wait`.
            is_kept: the same id gets the same answer from this store; False = `decide` does that.

        Raises:
            OtherAction: the key was used with another digest.
            IdempotencyStoreFull: too many actions wait.
        """
        now = self._clock()
        self._forget(now)
        known = self._by_key.get(key) if key is not None else None
        if known is not None:
            if known.digest != digest:
                raise OtherAction("this request id was used for another action")
            return known
        if self.pending >= self._most_waiting:
            raise IdempotencyStoreFull(f"{self._most_waiting} actions wait for an answer")
        number = new_id()
        # A context of its own: a copy would keep the caller's connection, which may be closed.
        task = asyncio.get_running_loop().create_task(decide(number), context=Context())
        ticket = ActionTicket(number, key, digest, now, task)
        self._tickets[number] = ticket
        if key is not None:
            self._by_key[key] = ticket
        task.add_done_callback(lambda done: self._done(ticket, done, is_kept=is_kept))
        return ticket

    def _done(self, ticket: ActionTicket, done: asyncio.Task[bytes], *, is_kept: bool) -> None:
        """Note that an action has its answer, which is kept for a while from now on."""
        ticket.taken = self._clock()
        self._answered[ticket.id] = ticket
        # A failure is no answer: the same id is decided anew.
        has_failed = done.cancelled() or done.exception() is not None
        if ticket.key is not None and (has_failed or not is_kept):
            self._by_key.pop(ticket.key, None)

    def keep(self, number: str, answer: bytes) -> None:
        """Store an answer that was given at once, if there is room."""
        now = self._clock()
        self._forget(now)
        ticket = ActionTicket(number, None, "", now, answer)
        self._tickets[number] = self._answered[number] = ticket

    def find(self, number: str) -> ActionTicket | None:
        """Return the ticket with this id, None if it is unknown (or expired)."""
        self._forget(self._clock())
        return self._tickets.get(number)

    async def wait(self, ticket: ActionTicket, *, seconds: float) -> bytes | None:
        """Wait for an answer; None if there is none within `seconds`."""
        work = ticket.work
        if not isinstance(work, bytes) and not work.done():
            loop = asyncio.get_running_loop()
            waiter = loop.create_future()
            timer = loop.call_later(seconds, _wake, waiter)

            def wake(_: object) -> None:
                _wake(waiter)

            work.add_done_callback(wake)
            try:
                await waiter
            finally:
                timer.cancel()
                # Callers that ask again and again would leave one behind each time.
                work.remove_done_callback(wake)
        return ticket.answer

    def _forget(self, now: float) -> None:
        """Forget answers that are old or too many; what waits is never forgotten."""
        while self._answered:
            oldest = next(iter(self._answered.values()))
            if len(self._answered) < self._limit and now - oldest.taken <= KEPT_S:
                return
            del self._answered[oldest.id], self._tickets[oldest.id]
            if oldest.key is not None and self._by_key.get(oldest.key) is oldest:
                del self._by_key[oldest.key]


class HeldAnswers:
    """Answers by question key, for callers that wait on their connection.

    A question that is sent again waits for the first one's answer.
    """

    def __init__(
        self, *, limit: int = ANSWERS_LIMIT, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._limit, self._clock = limit, clock
        self._kept: OrderedDict[str, tuple[float, str, bytes]] = OrderedDict()
        self._turns: dict[str, tuple[asyncio.Lock, int]] = {}

    @contextlib.asynccontextmanager
    async def turn(self, key: str) -> AsyncIterator[None]:
        """Hold a lock for the block, so that questions with one key come one at a time.

        Without a key there is no lock.
        """
        if not key:
            yield
            return
        lock, users = self._turns.get(key, (asyncio.Lock(), 0))
        self._turns[key] = lock, users + 1
        try:
            async with lock:
                yield
        finally:
            # Read again: others may have joined or left since.
            lock, users = self._turns[key]
            self._turns[key] = lock, users - 1
            if users == 1:
                del self._turns[key]

    def earlier(self, key: str, digest: str) -> bytes | None:
        """Return the answer this question got before, None if it got none.

        Raises:
            OtherAction: the key was used for another call.
        """
        found = self._kept.get(key) if key else None
        if found is None or self._clock() - found[0] > KEPT_S:
            return None
        if found[1] != digest:
            raise OtherAction("this key was used for another call")
        return found[2]

    def keep(self, key: str, digest: str, answer: bytes) -> None:
        """Store an answer for some time."""
        if key:
            self._kept[key] = self._clock(), digest, answer
            while len(self._kept) > self._limit:
                self._kept.popitem(last=False)


def _wake(waiter: asyncio.Future[None]) -> None:
    """Wake the callers that wait, once."""
    # Answer and timer may come in the same round of the loop.
    if not waiter.done():
        waiter.set_result(None)
