"""The results of a framework's tools, read before its model gets them.

    policy = results_policy()                                    # the setting `results`
    value = await checked_value(checker, call, value, policy, patience)
    value = checked_value_now(checker, call, value, policy, patience)

A text gets labels around it, is taken out, or a refusal takes its place; a mapping, list or tuple
keeps its form. Whatever else is suspect becomes a text.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Mapping, Sequence
from typing import Any, assert_never

from signoff.actions.action import Action
from signoff.challenge.request import WaitBudget
from signoff.decide.decision import Decision
from signoff.errors import SignoffError
from signoff.frontends.python.checker import Checker
from signoff.frontends.python.chosen import DaemonOrHere
from signoff.frontends.python.client import Client, in_thread
from signoff.frontends.results.check import (
    CheckedResult,
    ResultCall,
    ResultOutcome,
    at_once,
    check_result,
)
from signoff.frontends.results.gate_reviewer import GateReviewer
from signoff.frontends.results.inspecting import InspectedText, TextToInspect, inspected
from signoff.frontends.results.texts import replaced, texts_of
from signoff.frontends.results.wording import refusal, rewording
from signoff.gate import Gate
from signoff.sections import ResultPolicy
from signoff.settings import load_settings

CANNOT = "this gate cannot read results"


def results_policy() -> ResultPolicy:
    """Return the user's setting for results; the strictest if it cannot be read."""
    return _policy_of(os.getpid())


@functools.lru_cache(maxsize=1)
def _policy_of(_: int) -> ResultPolicy:
    try:
        return load_settings().results
    except SignoffError:
        return ResultPolicy.BLOCK


async def checked_value(
    checker: Checker, call: ResultCall, value: object, policy: ResultPolicy, patience: WaitBudget
) -> Any:  # noqa: ANN401 - of the type the tool returns
    """Return a result as the model may get it: unchanged, labelled, cut or replaced."""
    texts = texts_of(value)
    checked = await check_result(_CheckerReviewer(checker, patience), call, texts, policy)
    return changed(value, call.tool, checked)


def checked_value_now(
    checker: Checker, call: ResultCall, value: object, policy: ResultPolicy, patience: WaitBudget
) -> Any:  # noqa: ANN401 - as above
    """Like `checked_value`, for code that is not async."""
    checking = check_result(_BlockingReviewer(checker, patience), call, texts_of(value), policy)
    return changed(value, call.tool, at_once(checking))


def changed(value: Any, tool: str, checked: CheckedResult) -> Any:  # noqa: ANN401 - as above
    """Apply a check's outcome to a result: labels, removals, or a message in its place."""
    match checked.outcome:
        case ResultOutcome.UNCHANGED:
            return value
        case ResultOutcome.LABEL | ResultOutcome.REMOVE:
            return replaced(value, rewording(tool, checked))
        case ResultOutcome.BLOCK:
            said = refusal(tool, checked)
            return {"error": said} if isinstance(value, Mapping) else said
        case _:
            assert_never(checked.outcome)


def _at(checker: Checker) -> Checker:
    # One result is read, asked about and withheld by the same one, even if the daemon ends
    # meanwhile.
    return checker.current() if isinstance(checker, DaemonOrHere) else checker


class _CheckerReviewer:
    """What decides about calls, as the reviewer of their results."""

    def __init__(self, checker: Checker, patience: WaitBudget) -> None:
        self._checker, self._patience = _at(checker), patience

    async def inspect(self, texts: Sequence[TextToInspect]) -> tuple[InspectedText, ...]:
        """Return what was found in each text."""
        match self._checker:
            case Gate() as gate:
                return await GateReviewer(gate).inspect(texts)
            case Client() as client:
                return await in_thread(lambda: client.inspect_now(texts))
            case _:
                raise TypeError(CANNOT)

    async def check(self, action: Action) -> Decision:
        """Ask people about a result; what they approved has been used then."""
        decision = await self._checker.check(action, self._patience)
        await self._checker.finish(decision)
        return decision

    async def withhold(self, action: Action, reason: str) -> Decision:
        """Record that a result is withheld."""
        match self._checker:
            case Gate() as gate:
                return await GateReviewer(gate).withhold(action, reason)
            case Client() as client:
                return await in_thread(lambda: client.withhold_now(action, reason))
            case checker:
                return await checker.refuse(action, reason)


class _BlockingReviewer:
    """A `_CheckerReviewer` for code that is not async: its methods block and never await."""

    def __init__(self, checker: Checker, patience: WaitBudget) -> None:
        self._checker, self._patience = _at(checker), patience

    async def inspect(self, texts: Sequence[TextToInspect]) -> tuple[InspectedText, ...]:
        """Return what was found in each text."""
        match self._checker:
            case Gate() as gate:
                return tuple(inspected(gate.judge, one) for one in texts)
            case Client() as client:
                return client.inspect_now(texts)
            case _:
                raise TypeError(CANNOT)

    async def check(self, action: Action) -> Decision:
        """Ask people about a result; what they approved has been used then."""
        decision = self._checker.check_now(action, self._patience)
        self._checker.finish_now(decision)
        return decision

    async def withhold(self, action: Action, reason: str) -> Decision:
        """Record that a result is withheld."""
        match self._checker:
            case Gate() as gate:
                from signoff.sync import run_now  # noqa: PLC0415 - only where one is withheld

                return run_now(GateReviewer(gate).withhold(action, reason))
            case Client() as client:
                return client.withhold_now(action, reason)
            case checker:
                return checker.refuse_now(action, reason)
