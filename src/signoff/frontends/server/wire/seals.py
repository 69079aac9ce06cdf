"""What the daemon says of seals over its Unix socket: whether it made one. It makes none there.

POST /v1/seals {"prefix": "signoff-answer-v2", "parts": [...], "seal": "..."}
"""

from __future__ import annotations

import asyncio
import json

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from signoff.challenge.proofs.seal import (
    ANSWER_PREFIX,
    CHANNEL_AT,
    CODED_CHANNEL,
    GRANT_PREFIX,
    USE_PREFIX,
    Seal,
)

BODY_LIMIT = 65_536
PARTS_LIMIT = 32
PREFIXES = (ANSWER_PREFIX, GRANT_PREFIX, USE_PREFIX)


class Seals(Struct, frozen=True, kw_only=True):
    """Tells what was sealed here."""

    seal: Seal

    async def answer(self, request: Request) -> Response:
        """POST /v1/seals: say whether a seal was made here."""
        body = await request.body()
        try:
            said = json.loads(body if len(body) <= BODY_LIMIT else b"")
            prefix, parts, seal = said["prefix"], said["parts"], said["seal"]
            texts = [prefix, seal, *parts]
        except (ValueError, KeyError, TypeError):
            return JSONResponse({"made": False}, 400)
        is_good = prefix in PREFIXES and len(parts) <= PARTS_LIMIT
        if not is_good or not all(isinstance(text, str) for text in texts):
            return JSONResponse({"made": False}, 400)
        made = await asyncio.to_thread(self._made, prefix, tuple(parts), seal)
        return JSONResponse({"made": made})

    def _made(self, prefix: str, parts: tuple[str, ...], seal: str) -> bool:
        if prefix == USE_PREFIX:
            return self.seal.uses(parts, seal)
        if self.seal.made(prefix, parts, seal):
            return True
        is_typed = prefix == ANSWER_PREFIX and len(parts) > CHANNEL_AT
        is_typed = is_typed and parts[CHANNEL_AT] == CODED_CHANNEL
        coded = self.seal.by_code(parts[0]) if is_typed else None
        return coded is not None and coded.made(prefix, parts, seal)
