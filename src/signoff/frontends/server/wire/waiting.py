"""Waiting for people only as long as somebody waits for what they say.

words = await while_there(people.ask_next(...), request)       None once the caller went away
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from starlette.requests import Request

Given = TypeVar("Given")


async def gone(request: Request) -> None:
    """Return once the caller went away; its body was read before."""
    while (await request.receive())["type"] != "http.disconnect":
        continue


async def while_there(work: Coroutine[Any, Any, Given], request: Request) -> Given | None:
    """Return what the work gives, None if the caller goes away before; the work is ended then."""
    working, going = asyncio.ensure_future(work), asyncio.ensure_future(gone(request))
    try:
        await asyncio.wait((working, going), return_when=asyncio.FIRST_COMPLETED)
        return working.result() if working.done() else None
    finally:
        for task in (working, going):
            task.cancel()
        await asyncio.wait((working, going))
