"""LangChain and LangGraph, with the real packages and a scripted model."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("langchain", reason="needs langchain: scripts/test-frameworks langchain")

from contract import Contract, Ran, gate, run_example
from langchain.agents import create_agent
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.tools import tool
from paused import person_at

from signoff.frontends.frameworks.langchain import SignoffMiddleware
from signoff.frontends.python.checker import Checker


class Scripted(GenericFakeChatModel):
    """A model that makes the calls it is given, once it has not heard what came of them."""

    calls: list[dict[str, Any]]

    def _generate(self, messages: list[Any], *_: Any, **__: Any) -> ChatResult:
        is_told = any(isinstance(one, ToolMessage) for one in messages)
        said = AIMessage("done") if is_told else AIMessage("", tool_calls=self.calls)
        return ChatResult(generations=[ChatGeneration(message=said)])

    def bind_tools(self, tools: Any, **_: Any) -> Scripted:
        """Return itself."""
        return self


def agent(ran: Ran, texts: Sequence[str], **options: Any) -> Any:
    """Return an agent whose model writes these notes."""

    name = options.pop("tool", "write_note")

    @tool(name)
    def write_note(text: str) -> str:
        """Write a note."""
        ran.notes.append(text)
        return f"wrote {text}"

    calls = [
        {"name": name, "args": {"text": text}, "id": f"call_{n}"} for n, text in enumerate(texts)
    ]
    model = Scripted(messages=iter(()), calls=calls)
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
    model = Scripted(messages=iter(()), calls=[call])

    printed, _ = run_example("langchain", monkeypatch, tmp_path, model=model)

    assert "nobody can be asked" in printed
    assert "removed u1" not in printed


PYTHON = sys.executable
AGENT = """
import sys
sys.path[:0] = {path!r}
from test_langchain import agent
from contract import Ran
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.types import Command
from signoff.frontends.python.client import Client

ran = Ran()
with SqliteSaver.from_conn_string({database!r}) as saver:
    made = agent(ran, ["ask"], gate=Client("unix:" + {socket!r}), pause_after_s=0.3,
                 checkpointer=saver, tool="post_comment")
    config = {{"configurable": {{"thread_id": "t-1"}}}}
    given = {{"messages": [("user", "go")]}} if sys.argv[1] == "start" else Command(resume={resume})
    state = made.invoke(given, config)
    paused = state.get("__interrupt__")
    print("PAUSED" if paused else "ENDED", ran.notes, flush=True)
"""


def test_a_killed_agent_resumes_in_another_process_after_approval(tmp_path: Path) -> None:
    """The resume value approves nothing; the person at the inbox does, once."""
    with person_at(tmp_path / "home") as at:

        def step(word: str) -> str:
            code = AGENT.format(
                path=[str(Path(__file__).parent), str(Path(__file__).parents[2])],
                database=str(tmp_path / "threads.db"),
                socket=str(at.daemon.socket),
                resume={"decision": "approve", "type": "approve"},
            )
            words = [PYTHON, "-c", code, word]
            done = subprocess.run(words, capture_output=True, text=True, timeout=60, check=False)
            assert 0 == done.returncode, done.stderr[-2_000:]
            return done.stdout.strip()

        started, unanswered = step("start"), step("resume")
        at.person.answer(at.scene("t-1").asked(), "approve")
        approved = step("resume")
        states = [state for _, state in at.scene("t-1").requests()]

    assert ("PAUSED []", "PAUSED []") == (started, unanswered)
    assert "ENDED ['ask']" == approved
    assert ["done"] == states
