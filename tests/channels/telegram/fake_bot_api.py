"""A Bot API on loopback: real HTTP, real long polling, and faults as a test wants them.

It keeps what the bot sends, hands out updates until they are confirmed by an offset, and fails
the next calls of a method with what was put into `faults`: a status, or "cut" for a connection
that ends within the answer.

    with fake_bot_api() as api:
        api.tap(message_id, data, user=7)
"""

from __future__ import annotations

import json
import threading
import time
from collections import defaultdict, deque
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

TOKEN = "4711:AAfake-token_fake-token_fake-token"
BOT = 4711
CHAT = 1_000
ADA, BOB, EVE = 7, 8, 666
YES = True


@dataclass(frozen=True, slots=True)
class Call:
    """One call the bot made."""

    method: str
    params: Mapping[str, Any]


@dataclass(slots=True)
class FakeBotApi:
    """A running server and everything it was told."""

    url: str = ""
    faults: dict[str, deque[int | str]] = field(default_factory=lambda: defaultdict(deque))
    calls: list[Call] = field(default_factory=list)
    messages: dict[int, dict[str, Any]] = field(default_factory=dict)
    files: dict[int, bytes] = field(default_factory=dict)
    updates: list[dict[str, Any]] = field(default_factory=list)
    offsets: list[int] = field(default_factory=list)
    webhook: dict[str, Any] = field(default_factory=dict)
    is_contested: bool = False
    polling: int = 0
    most_polling: int = 0
    retry_after_s: float = 0
    username: str = "signoff_bot"
    changed: threading.Condition = field(default_factory=threading.Condition)
    next_update: int = 100
    next_message: int = 500

    def said(self, method: str) -> list[Mapping[str, Any]]:
        """Return the parameters of all calls of a method."""
        return [call.params for call in list(self.calls) if call.method == method]

    def data(self, message_id: int, label: str) -> str:
        """Return what the button of that label on a message says, "" if there is none."""
        rows = (self.messages[message_id].get("reply_markup") or {}).get("inline_keyboard", [])
        buttons = [button for row in rows for button in row]
        return next((b["callback_data"] for b in buttons if b["text"] == label), "")

    def labels(self, message_id: int) -> list[str]:
        """Return the labels of the buttons on a message."""
        rows = (self.messages[message_id].get("reply_markup") or {}).get("inline_keyboard", [])
        return [button["text"] for row in rows for button in row]

    def push(self, update: Mapping[str, Any]) -> int:
        """Hand out an update; return its number."""
        with self.changed:
            number = update.get("update_id", self.next_update)
            self.next_update = max(self.next_update, number) + 1
            self.updates.append({**update, "update_id": number})
            self.changed.notify_all()
        return int(number)

    def tap(self, message_id: int, data: str, *, user: int = ADA, chat: int = CHAT) -> int:
        """Press a button."""
        return self.push({"callback_query": tap_of(message_id, data, user=user, chat=chat)})

    def press(self, message_id: int, label: str, *, user: int = ADA) -> int:
        """Press the button of that label."""
        data = self.data(message_id, label)
        assert data, f"no button `{label}` on {self.messages[message_id]}"
        return self.tap(message_id, data, user=user)

    def write(
        self, text: str, *, to: int = 0, user: int = ADA, chat: int = CHAT, **more: object
    ) -> int:
        """Write a message, in reply to one of the bot's if so wanted."""
        message = written_of(text, to=to, user=user, chat=chat)
        return self.push({"message": {**message, **more}})


def person(user: int) -> dict[str, Any]:
    """Return a person as updates name them."""
    return {"id": user, "is_bot": False, "first_name": "Somebody"}


def tap_of(message_id: int, data: str, *, user: int = ADA, chat: int = CHAT) -> dict[str, Any]:
    """Return a callback query."""
    place = {"id": chat, "type": "private"}
    sender = {"id": BOT, "is_bot": True, "first_name": "signoff"}
    message = {"message_id": message_id, "date": 1, "chat": place, "from": sender, "text": "card"}
    return {
        "id": f"q{message_id}",
        "from": person(user),
        "message": message,
        "chat_instance": "1",
        "data": data,
    }


def written_of(text: str, *, to: int = 0, user: int = ADA, chat: int = CHAT) -> dict[str, Any]:
    """Return a message of somebody's."""
    place = {"id": chat, "type": "private"}
    message: dict[str, Any] = {"message_id": 90, "date": 1, "chat": place, "from": person(user)}
    if text:
        message["text"] = text
    if to:
        sender = {"id": BOT, "is_bot": True, "first_name": "signoff"}
        message["reply_to_message"] = {
            "message_id": to,
            "date": 1,
            "chat": place,
            "from": sender,
            "text": "card",
        }
    return message


@contextmanager
def fake_bot_api() -> Iterator[FakeBotApi]:
    """Serve until the block ends."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    api = FakeBotApi(url=f"http://127.0.0.1:{server.server_address[1]}")
    server.api = api  # type: ignore[attr-defined]  # the handler's only way to it
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield api
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Any

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing on stderr."""

    def do_POST(self) -> None:
        """Answer a method."""
        api: FakeBotApi = self.server.api
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        _, bot, method = self.path.split("/")
        params = self._params(body)
        if bot != f"bot{TOKEN}":
            self._fail(401, "Unauthorized")
            return
        api.calls.append(Call(method, params))
        if api.faults[method]:
            self._fault(api.faults[method].popleft(), api)
            return
        answer = getattr(self, f"_{method}", None)
        if answer is None:
            self._fail(404, "Not Found: method not found")
            return
        answer(api, params)

    def _params(self, body: bytes) -> dict[str, Any]:
        kind = self.headers.get("content-type", "")
        if not kind.startswith("multipart/form-data"):
            found: dict[str, Any] = json.loads(body or b"{}")
            return found
        border = b"--" + kind.partition("boundary=")[2].encode()
        params: dict[str, Any] = {}
        for part in body.split(border)[1:-1]:
            head, _, content = part.strip(b"\r\n").partition(b"\r\n\r\n")
            name = head.decode().partition('name="')[2].partition('"')[0]
            params[name] = content if name == "document" else content.decode()
        return params

    def _getMe(self, api: FakeBotApi, params: dict[str, Any]) -> None:
        self._give({"id": BOT, "is_bot": True, "first_name": "s", "username": api.username})

    def _getUpdates(self, api: FakeBotApi, params: dict[str, Any]) -> None:
        offset = int(params.get("offset", 0))
        deadline = time.monotonic() + float(params.get("timeout", 0))
        with api.changed:
            api.polling += 1
            api.most_polling = max(api.most_polling, api.polling)
            api.offsets.append(offset)
            if offset:
                api.updates[:] = [one for one in api.updates if one["update_id"] >= offset]
            while not api.updates and not api.is_contested:
                left_s = deadline - time.monotonic()
                if left_s <= 0 or not api.changed.wait(min(left_s, 0.2)):
                    break
            found = list(api.updates[: int(params.get("limit", 100))])
            api.polling -= 1
        if api.is_contested:
            said = "Conflict: terminated by other getUpdates request"
            self._fail(409, said)
            return
        self._give(found)

    def _sendMessage(self, api: FakeBotApi, params: dict[str, Any]) -> None:
        if len(params["text"].encode("utf-16-le")) // 2 > 4_096:
            self._fail(400, "Bad Request: message is too long")
            return
        self._keep(api, params)

    def _sendDocument(self, api: FakeBotApi, params: dict[str, Any]) -> None:
        number = self._keep(api, {name: v for name, v in params.items() if name != "document"})
        api.files[number] = params["document"]

    def _keep(self, api: FakeBotApi, params: dict[str, Any]) -> int:
        with api.changed:
            number = api.next_message
            api.next_message += 1
            api.messages[number] = params
        self._give({"message_id": number, "chat": {"id": params["chat_id"]}, "date": 1})
        return number

    def _editMessageText(self, api: FakeBotApi, params: dict[str, Any]) -> None:
        number = params["message_id"]
        if number not in api.messages:
            self._fail(400, "Bad Request: message to edit not found")
            return
        kept = api.messages[number]
        if kept["text"] == params["text"] and kept.get("reply_markup") == params["reply_markup"]:
            self._fail(400, "Bad Request: message is not modified")
            return
        api.messages[number] = {**kept, **params}
        self._give({"message_id": number})

    def _answerCallbackQuery(self, api: FakeBotApi, params: dict[str, Any]) -> None:
        self._give(YES)

    def _setWebhook(self, api: FakeBotApi, params: dict[str, Any]) -> None:
        api.webhook = params
        self._give(YES)

    def _deleteWebhook(self, api: FakeBotApi, params: dict[str, Any]) -> None:
        api.webhook = {}
        self._give(YES)

    def _give(self, result: object) -> None:
        self._send(200, {"ok": True, "result": result})

    def _fail(self, status: int, said: str, **more: object) -> None:
        self._send(status, {"ok": False, "error_code": status, "description": said, **more})

    def _fault(self, fault: int | str, api: FakeBotApi) -> None:
        if fault == "cut":
            self.send_response(200)
            self.send_header("content-length", "1000")
            self.end_headers()
            self.wfile.write(b'{"ok": tr')
            self.close_connection = True
        elif fault == "html":
            self._write(502, b"<html>Bad Gateway</html>")
        elif fault == 429:
            parameters = {"retry_after": api.retry_after_s}
            self._fail(429, "Too Many Requests", parameters=parameters)
        else:
            self._fail(int(fault), f"Failure of {self.path}")

    def _send(self, status: int, said: dict[str, Any]) -> None:
        self._write(status, json.dumps(said).encode())

    def _write(self, status: int, body: bytes) -> None:
        try:
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)
        except OSError:  # the bot has gone away meanwhile
            self.close_connection = True
