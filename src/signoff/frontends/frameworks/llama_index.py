"""LlamaIndex: function tools that are put to the gate before they run.

    from llama_index.core.agent.workflow import FunctionAgent
    from signoff.frontends.frameworks.llama_index import guard

    agent = FunctionAgent(tools=guard([refund]), llm=llm)

`guard` takes functions and `FunctionTool`s and returns copies; the originals stay unguarded. A
denied call is a tool output with `is_error` and the reason.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from typing import Any

from llama_index.core.tools import FunctionTool, ToolOutput

from signoff.frontends.python.checker import Checker
from signoff.frontends.python.tool_gate import Ruling, ToolCall, ToolGate

SOURCE = "llama-index"


def guard(
    tools: Sequence[FunctionTool | Callable[..., Any]],
    *,
    gate: Checker | None = None,
    agent: str = "",
    session: str = "",
) -> list[FunctionTool]:
    """Return guarded tools.

    Args:
        gate: a `Gate` or `Client`; None = as configured for this user.
        session: of all calls; "" = this process.

    Raises:
        TypeError: one is neither a function nor a `FunctionTool`.
    """
    made = ToolGate(SOURCE, gate=gate, agent=agent, session=session)
    return [_GuardedFunction(tool, made).guarded() for tool in tools]


class _GuardedFunction:
    """The function of one guarded tool."""

    def __init__(self, tool: FunctionTool | Callable[..., Any], tools: ToolGate) -> None:
        if not isinstance(tool, FunctionTool):
            # Other tools of LlamaIndex can be called as well, but not by the methods that are
            # guarded here.
            if not callable(tool) or hasattr(tool, "metadata"):
                raise TypeError(f"`{type(tool).__name__}` is no function tool: it is not guarded")
            tool = FunctionTool.from_defaults(tool)
        self._tool, self._tools = tool, tools
        self._call, self._acall = tool.call, tool.acall

    def guarded(self) -> FunctionTool:
        """Return the tool that the agent is given."""
        made = copy.copy(self._tool)
        made.call, made.acall = self.call, self.acall
        return made

    def call(self, *args: Any, **kwargs: Any) -> ToolOutput:
        """Judge a call and run it, or return the reason as an error."""
        asked = self._asked(args, kwargs)
        ruling = self._tools.judge_now(asked)
        if not ruling.may_run:
            return self._refusal(ruling, asked)
        given = {**kwargs, **ruling.arguments}
        output = self._tools.ran_now(ruling, lambda: self._call(**given), is_read=False)
        return _with_content(output, self._tools.checked_now(ruling, output.content))

    async def acall(self, *args: Any, **kwargs: Any) -> ToolOutput:
        """Judge a call; see `call`."""
        asked = self._asked(args, kwargs)
        ruling = await self._tools.judge(asked)
        if not ruling.may_run:
            return self._refusal(ruling, asked)
        given = {**kwargs, **ruling.arguments}
        output = await self._tools.ran(ruling, lambda: self._acall(**given), is_read=False)
        return _with_content(output, await self._tools.checked(ruling, output.content))

    def _asked(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> ToolCall:
        """Return a call as the gate takes it; the workflow's own context is no argument of it."""
        tool = self._tool
        if args:
            raise TypeError(f"`{tool.metadata.name}` is called by name, as agents do")
        arguments = {**tool.partial_params, **kwargs}
        arguments.pop(tool.ctx_param_name or "", None)
        said = tool.metadata.description or ""
        # LlamaIndex puts the signature before what the author wrote.
        _, _, written = said.partition("\n")
        return ToolCall(
            tool=tool.metadata.get_name(), arguments=arguments, description=written or said
        )

    def _refusal(self, ruling: Ruling, asked: ToolCall) -> ToolOutput:
        """Return LlamaIndex's own form of a tool that failed."""
        return ToolOutput(
            content=ruling.message,
            tool_name=asked.tool,
            raw_input={"kwargs": dict(asked.arguments)},
            raw_output=ruling.message,
            is_error=True,
        )


def _with_content(output: ToolOutput, content: str) -> ToolOutput:
    """Return an output with the content that the model may read."""
    if content == output.content:
        return output
    return ToolOutput(
        content=content,
        tool_name=output.tool_name,
        raw_input=output.raw_input,
        raw_output=content,
        is_error=output.is_error,
    )
