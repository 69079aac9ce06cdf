"""Strands Agents: hooks that put every tool call of an agent to the gate.

    from strands import Agent
    from signoff.frontends.frameworks.strands import SignoffHooks

    agent = Agent(tools=[refund], hooks=[SignoffHooks()])

A denied call is cancelled: its tool result has status `error` and the reason.
"""

from __future__ import annotations

from typing import Any

from strands.hooks import AfterToolCallEvent, BeforeToolCallEvent, HookProvider, HookRegistry

from signoff.frontends.python.checker import Checker
from signoff.frontends.python.tool_gate import Ruling, ToolCall, ToolGate

SOURCE = "strands"
KEPT_LIMIT = 1_000


class SignoffHooks(HookProvider):
    """Hook provider for Strands agents that judges tool calls.

    Args:
        gate: a `Gate` or `Client`; None = as configured for this user.
        session: of all calls; "" = this process.
    """

    def __init__(self, *, gate: Checker | None = None, agent: str = "", session: str = "") -> None:
        self._tools = ToolGate(SOURCE, gate=gate, agent=agent, session=session)
        self._let_go: dict[str, Ruling] = {}

    def register_hooks(self, registry: HookRegistry, **_: Any) -> None:
        """Register the callbacks before and after a tool call."""
        registry.add_callback(BeforeToolCallEvent, self.before)
        registry.add_callback(AfterToolCallEvent, self.after)

    async def before(self, event: BeforeToolCallEvent) -> None:
        """Judge a call; cancel it, or let it run with the approved arguments."""
        # First: if anything below raises, the call stays cancelled.
        event.cancel_tool = "Denied by signoff: cannot decide, so it is refused"
        used, tool = event.tool_use, event.selected_tool
        said = tool.tool_spec.get("description", "") if tool is not None else ""
        given = used.get("input")
        call = ToolCall(
            tool=used["name"],
            arguments=given if isinstance(given, dict) else {"input": given},
            call_id=used["toolUseId"],
            description=said,
        )
        ruling = await self._tools.judge(call)
        if not ruling.may_run:
            event.cancel_tool = ruling.message
            return
        if isinstance(given, dict):
            event.tool_use = {**used, "input": ruling.arguments}
        # Calls whose end Strands never told of.
        while len(self._let_go) >= KEPT_LIMIT:
            self._let_go.pop(next(iter(self._let_go)))
        self._let_go[used["toolUseId"]] = ruling
        event.cancel_tool = False

    async def after(self, event: AfterToolCallEvent) -> None:
        """Record how a call ended."""
        ruling = self._let_go.pop(event.tool_use["toolUseId"], None)
        if ruling is not None:
            has_failed = event.result.get("status") == "error"
            await self._tools.finish(ruling, has_failed=has_failed)
            content = await self._tools.checked(ruling, event.result.get("content"))
            if isinstance(content, str):
                content = [{"text": content}]
            event.result = {**event.result, "content": content}
