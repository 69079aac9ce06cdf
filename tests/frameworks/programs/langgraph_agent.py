"""A LangGraph agent; its threads are kept in SQLite."""

from __future__ import annotations

from typing import Any

from clerk import CALLS, FOLDER, IS_RESUMED, PAUSE_AFTER_S, SESSION, TOOLS, paused, told
from langchain.agents import create_agent
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.types import Command

from signoff.frontends.frameworks.langchain import SignoffMiddleware


class Scripted(GenericFakeChatModel):
    """A model that makes the calls of the command line, then says "done"."""

    def _generate(self, messages: list[Any], *_: Any, **__: Any) -> ChatResult:
        calls = [
            {"name": tool, "args": {"subject": subject}, "id": f"call_{n}"}
            for n, (tool, subject) in enumerate(CALLS)
        ]
        is_told = any(isinstance(one, ToolMessage) for one in messages)
        said = AIMessage("done") if is_told else AIMessage("", tool_calls=calls)
        return ChatResult(generations=[ChatGeneration(message=said)])

    def bind_tools(self, tools: Any, **_: Any) -> Scripted:
        """Return itself."""
        return self


with SqliteSaver.from_conn_string(str(FOLDER / "threads.db")) as saver:
    agent = create_agent(
        Scripted(messages=iter(())),
        list(TOOLS),
        middleware=[SignoffMiddleware(pause_after_s=PAUSE_AFTER_S)],
        checkpointer=saver,
    )
    thread: Any = {"configurable": {"thread_id": SESSION}}
    given: Any = Command(resume="go on") if IS_RESUMED else {"messages": [("user", "go")]}
    state = agent.invoke(given, thread)
    if state.get("__interrupt__"):
        paused()
    told([str(one.content) for one in state["messages"] if isinstance(one, ToolMessage)])
