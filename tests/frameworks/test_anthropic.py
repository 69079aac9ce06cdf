"""Anthropic SDK: its tool runner against a fake Messages API on loopback, and other loops."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("anthropic", reason="needs anthropic: scripts/test-frameworks anthropic")

from anthropic import Anthropic, AsyncAnthropic, beta_async_tool, beta_tool
from contract import Contract, Failing, Ran, gate, run_example

from signoff.frontends.frameworks.anthropic import guard, run_tool_use
from signoff.frontends.python.checker import Checker

MODEL = "claude-haiku-4-5"


@contextmanager
def api(texts: Sequence[str], asked: list[dict[str, Any]]) -> Iterator[str]:
    """Serve a Messages API whose model writes these notes; give its address."""

    class Answers(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            asked.append(body)
            content: list[dict[str, Any]] = [{"type": "text", "text": "done"}]
            is_first = body["messages"][-1]["content"] == "go"
            if is_first:
                content = [
                    {
                        "type": "tool_use",
                        "id": f"toolu_{n}",
                        "name": "write_note",
                        "input": {"text": text},
                    }
                    for n, text in enumerate(texts)
                ]
            said = {
                "id": "msg_1",
                "type": "message",
                "role": "assistant",
                "model": MODEL,
                "content": content,
                "stop_reason": "tool_use" if is_first else "end_turn",
                "stop_sequence": None,
                "usage": {"input_tokens": 1, "output_tokens": 1},
            }
            answer = json.dumps(said).encode()
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answers)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


def heard(ran: Ran, asked: list[dict[str, Any]]) -> Ran:
    """Return the run with what the model heard."""
    results = asked[-1]["messages"][-1]["content"] if len(asked) > 1 else []
    for one in results:
        content = one["content"]
        ran.heard.append(content if isinstance(content, str) else json.dumps(content))
        is_result = "wrote" in ran.heard[-1] or "[signoff" in ran.heard[-1]
        assert bool(one.get("is_error")) == (not is_result)
    return ran


def asking(tools: Sequence[Any]) -> dict[str, Any]:
    """Return what the runner is called with."""
    messages = [{"role": "user", "content": "go"}]
    return {"model": MODEL, "max_tokens": 100, "tools": tools, "messages": messages}


def run(checker: Checker, texts: Sequence[str]) -> Ran:
    """Run the tool runner."""
    ran, asked = Ran(), list[dict[str, Any]]()

    @beta_tool
    def write_note(text: str) -> str:
        """Write a note."""
        ran.notes.append(text)
        return f"wrote {text}"

    with api(texts, asked) as url:
        client = Anthropic(base_url=url, api_key="k", max_retries=0)
        message = client.beta.messages.tool_runner(
            **asking(guard([write_note], gate=checker))
        ).until_done()
    ran.said = message.content[0].text
    return heard(ran, asked)


def arun(checker: Checker, texts: Sequence[str]) -> Ran:
    """Run the async tool runner."""
    ran, asked = Ran(), list[dict[str, Any]]()

    @beta_async_tool
    async def write_note(text: str) -> str:
        """Write a note."""
        ran.notes.append(text)
        return f"wrote {text}"

    async def main(url: str) -> Any:
        client = AsyncAnthropic(base_url=url, api_key="k", max_retries=0)
        return await client.beta.messages.tool_runner(
            **asking(guard([write_note], gate=checker))
        ).until_done()

    with api(texts, asked) as url:
        ran.said = asyncio.run(main(url)).content[0].text
    return heard(ran, asked)


class TestAnthropic(Contract):
    """What every adapter keeps."""

    run = run
    arun = arun


@pytest.mark.parametrize(
    ("text", "checker", "notes", "said"),
    [
        ("one", gate(), ["one"], "wrote one"),
        ("bad", gate(), [], "Denied by signoff"),
        ("one", Failing(OSError("boom")), [], "cannot decide"),
        ("ask", gate(edited=True), ["edited"], "wrote edited"),
    ],
)
def test_a_loop_of_ones_own(text: str, checker: Checker, notes: list[str], said: str) -> None:
    """One block in, one `tool_result` out."""
    ran = Ran()

    def write_note(text: str) -> str:
        """Write a note."""
        ran.notes.append(text)
        return f"wrote {text}"

    block = SimpleNamespace(id="toolu_1", name="write_note", input={"text": text})
    told = run_tool_use(block, {"write_note": write_note}, gate=checker)

    assert (notes, "toolu_1") == (ran.notes, told["tool_use_id"])
    assert said in told["content"]
    assert told.get("is_error", False) == (not notes)


def test_what_anthropic_runs_itself_is_not_taken_for_guarded() -> None:
    """It is refused at once."""
    with pytest.raises(TypeError, match="cannot be guarded"):
        guard([{"type": "web_search_20250305", "name": "web_search"}], gate=gate())


def test_the_example_of_the_docs_runs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """As a new user: nobody can be asked, so the account stays."""
    model = None

    printed, _ = run_example("anthropic", monkeypatch, tmp_path, model=model)

    assert "nobody can be asked" in printed
    assert "removed u1" not in printed
