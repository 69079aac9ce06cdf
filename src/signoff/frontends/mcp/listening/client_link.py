"""The client's side of the relay over HTTP: messages in by POST, out on streams of events.

Every request gets an id and a progress token of ours on its way in, and its own ones back on its
way out, so that clients that share a relay do not meet. What the server says of its own accord goes
to the stream that the client opened for it, else to that of its newest request.

    stream = link.asked(message)      what `stream.next()` gives goes out, None ends it
"""

from __future__ import annotations

import asyncio
from typing import Final

from signoff.actions.action import Json
from signoff.frontends.mcp.relay import answers
from signoff.frontends.mcp.relay.client_facts import meta_of, progress_token
from signoff.frontends.mcp.relay.framing import (
    McpMessage,
    MessageKind,
    encoded,
    read_messages,
)
from signoff.frontends.mcp.relay.links import note

PROGRESS: Final = "notifications/progress"
CANCELLED: Final = "notifications/cancelled"
QUEUED_MOST = 1_000  # messages of one stream that nobody reads


class OutStream:
    """The messages to a client on one HTTP response; `number` is our id of the request."""

    def __init__(self, number: int, asked: McpMessage | None = None) -> None:
        self.number, self.asked = number, asked
        self._queue: asyncio.Queue[bytes | None] = asyncio.Queue()

    def put(self, raw: bytes | None) -> None:
        """Queue a message; None ends the stream."""
        if raw is not None and self._queue.qsize() >= QUEUED_MOST:
            note("a message to the client was dropped: nobody reads its stream")
            return
        self._queue.put_nowait(raw)

    async def next(self) -> bytes | None:
        """Return the next message, None at the end."""
        return await self._queue.get()


class HttpClientLink:
    """The HTTP client's side of one relay."""

    def __init__(self, *, limit: int) -> None:
        self._limit = limit
        self._lines: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._open: dict[int, OutStream] = {}
        self._listening: OutStream | None = None
        self._number = 0

    @property
    def is_idle(self) -> bool:
        """Whether no request is open."""
        return not self._open

    def asked(self, message: McpMessage) -> OutStream:
        """Pass on a client's request; return the stream of its answer."""
        self._number += 1
        stream = OutStream(self._number, message)
        self._open[stream.number] = stream
        fields: dict[str, Json] = {**message.fields, "id": stream.number}
        if progress_token(message) is not None:
            meta = {**meta_of(message), "progressToken": stream.number}
            fields["params"] = {**message.params, "_meta": meta}
        self._lines.put_nowait(encoded(fields))
        return stream

    def told(self, message: McpMessage) -> None:
        """Pass on a client's notification or response."""
        if message.method != CANCELLED:
            self._lines.put_nowait(message.raw)
            return
        wanted = message.params.get("requestId")
        for stream in self._open.values():
            if stream.asked is not None and stream.asked.id == wanted:
                self.cancel(stream)

    def cancel(self, stream: OutStream) -> None:
        """Cancel a request whose client has disconnected."""
        if self._open.pop(stream.number, None) is not None:
            said: dict[str, Json] = {"requestId": stream.number}
            self._lines.put_nowait(answers.notification(CANCELLED, said))

    def listens(self) -> OutStream:
        """Return the stream of the server's own messages; ends the previous one."""
        if self._listening is not None:
            self._listening.put(None)
        self._listening = OutStream(0)
        return self._listening

    async def receive(self) -> bytes | None:
        """Return the client's next message, None at the end."""
        return await self._lines.get()

    async def send(self, raw: bytes) -> None:
        """Send a message to the client."""
        (message,) = read_messages(raw, limit=self._limit, is_server=True)
        if message.kind is MessageKind.RESPONSE:
            stream = self._open.pop(message.id, None) if isinstance(message.id, int) else None
            if stream is not None and stream.asked is not None:
                stream.put(encoded({**message.fields, "id": stream.asked.id}))
                stream.put(None)
            return
        token = message.params.get("progressToken")
        if message.method == PROGRESS and isinstance(token, int):
            self._progress(message, token)
            return
        newest = next(reversed(self._open.values()), None)
        is_request = message.kind is MessageKind.REQUEST
        # A question belongs to the request in hand; anything else has a stream of its own if one
        # is open.
        stream = newest or self._listening if is_request else self._listening or newest
        if stream is not None:
            stream.put(message.raw)
        elif message.id is not None:
            # Without an answer the server would wait for one without end.
            said = "the client has no open stream"
            self._lines.put_nowait(answers.error(message.id, answers.CLOSED, said))

    async def close(self) -> None:
        """End all streams."""
        self._lines.put_nowait(None)
        for stream in (*self._open.values(), *([self._listening] if self._listening else ())):
            stream.put(None)
        self._open.clear()

    def end(self) -> None:
        """Signal the relay that the client has left."""
        self._lines.put_nowait(None)

    def _progress(self, message: McpMessage, number: int) -> None:
        stream = self._open.get(number)
        if stream is not None and stream.asked is not None:
            token = progress_token(stream.asked)
            params = {**message.params, "progressToken": token}
            stream.put(encoded({**message.fields, "params": params}))


def as_event(raw: bytes) -> bytes:
    """Return a message as a server-sent event; the message has no line breaks."""
    return b"event: message\ndata: " + raw + b"\n\n"
