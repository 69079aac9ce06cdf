"""The main path: one action in, one decision out, recorded before anybody hears of it.

Open this first. Whatever goes wrong on the way is a refusal with its reason; there is no path
on which a failure lets something through. Everything the gate works with comes in through the
constructor; `wiring.py` builds it.

    decision = await gate.check(Action(tool="Bash", arguments={"command": "git status"}))
    decision = gate.check_now(action)  # the same, for callers that are not async
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Protocol, TypeAlias

from signoff.actions.action import Action
from signoff.actions.facts import Facts
from signoff.assess.assessed import Assessed
from signoff.challenge.answer import Answer
from signoff.decide.decide import decide, refuse
from signoff.decide.decision import BY_ERROR, BY_LOCK, Decision, Stamp


class Memory(Protocol):
    """What is known beforehand."""

    async def recall(self, action: Action) -> Facts:
        """Gather the facts the judgement needs."""


class Climber(Protocol):
    """Whoever must be asked."""

    async def climb(self, action: Action, assessment: Assessed) -> Answer:
        """Return the answer, a refusal if nobody gave one."""


class Dispatcher(Protocol):
    """What follows from a decision."""

    async def dispatch(self, decision: Decision) -> None:
        """Record the decision durably, then tell the handlers."""


class Locks(Protocol):
    """The panic switch."""

    def reason(self, action: Action) -> str:
        """Return why the action is locked, "" if it is not."""


class NoLocks:
    """Locks nothing: for a gate that has no switch."""

    def reason(self, action: Action) -> str:
        """Return "": nothing is locked."""
        return ""


Judge: TypeAlias = Callable[[Action, Facts], Assessed]


class Gate:
    """Decides about actions."""

    def __init__(
        self,
        memory: Memory,
        judge: Judge,
        *,
        ladder: Climber,
        effects: Dispatcher,
        locks: Locks | None = None,
    ) -> None:
        self.memory = memory
        self.judge = judge
        self.ladder = ladder
        self.effects = effects
        self.locks = locks or NoLocks()

    async def check(self, action: Action) -> Decision:
        """Decide about the action; any failure is a refusal that says what failed.

        What a person has changed is judged anew: the decision's action is then the changed one.
        """
        started = time.perf_counter()
        try:
            facts = await self.memory.recall(action)
            assessment = self.judge(action, facts)
            answer = await self.ladder.climb(action, assessment)
            if answer.edited is not None:
                return await self.check(replace(action, arguments=answer.edited))
            # Last before the decision: a lock set while somebody was asked holds as well.
            if locked := self.locks.reason(action):
                return await self.refuse(action, locked, started=started, decided_by=BY_LOCK)
            decision = decide(action, assessment, answer=answer, stamp=_stamp(started))
            await self.effects.dispatch(decision)
        except Exception as error:  # noqa: BLE001 - the frame: no failure may let anything through
            reason = f"cannot decide, so it is refused: {type(error).__name__}: {error}"
            return await self.refuse(action, reason, started=started)
        return decision

    async def refuse(
        self,
        action: Action,
        reason: str,
        *,
        started: float | None = None,
        decided_by: str = BY_ERROR,
    ) -> Decision:
        """Refuse what could not be read, judged or recorded; it stands even if unrecorded."""
        stamp = _stamp(time.perf_counter() if started is None else started)
        decision = refuse(action, reason, decided_by=decided_by, stamp=stamp)
        try:
            await self.effects.dispatch(decision)
        except Exception:  # noqa: BLE001 - the frame again: a refusal is answered in any case
            return decision
        return decision

    def check_now(self, action: Action) -> Decision:
        """Decide about the action from code that is not async."""
        from signoff.sync import run_now  # noqa: PLC0415 - asyncio costs 40 ms of every start

        return run_now(self.check(action))

    def refuse_now(self, action: Action, reason: str) -> Decision:
        """Refuse the action from code that is not async."""
        from signoff.sync import run_now  # noqa: PLC0415 - asyncio costs 40 ms of every start

        return run_now(self.refuse(action, reason))


def _stamp(started: float) -> Stamp:
    """Mark a decision with its own id, the time, and how long it took."""
    return Stamp(
        id=uuid.uuid4().hex,
        decided_at=datetime.now(UTC),
        latency_s=time.perf_counter() - started,
    )
