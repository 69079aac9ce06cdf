"""Escalation of one call: rules and scores, grants, the model, people, the time limit (spec 3).

Nobody is asked about a call that rules and scores settle. An earlier grant covers calls like the
one it was given for. The model may allow a call up to a level, and never denies. Then people are
asked, one channel after another. A step that fails counts as one that gave no answer. Without any
answer the call is denied.

    ladder = Ladder([people], evaluator=evaluator, standing=grants)
    answer = await ladder.escalate(action, assessment)
"""

from __future__ import annotations

import asyncio
import logging
import math
from collections.abc import Sequence
from typing import Protocol

from signoff.actions.action import Action, ActionKind
from signoff.assess.assessed import Assessed
from signoff.assess.challenges import is_strengthened
from signoff.assess.level import Level
from signoff.assess.verdict import Verdict
from signoff.challenge.answer import BY_MODEL, NO_ANSWER, Answer
from signoff.challenge.evaluator import ERROR_PREFIX, Evaluation, Evaluator
from signoff.challenge.request import ENDLESS, Channel, Request, WaitBudget
from signoff.values import replace

log = logging.getLogger(__name__)


NOBODY = replace(
    NO_ANSWER,
    words="this needs an approval, and nobody can be asked: no terminal and no channel is there",
)


class Standing(Protocol):
    """Port: finds answers that were given in advance (grants)."""

    async def answer(self, request: Request) -> Answer | None:
        """Return the answer a grant gives, None if none covers this."""


class OutcomeRecorder(Protocol):
    """Port: records how calls that people approved ended."""

    async def finish(self, request_id: str, *, has_failed: bool = False) -> bool:
        """Record the outcome; False if that request does not wait for one."""


class Ladder:
    """Asks grants, the model, channels and the host in order; the first valid answer counts.

    Args:
        model_up_to: highest level the model may approve; never CRITICAL.
    """

    def __init__(
        self,
        channels: Sequence[Channel] = (),
        *,
        evaluator: Evaluator | None = None,
        standing: Standing | None = None,
        outcomes: OutcomeRecorder | None = None,
        model_up_to: Level = Level.HIGH,
    ) -> None:
        self.channels = tuple(channels)
        self.evaluator = evaluator
        self.standing = standing
        self.outcomes = outcomes
        self.model_up_to = model_up_to

    async def escalate(
        self, action: Action, assessment: Assessed, patience: WaitBudget = ENDLESS
    ) -> Answer:
        """Return the first answer that counts; a denial if there is none."""
        if assessment.preliminary is not Verdict.ASK:
            return NO_ANSWER
        request = Request(action=action, assessment=assessment, patience=patience)
        # Grants come first: they are a person's own answer, and cost neither time nor tokens.
        granted = None if self.standing is None else await self.standing.answer(request)
        if granted is not None:
            return granted
        evaluation = await self._evaluate(request)
        if evaluation is not None and evaluation.approves:
            return _of_model(evaluation)
        thought = "" if evaluation is None else str(evaluation)
        told = "" if evaluation is None else evaluation.for_people
        # A confident "no" of the model also ends up here: it may advise people, never deny.
        return replace(await self._people(replace(request, thought=told)), model=thought)

    async def foresee(
        self, action: Action, assessment: Assessed, patience: WaitBudget = ENDLESS
    ) -> Answer:
        """Return what the model alone would answer; people are not asked, grants not used."""
        if assessment.preliminary is not Verdict.ASK:
            return NO_ANSWER
        request = Request(action=action, assessment=assessment, patience=patience)
        evaluation = await self._evaluate(request)
        if evaluation is None or not evaluation.approves:
            return NO_ANSWER
        return _of_model(evaluation)

    async def finish(self, answer: Answer, *, has_failed: bool = False) -> bool:
        """Record how a call ended that an answer allowed; False if no request waits for that."""
        if self.outcomes is None or not answer.request_id:
            return False
        return await self.outcomes.finish(answer.request_id, has_failed=has_failed)

    async def _evaluate(self, request: Request) -> Evaluation | None:
        """Ask the model, where there is one and it may settle this level."""
        level = request.assessment.level
        # Whether a model may read a result is not asked of a model that reads it.
        if request.action.kind is ActionKind.RESULT:
            return None
        # CRITICAL is tested beside the setting: no configuration lets a model approve it.
        if self.evaluator is None or level > self.model_up_to or level is Level.CRITICAL:
            return None
        # Somebody chose a stronger proof for this call; a model cannot give one.
        if is_strengthened(request.assessment.challenge, level):
            return None
        try:
            # The model spends the same time budget as people: the host's limit does not move.
            async with asyncio.timeout_at(_loop_time(request.patience)):
                evaluation = await self.evaluator.evaluate(request)
        except Exception as error:  # noqa: BLE001 - its own error; people are asked
            return Evaluation(reason=f"{ERROR_PREFIX}{type(error).__name__}")
        if evaluation.confident and not evaluation.allowed:
            log.info("the model would refuse; people are asked")
        return evaluation

    async def _people(self, request: Request) -> Answer:
        """Return the answer of the first channel whose answer counts."""
        for channel in self.channels:
            answer = await _ask(channel, request)
            if answer is not None and answer.counts(request.assessment.level):
                return answer
        return NOBODY


def _of_model(evaluation: Evaluation) -> Answer:
    """Return the answer of a model that approves."""
    return Answer(
        verdict=Verdict.ALLOW,
        decided_by=BY_MODEL,
        who=evaluation.model,
        words=evaluation.reason,
        model=str(evaluation),
    )


def _loop_time(patience: WaitBudget) -> float | None:
    """Return by the loop's clock when the caller must have an answer, None if at any time."""
    if patience.until is None:
        return None
    # The caller's deadline is by another clock than the loop's.
    return asyncio.get_running_loop().time() + patience.left_s(math.inf)


async def _ask(channel: Channel, request: Request) -> Answer | None:
    """Ask one channel; one that fails must not keep the others from being asked."""
    try:
        return await channel.ask(request)
    except Exception as error:  # noqa: BLE001 - its own error; the next one is asked
        # Only the kind of error: texts of errors carry addresses and tokens.
        log.error("channel `%s` gave no answer: %s", channel.name, type(error).__name__)
        return None
