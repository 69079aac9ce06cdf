"""Microsoft Agent Framework: a middleware that puts every function call to the gate.

    from agent_framework import Agent
    from signoff.frontends.frameworks.agent_framework import SignoffFunctionMiddleware

    agent = Agent(client=client, tools=[refund], middleware=[SignoffFunctionMiddleware()])

Put it last: a middleware after it could change the arguments that were judged. A denied call gives
the model the reason as its result.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from agent_framework import FunctionInvocationContext, FunctionMiddleware

from signoff.frontends.python.checker import Checker
from signoff.frontends.python.tool_gate import ToolCall, ToolGate

SOURCE = "agent-framework"


class SignoffFunctionMiddleware(FunctionMiddleware):
    """Middleware for Microsoft Agent Framework that judges function calls.

    Args:
        gate: a `Gate` or `Client`; None = as configured for this user.
        session: of all calls; "" = this process.
    """

    def __init__(self, *, gate: Checker | None = None, agent: str = "", session: str = "") -> None:
        self._tools = ToolGate(SOURCE, gate=gate, agent=agent, session=session)

    async def process(
        self, context: FunctionInvocationContext, call_next: Callable[[], Awaitable[None]]
    ) -> None:
        """Judge a call; run it, or give the model the reason why not."""
        given = context.arguments
        arguments = dict(given) if isinstance(given, Mapping) else given.model_dump()
        call = ToolCall(
            tool=context.function.name,
            arguments=arguments,
            description=context.function.description or "",
        )
        ruling = await self._tools.judge(call)
        if not ruling.may_run:
            context.result = ruling.message
            return
        context.arguments = _like(given, ruling.arguments)
        # `call_next` returns nothing: the framework puts the result into the context.
        await self._tools.ran(ruling, call_next, is_read=False)
        context.result = await self._tools.checked(ruling, context.result)


def _like(given: Any, arguments: dict[str, Any]) -> Any:
    """Return approved arguments in the form the framework gave them."""
    return arguments if isinstance(given, Mapping) else type(given)(**arguments)
