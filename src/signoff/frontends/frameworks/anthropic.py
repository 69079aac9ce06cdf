"""Anthropic SDK: guarded tools for its tool runner, and for loops over `tool_use` blocks.

    from signoff.frontends.frameworks.anthropic import guard, run_tool_use

    client.beta.messages.tool_runner(model=..., tools=guard([refund]), messages=[...])

    for block in message.content:                       # a loop of your own
        if block.type == "tool_use":
            results.append(run_tool_use(block, {"refund": refund}))

A denied call is a tool result with `is_error` and the reason. Tools that Anthropic runs itself
(web search, code execution) never come here, and no guard covers them.
"""

from __future__ import annotations

import copy
import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from anthropic.lib.tools import BetaAsyncFunctionTool, BetaFunctionTool, ToolError

from signoff.errors import Denied
from signoff.frontends.python.checker import Checker
from signoff.frontends.python.tool_gate import ToolCall, ToolGate

SOURCE = "anthropic"


def guard(
    tools: Sequence[Any], *, gate: Checker | None = None, agent: str = "", session: str = ""
) -> list[Any]:
    """Return guarded copies of tools made by `@beta_tool` or `@beta_async_tool`.

    Args:
        gate: a `Gate` or `Client`; None = as configured for this user.
        session: of all calls; "" = this process.

    Raises:
        TypeError: one is no such tool: what runs elsewhere cannot be guarded here.
    """
    made = ToolGate(SOURCE, gate=gate, agent=agent, session=session)
    return [_guarded(tool, made) for tool in tools]


def _guarded(tool: Any, tools: ToolGate) -> Any:
    """Return a copy of a tool whose calls are judged."""
    made = copy.copy(tool)
    if isinstance(tool, BetaAsyncFunctionTool):
        made.call = _async_call(tool, tools)
    elif isinstance(tool, BetaFunctionTool):
        made.call = _call(tool, tools)
    else:
        raise TypeError(f"`{type(tool).__name__}` is no function tool, so it cannot be guarded")
    return made


def _call(tool: BetaFunctionTool[Any], tools: ToolGate) -> Callable[[object], Any]:
    run = tool.call

    def call(given: object) -> Any:
        try:
            return tools.run_now(_call_of(tool, given), run)
        except Denied as denied:
            raise ToolError(denied.reason) from denied

    return call


def _async_call(tool: BetaAsyncFunctionTool[Any], tools: ToolGate) -> Callable[[object], Any]:
    run = tool.call

    async def call(given: object) -> Any:
        try:
            return await tools.run(_call_of(tool, given), run)
        except Denied as denied:
            raise ToolError(denied.reason) from denied

    return call


def _call_of(tool: Any, given: object) -> ToolCall:
    """Return a framework's call as a ToolCall."""
    if not isinstance(given, Mapping):
        raise ToolError("Denied by signoff: the arguments are no object")
    return ToolCall(tool=tool.name, arguments=given, description=tool.description)


def run_tool_use(
    block: Any,
    functions: Mapping[str, Callable[..., Any]],
    *,
    gate: Checker | None = None,
    agent: str = "",
    session: str = "",
) -> dict[str, Any]:
    """Judge one `tool_use` block, run its function, and return the `tool_result` for it.

    Args:
        functions: what runs, by the name of the tool; each is given the block's input.
        gate: a `Gate` or `Client`; None = as configured for this user.
    """
    told: dict[str, Any] = {"type": "tool_result", "tool_use_id": block.id}
    function = functions.get(block.name)
    # Before the gate: nobody is asked about a tool that cannot run.
    if function is None:
        return {**told, "content": f"no tool `{block.name}`", "is_error": True}
    call = ToolCall(
        tool=block.name,
        arguments=block.input,
        call_id=block.id,
        description=inspect.getdoc(function) or "",
    )
    tools = ToolGate(SOURCE, gate=gate, agent=agent, session=session)
    try:
        result = tools.run_now(call, lambda given: function(**given))
    except Denied as denied:
        return {**told, "content": denied.reason, "is_error": True}
    except Exception as error:  # noqa: BLE001 - the tool's own, told to the model
        return {**told, "content": f"{type(error).__name__}: {error}", "is_error": True}
    return {**told, "content": str(result)}
