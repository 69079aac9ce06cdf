"""OpenAI Agents SDK, with the real package and its scripted model."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("agents", reason="needs openai-agents: scripts/test-frameworks openai-agents")

from agents import Agent, Runner, WebSearchTool, function_tool, set_tracing_disabled
from agents.testing import ScriptedModel
from agents.testing.model import assistant_message, function_call
from contract import Contract, Ran, gate, run_example

from signoff.frontends.frameworks.openai_agents import guard
from signoff.frontends.python.checker import Checker

set_tracing_disabled(True)


def agent(ran: Ran, texts: Sequence[str], **options: Any) -> Agent[Any]:
    """Return an agent whose model writes these notes."""

    @function_tool
    def write_note(text: str) -> str:
        """Write a note."""
        ran.notes.append(text)
        return f"wrote {text}"

    calls = [
        function_call("write_note", {"text": text}, call_id=f"call_{n}")
        for n, text in enumerate(texts)
    ]
    model = ScriptedModel([calls, [assistant_message("done")]])
    return Agent(name="clerk", model=model, tools=guard([write_note], **options))


def heard(ran: Ran, result: Any) -> Ran:
    """Return the run with what the model heard and said."""
    items = [item for item in result.new_items if item.type == "tool_call_output_item"]
    ran.heard = [str(item.output) for item in items]
    ran.said = str(result.final_output)
    return ran


def run(checker: Checker, texts: Sequence[str]) -> Ran:
    """Run an agent."""
    ran = Ran()
    return heard(ran, Runner.run_sync(agent(ran, texts, gate=checker), "go"))


def arun(checker: Checker, texts: Sequence[str]) -> Ran:
    """Run an agent that streams."""
    ran = Ran()

    async def main() -> Any:
        result = Runner.run_streamed(agent(ran, texts, gate=checker), "go")
        async for _ in result.stream_events():
            pass
        return result

    return heard(ran, asyncio.run(main()))


class TestOpenAIAgents(Contract):
    """What every adapter keeps."""

    run = run
    arun = arun


def test_what_openai_runs_itself_is_not_taken_for_guarded() -> None:
    """It is refused at once."""
    with pytest.raises(TypeError, match="cannot be guarded"):
        guard([WebSearchTool()], gate=gate())


def test_a_call_without_an_object_does_not_run() -> None:
    """Arguments the model broke are no call."""
    ran = Ran()
    tool = agent(ran, [], gate=gate()).tools[0]
    context: Any = type("Context", (), {"tool_call_id": "c"})()

    told = [asyncio.run(tool.on_invoke_tool(context, given)) for given in ("[1]", "{", '"x"')]

    assert [] == ran.notes
    assert all("cannot decide" in one for one in told), json.dumps(told)


def test_the_example_of_the_docs_runs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """As a new user: nobody can be asked, so the account stays."""
    call = function_call("delete_user", {"user_id": "u1"}, call_id="call_1")
    model = ScriptedModel([[call], [assistant_message("done")]])

    printed, _ = run_example("openai-agents", monkeypatch, tmp_path, model=model)

    assert "nobody can be asked" in printed
    assert "removed u1" not in printed
