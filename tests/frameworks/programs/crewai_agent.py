"""A crew of one; CrewAI keeps no state, so a new process starts its task again."""

from __future__ import annotations

import json
import os
from typing import Any

os.environ["CREWAI_DISABLE_TELEMETRY"] = os.environ["OTEL_SDK_DISABLED"] = "true"
os.environ["CREWAI_TRACING_ENABLED"] = "false"

from clerk import CALLS, SESSION, TOOLS, told
from crewai import Agent, Crew, Task
from crewai.llms.base_llm import BaseLLM
from crewai.tools import tool

from signoff.frontends.frameworks.crewai import guard

HEARD: list[str] = []


class Scripted(BaseLLM):
    """A model that makes the calls of the command line, then says "done"."""

    def call(self, messages: Any, tools: Any = None, **_: Any) -> Any:
        """Return the next turn."""
        HEARD[:] = [str(one["content"]) for one in messages if one.get("role") == "tool"]
        if HEARD or not tools:
            return "done"
        return [
            {
                "id": f"call_{n}",
                "type": "function",
                "function": {"name": name, "arguments": json.dumps({"subject": subject})},
            }
            for n, (name, subject) in enumerate(CALLS)
        ]

    def supports_function_calling(self) -> bool:
        """Tell that calls are made natively."""
        return True


guard(session=SESSION)
clerk = Agent(
    role="clerk",
    goal="tidy",
    backstory="-",
    llm=Scripted(model="scripted"),
    tools=[tool(one.__name__)(one) for one in TOOLS],
)
task = Task(description="go", expected_output="done", agent=clerk)
Crew(agents=[clerk], tasks=[task], cache=False).kickoff()
told(HEARD)
