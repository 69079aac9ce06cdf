"""The tool calls of agent frameworks before the gate: what all adapters share.

An adapter makes a `ToolCall` of what its framework gives it, and does with the `Ruling` what the
framework understands: run, hand the message to the model, or pause. Nothing here raises but
cancellation: a guard that fails is a ruling that the call may not run.

    tools = ToolGate("langchain", pause_after_s=10)
    ruling = tools.judge_now(ToolCall(tool="refund", arguments={"order": "A1"}))
    if ruling.may_run: ruling.arguments ...
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeVar

from msgspec import Struct

from signoff.actions.action import Action, ActionKind
from signoff.actions.canonical import canonical
from signoff.assess.verdict import Verdict
from signoff.challenge.request import ENDLESS, WaitBudget
from signoff.decide.decision import Decision, instead_of
from signoff.errors import Denied, SignoffError
from signoff.frontends.arguments import kept_values, named_arguments
from signoff.frontends.python.checker import Checker
from signoff.frontends.python.chosen import chosen_checker
from signoff.frontends.python.process import own_session, working_folder
from signoff.frontends.python.results import (
    checked_value,
    checked_value_now,
    results_policy,
)
from signoff.frontends.results.check import ResultCall
from signoff.sections import ResultPolicy
from signoff.values import replace

Result = TypeVar("Result")
NAME_LIMIT = 256
APPROVE = "approve"
REFUSED_BY_PROMPT = "Denied by signoff: the program's own prompt did not approve this call"


class ToolCall(Struct, frozen=True, kw_only=True):
    """One call as a framework gives it.

    Args:
        arguments: by name, of any type; what has no JSON form is judged by its `repr`.
        call_id: the framework's id of this call.
        description: of the tool, for its risk; not trusted.
        session: the conversation, "" = that of the gate. A call that pauses and goes on in
            another process needs one that is the same there.
    """

    tool: str
    arguments: Mapping[str, Any]
    call_id: str = ""
    description: str = ""
    session: str = ""
    agent: str = ""


class Ruling(Struct, frozen=True, kw_only=True):
    """What was decided about a tool call.

    Args:
        arguments: what may run: the call's own, or those a person edited.
        decision: None where the guard failed before it could decide.
        message: for the model: why the call may not run, and what to do instead.
    """

    may_run: bool
    arguments: dict[str, Any]
    message: str = ""
    decision: Decision | None = None

    @property
    def is_open(self) -> bool:
        """Whether people may still answer; the same call finds their answer later."""
        answer = self.decision.answer if self.decision else None
        return not self.may_run and answer is not None and answer.is_open

    @property
    def is_for_prompt(self) -> bool:
        """Whether the framework's own prompt must ask."""
        return self.decision is not None and self.decision.verdict is Verdict.ASK

    @property
    def question(self) -> dict[str, Any]:
        """The call and its question as JSON data, for a framework's own pause."""
        decision = self.decision
        if decision is None:
            return {"type": "signoff", "reason": self.message}
        return {
            "type": "signoff",
            "tool": decision.action.tool,
            "arguments": dict(decision.action.arguments),
            "reason": decision.reason,
            "level": decision.level.value,
            "digest": decision.digest,
            "request": decision.answer.request_id if decision.answer else "",
        }

    def approved_by(self, answer: object) -> bool:
        """Return whether an answer of the framework's prompt approves exactly this call.

        Only if the gate left it to that prompt: what people are asked on channels is approved there
        and nowhere else.
        """
        if not self.is_for_prompt or self.decision is None or not isinstance(answer, Mapping):
            return False
        digest = answer.get("digest")
        return answer.get("decision") == APPROVE and digest == self.decision.digest

    def settled_by(self, answer: object) -> Ruling | None:
        """Return the ruling after the framework's prompt answered; None = judge again."""
        if not self.is_for_prompt:
            return None
        if self.approved_by(answer):
            return replace(self, may_run=True, message="")
        # Without its decision it is no question any more, and the prompt is not asked again.
        return replace(self, message=REFUSED_BY_PROMPT, decision=None)


class ToolGate:
    """Judges the tool calls of one framework.

    Args:
        source: the framework, one of `wire.SOURCES`.
        gate: a `Gate` or `Client`; None = as configured for this user.
        agent: for the record and grants; default: the framework's name.
        session: of calls that name none; "" = this process.
        pause_after_s: seconds a call waits for people before the framework pauses; None = it
            waits as long as the gate does.
    """

    def __init__(
        self,
        source: str,
        *,
        gate: Checker | None = None,
        agent: str = "",
        session: str = "",
        pause_after_s: float | None = None,
    ) -> None:
        self._source, self._gate, self._agent = source, gate, agent or source
        self._session, self._pause_after_s = session, pause_after_s

    def may_pause(self, ruling: Ruling) -> bool:
        """Return whether the framework should pause over a call and have it judged again."""
        if ruling.may_run:
            return False
        return ruling.is_for_prompt or (ruling.is_open and self._pause_after_s is not None)

    def judge_now(self, call: ToolCall) -> Ruling:
        """Decide about a call; never raises an ordinary exception."""
        try:
            kept, action = self._action(call)
            decision = self._checker().check_now(action, self._patience())
            return _ruling(kept, action, decision)
        except Exception as error:  # noqa: BLE001 - the frame: no failure may let a tool run
            return _failed(call, error)

    async def judge(self, call: ToolCall) -> Ruling:
        """Decide about a call; see `judge_now`."""
        try:
            kept, action = self._action(call)
            decision = await self._checker().check(action, self._patience())
            return _ruling(kept, action, decision)
        except Exception as error:  # noqa: BLE001 - the frame, as above
            return _failed(call, error)

    def run_now(self, call: ToolCall, run: Callable[[dict[str, Any]], Result]) -> Result:
        """Judge a call and run it with what was approved; note how it ended.

        Raises:
            Denied: it may not run. Whatever the tool raises is raised.
        """
        ruling = self.judge_now(call)
        if not ruling.may_run:
            raise Denied(ruling.message, decision=ruling.decision)
        return self.ran_now(ruling, lambda: run(ruling.arguments))

    async def run(
        self, call: ToolCall, run: Callable[[dict[str, Any]], Awaitable[Result]]
    ) -> Result:
        """Judge a call and run it; see `run_now`."""
        ruling = await self.judge(call)
        if not ruling.may_run:
            raise Denied(ruling.message, decision=ruling.decision)
        return await self.ran(ruling, lambda: run(ruling.arguments))

    def ran_now(self, ruling: Ruling, run: Callable[[], Result], *, is_read: bool = True) -> Result:
        """Run an allowed call, record how it ended, and return its checked result.

        Args:
            is_read: False where the adapter has parts of the result read itself.
        """
        try:
            result = run()
        except BaseException:
            self.finish_now(ruling, has_failed=True)
            raise
        self.finish_now(ruling)
        return self.checked_now(ruling, result) if is_read else result

    async def ran(
        self, ruling: Ruling, run: Callable[[], Awaitable[Result]], *, is_read: bool = True
    ) -> Result:
        """Run what a ruling allowed; see `ran_now`."""
        try:
            result = await run()
        except BaseException:
            await self.finish(ruling, has_failed=True)
            raise
        await self.finish(ruling)
        return await self.checked(ruling, result) if is_read else result

    def checked_now(self, ruling: Ruling, value: Result) -> Result:
        """Return a result as the model may get it: unchanged, labelled, cut or replaced."""
        if (asked := self._result_call(ruling)) is None:
            return value
        call, policy = asked
        made: Result = checked_value_now(self._checker(), call, value, policy, self._patience())
        return made

    async def checked(self, ruling: Ruling, value: Result) -> Result:
        """Return a result as the model may get it; see `checked_now`."""
        if (asked := self._result_call(ruling)) is None:
            return value
        call, policy = asked
        made: Result = await checked_value(self._checker(), call, value, policy, self._patience())
        return made

    def _result_call(self, ruling: Ruling) -> tuple[ResultCall, ResultPolicy] | None:
        """Return the call a result came from and what becomes of it, None if it is not read."""
        policy = results_policy()
        if ruling.decision is None or policy is ResultPolicy.OFF:
            return None
        action = ruling.decision.action
        call = ResultCall(
            tool=action.tool,
            session=action.session,
            agent=action.agent,
            cwd=action.cwd,
            source=self._source,
        )
        return call, policy

    def finish_now(self, ruling: Ruling, *, has_failed: bool = False) -> None:
        """Record how a call that people approved ended."""
        if ruling.decision is not None and _was_asked(ruling.decision):
            try:
                self._checker().finish_now(ruling.decision, has_failed=has_failed)
            except SignoffError:
                return

    async def finish(self, ruling: Ruling, *, has_failed: bool = False) -> None:
        """Record how a call that people approved ended."""
        if ruling.decision is not None and _was_asked(ruling.decision):
            try:
                await self._checker().finish(ruling.decision, has_failed=has_failed)
            except SignoffError:
                return

    def _checker(self) -> Checker:
        return self._gate or chosen_checker()

    def _patience(self) -> WaitBudget:
        if self._pause_after_s is None:
            return ENDLESS
        return WaitBudget(until=time.monotonic() + self._pause_after_s)

    def _action(self, call: ToolCall) -> tuple[dict[str, Any], Action]:
        """Return arguments that nobody changes any more, and the call as an action.

        Raises:
            BadPayload: they are too large or too deep to be signed off.
        """
        _, kept = kept_values((), call.arguments)
        action = Action(
            tool=call.tool,
            arguments=named_arguments(kept),
            kind=ActionKind.FUNCTION,
            description=call.description,
            # The daemon refuses a call with longer names (`wire.Name`).
            agent=(call.agent or self._agent)[:NAME_LIMIT],
            session=(call.session or self._session or own_session())[:NAME_LIMIT],
            cwd=working_folder(),
            source=self._source,
            request_id=call.call_id[:NAME_LIMIT],
        )
        return kept, action


def _was_asked(decision: Decision) -> bool:
    return decision.allowed and decision.answer is not None and bool(decision.answer.request_id)


def _ruling(kept: dict[str, Any], action: Action, decision: Decision) -> Ruling:
    """Return what a decision means for a call."""
    if not decision.allowed:
        return Ruling(
            may_run=False, arguments=kept, message=message_of(decision), decision=decision
        )
    if not decision.edited_from:
        return Ruling(may_run=True, arguments=kept, decision=decision)
    # What a person left as it was stays the object the framework gave.
    before, edited = action.arguments, decision.action.arguments
    arguments = {
        name: kept[name]
        if name in before and canonical(before[name]) == canonical(value)
        else value
        for name, value in edited.items()
    }
    return Ruling(may_run=True, arguments=arguments, decision=decision)


def message_of(decision: Decision) -> str:
    """Return the message for the model about a call that may not run."""
    return f"Denied by signoff: {decision.reason}{instead_of(decision)}"


def _failed(call: ToolCall, error: Exception) -> Ruling:
    """Return the ruling about a call that could not be judged."""
    said = f"cannot decide, so it is refused: {type(error).__name__}: {error}"
    return Ruling(
        may_run=False, arguments=dict(call.arguments), message=f"Denied by signoff: {said}"
    )
