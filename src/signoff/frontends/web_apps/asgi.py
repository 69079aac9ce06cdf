"""ASGI middleware: judges what reaches an application and what leaves it.

    app.add_middleware(AsgiMiddleware, routes=(RouteRule("/login", strict()),))
    app = AsgiMiddleware(app)  # any other ASGI application

A body is read up to the rule's limit, judged, and handed on as it came. A response that declares
its length is held until it is judged; one that is streamed leaves as it comes. WebSocket
handshakes are judged by their head. `scope["signoff"]` holds the `PipelineDecision`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from typing import Any, TypeAlias, Unpack

from signoff.actions.action import Action
from signoff.frontends.web_apps.problem import TOO_LARGE, Problem
from signoff.frontends.web_apps.protection import Judged, Protection
from signoff.frontends.web_apps.reading import HttpRequest, is_textual, number
from signoff.frontends.web_apps.routes import Larger, RouteRule
from signoff.frontends.web_apps.settings import ProtectionSettings

Message: TypeAlias = MutableMapping[str, Any]
Scope: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Message]]
Send: TypeAlias = Callable[[Message], Awaitable[None]]
AsgiApp: TypeAlias = Callable[[Scope, Receive, Send], Awaitable[None]]

# With these the server sends a file by itself, and its content never passes the middleware.
SENDING_FILES = frozenset({"http.response.pathsend", "http.response.zerocopysend"})
IN_THREAD_FROM = 32 << 10  # bytes of a body whose judgement does not hold up the event loop


class AsgiMiddleware:
    """Middleware that protects an ASGI application; takes the arguments of `Protection`."""

    def __init__(self, app: AsgiApp, **settings: Unpack[ProtectionSettings]) -> None:
        self._app = app
        self._protection = Protection(**settings)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        kind = scope["type"]
        if kind not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        request = _request_of(scope)
        # Applications route by the decoded path; the detectors get the path as it was sent.
        rule = self._protection.table.rule_for(scope["path"], request.method)
        if rule.pipeline is None:
            await self._app(scope, receive, send)
        elif kind == "websocket":
            await self._handshake(rule, request, (scope, receive, send))
        elif rule.is_watched:
            await self._watched(rule, request, (scope, receive, send))
        else:
            await self._answered(rule, request, (scope, receive, send))

    async def _handshake(
        self, rule: RouteRule, request: HttpRequest, connection: tuple[Scope, Receive, Send]
    ) -> None:
        scope, receive, send = connection
        judged = await self._judge(rule, request, b"")
        if judged.problem is not None:
            # ASGI: `websocket.connect` comes before any answer. 1008 is a violated policy (RFC
            # 6455, 7.4.1).
            await receive()
            await send({"type": "websocket.close", "code": 1008, "reason": "blocked"})
            return
        await self._app(_with_decision(scope, judged), receive, send)

    async def _answered(
        self, rule: RouteRule, request: HttpRequest, connection: tuple[Scope, Receive, Send]
    ) -> None:
        scope, receive, send = connection
        body = _BodyReader(receive, rule)
        problem = await body.read(number(request.header("content-length")))
        judged = (
            Judged(problem=problem) if problem else await self._judge(rule, request, body.content)
        )
        # The client left before its body was whole: nobody waits for an answer, and half a call
        # must not run.
        if body.is_gone:
            return
        if judged.problem is not None:
            self._protection.tell_blocked(judged)
            await answer(send, judged.problem)
            return
        watch = _ResponseWatch(self._protection, judged.action, send)
        try:
            await self._app(_with_decision(scope, judged), body.receive, watch.send)
        except Exception:
            watch.fail()
            raise
        finally:
            watch.finish()

    async def _judge(self, rule: RouteRule, request: HttpRequest, content: bytes) -> Judged:
        is_waiting = rule.pipeline is not None and rule.pipeline.is_waiting
        if len(content) < IN_THREAD_FROM and not is_waiting:
            return self._protection.judge(rule, request, content)
        return await asyncio.to_thread(self._protection.judge, rule, request, content)

    async def _watched(
        self, rule: RouteRule, request: HttpRequest, connection: tuple[Scope, Receive, Send]
    ) -> None:
        """Serve first; what the application has read is judged afterwards."""
        scope, receive, send = connection
        body = _BodyReader(receive, rule)
        # What a server answers for an application that ends without a response.
        status = [500]

        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                status[0] = message["status"]
            await send(message)

        try:
            await self._app(scope, body.copy, sent)
        except Exception:
            status[0] = 500
            raise
        finally:
            # Also where the application has failed: what made it fail is worth knowing.
            judged = self._protection.judge(rule, request, body.content)
            self._protection.tell(judged.action, status[0])


class _BodyReader:
    """Reads a body up to a limit and hands it on; what the limit cuts off is streamed."""

    def __init__(self, receive: Receive, rule: RouteRule) -> None:
        self._receive, self._limit = receive, rule.body_limit
        # A watched request is served first, when it is too late to refuse it.
        self._refuses = rule.larger is Larger.REFUSE and not rule.is_watched
        self._read: list[bytes] = []
        self._size = 0
        self._is_ended = False
        self._is_handed_on = False
        self.is_gone = False

    @property
    def content(self) -> bytes:
        """Return the body read so far, at most the limit."""
        return b"".join(self._read)[: self._limit]

    async def read(self, declared: int | None) -> Problem | None:
        """Read to the end or the limit; the answer if the body is longer than is accepted."""
        # By its head, before a byte is read; a body without a length is counted below.
        if self._refuses and declared is not None and declared > self._limit:
            return TOO_LARGE
        # At the limit one message more is read: it tells a body of just this length from a longer
        # one.
        while not self._is_ended and self._size <= self._limit:
            message = await self._receive()
            if message["type"] != "http.request":
                self.is_gone = True
                return None
            self._take(message)
        return TOO_LARGE if self._refuses and self._size > self._limit else None

    async def receive(self) -> Message:
        """Give the application what was read, then the rest as it comes."""
        if self._is_handed_on:
            return await self._receive()
        self._is_handed_on = True
        body = b"".join(self._read)
        return {"type": "http.request", "body": body, "more_body": not self._is_ended}

    async def copy(self) -> Message:
        """Give the application the next message, and keep its beginning."""
        message = await self._receive()
        if message["type"] == "http.request" and self._size < self._limit:
            self._take(message)
        return message

    def _take(self, message: Message) -> None:
        piece = message.get("body", b"")
        self._size += len(piece)
        if piece:
            self._read.append(piece)
        self._is_ended = not message.get("more_body", False)


class _ResponseWatch:
    """Holds a response of declared length until it is judged; lets any other through."""

    def __init__(self, protection: Protection, action: Action | None, send: Send) -> None:
        self._protection, self._action, self._send = protection, action, send
        self._start: Message = {}
        self._body = bytearray()
        self._is_held = self._is_read = self._is_open = self._is_told = False
        self._status = 500

    async def send(self, message: Message) -> None:
        """Handle one message of the application."""
        if message["type"] == "http.response.start":
            self._begin(message)
            if self._is_held or self._is_open:
                return
        elif message["type"] == "http.response.body" and self._is_read:
            await self._open(message)
            self._body += message.get("body", b"")[: self._room]
            if self._is_held:
                await self._held(message)
                return
        if message["type"] == "http.response.body" and not message.get("more_body", False):
            self._tell()
        await self._send(message)

    async def _open(self, message: Message) -> None:
        """Hold a response without a length that comes in one piece; else begin it."""
        if not self._is_open:
            return
        self._is_open = False
        is_long = len(message.get("body", b"")) > self._room
        self._is_held = not is_long and not message.get("more_body", False)
        if not self._is_held:
            await self._send(self._start)

    def fail(self) -> None:
        """Count a response that broke off as a failure, whatever status it began with."""
        self._status = 500

    def finish(self) -> None:
        """Tell the status; judge the beginning of what was streamed."""
        self._tell()
        if self._is_read and not self._is_held and self._action is not None:
            self._protection.watch_response(self._action, bytes(self._body))

    def _tell(self) -> None:
        """Tell the status before the client has the whole answer: its next request is counted."""
        if not self._is_told:
            self._is_told = True
            self._protection.tell(self._action, self._status)

    @property
    def _room(self) -> int:
        return max(0, self._protection.response_limit - len(self._body))

    def _begin(self, message: Message) -> None:
        headers = {name.lower(): value.decode("latin-1") for name, value in message["headers"]}
        self._start, self._status = message, message["status"]
        content_type = headers.get(b"content-type", "")
        has_judge = self._protection.responses is not None and self._action is not None
        # No text can be read in a packed response; it passes unread.
        is_plain = b"content-encoding" not in headers
        self._is_read = has_judge and is_plain and is_textual(content_type)
        length = number(headers.get(b"content-length", ""))
        limit = self._protection.response_limit
        self._is_held = self._is_read and length is not None and length <= limit
        self._is_open = self._is_read and length is None

    async def _held(self, message: Message) -> None:
        if message.get("more_body", False):
            return
        problem = None
        if self._action is not None:
            body = bytes(self._body)
            problem = self._protection.judge_response(self._action, body)
        if problem is not None:
            self._status = int(problem.status)
            self._tell()
            await answer(self._send, problem)
            return
        self._tell()
        await self._send(self._start)
        await self._send({"type": "http.response.body", "body": bytes(self._body)})


async def answer(send: Send, problem: Problem) -> None:
    """Send a response in place of the application's."""
    headers = [(name.encode(), value.encode()) for name, value in problem.headers]
    await send({"type": "http.response.start", "status": int(problem.status), "headers": headers})
    await send({"type": "http.response.body", "body": problem.body})


def _with_decision(scope: Scope, judged: Judged) -> Scope:
    """Give the application the decision; it may not send files past the middleware."""
    offered = scope.get("extensions") or {}
    kept = {name: value for name, value in offered.items() if name not in SENDING_FILES}
    return {**scope, "extensions": kept, "signoff": judged.decision}


def _request_of(scope: Scope) -> HttpRequest:
    raw_path = scope.get("raw_path")
    client = scope.get("client")
    return HttpRequest(
        method=str(scope.get("method", "GET")),
        # An encoded `../` shows in the raw path only; not every server gives it.
        path=raw_path.decode("latin-1") if raw_path else scope["path"],
        query=scope.get("query_string", b"").decode("latin-1"),
        headers=_headers(scope["headers"]),
        client=str(client[0]) if client else "",
    )


def _headers(headers: Iterable[tuple[bytes, bytes]]) -> tuple[tuple[str, str], ...]:
    # A list, not a generator: for so few it is faster.
    return tuple(
        [(name.decode("latin-1").lower(), value.decode("latin-1")) for name, value in headers]
    )
