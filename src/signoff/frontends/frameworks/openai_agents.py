"""OpenAI Agents SDK: function tools that are put to the gate before they run.

    from agents import Agent
    from signoff.frontends.frameworks.openai_agents import guard

    agent = Agent(name="clerk", tools=guard([refund, look_up]))

The tools are copies; the originals stay unguarded. With `pause_after_s` a call that nobody has
answered yet interrupts the run. `state.approve(item)` and `Runner.run(agent, state)`, also in
another process with `RunState.from_json`, judge the same call again: what approves it are people
on signoff's channels, not the state. Give `session` then, the same in both processes. Tools that
OpenAI runs itself (web search, code interpreter) never come here, and no guard covers them.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Sequence
from typing import Any

from agents import FunctionTool, RunContextWrapper
from agents.tool_context import ToolContext

from signoff.errors import Denied
from signoff.frontends.python.checker import Checker
from signoff.frontends.python.tool_gate import Ruling, ToolCall, ToolGate

SOURCE = "openai-agents"
KEPT_LIMIT = 1_000


class _GuardedTool:
    """One guarded function tool.

    A call that may pause is judged before the SDK decides whether it needs approval. The ruling
    is kept for the run that follows, for exactly the same arguments.
    """

    def __init__(self, tool: FunctionTool, tools: ToolGate) -> None:
        self._tool, self._tools = tool, tools
        self._invoke = tool.on_invoke_tool
        self._kept: dict[tuple[str, str], Ruling] = {}
        self._asks = tool.needs_approval

    def guarded(self) -> FunctionTool:
        """Return the tool that the agent is given."""
        made = copy.copy(self._tool)
        made.on_invoke_tool = self.invoke
        made.needs_approval = self.needs_approval
        return made

    async def needs_approval(
        self, context: RunContextWrapper[Any], arguments: dict[str, Any], call_id: str
    ) -> bool:
        """Tell whether the run is to pause: for us, or for the tool's own setting."""
        ruling = await self._tools.judge(self._call(arguments, call_id))
        if self._tools.may_pause(ruling):
            return True
        # Calls that were judged and never run.
        while len(self._kept) >= KEPT_LIMIT:
            self._kept.pop(next(iter(self._kept)))
        self._kept[call_id, _canonical(arguments)] = ruling
        if not ruling.may_run or not callable(self._asks):
            # A denied call does not pause the run: `invoke` tells the model why.
            return bool(self._asks) and ruling.may_run
        return bool(await self._asks(context, arguments, call_id))

    async def invoke(self, context: ToolContext[Any], given: str) -> Any:
        """Judge a call, unless it just was; run it, or tell the model why not."""
        try:
            arguments = json.loads(given) if given else {}
            if not isinstance(arguments, dict):
                raise Denied("the arguments are no object")
        except (ValueError, Denied) as error:
            return f"Denied by signoff: cannot decide, so it is refused: {error}"
        call_id = context.tool_call_id
        # Taken out: a ruling is good for one run of the tool.
        ruling = self._kept.pop((call_id, _canonical(arguments)), None)
        if ruling is None:
            ruling = await self._tools.judge(self._call(arguments, call_id))
        if not ruling.may_run:
            return ruling.message
        approved = json.dumps(ruling.arguments)
        return await self._tools.ran(ruling, lambda: self._invoke(context, approved))

    def _call(self, arguments: dict[str, Any], call_id: str) -> ToolCall:
        tool = self._tool
        return ToolCall(
            tool=tool.name, arguments=arguments, call_id=call_id, description=tool.description
        )


def guard(
    tools: Sequence[Any],
    *,
    gate: Checker | None = None,
    agent: str = "",
    session: str = "",
    pause_after_s: float | None = None,
) -> list[Any]:
    """Return guarded copies of function tools.

    Args:
        gate: a `Gate` or `Client`; None = as configured for this user.
        session: of all calls; "" = this process.
        pause_after_s: seconds to wait for people before the run is interrupted; None = wait as
            long as the gate does.

    Raises:
        TypeError: one is no function tool: what runs elsewhere cannot be guarded here.
    """
    made = ToolGate(SOURCE, gate=gate, agent=agent, session=session, pause_after_s=pause_after_s)
    for tool in tools:
        if not isinstance(tool, FunctionTool):
            raise TypeError(f"`{type(tool).__name__}` is no function tool, so it cannot be guarded")
    return [_GuardedTool(tool, made).guarded() for tool in tools]


def _canonical(arguments: dict[str, Any]) -> str:
    return json.dumps(arguments, sort_keys=True)
