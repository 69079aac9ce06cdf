"""Google ADK: a plugin that puts every tool call of a runner to the gate.

    from google.adk.runners import InMemoryRunner
    from signoff.frontends.frameworks.google_adk import SignoffPlugin

    runner = InMemoryRunner(agent=agent, plugins=[SignoffPlugin()])

Put it last: a plugin after it could change the arguments that were judged. A denied call gives the
model a result with `error` and the reason. With `pause_after_s` a call that nobody has answered yet
asks for ADK's confirmation; confirming judges the same call again, and approves nothing by itself.
"""

from __future__ import annotations

from typing import Any

from google.adk.plugins.base_plugin import BasePlugin
from google.adk.tools.base_tool import BaseTool
from google.adk.tools.tool_context import ToolContext

from signoff.frontends.python.checker import Checker
from signoff.frontends.python.tool_gate import APPROVE, Ruling, ToolCall, ToolGate

SOURCE = "google-adk"
KEPT_LIMIT = 1_000


class SignoffPlugin(BasePlugin):
    """Plugin for Google's Agent Development Kit that judges tool calls.

    Args:
        gate: a `Gate` or `Client`; None = as configured for this user.
        session: of all calls; "" = the id of ADK's session.
        pause_after_s: seconds to wait for people before a confirmation is requested; None = wait
            as long as the gate does.
    """

    def __init__(
        self,
        *,
        gate: Checker | None = None,
        agent: str = "",
        session: str = "",
        pause_after_s: float | None = None,
    ) -> None:
        super().__init__(name="signoff")
        self._tools = ToolGate(SOURCE, gate=gate, agent=agent, pause_after_s=pause_after_s)
        self._session = session
        self._let_go: dict[str, Ruling] = {}

    async def before_tool_callback(
        self, *, tool: BaseTool, tool_args: dict[str, Any], tool_context: ToolContext
    ) -> dict[str, Any] | None:
        """Judge a call; None lets it run."""
        call = ToolCall(
            tool=tool.name,
            arguments=tool_args,
            call_id=tool_context.function_call_id or "",
            description=tool.description or "",
            session=self._session or tool_context.session.id,
        )
        ruling = await self._tools.judge(call)
        if self._tools.may_pause(ruling):
            said = tool_context.tool_confirmation
            # `confirmed` says nothing of the call; the payload that comes back must name its
            # digest.
            payload = said.payload if said is not None and said.confirmed else None
            answer = {**payload, "decision": APPROVE} if isinstance(payload, dict) else None
            if not ruling.approved_by(answer):
                tool_context.request_confirmation(hint=ruling.message, payload=ruling.question)
                return {"error": ruling.message}
        elif not ruling.may_run:
            return {"error": ruling.message}
        # In place: ADK runs this very dict.
        tool_args.clear()
        tool_args.update(ruling.arguments)
        # Calls whose end ADK never told of.
        while len(self._let_go) >= KEPT_LIMIT:
            self._let_go.pop(next(iter(self._let_go)))
        self._let_go[call.call_id] = ruling
        return None

    async def after_tool_callback(
        self,
        *,
        tool: BaseTool,
        tool_args: dict[str, Any],
        tool_context: ToolContext,
        result: Any,
    ) -> dict[str, Any] | None:
        """Record the end of a call and check its result; None leaves the result unchanged."""
        ruling = await self._ended(tool_context, has_failed=False)
        if ruling is None:
            return None
        read = await self._tools.checked(ruling, result)
        if read is result or read == result:
            return None
        return read if isinstance(read, dict) else {"result": read}

    async def on_tool_error_callback(
        self,
        *,
        tool: BaseTool,
        tool_args: dict[str, Any],
        tool_context: ToolContext,
        error: Exception,
    ) -> None:
        """Record that a call failed."""
        await self._ended(tool_context, has_failed=True)

    async def _ended(self, tool_context: ToolContext, *, has_failed: bool) -> Ruling | None:
        ruling = self._let_go.pop(tool_context.function_call_id or "", None)
        if ruling is not None:
            await self._tools.finish(ruling, has_failed=has_failed)
        return ruling
