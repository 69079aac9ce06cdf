"""The Claude Agent SDK for Python: a gate in front of every tool call of its agents.

Needs the package `claude-agent-sdk`. A hook sees every call, what `allowed_tools` lets through
as well, which `can_use_tool` does not; an ask reaches `can_use_tool`, with signoff's reason, and
is a refusal where there is none.

    from signoff.frontends.hosts.claude_agent_sdk import hooks

    options = ClaudeAgentOptions(hooks=hooks(build_gate(channels=(HostChannel(),))))
"""

from __future__ import annotations

import contextlib
import json
import time
from collections import OrderedDict
from typing import Protocol

from claude_agent_sdk import HookMatcher
from claude_agent_sdk.types import HookContext, HookEvent, HookInput, HookJSONOutput

from signoff.actions.action import Action
from signoff.challenge.request import ENDLESS, WaitBudget
from signoff.decide.decision import Decision
from signoff.errors import StoreError
from signoff.frontends.hosts.claude_code.adapter import ADAPTER, render_edited
from signoff.frontends.hosts.results.answers import result_answer
from signoff.frontends.hosts.results.lines import WITHHELD_UNREAD
from signoff.frontends.results.gate_reviewer import GateReviewer
from signoff.gate import Gate
from signoff.settings import HostsAllow, ResultPolicy
from signoff.values import replace

SOURCE = "claude-agent-sdk"
# Of an interrupted call the SDK may report no end, so its decision would be kept for ever.
LET_GO_LIMIT = 1_000
TIMEOUT_S = 620.0  # people may be asked meanwhile
MORE_S = 10.0  # from the end of people's time to that of the hook
MORE_PART = 5  # of a short timeout the hook keeps this part, where `MORE_S` would leave nothing


class Checks(Protocol):
    """Port: decides about calls; a gate or a client."""

    async def check(self, action: Action, patience: WaitBudget = ENDLESS) -> Decision:
        """Decide about an action.

        Args:
            patience: how long people may take.
        """

    async def finish(self, decision: Decision, *, has_failed: bool = False) -> bool:
        """Record the outcome of an allowed call."""


def hooks(
    gate: Checks,
    *,
    hosts_allow: HostsAllow = HostsAllow.SCORE,
    results: ResultPolicy = ResultPolicy.LABEL,
    timeout_s: float = TIMEOUT_S,
) -> dict[HookEvent, list[HookMatcher]]:
    """Return hooks for `ClaudeAgentOptions` that judge every tool call.

    Args:
        hosts_allow: which allows keep the SDK from asking again.
        results: how results with instructions or secrets are treated.
        timeout_s: seconds for one call, people included; then it is denied. People get `MORE_S`
            less, so that the agent is told why.
    """

    let_go: OrderedDict[str, Decision] = OrderedDict()

    async def judge(
        event: HookInput, tool_use_id: str | None, context: HookContext
    ) -> HookJSONOutput:
        return await _answer(gate, event, hosts_allow, let_go, _people_until(timeout_s))

    async def note(
        event: HookInput, tool_use_id: str | None, context: HookContext
    ) -> HookJSONOutput:
        decision = let_go.pop(tool_use_id or "", None)
        if decision is not None:
            has_failed = event["hook_event_name"] == "PostToolUseFailure"
            # The call has happened: its result must be read even if its outcome cannot be kept.
            with contextlib.suppress(StoreError):
                await gate.finish(decision, has_failed=has_failed)
        return await _of_result(gate, event, results, _people_until(timeout_s))

    matcher = HookMatcher(matcher="*", hooks=[judge], timeout=timeout_s, on_failure="block")
    ended = HookMatcher(matcher="*", hooks=[note], timeout=timeout_s)
    return {"PreToolUse": [matcher], "PostToolUse": [ended], "PostToolUseFailure": [ended]}


def _people_until(timeout_s: float) -> WaitBudget:
    """Return how long people have, so that an answer leaves before the hook is given up."""
    return WaitBudget(until=time.monotonic() + timeout_s - min(MORE_S, timeout_s / MORE_PART))


async def _of_result(
    gate: Checks, event: HookInput, policy: ResultPolicy, patience: WaitBudget
) -> HookJSONOutput:
    """Return the answer about a result, {} if it stays as it is."""
    try:
        report = ADAPTER.parse(json.dumps(event).encode()).report
        # Only a gate reads results; anything else of `Checks` decides on calls alone.
        if report is None or not isinstance(gate, Gate):
            return {}
        answer = await result_answer(ADAPTER, report, GateReviewer(gate, patience), policy)
    except Exception:  # noqa: BLE001 - a hook that raises is no hook
        if policy is ResultPolicy.OFF:
            return {}
        # The result is there already: only an agent that stops does not read it.
        return {"continue_": False, "stopReason": WITHHELD_UNREAD}
    said: HookJSONOutput = json.loads(answer.stdout) if answer is not None else {}
    return said


async def _answer(
    gate: Checks,
    event: HookInput,
    hosts_allow: HostsAllow,
    let_go: OrderedDict[str, Decision],
    patience: WaitBudget,
) -> HookJSONOutput:
    """Return the answer to one event; what cannot be decided is refused."""
    try:
        told = ADAPTER.parse(json.dumps(event).encode())
        if told.call is None:
            return {}
        decision = await gate.check(replace(told.call.action, source=SOURCE), patience)
        if decision.edited_from and decision.allowed and told.retell is not None:
            fields = told.retell(decision.action.arguments)
            answer = render_edited(decision, fields)
        else:
            answer = ADAPTER.render(decision, hosts_allow)
        _keep(let_go, decision)
    except Exception as error:  # noqa: BLE001 - a hook that raises is no hook to older versions
        answer = ADAPTER.failure(f"{type(error).__name__}: {error}"[:500])
    said: HookJSONOutput = json.loads(answer.stdout)
    return said


def _keep(let_go: OrderedDict[str, Decision], decision: Decision) -> None:
    """Keep what people approved until the call has ended; only so many of them."""
    # Only these: a call that nobody approved has no request that waits for its end.
    if decision.allowed and decision.answer is not None and decision.answer.request_id:
        let_go[decision.action.request_id] = decision
        while len(let_go) > LET_GO_LIMIT:
            let_go.popitem(last=False)
