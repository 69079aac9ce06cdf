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
from langgraph.types import Command, interrupt

from signoff.frontends.python.checker import Checker
from signoff.frontends.python.tool_gate import Ruling, ToolCall, ToolGate
from signoff.values import replace

SOURCE = "langchain"


class SignoffMiddleware(AgentMiddleware):
    """Middleware for LangChain agents that judges tool calls.

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
        return _with_contents(result, lambda said: self._tools.checked_now(ruling, said))

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
        # Read beforehand, as `_with_contents` cannot wait.
        said = [one.content for one in _messages(result)]
        read = iter([await self._tools.checked(ruling, one) for one in said])
        return _with_contents(result, lambda _: next(read))


def _call_of(request: ToolCallRequest) -> ToolCall:
    """Return a framework's call as a ToolCall."""
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


def _messages(result: object) -> list[ToolMessage]:
    """Return the messages of a result that the model reads."""
    if isinstance(result, ToolMessage):
        return [result]
    update = result.update if isinstance(result, Command) else None
    messages = update.get("messages", ()) if isinstance(update, dict) else ()
    return [one for one in messages if isinstance(one, ToolMessage)]


def _with_contents(result: Any, read: Callable[[Any], Any]) -> Any:
    """Return a result whose messages hold what the model may read."""
    if isinstance(result, ToolMessage):
        return result.model_copy(update={"content": read(result.content)})
    if not _messages(result):
        return result
    messages = [
        _with_contents(one, read) if isinstance(one, ToolMessage) else one
        for one in result.update["messages"]
    ]
    return replace(result, update={**result.update, "messages": messages})
