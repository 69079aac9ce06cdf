"""LangChain and LangGraph: a middleware that puts every tool call to the gate before it runs.

    from langchain.agents import create_agent
    from signoff.frontends.frameworks.langchain import SignoffMiddleware

    agent = create_agent(model, tools, middleware=[SignoffMiddleware()])

In a graph of your own: `ToolNode(tools, wrap_tool_call=guard.wrap_tool_call,
awrap_tool_call=guard.awrap_tool_call)`. With `pause_after_s` a call that nobody has answered yet
interrupts the graph; `Command(resume=...)`, also in another process, judges the same call again.
The value it resumes with approves nothing: people do, on signoff's channels. It counts only where
the gate handed the question to the program's own prompt, and then it must be
`{"decision": "approve", "digest": <that of the interrupt>}`.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from langchain.agents.middleware import AgentMiddleware
from langchain.agents.middleware.types import ToolCallRequest
from langchain_core.messages import ToolMessage
from langgraph.types import interrupt

from signoff.frontends.python.checker import Checker
from signoff.frontends.python.tool_gate import Ruling, ToolCall, ToolGate

SOURCE = "langchain"


class SignoffMiddleware(AgentMiddleware):
    """Judges tool calls.

    Args:
        gate: a `Gate` or `Client`; None = as configured for this user.
        session: of calls outside a thread; a call of a thread belongs to the thread's id.
        pause_after_s: seconds to wait for people before the graph is interrupted; it needs a
            checkpointer then. None = wait as long as the gate does.
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
        self._tools = ToolGate(
            SOURCE, gate=gate, agent=agent, session=session, pause_after_s=pause_after_s
        )

    def wrap_tool_call(
        self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Any]
    ) -> Any:
        """Judge a call; run it, or tell the model why not."""
        call = _call_of(request)
        ruling = self._tools.judge_now(call)
        while self._tools.may_pause(ruling):
            settled = ruling.settled_by(interrupt(ruling.question))
            ruling = settled or self._tools.judge_now(call)
        if not ruling.may_run:
            return _refusal(request, ruling)
        try:
            result = handler(_approved(request, ruling))
        except BaseException:
            self._tools.finish_now(ruling, has_failed=True)
            raise
        self._tools.finish_now(ruling, has_failed=_has_failed(result))
        return result

    async def awrap_tool_call(
        self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Awaitable[Any]]
    ) -> Any:
        """Judge a call; see `wrap_tool_call`."""
        call = _call_of(request)
        ruling = await self._tools.judge(call)
        while self._tools.may_pause(ruling):
            settled = ruling.settled_by(interrupt(ruling.question))
            ruling = settled or await self._tools.judge(call)
        if not ruling.may_run:
            return _refusal(request, ruling)
        try:
            result = await handler(_approved(request, ruling))
        except BaseException:
            await self._tools.finish(ruling, has_failed=True)
            raise
        await self._tools.finish(ruling, has_failed=_has_failed(result))
        return result


def _call_of(request: ToolCallRequest) -> ToolCall:
    """Return a call as the gate takes it."""
    called, config = request.tool_call, getattr(request.runtime, "config", None) or {}
    thread = (config.get("configurable") or {}).get("thread_id")
    return ToolCall(
        tool=called["name"],
        arguments=called["args"],
        call_id=called.get("id") or "",
        description=request.tool.description if request.tool is not None else "",
        session=str(thread) if thread else "",
    )


def _approved(request: ToolCallRequest, ruling: Ruling) -> ToolCallRequest:
    """Return the request with the arguments that were judged, and no others."""
    return request.override(tool_call={**request.tool_call, "args": ruling.arguments})


def _refusal(request: ToolCallRequest, ruling: Ruling) -> ToolMessage:
    """Return LangChain's own form of a tool that failed."""
    called = request.tool_call
    return ToolMessage(
        content=ruling.message, tool_call_id=called["id"], name=called["name"], status="error"
    )


def _has_failed(result: object) -> bool:
    return isinstance(result, ToolMessage) and result.status == "error"
