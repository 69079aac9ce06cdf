"""Suppresses duplicate prompts: a call that its host reports twice before it runs is asked once.

Some hosts call one hook before every tool, and another one before they ask their own user about the
same call. An approval at the first hook holds once at the second, if it is the same call, was
approved a moment ago, and everything the approval is bound to is unchanged. The same holds for two
frontends that see one call: a host's hook, and the proxy before an MCP server. Approvals are kept
in this process only, so that no file can claim one. Every other call is asked about.

    repeats = {("codex", "codex"): is_same}
    suppression = DuplicatePromptSuppression(store=store, seal=seal, repeats=repeats)
    first = Ladder([suppression.noting(people)])
    second = Ladder([people], standing=SuppressedFirst(suppression=suppression, otherwise=grants))
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import TypeAlias

from msgspec import Struct, field

from signoff.actions.action import Action
from signoff.assess.verdict import Verdict
from signoff.challenge.answer import BY_DUPLICATE_PROMPT, Answer
from signoff.challenge.ladder import Standing
from signoff.challenge.pending import ClockReading, PendingStore, RequestState
from signoff.challenge.proofs.seal import Seal
from signoff.challenge.request import Channel, Request
from signoff.challenge.terms.binding import Binding, Operands, no_operands
from signoff.ids import is_same_secret
from signoff.values import replace

REPEAT_S = 10.0  # from the answer at the first event; the second follows before the call runs
KEPT = 64  # the second event follows within seconds; older answers are never asked for

Repeats: TypeAlias = Callable[[Action, Action], bool]


class RecentApproval(Struct, frozen=True, kw_only=True):
    """A call that people approved a moment ago.

    Args:
        asked: the call they were asked about.
        runs: the call that may run, with the arguments a person changed.
    """

    asked: Action
    runs: Action
    answer: Answer
    at: ClockReading


class DuplicatePromptSuppression(Struct, frozen=True, kw_only=True):
    """Finds the approval of a call that its host reports a second time.

    Args:
        repeats: by the frontends (`Action.source`) of the first and the second report, a function
            that tells whether both are the same call; other frontends report a call once.
    """

    store: PendingStore
    seal: Seal
    repeats: Mapping[tuple[str, str], Repeats]
    operands: Operands = no_operands
    _approvals: dict[str, RecentApproval] = field(default_factory=dict)

    def noting(self, people: Channel) -> Channel:
        """Wrap a channel so that its approvals are remembered for a second report."""
        return _Noting(people, self)

    def note(self, request: Request, answer: Answer) -> None:
        """Remember an approval, if the call's host reports calls twice."""
        action, now = request.action, self.store.moment()
        for id in [id for id, one in self._approvals.items() if now.since(one.at) >= REPEAT_S]:
            del self._approvals[id]
        # Most frontends tell of a call once: of those nothing is kept.
        if not any(action.source == first for first, _ in self.repeats):
            return
        while len(self._approvals) >= KEPT:
            del self._approvals[next(iter(self._approvals))]
        runs = action if answer.edited is None else replace(action, arguments=answer.edited)
        self._approvals[answer.request_id] = RecentApproval(
            asked=action, runs=runs, answer=answer, at=now
        )

    async def answer(self, request: Request) -> Answer | None:
        """Return the recent approval of this same call, None if there is none."""
        for id, one in tuple(self._approvals.items()):
            repeats = self.repeats.get((one.asked.source, request.action.source))
            if repeats is None or not repeats(one.runs, request.action):
                continue
            # Used up before anything is waited for: it holds once, whatever comes of it.
            if self._approvals.pop(id, None) is not None and await self._stands(one, request):
                return _answered(one)
        return None

    async def _stands(self, one: RecentApproval, request: Request) -> bool:
        """Tell whether the approval is in force and everything it is bound to is as it was."""
        pending = await self.store.get(one.answer.request_id)
        if (
            pending is None
            # A call that has ended, or whose approval was voided, does not run a second time.
            or pending.state is not RequestState.EXECUTING
            or not await asyncio.to_thread(self.seal.holds, pending)
        ):
            return False
        is_late = self.store.moment().since(one.at) >= REPEAT_S
        # Rules or scores that changed in between may make it a worse call than people saw.
        if is_late or request.assessment.level > pending.level:
            return False
        # The search path as it is now: by another one the same word runs another program (T-34).
        asked = replace(one.asked, search_path=request.action.search_path)
        binding = Binding(
            action=asked,
            policy_digest=request.assessment.policy_digest,
            operands=await asyncio.to_thread(self.operands, asked),
        )
        return is_same_secret(binding.digest, pending.digest)


class SuppressedFirst(Struct, frozen=True, kw_only=True):
    """Returns a recent approval of the same call, or else what a grant gives."""

    suppression: DuplicatePromptSuppression
    otherwise: Standing

    async def answer(self, request: Request) -> Answer | None:
        """Return the first answer found, None if there is none."""
        return await self.suppression.answer(request) or await self.otherwise.answer(request)


class _Noting:
    """Wraps a channel and remembers its approvals."""

    def __init__(self, people: Channel, suppression: DuplicatePromptSuppression) -> None:
        self.name = people.name
        self._people, self._suppression = people, suppression

    async def ask(self, request: Request) -> Answer | None:
        """Ask the wrapped channel; remember an approval."""
        answer = await self._people.ask(request)
        if answer is not None and answer.verdict is Verdict.ALLOW and answer.request_id:
            self._suppression.note(request, answer)
        return answer


def _answered(one: RecentApproval) -> Answer:
    """Return the answer for the second report; it names the approver of the first."""
    return Answer(
        verdict=Verdict.ALLOW,
        decided_by=BY_DUPLICATE_PROMPT,
        who=one.answer.who,
        channel=one.answer.channel,
        words=f"the same call, told twice by its host: request {one.answer.request_id}",
        request_id=one.answer.request_id,
    )
