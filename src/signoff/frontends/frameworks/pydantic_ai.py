"""Pydantic AI: a capability that puts every tool call to the gate before it runs.

    from pydantic_ai import Agent
    from signoff.frontends.frameworks.pydantic_ai import SignoffCapability

    agent = Agent(model, capabilities=[SignoffCapability()])

With `pause_after_s` a call that nobody has answered yet is deferred: the run ends with
`DeferredToolRequests` (name it in `output_type`), and a run with `DeferredToolResults`, also in
another process, judges the same call again. `True` in there approves nothing: people do, on
signoff's channels. It counts only where the gate handed the question to the program's own prompt,
and then the results must hold `metadata` of the request as it was given, with its digest.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic_ai import ApprovalRequired, RunContext
from pydantic_ai.capabilities import AbstractCapability
from pydantic_ai.exceptions import ToolFailed
from pydantic_ai.messages import ToolCallPart
from pydantic_ai.tools import ToolDefinition

from signoff.frontends.python.checker import Checker
from signoff.frontends.python.tool_gate import APPROVE, ToolCall, ToolGate

SOURCE = "pydantic-ai"


class SignoffCapability(AbstractCapability[Any]):
    """Capability for Pydantic AI agents that judges tool calls.

    Args:
        gate: a `Gate` or `Client`; None = as configured for this user.
        session: of all calls; "" = the conversation's id.
        pause_after_s: seconds to wait for people before a call is deferred; None = wait as long
            as the gate does.
    """

    def __init__(
        self,
        *,
        gate: Checker | None = None,
        agent: str = "",
        session: str = "",
        pause_after_s: float | None = None,
    ) -> None:
        super().__init__()
        self._session = session
        self._tools = ToolGate(SOURCE, gate=gate, agent=agent, pause_after_s=pause_after_s)

    async def wrap_tool_execute(
        self,
        ctx: RunContext[Any],
        *,
        call: ToolCallPart,
        tool_def: ToolDefinition,
        args: dict[str, Any],
        handler: Any,
    ) -> Any:
        """Judge a call; run it, defer it, or tell the model why not."""
        asked = ToolCall(
            tool=tool_def.name,
            arguments=args,
            call_id=call.tool_call_id,
            description=tool_def.description or "",
            session=self._session or ctx.conversation_id or "",
        )
        ruling = await self._tools.judge(asked)
        if self._tools.may_pause(ruling):
            said = ctx.tool_call_metadata if ctx.tool_call_approved else None
            answer = {**said, "decision": APPROVE} if isinstance(said, Mapping) else None
            if not ruling.approved_by(answer):
                raise ApprovalRequired(metadata=ruling.question)
            return await self._tools.ran(ruling, lambda: handler(args))
        if not ruling.may_run:
            raise ToolFailed(ruling.message)
        return await self._tools.ran(ruling, lambda: handler(ruling.arguments))
