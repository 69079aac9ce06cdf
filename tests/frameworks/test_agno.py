"""Agno, with the real package and a scripted model."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

os.environ["AGNO_TELEMETRY"] = "false"
pytest.importorskip("agno", reason="needs agno: scripts/test-frameworks agno")

from agno.agent import Agent
from agno.models.base import Model
from agno.models.response import ModelResponse
from contract import Contract, Ran, gate, run_example

from signoff.frontends.frameworks.agno import SignoffHook
from signoff.frontends.python.checker import Checker


@dataclass
class Scripted(Model):
    """A model that makes the calls it is given, once it has not heard what came of them."""

    id: str = "scripted"
    calls: Sequence[tuple[str, dict[str, Any]]] = ()
    heard: list[str] = field(default_factory=list)
    failed: list[bool] = field(default_factory=list)

    def invoke(self, *args: Any, **given: Any) -> ModelResponse:
        """Return the next turn."""
        messages = given.get("messages") or args[0]
        told = [one for one in messages if one.role == "tool"]
        self.heard = [str(one.content) for one in told]
        self.failed = [bool(one.tool_call_error) for one in told]
        if told:
            return ModelResponse(role="assistant", content="done")
        calls = [
            {
                "id": f"call_{n}",
                "type": "function",
                "function": {"name": name, "arguments": json.dumps(arguments)},
            }
            for n, (name, arguments) in enumerate(self.calls)
        ]
        return ModelResponse(role="assistant", tool_calls=calls)

    async def ainvoke(self, *args: Any, **given: Any) -> ModelResponse:
        """Return the next turn."""
        return self.invoke(*args, **given)

    def invoke_stream(self, *args: Any, **given: Any) -> Any:
        """Yield the next turn."""
        yield self.invoke(*args, **given)

    async def ainvoke_stream(self, *args: Any, **given: Any) -> Any:
        """Yield the next turn."""
        yield self.invoke(*args, **given)

    def _parse_provider_response(self, response: Any, **_: Any) -> ModelResponse:
        return ModelResponse(content=str(response))

    def _parse_provider_response_delta(self, response: Any) -> ModelResponse:
        return ModelResponse(content=str(response))


def agent(ran: Ran, texts: Sequence[str], **options: Any) -> Agent:
    """Return an agent whose model writes these notes."""

    def write_note(text: str) -> str:
        """Write a note."""
        ran.notes.append(text)
        return f"wrote {text}"

    model = Scripted(calls=[("write_note", {"text": text}) for text in texts])
    hook = SignoffHook(**options)
    return Agent(model=model, tools=[write_note], tool_hooks=[hook], telemetry=False)


def heard(ran: Ran, made: Agent, said: object) -> Ran:
    """Return the run with what the model heard and said."""
    assert isinstance(made.model, Scripted)
    ran.heard, ran.said = made.model.heard, str(said)
    return ran


def run(checker: Checker, texts: Sequence[str]) -> Ran:
    """Run an agent."""
    ran = Ran()
    made = agent(ran, texts, gate=checker)
    return heard(ran, made, made.run("go").content)


def arun(checker: Checker, texts: Sequence[str]) -> Ran:
    """Run an agent in a loop; it streams."""
    ran = Ran()
    made = agent(ran, texts, gate=checker)

    async def main() -> str:
        said = [str(event.content or "") async for event in made.arun("go", stream=True)]
        return "".join(said)

    return heard(ran, made, asyncio.run(main()))


class TestAgno(Contract):
    """What every adapter keeps."""

    run = run
    arun = arun


def test_a_denial_is_an_error_of_the_tool() -> None:
    """Agno's own form."""
    made = agent(Ran(), ["bad"], gate=gate())
    made.run("go")

    assert isinstance(made.model, Scripted)
    assert [True] == made.model.failed


def test_a_hook_before_it_lets_nothing_run() -> None:
    """It could pass on other arguments than those that run."""

    def changes(function: Any, arguments: dict[str, Any]) -> Any:
        return function(text="harmless")

    ran = Ran()
    made = agent(ran, ["bad"], gate=gate())
    assert made.tool_hooks is not None
    made.tool_hooks.insert(0, changes)
    made.run("go")

    assert isinstance(made.model, Scripted)
    assert ([], True) == (ran.notes, "must be the first" in made.model.heard[0])


def test_the_example_of_the_docs_runs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """As a new user: nobody can be asked, so the account stays."""
    model = Scripted(calls=[("delete_user", {"user_id": "u1"})])

    run_example("agno", monkeypatch, tmp_path, model=model)

    assert "nobody can be asked" in model.heard[0]
    assert "removed u1" not in model.heard[0]
