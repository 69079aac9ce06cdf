"""Model APIs on loopback that make an agent call the shell lines a test names, one after another.

Three dialects, told by the path: OpenAI's responses and chat completions, and Gemini's. As long
as the script has a call left that the conversation does not show yet, the answer is that call;
after that, and where no tools are offered, it is plain text.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Call = tuple[str, dict[str, Any]]
DONE = "Done."
COUNT = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}


@contextmanager
def fake_model_api(calls: Sequence[Call]) -> Iterator[str]:
    """Serve the script until the block ends; gives the address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.script = list(calls)  # type: ignore[attr-defined]  # the handler's only way to it
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _responses(request: dict[str, Any], script: list[Call]) -> list[dict[str, Any]]:
    """Answer `POST /v1/responses` as events."""
    items = [item for item in request.get("input", []) if isinstance(item, dict)]
    done = sum(item.get("type") == "function_call_output" for item in items)
    call = _next(script, done, offered=bool(request.get("tools")))
    if call is None:
        text = {"type": "output_text", "text": DONE, "annotations": []}
        item: dict[str, Any] = {
            "type": "message", "id": "m", "role": "assistant", "status": "completed",
            "content": [text],
        }  # fmt: skip
    else:
        item = {
            "type": "function_call", "id": f"f{done}", "call_id": f"c{done}", "name": call[0],
            "arguments": json.dumps(call[1]), "status": "completed",
        }  # fmt: skip
    usage = {
        "input_tokens": 1, "input_tokens_details": None, "output_tokens": 1,
        "output_tokens_details": None, "total_tokens": 2,
    }  # fmt: skip
    whole = {"id": f"r{done}", "status": "completed", "output": [item], "usage": usage}
    return [
        {"type": "response.created", "response": {"id": f"r{done}"}},
        {"type": "response.output_item.added", "output_index": 0, "item": item},
        {"type": "response.output_item.done", "output_index": 0, "item": item},
        {"type": "response.completed", "response": whole},
    ]


def _completions(request: dict[str, Any], script: list[Call]) -> list[dict[str, Any]]:
    """Answer `POST /v1/chat/completions` as chunks."""
    done = sum(message.get("role") == "tool" for message in request.get("messages", []))
    call = _next(script, done, offered=bool(request.get("tools")))
    if call is None:
        delta: dict[str, Any] = {"role": "assistant", "content": DONE}
    else:
        function = {"name": call[0], "arguments": json.dumps(call[1])}
        calls = [{"index": 0, "id": f"c{done}", "type": "function", "function": function}]
        delta = {"role": "assistant", "content": None, "tool_calls": calls}
    shape = {"id": "c", "created": 1, "model": "fake", "object": "chat.completion.chunk"}
    reason = "stop" if call is None else "tool_calls"
    return [
        {**shape, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]},
        {**shape, "choices": [{"index": 0, "delta": {}, "finish_reason": reason}], "usage": COUNT},
    ]


def _contents(request: dict[str, Any], script: list[Call]) -> list[dict[str, Any]]:
    """Answer Gemini's `generateContent` as one piece."""
    parts = [part for content in request.get("contents", []) for part in content.get("parts", [])]
    done = sum("functionResponse" in part for part in parts)
    call = _next(script, done, offered=bool(request.get("tools")))
    part = {"text": DONE} if call is None else {"functionCall": {"name": call[0], "args": call[1]}}
    candidate = {"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0}
    return [{"candidates": [candidate], "modelVersion": "fake"}]


def _next(script: list[Call], done: int, *, offered: bool) -> Call | None:
    return script[done] if offered and done < len(script) else None


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing on stderr."""

    def do_GET(self) -> None:
        """List one model."""
        self._send(b'{"object": "list", "data": [{"id": "fake", "object": "model"}]}')

    def do_POST(self) -> None:
        """Answer a message, streamed or whole."""
        request = json.loads(self.rfile.read(int(self.headers.get("content-length", 0))) or b"{}")
        script: list[Call] = self.server.script  # type: ignore[attr-defined]  # set above
        if "/responses" in self.path:
            events = _responses(request, script)
            self._stream("".join(f"event: {e['type']}\ndata: {json.dumps(e)}\n\n" for e in events))
        elif "/chat/completions" in self.path:
            self._complete(request, _completions(request, script))
        else:
            answer = _contents(request, script)[0]
            if "stream" in self.path:
                self._stream(f"data: {json.dumps(answer)}\n\n")
            else:
                self._send(json.dumps(answer).encode())

    def _complete(self, request: dict[str, Any], chunks: list[dict[str, Any]]) -> None:
        if request.get("stream"):
            pieces = "".join(f"data: {json.dumps(chunk)}\n\n" for chunk in chunks)
            self._stream(f"{pieces}data: [DONE]\n\n")
            return
        message, reason = chunks[0]["choices"][0]["delta"], chunks[1]["choices"][0]["finish_reason"]
        choice = {"index": 0, "message": message, "finish_reason": reason}
        whole = {**chunks[1], "object": "chat.completion", "choices": [choice]}
        self._send(json.dumps(whole).encode())

    def _stream(self, text: str) -> None:
        self._send(text.encode(), "text/event-stream")

    def _send(self, body: bytes, kind: str = "application/json") -> None:
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
