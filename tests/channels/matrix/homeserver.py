"""A homeserver on loopback: the part of the client-server API that is used, over real HTTP.

with homeserver() as server:
    ...  # server.url, server.say("@ada:test", "approve", reply_to=card), server.texts()
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

TOKEN = "syt_a_token_for_tests_only"
BOT, ADA, BOB, EVE = "@signoff:test", "@ada:test", "@bob:test", "@eve:test"
ROOM = "!room:test"
PREFIX = "/_matrix/client/v3"


@dataclass(slots=True)
class Homeserver:
    """What it knows.

    Args:
        failing: the status and code every call fails with, while set.
        limits: how many calls are still told to wait.
    """

    url: str = ""
    events: list[dict[str, Any]] = field(default_factory=list)
    calls: list[tuple[str, str]] = field(default_factory=list)
    sent: dict[str, str] = field(default_factory=dict)
    failing: tuple[int, str] | None = None
    limits: int = 0
    is_encrypted: bool = False
    changed: threading.Condition = field(default_factory=threading.Condition)

    def add(self, sender: str, kind: str, content: dict[str, Any]) -> str:
        """Add an event to the room; return its id."""
        with self.changed:
            event_id = f"$e{len(self.events)}"
            event = {"type": kind, "event_id": event_id, "sender": sender, "content": content}
            self.events.append(event)
            self.changed.notify_all()
        return event_id

    def say(
        self,
        sender: str,
        text: str,
        *,
        reply_to: str = "",
        relates_to: dict[str, Any] | None = None,
        msgtype: str = "m.text",
    ) -> str:
        """Write a message, in reply to another one or related to it otherwise."""
        relation = {"m.in_reply_to": {"event_id": reply_to}} if reply_to else relates_to
        content: dict[str, Any] = {"msgtype": msgtype, "body": text}
        if relation is not None:
            content["m.relates_to"] = relation
        return self.add(sender, "m.room.message", content)

    def react(self, sender: str, key: str, target: str) -> str:
        """React to a message."""
        relation = {"rel_type": "m.annotation", "event_id": target, "key": key}
        return self.add(sender, "m.reaction", {"m.relates_to": relation})

    def texts(self) -> dict[str, str]:
        """Return what the bot's messages show now, by their ids."""
        shown: dict[str, str] = {}
        for event in list(self.events):
            content = event["content"]
            relation = content.get("m.relates_to", {})
            if event["sender"] != BOT or event["type"] != "m.room.message":
                continue
            if relation.get("rel_type") == "m.replace":
                shown[relation["event_id"]] = content["m.new_content"]["body"]
            else:
                shown[event["event_id"]] = content["body"]
        return shown

    def answer(self, method: str, path: str, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        """Return what a call is answered."""
        parts = urlsplit(path)
        names = [unquote(part) for part in parts.path.removeprefix(PREFIX).split("/")[1:]]
        if self.failing is not None:
            return self.failing[0], {"errcode": self.failing[1]}
        if self.limits and method == "PUT":
            self.limits -= 1
            return 429, {"errcode": "M_LIMIT_EXCEEDED", "retry_after_ms": 20}
        return self._known(method, names, body, parse_qs(parts.query))

    def _known(
        self, method: str, names: list[str], body: dict[str, Any], query: dict[str, list[str]]
    ) -> tuple[int, dict[str, Any]]:
        said: dict[str, Any] | None = None
        match method, names:
            case "GET", ["account", "whoami"]:
                said = {"user_id": BOT}
            case "POST", ["rooms", room, "join"]:
                said = {"room_id": room}
            case "GET", ["rooms", _, "state", "m.room.encryption", ""]:
                said = {"algorithm": "m.megolm.v1.aes-sha2"} if self.is_encrypted else None
            case "GET", ["sync"]:
                said = self._sync(query)
            case "PUT", ["rooms", _, "send", kind, txn]:
                if txn not in self.sent:
                    self.sent[txn] = self.add(BOT, kind, body)
                said = {"event_id": self.sent[txn]}
        return (404, {"errcode": "M_NOT_FOUND"}) if said is None else (200, said)

    def _sync(self, query: dict[str, list[str]]) -> dict[str, Any]:
        """Wait for events, then return those that are wanted."""
        since = int(query["since"][0].removeprefix("s")) if "since" in query else 0
        wanted = json.loads(query["filter"][0])["room"]["timeline"]
        with self.changed:
            self.changed.wait_for(
                lambda: len(self.events) > since or self.failing is not None,
                timeout=min(int(query["timeout"][0]) / 1_000, 5.0),
            )
            found, position = self.events[since:], len(self.events)
        events = [event for event in found if event["type"] in wanted["types"]]
        timeline = {
            "events": events[-wanted["limit"] :],
            "limited": len(events) > wanted["limit"],
        }
        return {"next_batch": f"s{position}", "rooms": {"join": {ROOM: {"timeline": timeline}}}}


class _Http(ThreadingHTTPServer):
    matrix: Homeserver
    daemon_threads = True
    block_on_close = False

    def handle_error(self, request: object, client_address: object) -> None:
        """Keep still about callers that went away."""


class _Handler(BaseHTTPRequestHandler):
    server: _Http

    def _answered(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        raw = self.rfile.read(length)
        matrix = self.server.matrix
        if self.headers["Authorization"] != f"Bearer {TOKEN}":
            status, said = 401, {"errcode": "M_UNKNOWN_TOKEN"}
        else:
            matrix.calls.append((self.command, urlsplit(self.path).path))
            status, said = matrix.answer(self.command, self.path, json.loads(raw or b"{}"))
        text = json.dumps(said).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    do_GET = do_POST = do_PUT = _answered

    def log_message(self, format: str, *args: object) -> None:
        """Keep still."""


@contextmanager
def homeserver(port: int = 0) -> Iterator[Homeserver]:
    """Run a homeserver."""
    matrix = Homeserver()
    http = _Http(("127.0.0.1", port), _Handler)
    http.matrix = matrix
    matrix.url = f"http://127.0.0.1:{http.server_address[1]}"
    thread = threading.Thread(target=http.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield matrix
    finally:
        with matrix.changed:
            matrix.failing = (503, "M_UNKNOWN")
            matrix.changed.notify_all()
        http.shutdown()
        http.server_close()
