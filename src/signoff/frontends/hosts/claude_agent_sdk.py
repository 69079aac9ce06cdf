"""The Claude Agent SDK for Python: a gate in front of every tool call of its agents.

Needs the package `claude-agent-sdk`. A hook sees every call, what `allowed_tools` lets through
as well, which `can_use_tool` does not; an ask reaches `can_use_tool`, with signoff's reason, and
is a refusal where there is none.

    from signoff.frontends.hosts.claude_agent_sdk import hooks

    options = ClaudeAgentOptions(hooks=hooks(build_gate(channels=(HostChannel(),))))
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Protocol

from claude_agent_sdk import HookMatcher
from claude_agent_sdk.types import HookContext, HookEvent, HookInput, HookJSONOutput

from signoff.actions.action import Action
from signoff.decide.decision import Decision
from signoff.frontends.hosts.claude_code.adapter import ADAPTER
from signoff.settings import HostsAllow

SOURCE = "claude-agent-sdk"
TIMEOUT_S = 620.0  # people may be asked meanwhile


class Checks(Protocol):
    """What decides: a gate."""

    async def check(self, action: Action) -> Decision:
        """Decide on one action."""


def hooks(
    gate: Checks, *, hosts_allow: HostsAllow = HostsAllow.SCORE, timeout_s: float = TIMEOUT_S
) -> dict[HookEvent, list[HookMatcher]]:
    """Return the hooks of `ClaudeAgentOptions` that put every tool call to the gate.

    Args:
        hosts_allow: which allows keep the SDK from asking again.
        timeout_s: seconds for one call, people included; after that it is refused.
    """

    async def judge(
        event: HookInput, tool_use_id: str | None, context: HookContext
    ) -> HookJSONOutput:
        return await _answer(gate, event, hosts_allow)

    matcher = HookMatcher(matcher="*", hooks=[judge], timeout=timeout_s, on_failure="block")
    return {"PreToolUse": [matcher]}


async def _answer(gate: Checks, event: HookInput, hosts_allow: HostsAllow) -> HookJSONOutput:
    """Return the answer to one event; what cannot be decided is refused."""
    try:
        call = ADAPTER.parse(json.dumps(event).encode()).call
        if call is None:
            return {}
        decision = await gate.check(replace(call.action, source=SOURCE))
        answer = ADAPTER.render(decision, hosts_allow)
    except Exception as error:  # noqa: BLE001 - a hook that raises is no hook to older versions
        answer = ADAPTER.failure(f"{type(error).__name__}: {error}"[:500])
    said: HookJSONOutput = json.loads(answer.stdout)
    return said
