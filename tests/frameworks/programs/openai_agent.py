"""An agent of the OpenAI Agents SDK; its `RunState` is kept in a file."""

from __future__ import annotations

import asyncio
from typing import Any

from agents import Agent, Runner, RunState, function_tool, set_tracing_disabled
from agents.testing import ScriptedModel
from agents.testing.model import assistant_message, function_call
from clerk import CALLS, FOLDER, IS_RESUMED, PAUSE_AFTER_S, SESSION, TOOLS, paused, told

from signoff.frontends.frameworks.openai_agents import guard

set_tracing_disabled(True)
FILE = FOLDER / "run-state.json"


async def main() -> None:
    """Start or resume."""
    calls = [
        function_call(tool, {"subject": subject}, call_id=f"call_{n}")
        for n, (tool, subject) in enumerate(CALLS)
    ]
    turns = [[assistant_message("done")]] if IS_RESUMED else [calls, [assistant_message("done")]]
    tools = guard(
        [function_tool(one) for one in TOOLS], session=SESSION, pause_after_s=PAUSE_AFTER_S
    )
    agent: Agent[Any] = Agent(name="clerk", model=ScriptedModel(turns), tools=tools)
    given: Any = "go"
    if IS_RESUMED:
        given = await RunState.from_string(agent, FILE.read_text(encoding="utf-8"))
        for item in given.get_interruptions():
            given.approve(item)
    result = await Runner.run(agent, given)
    if result.interruptions:
        FILE.write_text(result.to_state().to_string(), encoding="utf-8")
        paused()
    items = [item for item in result.new_items if item.type == "tool_call_output_item"]
    told([str(item.output) for item in items])


asyncio.run(main())
