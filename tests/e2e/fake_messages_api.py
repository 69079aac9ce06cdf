"""A Messages API on loopback that makes an agent call the tools a test names, one after another.

It speaks the streaming form of `POST /v1/messages`: as long as the script has a call left that
the conversation does not show yet, the answer is that tool call; after that it is plain text.
Requests that offer no tools (titles, summaries) are answered with text. A call with `within`
belongs to another conversation, a sub-agent's: the one whose first message holds that text.
"""

from __future__ import annotations

import json
import threading
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """One call the model is to make."""

    name: str
    input: dict[str, Any]
    within: str = ""  # only in conversations whose first message holds this text
    after: str = ""  # only once the conversation holds this text; till then the turn ends
    before: Callable[[], object] | None = None  # done just before the call is made


@dataclass(slots=True)
class FakeMessagesApi:
    """A running server: where it is, and every request body it was sent."""

    url: str
    requests: list[dict[str, Any]] = field(default_factory=list)

    def tool_results(self) -> list[str]:
        """Return what the agent reported back for each tool call, as text, without repeats."""
        found: dict[str, str] = {}
        for request in self.requests:
            for message in request.get("messages", []):
                for block in _blocks(message):
                    if block.get("type") == "tool_result":
                        found[block["tool_use_id"]] = json.dumps(block.get("content"))
        return list(found.values())


@contextmanager
def fake_messages_api(calls: Sequence[ToolCall]) -> Iterator[FakeMessagesApi]:
    """Serve the script until the block ends."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    api = FakeMessagesApi(url=f"http://127.0.0.1:{server.server_address[1]}")
    server.script = list(calls)  # type: ignore[attr-defined]  # the handler's only way to it
    server.api = api  # type: ignore[attr-defined]  # the handler's only way to it
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield api
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _blocks(message: dict[str, Any]) -> list[dict[str, Any]]:
    content = message.get("content")
    return [b for b in content if isinstance(b, dict)] if isinstance(content, list) else []


def _script_of(request: dict[str, Any], calls: list[ToolCall]) -> list[ToolCall]:
    """Return the calls of this conversation, told by its first message."""
    first = json.dumps(request.get("messages", [])[:1])
    inner = [call for call in calls if call.within and call.within in first]
    return inner or [call for call in calls if not call.within]


def _answered(request: dict[str, Any]) -> int:
    """Count the tool calls whose results the conversation shows."""
    return sum(
        block.get("type") == "tool_result"
        for message in request.get("messages", [])
        for block in _blocks(message)
    )


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing on stderr."""

    def do_HEAD(self) -> None:
        """Answer a probe."""
        self._send(200, b"", "text/plain")

    def do_GET(self) -> None:
        """Answer what this server does not know."""
        self._send(404, b"{}", "application/json")

    def do_POST(self) -> None:
        """Answer a message, streamed or whole."""
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        if not self.path.startswith("/v1/messages") or "count_tokens" in self.path:
            self._send(404, b"{}", "application/json")
            return
        request = json.loads(body)
        self.server.api.requests.append(request)  # type: ignore[attr-defined]  # set above
        script = _script_of(request, self.server.script)  # type: ignore[attr-defined]  # set above
        done = _answered(request)
        offered = {tool.get("name") for tool in request.get("tools", [])}
        is_due = done < len(script) and script[done].after in json.dumps(request["messages"])
        if is_due and script[done].name in offered:
            before = script[done].before
            if before is not None:
                before()
            block: dict[str, Any] = {
                "type": "tool_use",
                "id": f"toolu_{done:02}",
                "name": script[done].name,
                "input": script[done].input,
            }
        else:
            block = {"type": "text", "text": "Done."}
        if request.get("stream"):
            self._send(200, _stream(request, block), "text/event-stream")
        else:
            self._send(200, json.dumps(_message(request, block)).encode(), "application/json")

    def _send(self, status: int, body: bytes, kind: str) -> None:
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def _message(request: dict[str, Any], block: dict[str, Any]) -> dict[str, Any]:
    return {
        "id": f"msg_{uuid.uuid4().hex}",  # clients merge what has one id
        "type": "message",
        "role": "assistant",
        "model": request.get("model", "claude"),
        "content": [block],
        "stop_reason": "tool_use" if block["type"] == "tool_use" else "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": 1, "output_tokens": 1},
    }


def _stream(request: dict[str, Any], block: dict[str, Any]) -> bytes:
    whole = _message(request, block)
    if block["type"] == "tool_use":
        opening: dict[str, Any] = {**block, "input": {}}
        delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
    else:
        opening = {"type": "text", "text": ""}
        delta = {"type": "text_delta", "text": block["text"]}
    stop = {"stop_reason": whole["stop_reason"], "stop_sequence": None}
    started = {**whole, "content": [], "stop_reason": None}
    events: list[dict[str, Any]] = [
        {"type": "message_start", "message": started},
        {"type": "content_block_start", "index": 0, "content_block": opening},
        {"type": "content_block_delta", "index": 0, "delta": delta},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": stop, "usage": {"output_tokens": 1}},
        {"type": "message_stop"},
    ]
    return "".join(f"event: {e['type']}\ndata: {json.dumps(e)}\n\n" for e in events).encode()
