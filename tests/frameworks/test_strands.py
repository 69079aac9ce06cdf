"""Strands Agents, with the real package and a scripted model."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("strands", reason="needs strands-agents: scripts/test-frameworks strands")

from contract import Contract, Ran, run_example
from strands import Agent, tool
from strands.models.model import Model

from signoff.frontends.frameworks.strands import SignoffHooks
from signoff.frontends.python.checker import Checker


class Scripted(Model):
    """A model that makes the calls it is given, once it has not heard what came of them."""

    def __init__(self, calls: Sequence[tuple[str, dict[str, Any]]]) -> None:
        self.calls = calls
        self.heard: list[str] = []

    def update_config(self, **_: Any) -> None:
        """Do nothing."""

    def get_config(self) -> Any:
        """Return nothing."""
        return {}

    def structured_output(self, *_: Any, **__: Any) -> Any:
        """Give none."""
        raise NotImplementedError

    async def stream(self, messages: Any, *_: Any, **__: Any) -> Any:
        """Yield the next turn."""
        told = [part["toolResult"] for part in messages[-1]["content"] if "toolResult" in part]
        self.heard += [json.dumps(one) for one in told]
        yield {"messageStart": {"role": "assistant"}}
        if told:
            yield {"contentBlockStart": {"start": {}}}
            yield {"contentBlockDelta": {"delta": {"text": "done"}}}
            yield {"contentBlockStop": {}}
            yield {"messageStop": {"stopReason": "end_turn"}}
            return
        for n, (name, given) in enumerate(self.calls):
            use = {"name": name, "toolUseId": f"call_{n}"}
            yield {"contentBlockStart": {"start": {"toolUse": use}}}
            yield {"contentBlockDelta": {"delta": {"toolUse": {"input": json.dumps(given)}}}}
            yield {"contentBlockStop": {}}
        yield {"messageStop": {"stopReason": "tool_use"}}


def agent(ran: Ran, checker: Checker, texts: Sequence[str]) -> tuple[Agent, Scripted]:
    """Return an agent whose model writes these notes."""

    @tool
    def write_note(text: str) -> str:
        """Write a note."""
        ran.notes.append(text)
        return f"wrote {text}"

    model = Scripted([("write_note", {"text": text}) for text in texts])
    hooks = [SignoffHooks(gate=checker)]
    return Agent(model=model, tools=[write_note], hooks=hooks, callback_handler=None), model


def run(checker: Checker, texts: Sequence[str]) -> Ran:
    """Run an agent."""
    ran = Ran()
    made, model = agent(ran, checker, texts)
    ran.said = str(made("go")).strip()
    ran.heard = model.heard
    return ran


def arun(checker: Checker, texts: Sequence[str]) -> Ran:
    """Run an agent that streams."""
    ran = Ran()
    made, model = agent(ran, checker, texts)

    async def main() -> str:
        last: Any = None
        async for event in made.stream_async("go"):
            last = event.get("result", last)
        return str(last).strip()

    ran.said = asyncio.run(main())
    ran.heard = model.heard
    return ran


class TestStrands(Contract):
    """What every adapter keeps."""

    run = run
    arun = arun


def test_the_example_of_the_docs_runs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """As a new user: nobody can be asked, so the account stays."""
    model = Scripted([("delete_user", {"user_id": "u1"})])

    run_example("strands", monkeypatch, tmp_path, model=model)

    assert "nobody can be asked" in model.heard[0]
    assert "removed u1" not in model.heard[0]
