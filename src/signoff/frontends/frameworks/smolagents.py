"""smolagents: tools that are put to the gate before they run, for both kinds of agents.

    from smolagents import ToolCallingAgent
    from signoff.frontends.frameworks.smolagents import guard

    agent = ToolCallingAgent(tools=guard([refund, look_up]), model=model)

smolagents has no hook, so each tool's own call is wrapped; agents of both kinds end there. What a
`CodeAgent` writes as Python besides (arithmetic, allowed imports) is no tool call: use a sandbox.
A guarded tool refuses to be sent to a remote executor, where it would run without its guard.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NoReturn

from smolagents import Tool

from signoff.errors import Denied
from signoff.frontends.python.checker import Checker
from signoff.frontends.python.tool_gate import ToolCall, ToolGate

SOURCE = "smolagents"


def guard(
    tools: Sequence[Tool], *, gate: Checker | None = None, agent: str = "", session: str = ""
) -> list[Tool]:
    """Put each of these tools behind the gate, in place, and return them.

    Args:
        gate: a `Gate` or `Client`; None = as configured for this user.
        session: of all calls; "" = this process.

    Raises:
        TypeError: one is no `Tool`.
    """
    made = ToolGate(SOURCE, gate=gate, agent=agent, session=session)
    for tool in tools:
        if not isinstance(tool, Tool):
            raise TypeError(f"`{type(tool).__name__}` is no tool of smolagents")
    return [_guarded(tool, made) for tool in tools]


def _guarded(tool: Tool, tools: ToolGate) -> Tool:
    """Replace what a tool does when it is called."""
    # A second guard around it would ask twice about each call.
    if getattr(tool, "is_guarded_by_signoff", False):
        return tool
    run = tool.forward
    names = list(tool.inputs)

    def forward(*args: Any, **kwargs: Any) -> Any:
        # Positions are told by name: a call is judged and bound by names.
        if len(args) > len(names) or not kwargs.keys().isdisjoint(names[: len(args)]):
            raise TypeError(f"`{tool.name}` takes {', '.join(names)}")
        arguments = {**dict(zip(names, args, strict=False)), **kwargs}
        call = ToolCall(tool=tool.name, arguments=arguments, description=tool.description)
        return tools.run_now(call, lambda given: run(**given))

    def refuse(*args: Any, **kwargs: Any) -> NoReturn:
        raise Denied("a guarded tool is not sent elsewhere: there it would run without its guard")

    tool.forward = forward
    tool.to_dict = refuse
    tool.save = refuse
    tool.is_guarded_by_signoff = True
    return tool
