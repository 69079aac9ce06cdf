"""Serves a witness: one route, `POST /add-checkpoint`, as C2SP describes it.

await serve_witness(witness, listening, tls=None)
"""

from __future__ import annotations

import asyncio
import logging
import signal
import socket
from collections.abc import Callable

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from signoff.errors import StoreError
from signoff.serving.connections import Connections
from signoff.serving.listening import build_server
from signoff.storage.proof.witness import BODY_LIMIT, Witness

log = logging.getLogger(__name__)

CONNECTIONS = 256
TOO_LARGE, BROKEN = 413, 500


def witness_app(witness: Witness) -> Starlette:
    """Return the web application of a witness."""

    async def add(request: Request) -> Response:
        body = bytearray()
        async for piece in request.stream():
            body += piece
            if len(body) > BODY_LIMIT:
                return Response("the request is too large\n", TOO_LARGE)
        try:
            answer = await asyncio.to_thread(witness.add_checkpoint, bytes(body))
        except StoreError as error:
            log.warning("%s", error)
            return Response("the witness cannot store what it sees\n", BROKEN)
        return Response(answer.text, answer.status, headers={"content-type": answer.content_type})

    return Starlette(routes=[Route("/add-checkpoint", add, methods=["POST"])])


async def serve_witness(
    witness: Witness,
    listening: socket.socket,
    *,
    tls: tuple[str, str] | None = None,
    ready: Callable[[], None] = lambda: None,
) -> None:
    """Serve a witness until the process gets a signal.

    Args:
        tls: files of the certificate chain and its key (PEM), None for plain http.
        ready: called once signals end the server.
    """
    server = build_server(witness_app(witness), connections=Connections(limit=CONNECTIONS), tls=tls)
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, lambda: setattr(server, "should_exit", True))
    ready()
    await server.serve(sockets=[listening])
