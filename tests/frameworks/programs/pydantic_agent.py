"""An agent of Pydantic AI; its messages are kept in a file."""

from __future__ import annotations

from typing import Any

from clerk import CALLS, FOLDER, IS_RESUMED, PAUSE_AFTER_S, SESSION, TOOLS, paused, told
from pydantic_ai import Agent, DeferredToolRequests, DeferredToolResults
from pydantic_ai.messages import (
    ModelMessagesTypeAdapter,
    ModelResponse,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
)
from pydantic_ai.models.function import AgentInfo, FunctionModel

from signoff.frontends.frameworks.pydantic_ai import SignoffCapability

FILE = FOLDER / "messages.json"


def answers(messages: list[Any], info: AgentInfo) -> ModelResponse:
    """Make the calls of the command line, then say "done"."""
    if len(messages) > 1:
        return ModelResponse([TextPart("done")])
    return ModelResponse(
        [
            ToolCallPart(tool, {"subject": subject}, tool_call_id=f"call_{n}")
            for n, (tool, subject) in enumerate(CALLS)
        ]
    )


guard = SignoffCapability(session=SESSION, pause_after_s=PAUSE_AFTER_S)
agent: Agent[Any, Any] = Agent(
    FunctionModel(answers),
    tools=list(TOOLS),
    output_type=[str, DeferredToolRequests],
    capabilities=[guard],
)
if IS_RESUMED:
    history = ModelMessagesTypeAdapter.validate_json(FILE.read_bytes())
    waiting = [part.tool_call_id for part in history[-1].parts if isinstance(part, ToolCallPart)]
    approvals: Any = dict.fromkeys(waiting, True)
    results = DeferredToolResults(approvals=approvals)
    result = agent.run_sync(message_history=history, deferred_tool_results=results)
else:
    result = agent.run_sync("go")
if isinstance(result.output, DeferredToolRequests):
    FILE.write_bytes(result.all_messages_json())
    paused()
parts = [part for message in result.all_messages() for part in message.parts]
told([str(part.content) for part in parts if isinstance(part, ToolReturnPart)])
