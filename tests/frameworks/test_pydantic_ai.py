"""Pydantic AI, with the real package and a scripted model."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pydantic_ai", reason="needs pydantic-ai: scripts/test-frameworks pydantic-ai")

from contract import Contract, Ran, run_example
from pydantic_ai import Agent
from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart, ToolReturnPart
from pydantic_ai.models.function import AgentInfo, DeltaToolCall, FunctionModel

from signoff.frontends.frameworks.pydantic_ai import SignoffCapability
from signoff.frontends.python.checker import Checker


def agent(ran: Ran, texts: Sequence[str], **options: Any) -> Agent[Any, Any]:
    """Return an agent whose model writes these notes."""

    def answers(messages: list[Any], info: AgentInfo) -> ModelResponse:
        if len(messages) > 1:
            return ModelResponse([TextPart("done")])
        calls = [
            ToolCallPart("write_note", {"text": text}, tool_call_id=f"call_{n}")
            for n, text in enumerate(texts)
        ]
        return ModelResponse(calls)

    async def streams(messages: list[Any], info: AgentInfo) -> Any:
        if len(messages) > 1:
            yield "done"
            return
        for n, text in enumerate(texts):
            arguments = f'{{"text": "{text}"}}'
            yield {n: DeltaToolCall("write_note", arguments, tool_call_id=f"call_{n}")}

    outputs = options.pop("output_type", str)
    made = Agent(
        FunctionModel(answers, stream_function=streams),
        output_type=outputs,
        capabilities=[SignoffCapability(**options)],
    )

    @made.tool_plain
    def write_note(text: str) -> str:
        """Write a note."""
        ran.notes.append(text)
        return f"wrote {text}"

    return made


def heard(ran: Ran, messages: Sequence[Any], said: object) -> Ran:
    """Return the run with what the model heard and said."""
    parts = [part for message in messages for part in message.parts]
    ran.heard = [str(part.content) for part in parts if isinstance(part, ToolReturnPart)]
    ran.said = str(said)
    return ran


def run(checker: Checker, texts: Sequence[str]) -> Ran:
    """Run an agent."""
    ran = Ran()
    result = agent(ran, texts, gate=checker).run_sync("go")
    return heard(ran, result.all_messages(), result.output)


def arun(checker: Checker, texts: Sequence[str]) -> Ran:
    """Run an agent that streams."""
    ran = Ran()

    async def main() -> Ran:
        async with agent(ran, texts, gate=checker).run_stream("go") as result:
            return heard(ran, result.all_messages(), await result.get_output())

    return asyncio.run(main())


class TestPydanticAI(Contract):
    """What every adapter keeps."""

    run = run
    arun = arun


def test_the_example_of_the_docs_runs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """As a new user: nobody can be asked, so the account stays."""

    def answers(messages: list[Any], info: AgentInfo) -> ModelResponse:
        if len(messages) > 1:
            return ModelResponse([TextPart("done")])
        return ModelResponse([ToolCallPart("delete_user", {"user_id": "u1"})])

    model = FunctionModel(answers)

    printed, _ = run_example("pydantic-ai", monkeypatch, tmp_path, model=model)

    assert "nobody can be asked" in printed
    assert "removed u1" not in printed
