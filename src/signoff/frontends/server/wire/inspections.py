"""What texts hold that came from a tool, or that a tool says of itself; nothing is decided.

POST /v1/inspections {"texts": [{"kind": "result", "tool": "mcp__x__y", "text": "..."}]}
    -> {"texts": [{"findings": [{"detector": ..., "category": ..., "evidence": ...}]}]}
"""

from __future__ import annotations

import asyncio
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from signoff.errors import BadPayload
from signoff.frontends.results.inspecting import (
    TEXTS_MOST,
    InspectedTexts,
    JudgeCall,
    TextToInspect,
    inspected,
)


class TextsToInspect(Struct, frozen=True, kw_only=True):
    """The body of a request for inspection."""

    texts: Annotated[tuple[TextToInspect, ...], Meta(min_length=1, max_length=TEXTS_MOST)]


async def inspect_texts(body: bytes, judge: JudgeCall) -> bytes:
    """Return the findings in texts, as JSON.

    Raises:
        BadPayload: they are not in the known form.
    """
    found = []
    for one in _read(body).texts:
        found.append(inspected(judge, one))
        await asyncio.sleep(0)  # others are answered in between
    return msgspec.json.encode(InspectedTexts(texts=tuple(found)))


def _read(body: bytes) -> TextsToInspect:
    """Read what is asked.

    Raises:
        BadPayload: it is not in the known form.
    """
    try:
        return msgspec.json.decode(body, type=TextsToInspect)
    except (msgspec.MsgspecError, ValueError) as error:
        raise BadPayload(f"cannot be read: {error}"[:300]) from error
