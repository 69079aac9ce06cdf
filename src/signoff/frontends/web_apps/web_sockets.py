"""Passes one WebSocket on to the server behind the proxy, in both directions, until one side ends.

The handshake was judged by the middleware; messages pass as they are. The server is asked first:
what it answers to the handshake is what the client gets.

    await WebSocketRelay("ws://127.0.0.1:3000/chat", headers).serve(scope, receive, send)
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Sequence
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus, InvalidURI
from websockets.typing import Subprotocol

from signoff.frontends.web_apps.asgi import Receive, Scope, Send, answer
from signoff.frontends.web_apps.problem import Problem

logger = logging.getLogger("signoff.proxy")

MESSAGE_LIMIT = 16 << 20  # bytes; uvicorn takes no longer ones either
OPEN_S = 10.0
GONE = 1001  # RFC 6455, 7.4.1: an endpoint goes away
FAILED = 1011  # RFC 6455, 7.4.1: a condition the server did not expect
REFUSAL = "websocket.http.response"
# It goes into a URL: with `/`, `@` or `?` in it the URL would lead to another host or path.
_HOST = re.compile(r"(?:[A-Za-z0-9.-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?")
# What a handshake has of its own; the one with the server is a new one.
OF_A_HANDSHAKE = frozenset(
    (
        *(b"sec-websocket-key", b"sec-websocket-version", b"sec-websocket-extensions"),
        *(b"sec-websocket-protocol", b"host", b"content-length"),
    )
)


class _ToServer(connect):
    """A connection that follows no redirect: the client is told of it."""

    def process_redirect(self, exc: Exception) -> Exception | str:
        """Return the error: redirects are not followed."""
        return exc


class WebSocketRelay:
    """Relays one WebSocket connection to the server.

    Args:
        url: `ws://` or `wss://`.
        headers: of the client's handshake, without those of one connection.
    """

    def __init__(self, url: str, headers: Sequence[tuple[bytes, bytes]]) -> None:
        self._url = url
        self._headers = [
            (name.decode("latin-1"), value.decode("latin-1"))
            for name, value in headers
            if name not in OF_A_HANDSHAKE
        ]
        asked = next((value.decode("latin-1") for name, value in headers if name == b"host"), "")
        server = urlsplit(url)
        self._server = server.hostname or ""
        self._port = server.port or (443 if server.scheme == "wss" else 80)
        is_tls = server.scheme == "wss"
        # The certificate is the server's, whichever host the client asked for.
        self._tls: dict[str, Any] = {"server_hostname": self._server} if is_tls else {}
        # The server is told the host the client asked for, as with any other request.
        if _HOST.fullmatch(asked):
            self._url = urlunsplit(server._replace(netloc=asked))

    async def serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Relay until either side closes."""
        await receive()  # "websocket.connect"
        try:
            server = await _ToServer(
                self._url,
                host=self._server,
                port=self._port,
                additional_headers=self._headers,
                subprotocols=[Subprotocol(one) for one in scope.get("subprotocols", ())] or None,
                # The client's own is among the headers.
                user_agent_header=None,
                compression=None,
                # As for requests: no variable of the environment leads elsewhere.
                proxy=None,
                open_timeout=OPEN_S,
                max_size=MESSAGE_LIMIT,
                **self._tls,
            )
        except (OSError, TimeoutError, InvalidHandshake, InvalidURI) as error:
            await _refuse(scope, send, error)
            return
        try:
            await send({"type": "websocket.accept", "subprotocol": server.subprotocol})
            await _relay(server, receive, send)
        finally:
            await server.close()


async def _relay(server: ClientConnection, receive: Receive, send: Send) -> None:
    to_server = asyncio.create_task(_to_server(server, receive))
    to_client = asyncio.create_task(_to_client(server, send))
    done, waiting = await asyncio.wait((to_server, to_client), return_when=asyncio.FIRST_COMPLETED)
    for task in waiting:
        task.cancel()
    await asyncio.gather(*waiting, return_exceptions=True)
    for task in done:
        task.result()


async def _to_server(server: ClientConnection, receive: Receive) -> None:
    while True:
        message = await receive()
        if message["type"] != "websocket.receive":
            code = message.get("code", GONE)
            await server.close(code if _may_be_sent(code) else GONE, message.get("reason") or "")
            return
        text = message.get("text")
        try:
            await server.send(message.get("bytes", b"") if text is None else text)
        except ConnectionClosed:
            return


async def _to_client(server: ClientConnection, send: Send) -> None:
    try:
        async for message in server:
            kind = "text" if isinstance(message, str) else "bytes"
            await send({"type": "websocket.send", kind: message})
    except ConnectionClosed:
        logger.debug("the server broke a WebSocket off")
    code = server.close_code
    await send(
        {
            "type": "websocket.close",
            "code": code if code is not None and _may_be_sent(code) else FAILED,
            "reason": server.close_reason or "",
        }
    )


def _may_be_sent(code: int) -> bool:
    """Return whether a close frame may carry this code (RFC 6455, 7.4)."""
    return 1000 <= code < 5000 and code not in (1004, 1005, 1006, 1015)


async def _refuse(scope: Scope, send: Send, error: Exception) -> None:
    """Answer a handshake the server did not accept: with its status, else 502."""
    logger.warning("the server accepted no WebSocket: %s", type(error).__name__)
    status = HTTPStatus.BAD_GATEWAY
    if isinstance(error, InvalidStatus):
        code = error.response.status_code
        status = HTTPStatus(code) if code in HTTPStatus._value2member_map_ else status
    # ASGI: an answer with a status is an extension; without it only a close can refuse a
    # handshake.
    if REFUSAL not in (scope.get("extensions") or {}):
        await send({"type": "websocket.close", "code": FAILED, "reason": "no server"})
        return

    async def refused(message: dict[str, object]) -> None:
        await send({**message, "type": f"websocket.{message['type']}"})

    problem = Problem(status=status, detail="The server accepted no WebSocket.")
    await answer(refused, problem)  # type: ignore[arg-type]  # any mapping of a message
