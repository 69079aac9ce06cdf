"""The outcome of calls that people approved: done, failed or unknown.

An approved call is `executing` until its frontend reports its end. If no report comes for
`SILENCE_S`, or the process that let it run has ended, its outcome is unknown: it becomes
`uncertain`, is never allowed again, and its cards say so.

    outcomes = CallOutcomes(store=store, announcer=announcer)
    await outcomes.reported(EndedCall(host="claude-code", session="s1", call_id="toolu_1"))
"""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping

from msgspec import Struct

from signoff.actions.action import Action
from signoff.actions.canonical import Json, canonical
from signoff.challenge.pending import PendingRequest, PendingStore, RequestState
from signoff.challenge.people.announcing import Announcer
from signoff.challenge.terms.redacted_requests import redacted_action_of
from signoff.redaction.redact import Redactor

log = logging.getLogger(__name__)

RUNNING_MOST = 100_000  # more than are let go within `SILENCE_S`: the oldest must be among them
SILENCE_S = 3_600.0  # a build or a test run may take so long and still be reported
UNKNOWN = "request %s was let go; whether it ran is not known"


class EndedCall(Struct, frozen=True, kw_only=True):
    """A call that its host reports as ended.

    Args:
        call_id: the host's id of the call, "" if it has none.
        tool: with `arguments`, identifies a call that has no id.
    """

    host: str
    session: str
    call_id: str = ""
    tool: str = ""
    arguments: Mapping[str, Json] | None = None
    has_failed: bool = False


class CallOutcomes(Struct, frozen=True, kw_only=True):
    """Records the outcome of approved calls and updates their cards."""

    store: PendingStore
    announcer: Announcer
    redactor: Redactor | None = None

    async def finish(self, request_id: str, *, has_failed: bool = False, user: str = "") -> bool:
        """Note the outcome of an approved call; False if it does not wait for that.

        Args:
            user: the system user who says so, whose call it must be; "" where there is only one.
        """
        if user and not await self._is_of(request_id, user):
            return False
        return await self._move(
            request_id, RequestState.FAILED if has_failed else RequestState.DONE
        )

    async def reported(self, ended: EndedCall) -> bool:
        """Record a call that a host reports as ended; False if people approved no such call."""
        running = await self.store.listed(RequestState.EXECUTING, limit=RUNNING_MOST)
        # Oldest first: hosts report calls in the order they ran.
        found = [one for one in reversed(running) if _is_same_session(one, ended)]
        # Hosts without ids are found by what was called; that is surer with an id, so ids come
        # first.
        by_id = [one for one in found if ended.call_id and one.context.call_id == ended.call_id]
        same = by_id or [one for one in found if self._is_same_call(one, ended)]
        return bool(same) and await self.finish(same[0].id, has_failed=ended.has_failed)

    async def give_up(self, after_s: float = SILENCE_S) -> None:
        """Mark calls uncertain that were allowed `after_s` seconds ago and never reported."""
        now_s = self.store.moment().wall_s
        for one in await self.store.listed(RequestState.EXECUTING, limit=RUNNING_MOST):
            let_go = one.consumed_at
            if let_go is None or now_s - let_go.timestamp() < after_s:
                continue
            if await self._move(one.id, RequestState.UNCERTAIN):
                log.warning(UNKNOWN, one.id)

    async def _is_of(self, request_id: str, user: str) -> bool:
        """Tell whether a request is of a session of this system user."""
        pending = await self.store.get(request_id)
        # A service gives each session the name of its user (`ActionCaller.session`).
        return pending is not None and pending.context.session.endswith(f"@{user}")

    def _is_same_call(self, pending: PendingRequest, ended: EndedCall) -> bool:
        """Tell whether this is the call that was approved; an id that differs says no."""
        # Both have ids, and they differed in `reported`: equal arguments do not make them one call.
        if ended.arguments is None or (ended.call_id and pending.context.call_id):
            return False
        asked: dict[str, Json] = json.loads(pending.action)
        said = Action(tool=ended.tool, arguments=ended.arguments, cwd=pending.context.cwd)
        # The store holds the call without its secrets, so what the host tells is masked the same
        # way.
        told = redacted_action_of(said, self.redactor).arguments
        # A host reports what ran, which is what a person made of it.
        arguments = json.loads(pending.edited) if pending.edited else asked["arguments"]
        return asked["tool"] == ended.tool and canonical(arguments) == canonical(told)

    async def _move(self, request_id: str, to: RequestState) -> bool:
        """End a call that is executing, and bring its cards up to date."""
        if not await self.store.move(request_id, to, start=RequestState.EXECUTING):
            return False
        pending = await self.store.get(request_id)
        if pending is not None:
            await self.announcer.update(pending)
        return True


def _is_same_session(pending: PendingRequest, ended: EndedCall) -> bool:
    return (pending.context.host, pending.context.session) == (ended.host, ended.session)
