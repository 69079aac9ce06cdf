"""LlamaIndex, with the real package and its fake model."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("llama_index.core", reason="needs llama-index-core: scripts/test-frameworks")

from contract import Contract, Ran, gate, run_example
from llama_index.core.agent.workflow import AgentWorkflow, FunctionAgent
from llama_index.core.base.llms.types import ToolCallBlock
from llama_index.core.llms import ChatMessage, MessageRole, TextBlock
from llama_index.core.llms.mock import MockFunctionCallingLLM

from signoff.frontends.frameworks.llama_index import guard
from signoff.frontends.python.checker import Checker


def model(calls: Sequence[tuple[str, dict[str, Any]]], heard: list[str]) -> Any:
    """Return a model that makes these calls, once it has not heard what came of them."""

    def answer(messages: Sequence[ChatMessage], **_: Any) -> ChatMessage:
        told = [str(one.content) for one in messages if one.role == MessageRole.TOOL]
        heard[:] = told
        blocks: list[Any] = [TextBlock(text="done")]
        if not told:
            blocks = [
                ToolCallBlock(tool_call_id=f"call_{n}", tool_name=name, tool_kwargs=given)
                for n, (name, given) in enumerate(calls)
            ]
        return ChatMessage(role="assistant", blocks=blocks)

    return MockFunctionCallingLLM(response_generator=answer)


def ran_by(checker: Checker, texts: Sequence[str], *, is_workflow: bool) -> Ran:
    """Run an agent."""
    ran = Ran()

    def write_note(text: str) -> str:
        """Write a note."""
        ran.notes.append(text)
        return f"wrote {text}"

    llm = model([("write_note", {"text": text}) for text in texts], ran.heard)
    agent: Any = FunctionAgent(
        name="clerk", description="-", tools=guard([write_note], gate=checker), llm=llm
    )
    if is_workflow:
        agent = AgentWorkflow(agents=[agent], root_agent="clerk")

    async def main() -> str:
        return str(await agent.run("go"))

    ran.said = asyncio.run(main())
    return ran


def run(checker: Checker, texts: Sequence[str]) -> Ran:
    """Run one agent."""
    return ran_by(checker, texts, is_workflow=False)


def run_workflow(checker: Checker, texts: Sequence[str]) -> Ran:
    """Run a workflow of agents."""
    return ran_by(checker, texts, is_workflow=True)


class TestLlamaIndex(Contract):
    """What every adapter keeps."""

    run = run
    arun = run_workflow


def test_a_call_that_is_not_async_is_guarded_as_well() -> None:
    """And one by position is none an agent makes."""
    notes: list[str] = []

    def write_note(text: str) -> str:
        """Write a note."""
        notes.append(text)
        return f"wrote {text}"

    (tool,) = guard([write_note], gate=gate())

    assert [False, True] == [tool(text=text).is_error for text in ("one", "bad")]
    with pytest.raises(TypeError, match="by name"):
        tool("two")
    assert ["one"] == notes


def test_the_example_of_the_docs_runs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """As a new user: nobody can be asked, so the account stays."""
    heard: list[str] = []
    llm = model([("delete_user", {"user_id": "u1"})], heard)

    run_example("llama-index", monkeypatch, tmp_path, model=llm)

    assert "nobody can be asked" in heard[0]
    assert "removed u1" not in heard[0]
