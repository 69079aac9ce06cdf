"""CrewAI: hooks that put every tool call of every crew in this process to the gate.

    from signoff.frontends.frameworks.crewai import guard

    guard()
    crew.kickoff()

CrewAI swallows what a hook raises and then runs the tool. So this hook raises nothing: whatever
fails is its answer `False`, which blocks. CrewAI tells the model only that a hook blocked the
tool, so a second hook puts the reason in place of those words. Register it last: a hook after it
could change the arguments that were judged.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from crewai.hooks import (
    ToolCallHookContext,
    register_after_tool_call_hook,
    register_before_tool_call_hook,
    unregister_after_tool_call_hook,
    unregister_before_tool_call_hook,
)

from signoff.frontends.python.checker import Checker
from signoff.frontends.python.tool_gate import Ruling, ToolCall, ToolGate

SOURCE = "crewai"
KEPT_LIMIT = 1_000
BROKEN = "Denied by signoff: cannot decide, so it is refused"


class CrewHooks:
    """CrewAI's two hooks: before and after a tool call."""

    def __init__(self, tools: ToolGate) -> None:
        self._tools, self._lock = tools, threading.Lock()
        # By the identity of the arguments: CrewAI gives both hooks the same dict. It is kept, so
        # that its identity is nobody else's.
        self._rulings: OrderedDict[int, tuple[dict[str, Any], Ruling | None]] = OrderedDict()

    def before(self, context: ToolCallHookContext) -> bool | None:
        """Judge a call; return False to block it, None to let it run."""
        try:
            ruling = self._tools.judge_now(_call_of(context))
            self._keep(context.tool_input, ruling)
            if not ruling.may_run:
                return False
            # In place: CrewAI runs this very dict.
            context.tool_input.clear()
            context.tool_input.update(ruling.arguments)
            return None
        except Exception:  # noqa: BLE001 - CrewAI swallows it, and the tool would run
            self._keep(context.tool_input, None)
            return False

    def after(self, context: ToolCallHookContext) -> str | None:
        """Record how a call ended; for a blocked one return the reason for the model."""
        with self._lock:
            given, ruling = self._rulings.pop(id(context.tool_input), ({}, None))
        # The same number but another dict: that ruling is not about this call.
        if given is not context.tool_input:
            return None
        if ruling is None:
            return BROKEN
        if not ruling.may_run:
            return ruling.message
        self._tools.finish_now(ruling, has_failed=_has_failed(context))
        said = str(context.tool_result or "")
        read = self._tools.checked_now(ruling, said)
        return None if read == said else read

    def _keep(self, given: dict[str, Any], ruling: Ruling | None) -> None:
        with self._lock:
            self._rulings[id(given)] = given, ruling
            while len(self._rulings) > KEPT_LIMIT:
                self._rulings.popitem(last=False)


def guard(*, gate: Checker | None = None, agent: str = "", session: str = "") -> Callable[[], None]:
    """Judge every CrewAI tool call of this process; return a function that ends that.

    Args:
        gate: a `Gate` or `Client`; None = as configured for this user.
        agent: "" = the role of the agent that calls.
        session: of all calls; "" = this process.
    """
    hooks = CrewHooks(ToolGate(SOURCE, gate=gate, agent=agent, session=session))
    register_before_tool_call_hook(hooks.before)
    register_after_tool_call_hook(hooks.after)

    def end() -> None:
        unregister_before_tool_call_hook(hooks.before)
        unregister_after_tool_call_hook(hooks.after)

    return end


def _call_of(context: ToolCallHookContext) -> ToolCall:
    """Return a framework's call as a ToolCall."""
    return ToolCall(
        tool=context.tool_name,
        arguments=context.tool_input,
        description=_description(context.tool),
        agent=str(getattr(context.agent, "role", "") or "").strip(),
    )


def _description(tool: object) -> str:
    """Return what a tool's author says of it, without the form CrewAI adds."""
    said = str(getattr(tool, "description", "") or "")
    return said.rpartition("Tool Description:")[2].strip()


def _has_failed(context: ToolCallHookContext) -> bool:
    # CrewAI says by these words alone that a tool has failed.
    return str(context.tool_result or "").startswith("Error executing tool")
