"""`signoff mcp --listen`: MCP over streamable HTTP on loopback, before one server.

POST /mcp      one message; a request is answered by a stream of events
GET /mcp       a stream for what the server says of its own accord (up to protocol 2025-11-25)
DELETE /mcp    ends a session
GET /.well-known/oauth-...    what a remote server says of its authorization, as it says it

Every session of a client has a relay of its own; clients of 2026-07-28, which know no sessions,
share one for each `Authorization` they send. That header goes to a remote server and nowhere else:
it is in no log, no record and no error. What the server answers to an unauthorized request (status
401 or 403 and `WWW-Authenticate`) reaches the client unchanged.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import secrets
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from urllib.parse import urlsplit

from msgspec import Struct
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

from signoff.challenge.outbound.endpoint import CallFailed, OutboundEndpoint
from signoff.challenge.outbound.http1 import call
from signoff.frontends.mcp.listening.client_link import HttpClientLink, OutStream, as_event
from signoff.frontends.mcp.relay.client_facts import META, meta_of
from signoff.frontends.mcp.relay.framing import (
    BadMessage,
    McpMessage,
    MessageKind,
    read_messages,
)
from signoff.frontends.mcp.relay.http_link import AUTHORIZATION, CHALLENGE, SESSION, HttpLink
from signoff.frontends.mcp.relay.links import MessageLink
from signoff.ids import is_same_secret

PATH = "/mcp"
SHARED = "shared:"  # names of sessions of clients that know none
TOKEN = "signoff-token"  # noqa: S105 - the name of a header
# RFC 9728, RFC 8414 and OpenID Connect Discovery: what clients read before they sign in.
KNOWN_METADATA = ("oauth-protected-resource", "oauth-authorization-server", "openid-configuration")
HERE = frozenset({"127.0.0.1", "localhost", "::1"})
SESSIONS_MOST = 64
IDLE_S = 3_600.0
HEAD_WITHIN_S = 5.0  # in which a server may ask for authorization; then the stream begins
KEEP_ALIVE_S = 15.0
METADATA_WITHIN_S = 10.0

Running = Callable[[MessageLink], Awaitable[tuple[MessageLink, Awaitable[None]]]]


class FrontSettings(Struct, frozen=True, kw_only=True):
    """The settings of an HTTP front.

    Args:
        token: what a client must send.
        remote: the remote server, None for one that is started as a process.
        limit: bytes of one message.
    """

    token: str
    remote: OutboundEndpoint | None
    limit: int


class _Session:
    """One MCP session: its relay and the relay's two links."""

    def __init__(
        self, client: HttpClientLink, server: MessageLink, relaying: asyncio.Task[None]
    ) -> None:
        self.client, self.server, self.relaying = client, server, relaying
        self.used = time.monotonic()

    def authorize(self, value: str) -> None:
        self.used = time.monotonic()
        if isinstance(self.server, HttpLink):
            self.server.authorize(value)

    def challenge_of(self, stream: OutStream) -> tuple[int, str] | None:
        """Return what the server wants of a request, or of the one the relay made for it."""
        if not isinstance(self.server, HttpLink):
            return None
        found = self.server.challenges
        own = next((one for one in found if isinstance(one, str)), stream.number)
        return found.pop(stream.number, None) or found.pop(own, None)

    async def end(self) -> None:
        self.client.end()
        with contextlib.suppress(Exception):
            await self.relaying


class HttpFront:
    """Serves MCP clients over HTTP; `start` begins a relay for a client."""

    def __init__(self, settings: FrontSettings, start: Running) -> None:
        self._settings, self._start = settings, start
        self._sessions: dict[str, _Session] = {}
        self._starting = asyncio.Lock()
        metadata = [
            Route(f"/.well-known/{name}{rest}", self._metadata)
            for name in KNOWN_METADATA
            for rest in ("", "/{path:path}")
        ]
        served = Route(PATH, self._serve, methods=["GET", "POST", "DELETE"])
        self.app = Starlette(routes=[served, *metadata])

    async def close(self) -> None:
        """End all sessions."""
        sessions, self._sessions = list(self._sessions.values()), {}
        await asyncio.gather(*(one.end() for one in sessions))

    async def _serve(self, request: Request) -> Response:
        if refused := self._refused(request):
            return refused
        try:
            match request.method:
                case "POST":
                    return await self._post(request)
                case "GET":
                    return self._listen(request)
                case _:
                    return await self._delete(request)
        except BadMessage as error:
            return PlainTextResponse(f"signoff: {error}", 400)

    def _refused(self, request: Request) -> Response | None:
        """Refuse what does not come from this machine's own client."""
        # DNS rebinding: a page whose name was turned to 127.0.0.1 still sends that name as Host
        # (T-42).
        origin = request.headers.get("origin", "")
        if _host(f"//{request.headers.get('host', '')}") not in HERE:
            return PlainTextResponse("signoff: this address is for this machine only", 403)
        if origin and _host(origin) not in HERE:
            return PlainTextResponse("signoff: pages of other hosts may not call", 403)
        given = request.headers.get(TOKEN, "")
        # With a remote server `Authorization` is meant for that one.
        if not given and self._settings.remote is None:
            given = request.headers.get("authorization", "").removeprefix("Bearer ")
        if not is_same_secret(self._settings.token, given):
            said = (
                f"signoff: the header `{TOKEN}` is missing or wrong; `signoff mcp --listen` says it"
            )
            return PlainTextResponse(said, 403)
        return None

    async def _post(self, request: Request) -> Response:
        """Handle a POST with one message.

        Raises:
            BadMessage: it is not valid.
        """
        message = await self._message(request)
        if isinstance(message, Response):
            return message
        name = _name_of(request, message)
        is_new = message.method == "initialize" and message.kind is MessageKind.REQUEST
        # MCP: 404 tells a client to begin a new session.
        if not is_new and not name.startswith(SHARED) and name not in self._sessions:
            return PlainTextResponse("signoff: no such session; begin a new one", 404)
        session = self._sessions.get(name) or await self._begun(name)
        if session is None:
            return PlainTextResponse("signoff: too many sessions", 503)
        session.authorize(self._authorization(request))
        if message.kind is not MessageKind.REQUEST:
            session.client.told(message)
            return Response(status_code=202)
        return await self._answered(name, session, message, is_new=is_new)

    async def _answered(
        self, name: str, session: _Session, message: McpMessage, *, is_new: bool
    ) -> Response:
        """Answer a request by a stream, or by what its server wants for authorization."""
        stream = session.client.asked(message)
        try:
            async with asyncio.timeout(HEAD_WITHIN_S):
                first = await stream.next()
        except TimeoutError:
            # Empty, not None: nothing has come yet, and the stream begins all the same.
            first = b""
        if (challenge := session.challenge_of(stream)) is not None:
            # The client never learns the name of this session, so nobody else would end it.
            if is_new:
                await self._ended(name)
            return Response(status_code=challenge[0], headers={CHALLENGE: challenge[1]})
        headers = {SESSION: name} if is_new else {}
        return StreamingResponse(
            _events(session, stream, first, is_modern=name.startswith(SHARED)),
            media_type="text/event-stream",
            headers={**headers, "cache-control": "no-store"},
        )

    async def _message(self, request: Request) -> McpMessage | Response:
        # A page may send other types without asking; this one is preflighted by browsers (T-42).
        if not request.headers.get("content-type", "").startswith("application/json"):
            return PlainTextResponse("signoff: expected application/json", 415)
        body = bytearray()
        async for piece in request.stream():
            body += piece
            if len(body) > self._settings.limit:
                return PlainTextResponse("signoff: the message is over the limit", 413)
        # A body may take several lines, the relay's messages take one. No JSON string holds a
        # bare line end (RFC 8259, 7).
        messages = read_messages(bytes(body).replace(b"\n", b" "), limit=self._settings.limit)
        if len(messages) != 1:
            raise BadMessage("expected one message, no batch")
        return messages[0]

    def _listen(self, request: Request) -> Response:
        session = self._sessions.get(request.headers.get(SESSION, ""))
        if session is None:
            return PlainTextResponse("signoff: no stream without a session", 405)
        session.authorize(self._authorization(request))
        stream = session.client.listens()
        events = _events(session, stream, b"", is_modern=False)
        return StreamingResponse(events, media_type="text/event-stream")

    async def _delete(self, request: Request) -> Response:
        name = request.headers.get(SESSION, "")
        if name not in self._sessions:
            return PlainTextResponse("signoff: no such session", 404)
        await self._ended(name)
        return Response(status_code=204)

    def _authorization(self, request: Request) -> str:
        """Return what is sent on to a remote server."""
        return request.headers.get(AUTHORIZATION, "") if self._settings.remote else ""

    async def _begun(self, name: str) -> _Session | None:
        """Begin a session, after those that are over have ended; None if there are too many."""
        # Two first messages at once would start two servers under one name.
        async with self._starting:
            if (found := self._sessions.get(name)) is not None:
                return found
            now = time.monotonic()
            for one, session in list(self._sessions.items()):
                is_old = session.client.is_idle and now - session.used > IDLE_S
                if is_old or session.relaying.done():
                    await self._ended(one)
            if len(self._sessions) >= SESSIONS_MOST:
                return None
            client = HttpClientLink(limit=self._settings.limit)
            server, relaying = await self._start(client)
            made = _Session(client, server, asyncio.ensure_future(_done(relaying)))
            self._sessions[name] = made
            return made

    async def _ended(self, name: str) -> None:
        session = self._sessions.pop(name, None)
        if session is not None:
            await session.end()

    async def _metadata(self, request: Request) -> Response:
        """Return what the remote server says of its authorization, unchanged."""
        remote = self._settings.remote
        if remote is None or _host(f"//{request.headers.get('host', '')}") not in HERE:
            return Response(status_code=404)
        # The path of the resource follows the name: ours stands for that of the server.
        path = request.url.path
        if path.endswith(PATH):
            path = f"{path.removesuffix(PATH)}{remote.path}"
        try:
            async with asyncio.timeout(METADATA_WITHIN_S):
                found = await call(remote.origin, "GET", path, headers={}, body=b"")
        except (CallFailed, TimeoutError):
            return Response(status_code=502)
        kind = found.headers.get("content-type", "application/json")
        return Response(found.body, found.status, headers={"content-type": kind})


async def _events(
    session: _Session, stream: OutStream, first: bytes | None, *, is_modern: bool
) -> AsyncIterator[bytes]:
    """Yield what goes out on a stream; a client of 2026-07-28 that goes away has cancelled."""
    try:
        raw = first or (await _next(stream) if first is not None else None)
        while raw is not None:
            yield as_event(raw) if raw else b": signoff\n\n"
            raw = await _next(stream)
    finally:
        session.used = time.monotonic()
        if is_modern:
            session.client.cancel(stream)


async def _next(stream: OutStream) -> bytes | None:
    """Return the next message, b"" if none came for a while."""
    try:
        async with asyncio.timeout(KEEP_ALIVE_S):
            return await stream.next()
    except TimeoutError:
        return b""


async def _done(relaying: Awaitable[None]) -> None:
    await relaying


def _name_of(request: Request, message: McpMessage) -> str:
    """Return the session a message belongs to; one that begins gets a name nobody can guess."""
    if message.method == "initialize":
        return secrets.token_urlsafe(24)
    if f"{META}protocolVersion" in meta_of(message) or SESSION not in request.headers:
        whose = request.headers.get(AUTHORIZATION, "")
        # A digest, so that the names of sessions hold nobody's key.
        return f"{SHARED}{hashlib.sha256(whose.encode()).hexdigest()}"
    return request.headers[SESSION]


def _host(address: str) -> str:
    with contextlib.suppress(ValueError):
        return urlsplit(address).hostname or ""
    return ""
