"""Google ADK, with the real package and a scripted model."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("google.adk", reason="needs google-adk: scripts/test-frameworks google-adk")

from contract import Contract, Ran, run_example
from google.adk.agents import Agent
from google.adk.agents.run_config import RunConfig, StreamingMode
from google.adk.models.base_llm import BaseLlm
from google.adk.models.llm_response import LlmResponse
from google.adk.runners import InMemoryRunner
from google.genai import types

from signoff.frontends.frameworks.google_adk import SignoffPlugin
from signoff.frontends.python.checker import Checker


class Scripted(BaseLlm):
    """A model that makes the calls it is given, once it has not heard what came of them."""

    model: str = "scripted"
    calls: list[tuple[str, dict[str, Any]]] = []
    heard: list[str] = []

    async def generate_content_async(self, llm_request: Any, stream: bool = False) -> Any:  # noqa: FBT001, FBT002 - as it is called
        """Yield the next turn."""
        told = [
            part.function_response.response
            for part in llm_request.contents[-1].parts
            if part.function_response
        ]
        self.heard.extend(json.dumps(one) for one in told)
        parts = [types.Part(text="done")]
        if not told:
            parts = [
                types.Part(function_call=types.FunctionCall(name=name, args=given, id=f"call_{n}"))
                for n, (name, given) in enumerate(self.calls)
            ]
        yield LlmResponse(content=types.Content(role="model", parts=parts))


def ran_by(checker: Checker, texts: Sequence[str], *, streams: bool) -> Ran:
    """Run an agent."""
    ran = Ran()

    def write_note(text: str) -> str:
        """Write a note."""
        ran.notes.append(text)
        return f"wrote {text}"

    model = Scripted(calls=[("write_note", {"text": text}) for text in texts])
    agent = Agent(name="clerk", model=model, tools=[write_note])
    runner = InMemoryRunner(agent=agent, plugins=[SignoffPlugin(gate=checker)])
    ran.said = asyncio.run(said_by(runner, streams=streams))
    ran.heard = model.heard
    return ran


async def said_by(runner: InMemoryRunner, *, streams: bool) -> str:
    """Return the last words of an agent."""
    service, name = runner.session_service, runner.app_name
    session = await service.create_session(app_name=name, user_id="u")
    mode = StreamingMode.SSE if streams else StreamingMode.NONE
    said = ""
    async for event in runner.run_async(
        user_id="u",
        session_id=session.id,
        new_message=types.Content(role="user", parts=[types.Part(text="go")]),
        run_config=RunConfig(streaming_mode=mode),
    ):
        parts = event.content.parts if event.content else []
        said = next((part.text for part in parts or [] if part.text), said)
    return said


def run(checker: Checker, texts: Sequence[str]) -> Ran:
    """Run an agent."""
    return ran_by(checker, texts, streams=False)


def run_streamed(checker: Checker, texts: Sequence[str]) -> Ran:
    """Run an agent that streams."""
    return ran_by(checker, texts, streams=True)


class TestGoogleADK(Contract):
    """What every adapter keeps."""

    run = run
    arun = run_streamed


def test_the_example_of_the_docs_runs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """As a new user: nobody can be asked, so the account stays."""
    model = Scripted(calls=[("delete_user", {"user_id": "u1"})])
    _, names = run_example("google-adk", monkeypatch, tmp_path, model=model)

    runner: Any = names["runner"]
    asyncio.run(said_by(runner, streams=False))

    assert "nobody can be asked" in model.heard[0]
    assert "removed u1" not in model.heard[0]
