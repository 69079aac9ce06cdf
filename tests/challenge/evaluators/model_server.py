"""A server on loopback that speaks the Messages API and chat completions, well or badly.

with ModelServer(says('{"allowed": true}')) as server:
    ...  # server.url, server.seen
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any

Reply = Callable[["Handler"], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """One request as it came in."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]

    @property
    def user(self) -> str:
        """What the model was told about the call."""
        return str(self.body["messages"][-1]["content"])


class Handler(BaseHTTPRequestHandler):
    """Answers by the script of its server."""

    server: _Server
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        """Keep the request, then do what the script says."""
        body = self.rfile.read(int(self.headers["Content-Length"]))
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.server.owner.seen.append(Seen(path=self.path, headers=headers, body=json.loads(body)))
        self.close_connection = True
        self.server.owner.next_reply()(self)

    def answer(self, status: int, body: bytes, **headers: str) -> None:
        """Write a whole answer."""
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", **headers}.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Keep still."""


class _Server(ThreadingHTTPServer):
    owner: ModelServer
    daemon_threads = True
    block_on_close = False

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that hangs up is no fault of the test."""


@dataclass(slots=True)
class ModelServer:
    """Plays replies one after another, the last one again and again."""

    script: list[Reply]
    seen: list[Seen] = field(default_factory=list)
    _server: _Server = field(init=False)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __init__(self, *script: Reply) -> None:
        self.script = list(script)
        self.seen = []
        self._lock = threading.Lock()
        self._server = _Server(("127.0.0.1", 0), Handler)
        self._server.owner = self

    @property
    def url(self) -> str:
        """The base address."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def next_reply(self) -> Reply:
        """Return what comes next in the script."""
        with self._lock:
            return self.script.pop(0) if len(self.script) > 1 else self.script[0]

    def __enter__(self) -> ModelServer:
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._server.shutdown()
        self._server.server_close()


def message(text: str, **changed: object) -> dict[str, Any]:
    """Return a message of the Messages API."""
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "claude-haiku-4-5-20251001",
        "content": [{"type": "text", "text": text}],
        "stop_reason": "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": 1000, "output_tokens": 50},
        **changed,
    }


def says(text: str, **changed: object) -> Reply:
    """Answer well, with this text."""
    body = json.dumps(message(text, **changed)).encode()
    return lambda handler: handler.answer(200, body)


def verdict(
    *, allowed: bool = True, confident: bool = True, reason: str = "reads only", **more: object
) -> Reply:
    """Answer with a judgement."""
    return says(json.dumps({"allowed": allowed, "confident": confident, "reason": reason, **more}))


def chat_says(text: str | None, *, finish: str = "stop", **said: object) -> Reply:
    """Answer as chat completions do."""
    reply = {
        "id": "c1",
        "object": "chat.completion",
        "choices": [
            {
                "index": 0,
                "finish_reason": finish,
                "message": {"role": "assistant", "content": text, **said},
            }
        ],
        "usage": {"prompt_tokens": 700, "completion_tokens": 30, "total_tokens": 730},
    }
    body = json.dumps(reply).encode()
    return lambda handler: handler.answer(200, body)


def status(code: int, **headers: str) -> Reply:
    """Answer with an error."""
    body = b'{"type": "error", "error": {"type": "some_error", "message": "no"}}'
    return lambda handler: handler.answer(code, body, **headers)


def raw(data: bytes, *, hold_s: float = 0.0) -> Reply:
    """Write these bytes, wait, and hang up."""

    def reply(handler: Handler) -> None:
        handler.wfile.write(data)
        handler.wfile.flush()
        time.sleep(hold_s)

    return reply


def forever(head: bytes, piece: bytes) -> Reply:
    """Never come to an end."""

    def reply(handler: Handler) -> None:
        handler.wfile.write(head)
        while True:
            handler.wfile.write(piece)
            handler.wfile.flush()
            time.sleep(0.005)

    return reply


def after(seconds: float, reply: Reply) -> Reply:
    """Answer late."""

    def late(handler: Handler) -> None:
        time.sleep(seconds)
        reply(handler)

    return late
