"""An ASGI application that hands every request on to another server, for servers in any language.

Bodies and responses are streamed. Headers that belong to one connection only are not handed on, so
how a request is framed is settled anew and nothing can be smuggled behind it. WebSockets pass once
their handshake was judged (`web_sockets.py`). `serve_proxy` serves it with uvicorn until a signal
comes.

    AsgiMiddleware(ReverseProxy("http://127.0.0.1:3000"), default=strict())
    serve_proxy("http://127.0.0.1:3000", listen=Listen("127.0.0.1", 8080), paths={})
"""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from http import HTTPStatus
from http.cookiejar import CookieJar, DefaultCookiePolicy
from urllib.parse import urlsplit

import uvicorn
from httpx2 import AsyncClient, HTTPError, Limits, Request, Timeout, TimeoutException
from msgspec import Struct

from signoff.errors import BadSettings
from signoff.frontends.web_apps.asgi import AsgiMiddleware, Receive, Scope, Send, answer
from signoff.frontends.web_apps.problem import Problem
from signoff.frontends.web_apps.routes import (
    Larger,
    RouteRule,
    lenient,
    responses,
    standard,
    strict,
)
from signoff.frontends.web_apps.settings import ProtectionSettings
from signoff.frontends.web_apps.web_file import read_web_file
from signoff.frontends.web_apps.web_sockets import WebSocketRelay

logger = logging.getLogger("signoff.proxy")

# Hop-by-hop (RFC 9110, 7.6.1); `proxy-connection` is what old clients send for `connection`.
OF_ONE_CONNECTION = frozenset(
    (
        *(b"connection", b"keep-alive", b"proxy-authenticate", b"proxy-authorization", b"te"),
        *(b"trailer", b"transfer-encoding", b"upgrade", b"proxy-connection"),
    )
)
# Any client can send these, and servers believe them: who the client is, which host or path it
# asked for. The server gets what we saw ourselves.
FORWARDED = b"x-forwarded-"
CLAIMED = frozenset(
    (
        *(b"forwarded", b"x-real-ip", b"x-client-ip", b"x-cluster-client-ip", b"true-client-ip"),
        *(b"cf-connecting-ip", b"x-original-url", b"x-rewrite-url"),
    )
)
CONNECTIONS = 512
NO_PATH = Problem(status=HTTPStatus.BAD_REQUEST, detail="The target is no path.")
NO_SERVER = Problem(status=HTTPStatus.BAD_GATEWAY, detail="The server could not be reached.")
TOO_LATE = Problem(status=HTTPStatus.GATEWAY_TIMEOUT, detail="The server did not answer in time.")

Headers = list[tuple[bytes, bytes]]

Paths = Mapping[str, Sequence[str]]


class Listen(Struct, frozen=True):
    """Where the proxy listens.

    Args:
        trusted: addresses or networks of proxies in front, whose `X-Forwarded-For` and
            `X-Forwarded-Proto` say who the client is; () = nobody's.
    """

    host: str
    port: int
    trusted: tuple[str, ...] = ()


class ReverseProxy:
    """Forwards requests to one server.

    Args:
        to: address of the server, `http://host:port`; a path in it precedes every path.
        timeout_s: seconds the server may be silent.

    Raises:
        BadSettings: the address is not http or https with a host.
    """

    def __init__(self, to: str, *, timeout_s: float = 60.0) -> None:
        url = urlsplit(to)
        if url.scheme not in ("http", "https") or not url.hostname or url.query or url.fragment:
            raise BadSettings(f"server `{to}` is no http or https address")
        self._to = to.rstrip("/")
        self._path = url.path.rstrip("/").encode()
        self._client = AsyncClient(
            # The client is one for all visitors: a cookie it kept would go to the next one.
            cookies=CookieJar(DefaultCookiePolicy(allowed_domains=())),
            # A redirect is the client's to follow: from here it could lead into an inner network
            # (CWE-918).
            follow_redirects=False,
            # HTTP_PROXY and the like must not lead requests elsewhere.
            trust_env=False,
            timeout=Timeout(timeout_s, connect=10.0),
            limits=Limits(max_connections=CONNECTIONS, max_keepalive_connections=CONNECTIONS),
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        if scope["type"] == "lifespan":
            await self._live(receive, send)
        elif scope["type"] == "websocket":
            await self._talk(scope, receive, send)
        else:
            await self._hand_on(scope, receive, send)

    async def _hand_on(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_started = False
        target = _target(scope)
        if not target.startswith(b"/"):
            # `http://other/` or `@other/` behind our address would name another host (CWE-918).
            await answer(send, NO_PATH)
            return
        # Not by `build_request`: it adds headers of its own, which the visitor did not send.
        request = Request(
            scope["method"],
            self._to,
            headers=_asked(scope),
            # The target as it came: a URL would be tidied (`/static/../admin`), and the server
            # would serve another path than was judged.
            extensions={"target": self._path + target},
            # An iterator is sent in chunks even if it is empty, and a GET with chunks confuses
            # servers.
            content=_body(receive) if _has_body(scope["headers"]) else None,
        )
        try:
            response = await self._client.send(request, stream=True)
            try:
                headers = _kept(response.headers.raw)
                start = {"type": "http.response.start", "status": response.status_code}
                await send({**start, "headers": headers})
                is_started = True
                # As it was packed: its Content-Encoding and Content-Length are handed on and must
                # still hold.
                async for piece in response.aiter_raw():
                    body = {"type": "http.response.body", "body": piece, "more_body": True}
                    await send(body)
                await send({"type": "http.response.body", "body": b""})
            finally:
                await response.aclose()
        except HTTPError as error:
            logger.warning("the server failed: %s", type(error).__name__)
            if is_started:
                raise  # the client sees a response that was cut off
            await answer(send, TOO_LATE if isinstance(error, TimeoutException) else NO_SERVER)

    async def _talk(self, scope: Scope, receive: Receive, send: Send) -> None:
        target = _target(scope)
        if not target.startswith(b"/"):
            await receive()
            await send({"type": "websocket.close", "code": 1008, "reason": "no path"})
            return
        # `http` becomes `ws`, `https` becomes `wss`.
        url = "ws" + self._to.removeprefix("http") + target.decode("latin-1")
        await WebSocketRelay(url, _asked(scope)).serve(scope, receive, send)

    async def _live(self, receive: Receive, send: Send) -> None:
        await receive()
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await self._client.aclose()
        await send({"type": "lifespan.shutdown.complete"})


def _target(scope: Scope) -> bytes:
    """Give path and query as they came."""
    path: bytes = scope.get("raw_path") or scope["path"].encode()
    query: bytes = scope.get("query_string", b"")
    return path + (b"?" + query if query else b"")


async def _body(receive: Receive) -> AsyncIterator[bytes]:
    more = True
    while more:
        message = await receive()
        if message["type"] != "http.request":
            return
        more = message.get("more_body", False)
        if piece := message.get("body", b""):
            yield piece


def _has_body(headers: Iterable[tuple[bytes, bytes]]) -> bool:
    found = {name.lower(): value for name, value in headers}
    return found.get(b"content-length", b"0") != b"0" or b"transfer-encoding" in found


def _asked(scope: Scope) -> Headers:
    """Give the headers of a request, and who it is from as we see it."""
    client = scope.get("client")
    kept = [(name, value) for name, value in _kept(scope["headers"]) if not _is_claim(name)]
    if client:
        kept.append((b"x-forwarded-for", str(client[0]).encode()))
    return [*kept, (b"x-forwarded-proto", str(scope.get("scheme", "http")).encode())]


def _is_claim(name: bytes) -> bool:
    # For CGI and WSGI `X_Forwarded_For` is the same header.
    plain = name.replace(b"_", b"-")
    return plain in CLAIMED or plain.startswith(FORWARDED)


def _kept(headers: Iterable[tuple[bytes, bytes]]) -> Headers:
    """Give the headers without those of one connection, and those it names itself."""
    listed = [(name.lower(), value) for name, value in headers]
    named = {
        one.strip().lower()
        for name, value in listed
        if name == b"connection"
        for one in value.split(b",")
    }
    return [(name, value) for name, value in listed if name not in OF_ONE_CONNECTION | named]


def serve_proxy(
    to: str,
    *,
    listen: Listen,
    paths: Paths,
    judges_responses: bool,
    config: str = "",
    say: Callable[[str], None] = print,
) -> None:
    """Serve until the process gets a signal.

    Args:
        to: address of the server.
        listen: address and port, and the proxies in front.
        paths: by kind (`unjudged`, `strict`, `upload`, `lenient`); they come before the file's.
        config: a file as `read_web_file` reads it; what it says of responses and of paths
            without a rule counts.
        say: shows one line to who has started it.

    Raises:
        BadSettings: an address, a path or the file cannot be used.
    """
    settings = ProtectionSettings(default=standard(), responses=responses())
    if config:
        # Parts of one's own stand beside the file; last, so that they hide no library.
        sys.path.append(os.path.dirname(os.path.abspath(config)))
        settings |= read_web_file(config).settings
    settings["routes"] = (*_rules(paths), *settings.get("routes", ()))
    if not judges_responses:
        settings["responses"] = None
    app = AsgiMiddleware(ReverseProxy(to), **settings)
    say(f"forwarding http://{listen.host}:{listen.port} to {to}; Control-C ends it")
    uvicorn.run(
        app,
        host=listen.host,
        port=listen.port,
        log_level="warning",
        # Both are the server's to say.
        server_header=False,
        date_header=False,
        # Without a proxy in front `X-Forwarded-For` is a client's claim.
        proxy_headers=bool(listen.trusted),
        forwarded_allow_ips=list(listen.trusted),
    )


def _rules(paths: Paths) -> Iterator[RouteRule]:
    yield from (RouteRule(path, None) for path in paths.get("unjudged", ()))
    yield from (RouteRule(path, strict()) for path in paths.get("strict", ()))
    for path in paths.get("upload", ()):
        yield RouteRule(path, standard(), larger=Larger.BEGINNING)
    yield from (RouteRule(path, lenient()) for path in paths.get("lenient", ()))
