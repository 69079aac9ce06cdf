"""Making requests: what is kept of a call that people are asked about, and what binds it.

maker = RequestMaker(plan=plan, codes=codes, operands=operands_of)
new, code = await maker.make(request)
"""

from __future__ import annotations

import asyncio
import secrets
import uuid
from collections.abc import Callable

from msgspec import Struct

from signoff.challenge.card import Card
from signoff.challenge.pending import Context, NewRequest
from signoff.challenge.people.codes import ConfirmationCodes
from signoff.challenge.proofs.steps import make_steps
from signoff.challenge.request import Request
from signoff.challenge.terms.binding import Binding, Operands, bound_shape
from signoff.challenge.terms.grant import why_not_granted
from signoff.challenge.terms.plan import ApprovalPlan
from signoff.challenge.terms.redacted_requests import redacted_request, redacted_shape
from signoff.challenge.terms.step import ProofStep
from signoff.redaction.redact import Redactor

NONCE_BYTES = 16

MakeCard = Callable[[Request], Card]


class RequestMaker(Struct, frozen=True, kw_only=True):
    """Builds stored requests from approval requests; see `PeopleChannel` for the fields.

    Args:
        code_for: gives the confirmation code of a request by its id.
    """

    plan: ApprovalPlan
    codes: ConfirmationCodes
    operands: Operands
    card: MakeCard
    redactor: Redactor | None
    code_for: Callable[[str], str]

    async def make(self, request: Request) -> tuple[NewRequest, str]:
        """Return the request to store, and its confirmation code ("" if none is needed)."""
        action, assessment, plan = request.action, request.assessment, self.plan
        id, binding = uuid.uuid4().hex, await self.binding(request)
        told, code = redacted_request(request, self.redactor), self.code_for(id)
        new = NewRequest(
            id=id,
            nonce=secrets.token_hex(NONCE_BYTES),
            digest=binding.digest,
            action=told.action.canonical_bytes,
            card=self.card(told),
            level=assessment.level,
            challenge=assessment.challenge,
            steps=make_steps(told, id, plan),
            context=Context(
                agent=action.agent,
                session=action.session,
                host=action.source,
                tool=action.tool,
                cwd=action.cwd,
                call_id=action.request_id,
                may_edit=action.source in plan.edits,
                shape=bound_shape(redacted_shape(request, self.redactor), binding.operands),
                once_only=why_not_granted(assessment),
            ),
            ttl_s=plan.answer_s,
            join_s=plan.join_s,
            verifier=await self.codes.verifier(code, id),
        )
        return new, code

    def steps_of(self, request: Request) -> Callable[[str], tuple[ProofStep, ...]]:
        """Return a function that gives the proof steps of a request for its id."""
        told = redacted_request(request, self.redactor)
        return lambda id: make_steps(told, id, self.plan)

    async def binding(self, request: Request) -> Binding:
        """Return the call with the present state of everything an approval is bound to."""
        operands = await asyncio.to_thread(self.operands, request.action)
        return Binding(
            action=request.action,
            policy_digest=request.assessment.policy_digest,
            operands=operands,
        )
