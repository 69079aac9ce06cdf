"""The one answer to an action with a request id, on whichever node it is asked about.

Where nodes share requests, the answer is kept in their store before anybody gets it. A caller whose
node died asks another one with the same id: it gets the answer that was kept, or that of the node
that is at it, or this node takes over. What cannot be kept is refused, as it could be given twice.

    body = await answers.decided(gate, action, key=key, ticket=id)
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import time

from msgspec import Struct, field

from signoff.actions.action import Action
from signoff.challenge.terms.binding import Operands, digest_of_files, no_operands
from signoff.decide.decision import BY_ERROR, Decision
from signoff.errors import StoreError
from signoff.frontends.decision_json import decision_json
from signoff.frontends.server.idempotency import Key, OtherAction
from signoff.gate import Gate
from signoff.storage.approvals.answer_store import (
    AnswerLease,
    AnswerStore,
    IdempotentRequest,
    StoredAnswer,
)

AGAIN_S = 0.25  # between looks at what another node is at
KEY_PREFIX = b"signoff-request-id-v1\0"


class ActionAnswers(Struct, frozen=True, kw_only=True):
    """Answers actions; each request id gets one answer.

    Args:
        store: where nodes share answers; None = each process has its own.
        operands: finds the files a call would use, to which its answer is bound too.
    """

    store: AnswerStore | None = None
    operands: Operands = field(default_factory=lambda: no_operands)

    async def decided(self, gate: Gate, action: Action, *, key: Key | None, ticket: str) -> bytes:
        """Return the answer to an action.

        Args:
            key: the request id, None if there is none.

        Raises:
            OtherAction: the request id was used for another action, or its files have changed.
            StoreError: it cannot be determined whether it was answered before.
        """
        if self.store is None or key is None:
            return decision_json(await gate.check(action), id=ticket)
        files = await asyncio.to_thread(self.operands, action)
        asked = IdempotentRequest(
            key=hashlib.sha256(KEY_PREFIX + json.dumps(key).encode()).hexdigest(),
            ticket=ticket,
            digest=action.digest,
            files=digest_of_files(files),
        )
        while isinstance(begun := await self.store.begin(asked), StoredAnswer):
            if begun.digest != asked.digest:
                raise OtherAction("this request id was used for another action")
            if begun.body and begun.files != asked.files:
                raise OtherAction("a file this action names has changed since it was answered")
            if begun.body:
                return begun.body
            await asyncio.sleep(AGAIN_S)
        return await self._kept(self.store, gate, action, begun)

    async def _kept(
        self, store: AnswerStore, gate: Gate, action: Action, lease: AnswerLease
    ) -> bytes:
        """Decide, and keep the answer before it is given."""
        decision = await gate.check(action)
        body = decision_json(decision, id=lease.asked.ticket)
        if _is_open(decision):
            await store.leave(lease)
            return body
        try:
            await store.keep(lease, body)
        except StoreError as error:
            if not decision.allowed:
                return body
            # Nobody may run it twice: as long as it cannot be kept, nobody may run it.
            await gate.finish(decision, has_failed=True)
            refused = await gate.refuse(action, f"the answer was not kept: {error}")
            return decision_json(refused, id=lease.asked.ticket)
        return body

    async def found(self, ticket: str, *, seconds: float) -> bytes | None:
        """Return another node's answer, if it has one within `seconds`, else None.

        b"" means that a node still works on it.

        Raises:
            StoreError: that cannot be determined.
        """
        until = time.monotonic() + seconds
        while self.store is not None:
            kept = await self.store.find(ticket)
            # Nobody is at it any more: its caller has to ask again.
            if kept is None or not (kept.body or kept.is_held):
                return None
            left_s = until - time.monotonic()
            if kept.body or left_s <= 0:
                return kept.body
            await asyncio.sleep(min(AGAIN_S, left_s))
        return None


def _is_open(decision: Decision) -> bool:
    """Tell whether the same call may be answered in another way when it is asked again."""
    if decision.decided_by == BY_ERROR:
        return True
    return decision.answer is not None and decision.answer.is_open
