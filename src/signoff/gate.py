"""The main path: one action in, one decision out, recorded before anybody hears of it.

Open this first. Whatever goes wrong on the way is a refusal with its reason; there is no path
on which a failure lets something through. Everything the gate works with comes in through the
constructor; `build/gate.py` builds it.

    decision = await gate.check(Action(tool="Bash", arguments={"command": "git status"}))
    decision = gate.check_now(action)  # the same, for callers that are not async
"""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Protocol, TypeAlias

from msgspec import Struct

from signoff.actions.action import Action
from signoff.actions.facts import Facts
from signoff.assess.assessed import Assessed
from signoff.assess.finding import FIXED_DETECTORS
from signoff.assess.verdict import Verdict
from signoff.challenge.answer import NO_ANSWER, Answer
from signoff.challenge.request import ENDLESS, WaitBudget
from signoff.decide.decide import decide, refuse, unenforced
from signoff.decide.decision import (
    BY_ERROR,
    BY_LOCK,
    Decision,
    DecisionStamp,
    Enforcement,
    always_enforce,
)
from signoff.ids import new_id
from signoff.values import replace


class Memory(Protocol):
    """Port: gathers what was known about a call before it is judged."""

    async def recall(self, action: Action) -> Facts:
        """Return what is known about this call: its session's history, files, working folder.

        Any exception makes the gate deny the call.
        """


class Escalation(Protocol):
    """Port: asks grants, a model or people about a call that the judgement left open."""

    async def escalate(self, action: Action, assessment: Assessed, patience: WaitBudget) -> Answer:
        """Ask, and return the first answer that counts; a denial if none came in time.

        Args:
            patience: how long the caller can wait.
        """

    async def foresee(self, action: Action, assessment: Assessed, patience: WaitBudget) -> Answer:
        """Return what the model alone would answer; no person is asked, no grant used."""

    async def finish(self, answer: Answer, *, has_failed: bool = False) -> bool:
        """Record how a call ended that this answer allowed.

        Returns False if no request waits for an outcome.
        """


class Dispatcher(Protocol):
    """Port: records decisions and runs the handlers."""

    async def dispatch(self, decision: Decision) -> Decision:
        """Record the decision durably, then tell the handlers; return it without secrets."""


class Locks(Protocol):
    """Port: the panic switch, which blocks all calls or those of one agent, session or tool."""

    def reason(self, action: Action) -> str:
        """Return why the action is locked, "" if it is not."""


class NoLocks:
    """A panic switch that is never on."""

    def reason(self, action: Action) -> str:
        """Return "": nothing is locked."""
        return ""


Judge: TypeAlias = Callable[[Action, Facts], Assessed]


class _JudgedAction(Struct, frozen=True, kw_only=True, gc=False):
    """A judged action with its answer, ready to be decided.

    Args:
        edited_from: the digest of what was asked about, where a person has changed it since.
        enforcement: what the decision does.
    """

    action: Action
    assessment: Assessed
    answer: Answer
    edited_from: str = ""
    enforcement: Enforcement = Enforcement.ENFORCE


class Gate:
    """Decides whether actions may run; the main entry point."""

    def __init__(
        self,
        memory: Memory,
        judge: Judge,
        *,
        ladder: Escalation,
        effects: Dispatcher,
        locks: Locks | None = None,
        enforcement: Callable[[], Enforcement] = always_enforce,
    ) -> None:
        self.memory = memory
        self.judge = judge
        self.ladder = ladder
        self.effects = effects
        self.locks = locks or NoLocks()
        self.enforcement = enforcement

    async def check(self, action: Action, patience: WaitBudget = ENDLESS) -> Decision:
        """Decide about the action. Any failure is a denial that says what failed.

        Arguments a person edited are judged again. The decision's `action` is then the edited one,
        and nothing else may run.

        Args:
            patience: how long the caller can wait for people.
        """
        started = time.perf_counter()
        try:
            case = await self._asked(action, patience)
        except Exception as error:  # noqa: BLE001 - the frame: no failure may let anything through
            return await self._failed(action, error, started)
        decision = await self._decided(case, started=started)
        # A lock or a failed record can deny what a person approved: close their approval.
        if not decision.allowed:
            await self._unused(case.answer)
        return decision

    async def settle(self, action: Action) -> Decision | None:
        """Decide if nobody has to be asked; else return None, with nothing recorded.

        For callers who can wait for the disk but not for people.
        """
        started = time.perf_counter()
        try:
            assessment = self.judge(action, await self.memory.recall(action))
        except Exception as error:  # noqa: BLE001 - the frame: no failure may let anything through
            return await self._failed(action, error, started)
        # Nothing is recorded here: `check` will judge this call again and record it then.
        if assessment.preliminary is Verdict.ASK:
            return None
        case = _JudgedAction(
            action=action,
            assessment=assessment,
            answer=NO_ANSWER,
            enforcement=self._enforcement_for(assessment),
        )
        return await self._decided(case, started=started)

    async def finish(self, decision: Decision, *, has_failed: bool = False) -> bool:
        """Record how an allowed call ended. Return False if no person had approved it."""
        if decision.answer is None or not decision.allowed:
            return False
        return await self.ladder.finish(decision.answer, has_failed=has_failed)

    async def _asked(self, action: Action, patience: WaitBudget) -> _JudgedAction:
        """Judge the action and ask whoever must be asked; what they change is judged again."""
        facts = await self.memory.recall(action)
        assessment = self.judge(action, facts)
        enforcement = self._enforcement_for(assessment)
        if enforcement is not Enforcement.ENFORCE:
            is_shadow = enforcement is Enforcement.SHADOW
            answer = (
                await self.ladder.foresee(action, assessment, patience) if is_shadow else NO_ANSWER
            )
            return _JudgedAction(
                action=action, assessment=assessment, answer=answer, enforcement=enforcement
            )
        # Nobody is asked about what a lock would deny whatever they say.
        is_locked = assessment.preliminary is Verdict.ASK and self.locks.reason(action)
        answer = (
            NO_ANSWER if is_locked else await self.ladder.escalate(action, assessment, patience)
        )
        if answer.edited is None:
            return _JudgedAction(action=action, assessment=assessment, answer=answer)
        changed = replace(action, arguments=answer.edited)
        try:
            again = self.judge(changed, await self.memory.recall(changed))
            # The answer that holds the change is its approval, but only for what is no more serious
            # than what was asked and takes no more of a proof: whoever may settle a little, and
            # proved a little, has not settled more.
            is_settled = again.preliminary is not Verdict.ASK or (
                again.level <= assessment.level and again.challenge <= assessment.challenge
            )
        # Cancellation too: an approval for a call that will not run must be closed.
        except BaseException:
            await self._unused(answer)
            raise
        if is_settled:
            case = _JudgedAction(action=changed, assessment=again, answer=answer)
        else:
            await self._unused(answer)
            # More serious than what was approved: that approval is void, and people are asked.
            case = await self._asked(changed, patience)
        return replace(case, edited_from=action.digest)

    def _enforcement_for(self, assessment: Assessed) -> Enforcement:
        """Return what a decision about a call does; what protects signoff itself always holds."""
        enforcement = self.enforcement()
        if enforcement is Enforcement.ENFORCE:
            return enforcement
        # Else an agent could change signoff's own files while a trial lets everything run (T-55).
        guards = any(one.detector in FIXED_DETECTORS for one in assessment.findings if one.detected)
        return Enforcement.ENFORCE if guards else enforcement

    async def _decided(self, case: _JudgedAction, *, started: float) -> Decision:
        """Make the decision and see it recorded."""
        action = case.action
        try:
            # Last before the decision: a lock set while somebody was asked holds as well.
            if locked := self.locks.reason(action):
                return await self.refuse(action, locked, started=started, decided_by=BY_LOCK)
            decision = decide(
                action,
                case.assessment,
                answer=case.answer,
                edited_from=case.edited_from,
                stamp=_stamp(started),
            )
            if case.enforcement is not Enforcement.ENFORCE:
                decision = unenforced(decision, case.enforcement.value)
            return await self.effects.dispatch(decision)
        except Exception as error:  # noqa: BLE001 - the frame once more
            return await self._failed(action, error, started)

    async def _failed(self, action: Action, error: Exception, started: float) -> Decision:
        """Refuse the action over what has failed."""
        reason = f"cannot decide, so it is refused: {type(error).__name__}: {error}"
        return await self.refuse(action, reason, started=started)

    async def _unused(self, answer: Answer) -> None:
        """Note of an approval that nothing runs by it; the refusal stands even if that fails."""
        # Nothing was approved, so nothing waits for its end.
        if answer.verdict is not Verdict.ALLOW:
            return
        try:
            await self.ladder.finish(answer, has_failed=True)
        except Exception:  # noqa: BLE001 - the frame again: silence ends it as well
            return

    async def refuse(
        self,
        action: Action,
        reason: str,
        *,
        started: float | None = None,
        decided_by: str = BY_ERROR,
    ) -> Decision:
        """Deny what could not be parsed, judged or recorded; it holds even if not recorded."""
        stamp = _stamp(time.perf_counter() if started is None else started)
        decision = refuse(action, reason, decided_by=decided_by, stamp=stamp)
        try:
            return await self.effects.dispatch(decision)
        except Exception:  # noqa: BLE001 - the frame again: a refusal is answered in any case
            return decision

    def check_now(self, action: Action, patience: WaitBudget = ENDLESS) -> Decision:
        """Decide about the action, from code that is not async; see `check`."""
        from signoff.sync import run_now  # noqa: PLC0415 - asyncio costs 40 ms of every start

        return run_now(self.check(action, patience))

    def finish_now(self, decision: Decision, *, has_failed: bool = False) -> bool:
        """Record how an allowed call ended, from code that is not async; see `finish`."""
        if decision.answer is None or not decision.answer.request_id:
            return False
        from signoff.sync import run_now  # noqa: PLC0415 - asyncio costs 40 ms of every start

        return run_now(self.finish(decision, has_failed=has_failed))

    def refuse_now(self, action: Action, reason: str) -> Decision:
        """Deny the action, from code that is not async; see `refuse`."""
        from signoff.sync import run_now  # noqa: PLC0415 - asyncio costs 40 ms of every start

        return run_now(self.refuse(action, reason))


def _stamp(started: float) -> DecisionStamp:
    """Mark a decision with its own id, the time, and how long it took."""
    return DecisionStamp(
        id=new_id(),
        decided_at=datetime.now(UTC),
        latency_s=time.perf_counter() - started,
    )
