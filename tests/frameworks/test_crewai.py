"""CrewAI, with the real package and a scripted model."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

os.environ["CREWAI_DISABLE_TELEMETRY"] = os.environ["OTEL_SDK_DISABLED"] = "true"
os.environ["CREWAI_TRACING_ENABLED"] = "false"
pytest.importorskip("crewai", reason="needs crewai: scripts/test-frameworks crewai")

from contract import Contract, Failing, Ran, gate, run_example
from crewai import Agent, Crew, Task
from crewai.hooks import ToolCallHookContext
from crewai.llms.base_llm import BaseLLM
from crewai.tools import tool

from signoff.frontends.frameworks.crewai import CrewHooks, guard
from signoff.frontends.python.checker import Checker
from signoff.frontends.python.tool_gate import ToolGate


class Scripted(BaseLLM):
    """A model that makes one call after another: natively, or in words (ReAct)."""

    texts: list[str] = []
    is_native: bool = True
    heard: list[str] = []

    def call(self, messages: Any, tools: Any = None, **_: Any) -> Any:
        """Return the next turn."""
        turns = [one for one in messages if one.get("role") == "tool"] if self.is_native else []
        if self.is_native:
            self.heard = [str(one["content"]) for one in turns]
            if turns or not tools:
                return "done"
            return [_native(n, text) for n, text in enumerate(self.texts)]
        words = "\n".join(str(one["content"]) for one in messages)
        count = words.count("Observation: ") - words.count("Observation: the result")
        self.heard = [part.strip() for part in words.split("Observation: ")[1:]][-count:]
        if count >= len(self.texts):
            return "Thought: I now know the final answer\nFinal Answer: done"
        text = self.texts[count]
        return f'Thought: go\nAction: write_note\nAction Input: {{"text": "{text}"}}\n'

    def supports_function_calling(self) -> bool:
        """Tell whether calls are made natively."""
        return self.is_native


def _native(n: int, text: str) -> dict[str, Any]:
    function = {"name": "write_note", "arguments": f'{{"text": "{text}"}}'}
    return {"id": f"call_{n}", "type": "function", "function": function}


def ran_by(checker: Checker, texts: Sequence[str], *, is_native: bool) -> Ran:
    """Run a crew of one."""
    ran = Ran()

    @tool("write_note")
    def write_note(text: str) -> str:
        """Write a note."""
        ran.notes.append(text)
        return f"wrote {text}"

    llm = Scripted(model="scripted", texts=list(texts), is_native=is_native)
    agent = Agent(role="clerk", goal="notes", backstory="-", llm=llm, tools=[write_note])
    task = Task(description="go", expected_output="done", agent=agent)
    end = guard(gate=checker, agent="clerk")
    try:
        ran.said = str(Crew(agents=[agent], tasks=[task], cache=False).kickoff())
    finally:
        end()
    ran.heard = llm.heard
    return ran


def run(checker: Checker, texts: Sequence[str]) -> Ran:
    """Run a crew whose model calls tools natively."""
    return ran_by(checker, texts, is_native=True)


def run_react(checker: Checker, texts: Sequence[str]) -> Ran:
    """Run a crew whose model calls tools in words."""
    return ran_by(checker, texts, is_native=False)


class TestCrewAI(Contract):
    """What every adapter keeps."""

    run = run
    arun = run_react


class _Broken(ToolGate):
    """A core that raises where it never does."""

    def judge_now(self, call: Any) -> Any:
        """Raise."""
        raise RuntimeError("boom")


def test_a_hook_that_fails_anywhere_blocks() -> None:
    """CrewAI would swallow what it raises, and run the tool."""
    hooks = CrewHooks(_Broken("crewai", gate=Failing(ValueError())))
    context = ToolCallHookContext(tool_name="x", tool_input={"a": 1}, tool=None)

    assert False is hooks.before(context)
    assert "cannot decide" in str(hooks.after(context))
    assert None is CrewHooks(ToolGate("crewai", gate=gate())).after(context)


def test_the_example_of_the_docs_runs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """As a new user: nobody can be asked, so the account stays."""

    class Deleting(Scripted):
        def call(self, messages: Any, tools: Any = None, **_: Any) -> Any:
            told = [str(one["content"]) for one in messages if one.get("role") == "tool"]
            if told or not tools:
                return "\n".join(told) or "done"
            function = {"name": "delete_user", "arguments": '{"user_id": "u1"}'}
            return [{"id": "call_1", "type": "function", "function": function}]

    model = Deleting(model="scripted")

    printed, _ = run_example("crewai", monkeypatch, tmp_path, model=model)

    assert "nobody can be asked" in printed
    assert "removed u1" not in printed
