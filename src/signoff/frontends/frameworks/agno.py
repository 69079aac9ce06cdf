"""Agno: a hook that puts every tool call of an agent or a team to the gate.

    from agno.agent import Agent
    from signoff.frontends.frameworks.agno import SignoffHook

    agent = Agent(model=model, tools=[refund], tool_hooks=[SignoffHook()])

Agno runs a tool with the arguments that reach the first hook, whatever that one passes on. So this
one has to be first, and denies every call where it is not. A denied call fails with the reason as
its error. Tools that the model's provider runs itself never come here. Agno drops async hooks
without an error where an agent runs without a loop, so this hook is one function for both.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from signoff.errors import Denied
from signoff.frontends.python.checker import Checker
from signoff.frontends.python.tool_gate import Ruling, ToolCall, ToolGate

SOURCE = "agno"


class SignoffHook:
    """Tool hook for Agno that judges tool calls.

    Args:
        gate: a `Gate` or `Client`; None = as configured for this user.
        agent: "" = the name of the agent or team that calls.
        session: of all calls; "" = that of Agno's run.
    """

    # Agno names hooks in its log.
    __name__ = "SignoffHook"

    def __init__(self, *, gate: Checker | None = None, agent: str = "", session: str = "") -> None:
        self._session, self._agent = session, agent
        self._tools = ToolGate(SOURCE, gate=gate)

    def __call__(
        self,
        *,
        name: str,
        function: Callable[..., Any],
        arguments: dict[str, Any],
        agent: Any = None,
        team: Any = None,
        run_context: Any = None,
    ) -> Any:
        """Judge a call and run it; in a loop the result is awaited by Agno.

        Raises:
            Denied: it may not run. Agno tells the model the reason as the error of the tool.
        """
        caller = agent if agent is not None else team
        hooks = getattr(caller, "tool_hooks", None)
        if hooks and hooks[0] is not self:
            raise Denied("Denied by signoff: `SignoffHook` must be the first of `tool_hooks`")
        call = ToolCall(
            tool=name,
            arguments=arguments,
            description=_description(getattr(caller, "tools", None), name),
            agent=self._agent or str(getattr(caller, "name", None) or ""),
            session=self._session or str(getattr(run_context, "session_id", None) or ""),
        )
        if inspect.iscoroutinefunction(function):
            return self._run(call, function, arguments)
        ruling = self._tools.judge_now(call)
        return self._tools.ran_now(ruling, lambda: function(**_approved(ruling, arguments)))

    async def _run(
        self, call: ToolCall, function: Callable[..., Any], arguments: dict[str, Any]
    ) -> Any:
        ruling = await self._tools.judge(call)
        return await self._tools.ran(ruling, lambda: function(**_approved(ruling, arguments)))


def _approved(ruling: Ruling, arguments: dict[str, Any]) -> dict[str, Any]:
    """Put the arguments that may run in place of those that were given.

    Agno runs a tool with the very dict that the first hook is given, except for an empty one.

    Raises:
        Denied: the call may not run.
    """
    if not ruling.may_run:
        raise Denied(ruling.message, decision=ruling.decision)
    if not arguments and ruling.arguments:
        raise Denied("Denied by signoff: Agno cannot add arguments to a call without any")
    arguments.clear()
    arguments.update(ruling.arguments)
    return dict(ruling.arguments)


def _description(tools: object, name: str) -> str:
    """Return what the author of a tool says of it, "" where it cannot be found."""
    for tool in tools if isinstance(tools, Iterable) else ():
        members = getattr(tool, "functions", None)
        if isinstance(members, Mapping) and name in members:
            return str(members[name].description or "")
        if getattr(tool, "name", None) == name:
            return str(getattr(tool, "description", None) or "")
        if getattr(tool, "__name__", None) == name:
            return inspect.getdoc(tool) or ""
    return ""
