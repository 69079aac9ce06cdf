"""What an approval may bring along: a grant for the session, a policy for the model.

Neither changes whether it was approved; the sentence that comes back says what was kept, or why
not.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from typing import TypeAlias, assert_never

from msgspec import Struct, field

from signoff.challenge.channel import ApprovalScope, Response
from signoff.challenge.decoys.register import DecoyRegister
from signoff.challenge.pending import PendingRequest
from signoff.challenge.proofs.seal import Seal
from signoff.challenge.terms.grant import (
    LONGEST_S,
    SESSION_S,
    GrantStore,
    NewGrant,
)
from signoff.challenge.terms.policy import PolicyStore
from signoff.challenge.terms.session_scope import shape_words
from signoff.challenge.visible import visible
from signoff.errors import StoreError
from signoff.values import count_of, replace

log = logging.getLogger(__name__)

SHOWN_LIMIT = 300

# Takes who added it, for which tool and with which answer, and the channel.
NotePolicy: TypeAlias = Callable[[str, str, str], Awaitable[None]]


class Extras(Struct, frozen=True, kw_only=True):
    """Stores the grants and guidelines that come with an answer, where stores exist.

    Args:
        note: writes a guideline to the audit log, before it is stored.
        decoys: requests whose answers store nothing.
    """

    grants: GrantStore | None = None
    policies: PolicyStore | None = None
    note: NotePolicy | None = None
    decoys: DecoyRegister = field(default_factory=DecoyRegister)

    async def add(
        self, pending: PendingRequest, response: Response, *, author: str, seal: Seal, now_s: float
    ) -> str:
        """Store the grant and policy of an answer; return a message about them, "" if none."""
        try:
            granted = self._grant(pending, response, author=author, seal=seal, now_s=now_s)
            return granted + await self._policy(pending, response, author)
        except (StoreError, ValueError) as error:
            log.error("an approval's grant or policy was not kept: %s", type(error).__name__)
            # The approval itself counts already: it must not fail with what came along.
            return f"; once only: {error}"

    def _grant(
        self, pending: PendingRequest, response: Response, *, author: str, seal: Seal, now_s: float
    ) -> str:
        """Store the grant, if the approval is for more than once."""
        if response.scope is ApprovalScope.ONCE:
            return ""
        # Checked here, as forms and commands of any channel can name a scope.
        if self.grants is None or pending.once_only:
            return f"; once only: {pending.once_only or 'grants are not kept here'}"
        new = _wanted(pending, response, now_s)
        if isinstance(new, str):
            return f"; once only: {new}"
        new = replace(new, author=author, channel=response.identity.channel)
        grant = self.grants.add(replace(new, seal=seal.of_grant(*new.sealed)))
        return f"; {grant.id} covers {grant.said}"

    async def _policy(self, pending: PendingRequest, response: Response, author: str) -> str:
        """Store the policy for the tool."""
        text = response.policy
        if not text.strip():
            return ""
        if self.policies is None:
            return "; policies are not kept here"
        if self.note is not None:
            said = f"for {pending.context.tool or 'every tool'}, with the answer to {pending.id}"
            await self.note(author, said, response.identity.channel)
        policy = self.policies.add(text, tool=pending.context.tool, author=author)
        tool = visible(policy.tool) or "every tool"
        return f"; kept as {policy.id} for {tool}: {_short(policy.text)}"


def _short(text: str) -> str:
    shown = visible(text)
    return shown if len(shown) <= SHOWN_LIMIT else f"{shown[:SHOWN_LIMIT]}... ({len(shown):,})"


def _wanted(pending: PendingRequest, response: Response, now_s: float) -> NewGrant | str:
    """Return the grant that is wanted, or why there can be none."""
    context = pending.context
    match response.scope:
        case ApprovalScope.SESSION:
            if not context.shape:
                return "no other call can be taken to be like it"
            return NewGrant(
                shape=context.shape,
                session=context.session,
                agent=context.agent,
                said=f"{shape_words(context.shape)}, for this session",
                expires_s=now_s + SESSION_S,
            )
        case ApprovalScope.EXACT:
            if response.minutes <= 0:
                return "say for how many minutes"
            # Bounded here as well, as any caller of the API can name minutes (T-45).
            seconds = min(response.minutes * 60, LONGEST_S)
            return NewGrant(
                digest=pending.digest,
                session=context.session,
                agent=context.agent,
                said=f"exactly this for {count_of(seconds / 60, 'minute')}",
                expires_s=now_s + seconds,
            )
        case ApprovalScope.ONCE:
            return "it was approved once"
        case _:
            assert_never(response.scope)
