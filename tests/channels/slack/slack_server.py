"""Slack on loopback: its Web API over HTTP and Socket Mode over a websocket.

async with Slack() as slack:
    ...  # slack.api_url, slack.calls, await slack.send(envelope)
"""

from __future__ import annotations

import asyncio
import json
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from websockets.asyncio.server import Server, ServerConnection, serve


@dataclass(frozen=True, slots=True)
class Called:
    """One call of the Web API."""

    method: str
    token: str
    body: dict[str, Any]
    ts: str = ""


class _Http(ThreadingHTTPServer):
    slack: Slack
    daemon_threads = True
    block_on_close = False


class _Handler(BaseHTTPRequestHandler):
    server: _Http

    def do_POST(self) -> None:
        """Keep the call and answer it."""
        slack = self.server.slack
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        method = self.path.rpartition("/")[2]
        token = self.headers["Authorization"].removeprefix("Bearer ")
        said = slack.answer_to(method)
        slack.calls.append(Called(method, token, body, said.get("ts", "")))
        answer = json.dumps(said).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, format: str, *args: object) -> None:
        """Keep still."""


@dataclass(slots=True)
class Slack:
    """The fake.

    Args:
        socket_url: given out instead of the real one.
    """

    calls: list[Called] = field(default_factory=list)
    acks: list[dict[str, Any]] = field(default_factory=list)
    errors: dict[str, str] = field(default_factory=dict)
    messages: list[dict[str, Any]] = field(default_factory=list)
    socket_url: str = ""
    connections: list[ServerConnection] = field(default_factory=list)
    _http: _Http = field(init=False)
    _socket: Server = field(init=False)
    _count: int = 0

    @property
    def api_url(self) -> str:
        """The base address of the Web API."""
        return f"http://127.0.0.1:{self._http.server_address[1]}/api"

    def answer_to(self, method: str) -> dict[str, Any]:
        """Return what a method answers."""
        if method in self.errors:
            return {"ok": False, "error": self.errors[method]}
        if method == "apps.connections.open":
            port = self._socket.sockets[0].getsockname()[1]
            return {"ok": True, "url": self.socket_url or f"ws://127.0.0.1:{port}/link?ticket=1"}
        if method == "conversations.history":
            return {"ok": True, "messages": list(self.messages)}
        self._count += 1
        return {"ok": True, "ts": f"1700000000.{self._count:06}", "channel": "C1"}

    def bodies(self, method: str) -> list[dict[str, Any]]:
        """Return what a method was called with."""
        return [call.body for call in self.calls if call.method == method]

    async def send(self, payload: dict[str, Any], *, kind: str = "interactive") -> dict[str, Any]:
        """Send an envelope over the newest connection; return its acknowledgement."""
        number = f"e{len(self.acks)}-{id(payload)}"
        envelope = {"type": kind, "envelope_id": number, "payload": payload}
        await self.connections[-1].send(json.dumps(envelope))
        async with asyncio.timeout(60):
            while True:
                for ack in self.acks:
                    if ack["envelope_id"] == number:
                        return ack
                await asyncio.sleep(0.005)

    async def hand(self, payload: dict[str, Any], *, kind: str = "interactive") -> str:
        """Send an envelope over the newest connection and wait for nothing; return its number."""
        number = f"h{id(payload)}"
        envelope = {"type": kind, "envelope_id": number, "payload": payload}
        await self.connections[-1].send(json.dumps(envelope))
        return number

    async def _line(self, connection: ServerConnection) -> None:
        """Greet, then keep what comes."""
        await connection.send(json.dumps({"type": "hello", "num_connections": 1}))
        self.connections.append(connection)
        async for message in connection:
            self.acks.append(json.loads(message))

    async def __aenter__(self) -> Slack:
        self._socket = await serve(self._line, "127.0.0.1", 0)
        self._http = _Http(("127.0.0.1", 0), _Handler)
        self._http.slack = self
        threading.Thread(target=self._http.serve_forever, args=(0.01,), daemon=True).start()
        return self

    async def __aexit__(self, *_: object) -> None:
        self._socket.close(close_connections=True)
        await self._socket.wait_closed()
        self._http.shutdown()
        self._http.server_close()


def tap(
    nonce: str,
    action: str,
    *,
    user: str = "ada",
    channel: str = "C1",
    message: str = "1700000000.000001",
) -> dict[str, Any]:
    """Return what Slack sends when somebody presses a button."""
    return {
        "type": "block_actions",
        "user": {"id": user, "name": "somebody"},
        "channel": {"id": channel},
        "container": {"type": "message", "message_ts": message, "channel_id": channel},
        "actions": [{"type": "button", "action_id": action, "value": nonce, "block_id": "b"}],
        "trigger_id": "t.1",
        "team": {"id": "T1"},
    }


def submission(
    view: dict[str, Any], values: dict[str, Any], *, user: str = "ada"
) -> dict[str, Any]:
    """Return what Slack sends when somebody hands in a dialog."""
    return {
        "type": "view_submission",
        "user": {"id": user},
        "view": {**view, "state": {"values": values}},
    }


def written(
    text: str,
    *,
    thread: str = "1700000000.000001",
    message: str = "1700000500.000001",
    user: str = "ada",
    channel: str = "C1",
    **more: object,
) -> dict[str, Any]:
    """Return what Slack sends when somebody writes in a thread."""
    event = {
        "type": "message",
        "channel": channel,
        "user": user,
        "text": text,
        "ts": message,
        "thread_ts": thread,
        "channel_type": "channel",
        **more,
    }
    return {"type": "event_callback", "event_id": f"Ev{message}", "event": event}
