"""Microsoft Agent Framework, with the real package and a scripted model."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("agent_framework", reason="needs agent-framework: scripts/test-frameworks")

from agent_framework import (
    Agent,
    BaseChatClient,
    ChatResponse,
    ChatResponseUpdate,
    Content,
    FunctionInvocationLayer,
    Message,
    ResponseStream,
)
from contract import Contract, Ran, run_example

from signoff.frontends.frameworks.agent_framework import SignoffFunctionMiddleware
from signoff.frontends.python.checker import Checker


class Scripted(FunctionInvocationLayer, BaseChatClient):
    """A model that makes the calls it is given, once it has not heard what came of them."""

    def __init__(self, calls: Sequence[tuple[str, dict[str, Any]]]) -> None:
        super().__init__()
        self.calls = calls
        self.heard: list[str] = []

    def _inner_get_response(self, *, messages: Any, stream: bool, options: Any, **_: Any) -> Any:
        told = [
            str(part.result)
            for message in messages
            for part in message.contents
            if part.type == "function_result"
        ]
        self.heard = told
        contents = [Content.from_text("done")]
        if not told:
            contents = [
                Content.from_function_call(f"call_{n}", name, arguments=given)
                for n, (name, given) in enumerate(self.calls)
            ]
        if stream:

            async def updates() -> Any:
                yield ChatResponseUpdate(role="assistant", contents=contents)

            return ResponseStream(updates(), finalizer=ChatResponse.from_updates)

        async def answer() -> ChatResponse:
            return ChatResponse(messages=[Message(role="assistant", contents=contents)])

        return answer()


def ran_by(checker: Checker, texts: Sequence[str], *, streams: bool) -> Ran:
    """Run an agent."""
    ran = Ran()

    def write_note(text: str) -> str:
        """Write a note."""
        ran.notes.append(text)
        return f"wrote {text}"

    client = Scripted([("write_note", {"text": text}) for text in texts])
    agent = Agent(client, tools=[write_note], middleware=[SignoffFunctionMiddleware(gate=checker)])

    async def main() -> str:
        if not streams:
            return str((await agent.run("go")).text)
        return "".join([update.text async for update in agent.run("go", stream=True)])

    ran.said = asyncio.run(main())
    ran.heard = client.heard
    return ran


def run(checker: Checker, texts: Sequence[str]) -> Ran:
    """Run an agent."""
    return ran_by(checker, texts, streams=False)


def run_streamed(checker: Checker, texts: Sequence[str]) -> Ran:
    """Run an agent that streams."""
    return ran_by(checker, texts, streams=True)


class TestAgentFramework(Contract):
    """What every adapter keeps."""

    run = run
    arun = run_streamed


def test_the_example_of_the_docs_runs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """As a new user: nobody can be asked, so the account stays."""
    client = Scripted([("delete_user", {"user_id": "u1"})])

    run_example("agent-framework", monkeypatch, tmp_path, model=client)

    assert "nobody can be asked" in client.heard[0]
    assert "removed u1" not in client.heard[0]
