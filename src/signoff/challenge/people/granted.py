"""What was granted before: an approval that covers this call as well, if it is in force.

CRITICAL is never granted, and a grant that the approval service did not make covers nothing.
"""

from __future__ import annotations

import asyncio

from msgspec import Struct, field

from signoff.assess.verdict import Verdict
from signoff.challenge.answer import BY_GRANT, Answer
from signoff.challenge.proofs.ledger import Alarms
from signoff.challenge.proofs.seal import GRANT_PREFIX, Seal
from signoff.challenge.request import Request
from signoff.challenge.terms.binding import Binding, Operands, bound_shape, no_operands
from signoff.challenge.terms.grant import GrantStore, why_not_granted
from signoff.challenge.terms.redacted_requests import redacted_shape
from signoff.redaction.redact import Redactor


class Granted(Struct, frozen=True, kw_only=True):
    """Finds the grant that covers a call, if a person gave one that still holds."""

    grants: GrantStore
    seal: Seal
    operands: Operands = no_operands
    redactor: Redactor | None = None
    alarms: Alarms = field(default_factory=Alarms)

    async def answer(self, request: Request) -> Answer | None:
        """Return the answer a grant gives, None if none covers this."""
        action, assessment = request.action, request.assessment
        # Both cost nothing; reading the files a call names does, and most calls have no grant.
        if why_not_granted(assessment) or not self.grants.listed():
            return None
        operands = await asyncio.to_thread(self.operands, action)
        binding = Binding(action=action, policy_digest=assessment.policy_digest, operands=operands)
        # In a thread: a use is counted durably, perhaps on another machine.
        grant = await asyncio.to_thread(
            self.grants.find,
            digest=binding.digest,
            shape=bound_shape(redacted_shape(request, self.redactor), operands),
            agent=action.agent,
            session=action.session,
        )
        if grant is None:
            return None
        # In a thread: outside the daemon this asks it over its socket.
        is_ours = await asyncio.to_thread(self.seal.made, GRANT_PREFIX, grant.sealed, grant.seal)
        if not is_ours:
            self.alarms.tell(grant.id, f"grant {grant.id} was not given here, and is refused")
            return None
        return Answer(
            verdict=Verdict.ALLOW,
            decided_by=BY_GRANT,
            who=grant.author,
            channel=grant.channel,
            words=f"{grant.id}: {grant.said}",
        )
