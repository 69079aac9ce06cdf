"""Bodies of requests, read within bounds, and plain answers in JSON.

`while_there` waits for people only as long as somebody waits for what they say.

    words = await while_there(people.ask_next(...), request)       None once the caller went away
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from signoff.errors import BadPayload, SignoffError
from signoff.frontends.decision_json import pending_json
from signoff.frontends.payloads import Names, parse_object
from signoff.frontends.server.idempotency import IdempotencyStoreFull, OtherAction
from signoff.frontends.strict_json import MAX_BYTES
from signoff.serving.connections import is_whole_request

BODY_WITHIN_S = 10.0
JSON = "application/json"
JSON_HEADER = (b"content-type", JSON.encode())

Given = TypeVar("Given")


class JsonAnswer(Response):
    """A JSON response of status 200, faster than the general one."""

    def __init__(self, body: bytes) -> None:
        self.status_code, self.background, self.body = 200, None, body
        self.raw_headers = [(b"content-length", b"%d" % len(body)), JSON_HEADER]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send it."""
        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        await send({"type": "http.response.body", "body": self.body})


async def read_body(request: Request, limit: int = MAX_BYTES) -> bytes:
    """Read a body of at most `limit` bytes, with a time limit.

    Raises:
        BadPayload: it is too large, or comes too slowly, or its sender went away.
    """
    if is_whole_request():  # nobody has to wait for it, and no clock has to be set
        return await _received(request, limit)
    try:
        # A sender of one byte a minute must not keep a place (CWE-400).
        async with asyncio.timeout(BODY_WITHIN_S):
            return await _received(request, limit)
    except TimeoutError:
        raise BadPayload(f"the body did not arrive within {BODY_WITHIN_S:g} seconds") from None


async def read_object(request: Request, limit: int) -> Names:
    """Read a body that must be one JSON object; an empty body gives {}.

    Raises:
        BadPayload: as `read_body`, or it is not strict JSON, or not an object.
    """
    return parse_object(await read_body(request, limit) or b"{}")


async def _received(request: Request, limit: int) -> bytes:
    parts: list[bytes] = []
    size = 0
    while True:
        message = await request.receive()
        if message["type"] != "http.request":
            raise BadPayload("the caller went away")
        parts.append(message.get("body", b""))
        size += len(parts[-1])
        # Counted as it comes: a body in chunks says no length beforehand.
        if size > limit:
            raise BadPayload(f"the body is over the limit of {limit} bytes")
        if not message.get("more_body", False):
            return b"".join(parts)


def status_of(error: SignoffError) -> int:
    """Return the HTTP status for an error."""
    match error:
        case OtherAction():
            return 409
        case BadPayload():
            return 400
        case IdempotencyStoreFull():
            return 503
        case _:
            return 500


def waiting_answer(number: str, request_id: str = "") -> Response:
    """Return the response that people are still asked about an action.

    Args:
        number: id of its ticket.
    """
    headers = {"location": f"/v1/actions/{number}"}
    said = pending_json(id=number, request_id=request_id)
    return Response(said, 202, headers=headers, media_type=JSON)


async def gone(request: Request) -> None:
    """Return once the caller has disconnected; call it after the body was read."""
    while (await request.receive())["type"] != "http.disconnect":
        continue


async def while_there(work: Coroutine[Any, Any, Given], request: Request) -> Given | None:
    """Run work; cancel it and return None if the caller disconnects first."""
    working, going = asyncio.ensure_future(work), asyncio.ensure_future(gone(request))
    try:
        await asyncio.wait((working, going), return_when=asyncio.FIRST_COMPLETED)
        return working.result() if working.done() else None
    finally:
        for task in (working, going):
            task.cancel()
        # Until both have ended, so that nothing of the work goes on behind the answer.
        await asyncio.wait((working, going))
