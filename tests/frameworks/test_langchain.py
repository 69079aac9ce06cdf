"""LangChain and LangGraph, with the real packages and a scripted model."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("langchain", reason="needs langchain: scripts/test-frameworks langchain")

from contract import Contract, Ran, gate, run_example
from langchain.agents import create_agent
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, ToolMessage
from langchain_core.tools import tool

from signoff.frontends.frameworks.langchain import SignoffMiddleware
from signoff.frontends.python.checker import Checker


class Scripted(GenericFakeChatModel):
    """A model that makes the calls it is given."""

    def bind_tools(self, tools: Any, **_: Any) -> Scripted:
        """Return itself."""
        return self


def agent(ran: Ran, texts: Sequence[str], **options: Any) -> Any:
    """Return an agent whose model writes these notes."""

    @tool
    def write_note(text: str) -> str:
        """Write a note."""
        ran.notes.append(text)
        return f"wrote {text}"

    calls = [
        {"name": "write_note", "args": {"text": text}, "id": f"call_{n}"}
        for n, text in enumerate(texts)
    ]
    model = Scripted(messages=iter([AIMessage("", tool_calls=calls), AIMessage("done")]))
    checkpointer = options.pop("checkpointer", None)
    guard = SignoffMiddleware(**options)
    return create_agent(model, [write_note], middleware=[guard], checkpointer=checkpointer)


def heard(ran: Ran, state: Any) -> Ran:
    """Return the run with what the model heard and said."""
    messages = state["messages"]
    ran.heard = [str(one.content) for one in messages if isinstance(one, ToolMessage)]
    ran.said = str(messages[-1].content)
    return ran


def run(checker: Checker, texts: Sequence[str]) -> Ran:
    """Run an agent."""
    ran = Ran()
    return heard(ran, agent(ran, texts, gate=checker).invoke({"messages": [("user", "go")]}))


def arun(checker: Checker, texts: Sequence[str]) -> Ran:
    """Run an agent in a loop."""
    ran = Ran()
    made = agent(ran, texts, gate=checker)
    return heard(ran, asyncio.run(made.ainvoke({"messages": [("user", "go")]})))


class TestLangChain(Contract):
    """What every adapter keeps."""

    run = run
    arun = arun


def test_a_denial_is_a_tool_message_of_status_error() -> None:
    """LangChain's own form, also while the agent streams."""
    ran = Ran()
    made = agent(ran, ["bad"], gate=gate())
    steps = list(made.stream({"messages": [("user", "go")]}, stream_mode="updates"))
    told = [m for step in steps for part in step.values() for m in (part or {}).get("messages", [])]

    assert ["error"] == [one.status for one in told if isinstance(one, ToolMessage)]
    assert [] == ran.notes


def test_the_example_of_the_docs_runs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """As a new user: nobody can be asked, so the account stays."""
    call = {"name": "delete_user", "args": {"user_id": "u1"}, "id": "call_1"}
    model = Scripted(messages=iter([AIMessage("", tool_calls=[call]), AIMessage("done")]))

    printed, _ = run_example("langchain", monkeypatch, tmp_path, model=model)

    assert "nobody can be asked" in printed
    assert "removed u1" not in printed
