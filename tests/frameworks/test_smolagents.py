"""smolagents, with the real package and a scripted model."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("smolagents", reason="needs smolagents: scripts/test-frameworks smolagents")

from contract import Contract, Ran, gate, run_example
from smolagents import CodeAgent, Tool, ToolCallingAgent, tool
from smolagents.models import (
    ChatMessage,
    ChatMessageToolCall,
    ChatMessageToolCallFunction,
    MessageRole,
    Model,
)

from signoff.errors import Denied
from signoff.frontends.frameworks.smolagents import guard
from signoff.frontends.python.checker import Checker


class Scripted(Model):
    """A model that makes the calls it is given, or writes the code."""

    def __init__(self, texts: Sequence[str], *, writes_code: bool) -> None:
        super().__init__(model_id="scripted")
        self.texts, self.writes_code, self.turn = texts, writes_code, 0
        self.heard: list[str] = []

    def generate(self, messages: list[Any], **_: Any) -> ChatMessage:
        """Return the next turn."""
        self.turn += 1
        self.heard = [str(one.content) for one in messages[2:]]
        if self.writes_code:
            return self._code()
        if self.turn > 1:
            return _calling([("final_answer", {"answer": "done"})])
        return _calling([("write_note", {"text": text}) for text in self.texts])

    def _code(self) -> ChatMessage:
        lines = [f"print(write_note({text!r}))" for text in self.texts]
        code = "\n".join(lines) if self.turn == 1 else 'final_answer("done")'
        return ChatMessage(role=MessageRole.ASSISTANT, content=f"<code>\n{code}\n</code>")


def _calling(calls: Sequence[tuple[str, dict[str, str]]]) -> ChatMessage:
    made = [
        ChatMessageToolCall(
            id=f"call_{n}",
            type="function",
            function=ChatMessageToolCallFunction(name=name, arguments=arguments),
        )
        for n, (name, arguments) in enumerate(calls)
    ]
    return ChatMessage(role=MessageRole.ASSISTANT, content="", tool_calls=made)


def note_tool(ran: Ran) -> Tool:
    """Return the tool that writes notes."""

    @tool
    def write_note(text: str) -> str:
        """Write a note.

        Args:
            text: what it says
        """
        ran.notes.append(text)
        return f"wrote {text}"

    return write_note


def run(checker: Checker, texts: Sequence[str]) -> Ran:
    """Run an agent that calls tools, one turn for each note: one that fails ends the turn."""
    ran = Ran()
    for text in texts:
        model = Scripted([text], writes_code=False)
        agent = ToolCallingAgent(
            tools=guard([note_tool(ran)], gate=checker), model=model, verbosity_level=0
        )
        ran.said = str(agent.run("go"))
        ran.heard.append("\n".join(model.heard))
    return ran


def run_code(checker: Checker, texts: Sequence[str]) -> Ran:
    """Run an agent that writes code."""
    ran = Ran()
    for text in texts:
        model = Scripted([text], writes_code=True)
        agent = CodeAgent(
            tools=guard([note_tool(ran)], gate=checker), model=model, verbosity_level=0
        )
        ran.said = str(agent.run("go"))
        ran.heard.append("\n".join(model.heard))
    return ran


class TestSmolagents(Contract):
    """What every adapter keeps."""

    run = run
    arun = run_code


def test_calls_of_one_turn_run_in_parallel_and_are_judged_by_themselves() -> None:
    """The denied one ends the turn; the others may have run, it has not."""
    ran = Ran()
    model = Scripted(["one", "bad", "two"], writes_code=False)
    ToolCallingAgent(
        tools=guard([note_tool(ran)], gate=gate()), model=model, verbosity_level=0
    ).run("go")

    assert "bad" not in ran.notes


def test_a_guarded_tool_is_not_sent_to_another_machine() -> None:
    """There it would run without its guard."""
    with pytest.raises(Denied):
        guard([note_tool(Ran())], gate=gate())[0].to_dict()


def test_the_example_of_the_docs_runs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """As a new user: nobody can be asked, so the account stays."""

    class Deleting(Scripted):
        def generate(self, messages: list[Any], **_: Any) -> ChatMessage:
            self.turn += 1
            self.heard = [str(one.content) for one in messages[2:]]
            if self.turn > 1:
                return _calling([("final_answer", {"answer": "\n".join(self.heard)})])
            return _calling([("delete_user", {"user_id": "u1"})])

    model = Deleting([], writes_code=False)

    printed, _ = run_example("smolagents", monkeypatch, tmp_path, model=model)

    assert "nobody can be asked" in printed
    assert "removed u1" not in printed
