"""A server over streamable HTTP: one POST a message, answers as JSON or as a stream of events.

Every version's headers are set from the message itself, so that they say what was judged. A stream
for what the server says of its own accord is opened where the protocol has one (up to 2025-11-25).
No redirects, no proxies; plain http goes to this machine only. A request that fails gets an error.

    link = HttpLink(OutboundEndpoint.parse("https://example.com/mcp"), {"Authorization": "..."})
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import re
from collections.abc import AsyncIterator, Mapping
from typing import Protocol

from msgspec import Struct

from signoff.actions.action import Json
from signoff.challenge.outbound.endpoint import CallFailed, OutboundEndpoint
from signoff.challenge.outbound.http1 import HttpStream, opened
from signoff.frontends.mcp.relay import answers
from signoff.frontends.mcp.relay.client_facts import META, meta_of
from signoff.frontends.mcp.relay.framing import (
    BadMessage,
    Fields,
    McpMessage,
    MessageId,
    MessageKind,
    read_messages,
)
from signoff.frontends.mcp.relay.links import note

NAMED = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
SESSION = "mcp-session-id"
VERSION = "mcp-protocol-version"
AUTHORIZATION, CHALLENGE = "Authorization", "www-authenticate"
CHALLENGES_MOST = 100
ACCEPT = {"Accept": "application/json, text/event-stream"}
WITHIN_S = 3_600.0  # one request
AGAIN_S, TRIES = 2.0, 5  # of the stream
END_S = 2.0
PARAMETERS_MOST = 50
UNAUTHORIZED, FORBIDDEN = 401, 403
# The names of a challenge's scopes, as far as they can stand in a command that a person copies.
SCOPE = re.compile(r'\bscope="([\w.:/-]{1,100}(?: [\w.:/-]{1,100}){0,9})"', re.ASCII)
# A header's value (RFC 9110, 5.5): no line end, which would begin another header (CWE-113).
SAFE = re.compile(r"[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?")
# A header's name (RFC 9110, 5.6.2).
TOKEN = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")


class _Exchange(Struct, frozen=True):
    """The result of one POST."""

    status: int
    challenge: str  # the header `WWW-Authenticate`
    is_answered: bool = False

    @property
    def wants_login(self) -> bool:
        """Whether a person must sign in, at all or for more than before (RFC 6750, 3.1)."""
        is_short = self.status == FORBIDDEN and "insufficient_scope" in self.challenge
        return self.status == UNAUTHORIZED or is_short

    @property
    def scope(self) -> str:
        """What is to be asked for, "" if that is not said in plain words."""
        found = SCOPE.search(self.challenge)
        return found[1] if found else ""


class LinkLogin(Protocol):
    """Port: the login at a server."""

    def wanted(self, scope: str = "") -> str:
        """Return the message that a person must sign in.

        Args:
            scope: permission that is missing, "" if none is named.
        """

    async def authorization(self) -> str:
        """Return the `Authorization` header, "" without a login."""

    async def after_refusal(self, refused: str) -> str:
        """Return a new `Authorization` header after the server refused one, "" if there is none."""


class HttpLink:
    """The server's side of a relay, over HTTP.

    Args:
        login: whose token is sent, None = that of the headers.
    """

    def __init__(
        self,
        endpoint: OutboundEndpoint,
        headers: Mapping[str, str],
        *,
        limit: int,
        login: LinkLogin | None = None,
    ) -> None:
        self._login = login
        self._endpoint, self._headers, self._limit = endpoint, dict(headers), limit
        self._path = "" if endpoint.path else "/"
        self._lines: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._tasks: dict[MessageId | None, asyncio.Task[None]] = {}
        self._others: set[asyncio.Task[None]] = set()
        self._version = ""
        self._session = ""
        self._mirrored: dict[str, dict[str, str]] = {}  # tool: argument -> header
        # Of requests that the server wants to be authorized: status and `WWW-Authenticate`.
        self.challenges: dict[MessageId, tuple[int, str]] = {}

    def authorize(self, value: str) -> None:
        """Send this `Authorization` header from now on, "" for none; it is stored nowhere."""
        self._headers.pop(AUTHORIZATION, None)
        if value:
            self._headers[AUTHORIZATION] = value

    async def receive(self) -> bytes | None:
        """Return the server's next message, None at the end."""
        return await self._lines.get()

    async def send(self, raw: bytes) -> None:
        """Post a message; its answer comes through `receive`."""
        (message,) = read_messages(raw, limit=self._limit, is_server=True)
        meta = meta_of(message)
        is_modern = f"{META}protocolVersion" in meta
        if message.method == "notifications/cancelled":
            cancelled = message.params.get("requestId")
            task = self._tasks.get(cancelled) if isinstance(cancelled, str | int) else None
            if task is not None and not self._session and not self._version:
                task.cancel()  # without a session the end of the connection says it
                return
        task = asyncio.create_task(self._posted(message, is_modern=is_modern))
        if message.kind is MessageKind.REQUEST:
            self._tasks[message.id] = task
            task.add_done_callback(lambda _: self._tasks.pop(message.id, None))
        else:
            self._spawned(task)
        if message.method == "notifications/initialized":
            self._spawned(asyncio.create_task(self._listen()))

    async def close(self) -> None:
        """Close all connections and end the session."""
        for task in (*self._tasks.values(), *self._others):
            task.cancel()
        if self._session:
            with contextlib.suppress(CallFailed, TimeoutError):
                async with asyncio.timeout(END_S):
                    head = {**self._headers, **self._own_headers()}
                    async with opened(self._endpoint, "DELETE", self._path, headers=head, body=b""):
                        pass
        self._lines.put_nowait(None)

    async def _posted(self, message: McpMessage, *, is_modern: bool) -> None:
        """Post one message; a request that gets no answer gets an error."""
        is_answered = False
        said = "the server did not answer"
        try:
            async with asyncio.timeout(WITHIN_S):
                await self._sign(refused=None)
                done = await self._exchanged(message, is_modern=is_modern)
                # The server did nothing yet, so the request may be sent again (RFC 9110, 15.5.2).
                if done.status == UNAUTHORIZED and await self._sign(
                    refused=self._headers.get(AUTHORIZATION, "")
                ):
                    done = await self._exchanged(message, is_modern=is_modern)
                is_answered, said = done.is_answered, self._said(done)
        except (CallFailed, TimeoutError) as error:
            said = str(error) or "the server took too long"
        if message.kind is MessageKind.REQUEST and not is_answered:
            failed = answers.error(message.id, answers.CLOSED, f"signoff: {said}")
            self._lines.put_nowait(failed)
        elif message.kind is not MessageKind.REQUEST and "HTTP 2" not in said:
            note(f"a {message.method or 'response'} did not arrive: {said}")

    async def _sign(self, *, refused: str | None) -> bool:
        """Take the token of the login, another one than was refused; tell whether there is one."""
        if self._login is None:
            return False
        if refused is None:
            value = await self._login.authorization()
        else:
            value = await self._login.after_refusal(refused)
        self.authorize(value)
        return bool(value)

    async def _exchanged(self, message: McpMessage, *, is_modern: bool) -> _Exchange:
        """Post a message once.

        Raises:
            CallFailed: there was no whole answer.
        """
        is_answered = False
        headers = {**self._headers, **ACCEPT, **self._own_headers()}
        if is_modern:
            headers |= self._modern_headers(message)
        async with opened(
            self._endpoint, "POST", self._path, headers=headers, body=message.raw, limit=None
        ) as stream:
            if message.method == "initialize":
                self._session = stream.headers.get(SESSION, "")[:1_000]
            self._challenged(message, stream)
            challenge = stream.headers.get(CHALLENGE, "")
            done = _Exchange(stream.status, challenge)
            # Our own words say what to do; the server's would take their place.
            if self._login is None or not done.wants_login:
                async for line in self._messages(stream):
                    is_answered |= self._took(line, message)
        return _Exchange(done.status, challenge, is_answered)

    def _said(self, done: _Exchange) -> str:
        if self._login is None or not done.wants_login:
            return f"the server answers HTTP {done.status}"
        scope = "" if done.status == UNAUTHORIZED else done.scope
        return self._login.wanted(scope)

    def _challenged(self, message: McpMessage, stream: HttpStream) -> None:
        """Keep what the server wants of an unauthorized request."""
        said = stream.headers.get(CHALLENGE, "")
        if stream.status in (401, 403) and said and message.id is not None:
            while len(self.challenges) >= CHALLENGES_MOST:
                self.challenges.pop(next(iter(self.challenges)))
            self.challenges[message.id] = stream.status, said

    def _took(self, line: bytes, asked: McpMessage) -> bool:
        """Pass one message on; tell whether it answers the request."""
        self._lines.put_nowait(line)
        try:
            messages = read_messages(line, limit=self._limit, is_server=True)
        except BadMessage as error:
            # The relay cannot read it either, and answers the request itself.
            return error.id is not None and error.id == asked.id
        for one in messages:
            if one.kind is MessageKind.RESPONSE and one.id == asked.id:
                self._learn(asked.method, one.result or {})
                return True
        return False

    def _learn(self, method: str, result: Fields) -> None:
        """Note the version in use, and which arguments of tools are headers too."""
        version = result.get("protocolVersion")
        if method == "initialize" and isinstance(version, str) and SAFE.fullmatch(version):
            self._version = version[:40]
        tools = result.get("tools")
        for tool in tools if method == "tools/list" and isinstance(tools, list) else ():
            if isinstance(tool, Mapping) and isinstance(tool.get("name"), str):
                self._mirrored[str(tool["name"])] = _mirrored(tool.get("inputSchema"))

    async def _messages(self, stream: HttpStream) -> AsyncIterator[bytes]:
        """Yield the messages of an answer, each on one line."""
        if stream.headers.get("content-type", "").startswith("text/event-stream"):
            async for event in _events(stream, self._limit):
                yield event
            return
        body = bytearray()
        async for piece in stream:
            body += piece
            if len(body) > self._limit:
                raise CallFailed("the answer is over the limit")
        line = bytes(body).strip().replace(b"\n", b" ")
        if line.startswith((b"{", b"[")):
            yield line

    async def _listen(self) -> None:
        """Take in what the server says of its own accord, while it has a stream for that."""
        for _ in range(TRIES):
            try:
                accept = {"Accept": "text/event-stream"}
                headers = {**self._headers, **accept, **self._own_headers()}
                async with opened(
                    self._endpoint, "GET", self._path, headers=headers, body=b"", limit=None
                ) as stream:
                    # MCP: a server without such a stream answers 405.
                    if stream.status != 200:
                        return
                    async for event in self._messages(stream):
                        self._lines.put_nowait(event)
            except CallFailed as error:
                if not error.may_pass:
                    return
            await asyncio.sleep(AGAIN_S)

    def _own_headers(self) -> dict[str, str]:
        told = {SESSION: self._session, VERSION: self._version}
        return {name: value for name, value in told.items() if value}

    def _modern_headers(self, message: McpMessage) -> dict[str, str]:
        """Return what protocol 2026-07-28 wants to be said of a message in headers."""
        version = meta_of(message).get(f"{META}protocolVersion")
        headers = {VERSION: str(version)[:40], "mcp-method": _header(message.method)}
        named = message.params.get(NAMED.get(message.method, ""))
        if isinstance(named, str):
            headers["mcp-name"] = _header(named)
        arguments = message.params.get("arguments")
        if message.method == "tools/call" and isinstance(arguments, Mapping):
            for name, header in self._mirrored.get(str(named), {}).items():
                if (value := _plain(arguments.get(name))) is not None:
                    headers[f"mcp-param-{header}"] = _header(value)
        return headers

    def _spawned(self, task: asyncio.Task[None]) -> None:
        self._others.add(task)
        task.add_done_callback(self._others.discard)


async def _events(stream: HttpStream, limit: int) -> AsyncIterator[bytes]:
    """Yield the data of server-sent events, each on one line."""
    rest, data = b"", bytearray()
    async for piece in stream:
        rest += piece
        if len(rest) + len(data) > limit:
            raise CallFailed("an event is over the limit")
        *lines, rest = rest.replace(b"\r\n", b"\n").split(b"\n")
        for line in lines:
            if line.startswith(b"data:"):
                # Each further `data:` line follows a line end, which is a space to JSON.
                data += line[5:].strip() + b" "
            elif not line and data.strip():
                yield bytes(data.strip())
                data.clear()


def _mirrored(schema: Json) -> dict[str, str]:
    """Return which arguments of a tool are repeated in headers, as its schema says."""
    properties = schema.get("properties") if isinstance(schema, Mapping) else None
    found: dict[str, str] = {}
    if isinstance(properties, Mapping):
        for name, one in list(properties.items())[:PARAMETERS_MOST]:
            header = one.get("x-mcp-header") if isinstance(one, Mapping) else None
            if isinstance(header, str) and TOKEN.fullmatch(header):
                found[name] = header
    return found


def _plain(value: Json) -> str | None:
    """Return a value as a header says it; None for one that is none there."""
    match value:
        # Before numbers: to Python a bool is one.
        case bool():
            return "true" if value else "false"
        case str() | int():
            return str(value)
        case _:
            return None


def _header(value: str) -> str:
    """Return a value as it may stand in a header: plain, or in base64 where it could not."""
    # A plain value that looks encoded is encoded, or the server would decode it.
    if SAFE.fullmatch(value) and not value.startswith("=?base64?"):
        return value
    return f"=?base64?{base64.b64encode(value.encode()).decode()}?="


def headers_from(pairs: Mapping[str, str], environment: Mapping[str, str]) -> dict[str, str]:
    """Return headers with values from environment variables.

    Args:
        pairs: variable by header name.

    Raises:
        CallFailed: a variable is missing, or its value is not valid in a header.
    """
    found: dict[str, str] = {}
    for name, variable in pairs.items():
        value = environment.get(variable, "")
        if not TOKEN.fullmatch(name) or not SAFE.fullmatch(value):
            raise CallFailed(f"header `{name}`: variable `{variable}` holds no value for it")
        found[name] = value
    return found
