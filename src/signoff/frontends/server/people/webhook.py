"""Where pushes from Telegram arrive: a port on loopback behind a proxy of the user's own.

One path, one method, one header that is compared in constant time; nothing else is answered.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import Iterator

import uvicorn
from starlette.types import ASGIApp, Receive, Scope, Send

from signoff.challenge.channels.telegram.arrivals import PUSH_LIMIT, Webhook
from signoff.errors import BadSettings

LOOPBACK = "127.0.0.1"
SECRET_HEADER = b"x-telegram-bot-api-secret-token"
BODY_WITHIN_S = 10.0


def webhook_app(webhook: Webhook) -> ASGIApp:
    """Build the application that takes pushes."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        status = await _status(webhook, scope, receive)
        headers = [(b"content-length", b"0")]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": b""})

    return app


async def serve_webhook(webhook: Webhook, *, port: int) -> None:
    """Serve pushes until cancelled.

    Raises:
        BadSettings: the port is taken.
    """
    try:
        listening = socket.create_server((LOOPBACK, port))
    except OSError as error:
        said = f"the webhook cannot listen on {LOOPBACK}:{port}: {error.strerror}"
        raise BadSettings(said) from error
    config = uvicorn.Config(
        webhook_app(webhook),
        lifespan="off",
        ws="none",
        log_config=None,
        access_log=False,
        server_header=False,
        date_header=False,
        proxy_headers=False,
    )
    with listening:
        await _Server(config).serve(sockets=[listening])


class _Server(uvicorn.Server):
    """A server that leaves signals to the process it is part of."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Capture none."""
        yield


async def _status(webhook: Webhook, scope: Scope, receive: Receive) -> int:
    """Deal with one request; return its status."""
    if scope["method"] != "POST":
        return 405
    shown = [value for name, value in scope["headers"] if name == SECRET_HEADER]
    if len(shown) != 1 or not webhook.is_secret(shown[0]):
        return 401
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
    return await webhook.take(shown[0], body)
