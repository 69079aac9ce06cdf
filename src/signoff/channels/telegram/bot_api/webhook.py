"""Where pushes from Telegram arrive: a port on loopback behind a proxy of the user's own.

One path (the one Telegram was told, or `/` where the proxy takes it off), one method, one kind of
content, one header that is compared in constant time; nothing else is answered.
"""

from __future__ import annotations

import asyncio
import socket

from starlette.types import ASGIApp, Receive, Scope, Send

from signoff.channels.telegram.bot_api.arrivals import PUSH_LIMIT, Webhook
from signoff.errors import BadSettings
from signoff.serving.connections import Connections
from signoff.serving.listening import build_server

LOOPBACK = "127.0.0.1"
SECRET_HEADER = b"x-telegram-bot-api-secret-token"
BODY_WITHIN_S = 10.0  # an update is one small JSON object: who sends it slower is not Telegram
CONNECTIONS = 256  # Telegram opens 40 unless told otherwise


def webhook_app(webhook: Webhook, *, path: str = "/") -> ASGIApp:
    """Build the ASGI application that receives pushed updates on `path`."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        status = _refused(webhook, scope, path) or await _taken(webhook, scope, receive)
        headers = [(b"content-length", b"0")]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": b""})

    return app


async def serve_webhook(webhook: Webhook, *, port: int, path: str = "/") -> None:
    """Serve pushed updates on a loopback port until cancelled.

    Raises:
        BadSettings: the port is taken.
    """
    try:
        listening = socket.create_server((LOOPBACK, port))
    except OSError as error:
        said = f"the webhook cannot listen on {LOOPBACK}:{port}: {error.strerror}"
        raise BadSettings(said) from error
    app = webhook_app(webhook, path=path)
    with listening:
        server = build_server(app, connections=Connections(limit=CONNECTIONS))
        await server.serve(sockets=[listening])


def _refused(webhook: Webhook, scope: Scope, path: str) -> int:
    """Return the status with which a request is refused by its head, 0 for none."""
    if scope["path"] not in ("/", path):
        return 404
    if scope["method"] != "POST":
        return 405
    if not webhook.is_secret(_header(scope, SECRET_HEADER)):
        return 401
    kind = _header(scope, b"content-type").partition(b";")[0].strip().lower()
    if kind != b"application/json":
        return 415
    length = _header(scope, b"content-length")
    return 413 if length.isdigit() and int(length[:20]) > PUSH_LIMIT else 0


def _header(scope: Scope, wanted: bytes) -> bytes:
    """Return a header that is there once, b"" for any other."""
    found: list[bytes] = [value for name, value in scope["headers"] if name == wanted]
    return found[0] if len(found) == 1 else b""


async def _taken(webhook: Webhook, scope: Scope, receive: Receive) -> int:
    """Read the body and deal with the update; return the status."""
    body = b""
    try:
        async with asyncio.timeout(BODY_WITHIN_S):
            while True:
                message = await receive()
                if message["type"] != "http.request":
                    return 400
                body += bytes(message.get("body", b""))
                if len(body) > PUSH_LIMIT:
                    return 413
                if not message.get("more_body", False):
                    break
    except TimeoutError:
        return 408
    return await webhook.take(_header(scope, SECRET_HEADER), body)
