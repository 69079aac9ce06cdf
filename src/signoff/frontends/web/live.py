"""What pages hear of by themselves: that a request came, moved on or ended.

Only who and what state is told, never a text of the request: pages fetch what they show. While
somebody listens, the store is looked at a few times a second, so requests of other processes are
told as well; those of this process are noticed at once.

    async for piece in live.stream(is_over=lambda: False):
        ...                               b"event: change\\ndata: {...}\\n\\n"
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
from collections.abc import AsyncIterator, Callable, Mapping

from signoff.challenge.pending import PendingRequest, PendingStore, RequestState
from signoff.errors import SignoffError

log = logging.getLogger(__name__)

LOOK_EVERY_S = 0.4
# A stream with nothing to tell notices after this time that its visitor was signed out.
BEAT_S = 15.0
LISTENERS_LIMIT = 64
WAITING_LIMIT = 256  # events a listener may be behind
BEAT = b": still here\n\n"
HELLO = b"retry: 2000\nevent: hello\ndata: {}\n\n"

Look = Callable[[], Mapping[str, int]]


class Live:
    """Notifies open pages of changes; a `PushChannel` whose cards pages fetch themselves.

    Args:
        look: gives the open requests by id with the number of their answers, and reads no card:
            it is called a few times a second.
    """

    name = "web"

    def __init__(self, requests: PendingStore, look: Look) -> None:
        self._requests = requests
        self._look_up = look
        self._listeners: set[asyncio.Queue[bytes | None]] = set()
        self._changed = asyncio.Event()
        self._watch: asyncio.Task[None] | None = None
        self._is_closed = False

    async def announce(self, pending: PendingRequest) -> None:
        """Check for changes at once."""
        self._changed.set()

    async def update(self, pending: PendingRequest) -> None:
        """Check for changes at once."""
        self._changed.set()

    @property
    def has_room(self) -> bool:
        """Whether one more page may listen."""
        return not self._is_closed and len(self._listeners) < LISTENERS_LIMIT

    def tell(self, id: str, state: str) -> None:
        """Notify pages of something other than a request, such as an agent's question."""
        self._tell(id, state, 0)

    def close(self) -> None:
        """End all streams."""
        self._is_closed = True
        for listener in tuple(self._listeners):
            _put(listener, None)
        if self._watch is not None:
            self._watch.cancel()

    async def stream(self, *, is_over: Callable[[], bool]) -> AsyncIterator[bytes]:
        """Yield server-sent events until the visitor is signed out or falls too far behind.

        Args:
            is_over: returns whether the visitor is signed out.
        """
        queue: asyncio.Queue[bytes | None] = asyncio.Queue(WAITING_LIMIT)
        self._listeners.add(queue)
        try:
            if self._is_idle:
                # Before the greeting: what comes after this look is told, what is there by then
                # pages fetch on `hello`. A later look could take in what no page has seen.
                known = await self._look(None)
                if self._is_idle:
                    self._watch = asyncio.get_running_loop().create_task(self._look_on(known))
            yield HELLO
            while not is_over() and not self._is_closed and not queue.full():
                piece: bytes | None = BEAT
                with contextlib.suppress(TimeoutError):
                    piece = await asyncio.wait_for(queue.get(), BEAT_S)
                if piece is None:
                    return
                yield piece
        finally:
            self._listeners.discard(queue)

    @property
    def _is_idle(self) -> bool:
        """Whether nobody looks for changes now."""
        return self._watch is None or self._watch.done()

    async def _look_on(self, known: Mapping[str, int] | None) -> None:
        """Look for changes since those known while somebody listens."""
        while self._listeners:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._changed.wait(), LOOK_EVERY_S)
            self._changed.clear()
            known = await self._look(known)

    async def _look(self, known: Mapping[str, int] | None) -> Mapping[str, int] | None:
        """Tell what has changed since the last look, if any; return how things stand now."""
        try:
            # What has expired by now is told, too.
            await self._requests.sweep()
            found = self._look_up()
            if known is None:
                return found
            for id in known.keys() - found.keys():
                ended = await self._requests.get(id)
                self._tell(id, ended.state.value if ended else "gone", 0)
        except SignoffError as error:
            log.warning("the inbox cannot look at its requests: %s", error)
            # The next look that works tells what changed meanwhile.
            return known
        for id, step in found.items():
            if known.get(id) != step:
                self._tell(id, RequestState.PENDING.value, step)
        return found

    def _tell(self, id: str, state: str, step: int) -> None:
        said = json.dumps({"id": id, "state": state, "step": step})
        for listener in tuple(self._listeners):
            _put(listener, f"event: change\ndata: {said}\n\n".encode())


def _put(listener: asyncio.Queue[bytes | None], piece: bytes | None) -> None:
    """Hand a piece on; a listener that is full ends by itself and comes back."""
    with contextlib.suppress(asyncio.QueueFull):
        listener.put_nowait(piece)
