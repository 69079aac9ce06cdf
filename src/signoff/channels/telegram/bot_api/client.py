"""The Bot API over HTTPS: a method by name in, its result out, the token never anywhere else.

The token is in every address, so no address is ever shown: errors carry the method, the
status and Telegram's own words, with the token taken out of those as well. What Telegram asks to
wait is waited; messages are paced to what a chat takes.

    api = BotApi(Endpoint.parse("https://api.telegram.org"), Token.parse(text))
    message_id = await api.send(chat, "hello")
"""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field

from msgspec import Struct

from signoff.actions.action import Json
from signoff.challenge.outbound.endpoint import CallFailed, OutboundEndpoint
from signoff.challenge.outbound.http1 import HttpAnswer, post
from signoff.challenge.visible import visible
from signoff.errors import BadSettings

API_URL = "https://api.telegram.org"
# Nothing else is asked for: edited messages and the like must never count as answers.
ALLOWED = ("message", "callback_query")
# Small: what fails in a batch holds up the rest of it.
BATCH = 20
SAID_LIMIT = 200  # characters of Telegram's own words, and of an answer to a tap
TRIES = 3
PAUSE_S = 0.5  # doubled after each try, unless Telegram says how long
CALL_S = 20.0
LONGEST_WAIT_S = 60.0  # a longer `retry_after` is left to whoever sends
BURST = 3  # messages that may leave at once before the pace holds them back
# Telegram takes about one message a second in a chat and twenty a minute in a group.
PRIVATE_EVERY_S, GROUP_EVERY_S = 1.0, 3.0


class BotApiError(CallFailed):
    """A Bot API method failed.

    `code`: HTTP status, 0 without an answer; `retry_after_s`: wait asked for.
    """

    def __init__(
        self, message: str, *, code: int = 0, retry_after_s: float = 0.0, may_pass: bool = False
    ) -> None:
        super().__init__(message, may_pass=may_pass)
        self.code, self.retry_after_s = code, retry_after_s


@dataclass(frozen=True, slots=True)
class BotToken:
    """A bot's token; `repr` does not show it."""

    value: str = field(repr=False)

    @classmethod
    def parse(cls, text: str) -> BotToken:
        """Parse a token.

        Raises:
            BadSettings: it does not have the form of one; the message does not show it.
        """
        number, colon, rest = text.strip().partition(":")
        is_plain = rest.isascii() and rest.replace("_", "").replace("-", "").isalnum()
        is_number = number.isascii() and number.isdigit() and len(number) <= 20
        if not (is_number and colon and is_plain and 20 <= len(rest) <= 200):
            raise BadSettings(
                "that is no bot token: expected what BotFather gave, `digits:letters`"
            )
        return cls(f"{number}:{rest}")

    @property
    def bot_id(self) -> int:
        """The bot's own user id."""
        return int(self.value.partition(":")[0])

    def scrub(self, text: str) -> str:
        """Return the text with the token and its secret half removed."""
        return text.replace(self.value, "<token>").replace(self.value.partition(":")[2], "<token>")


class Pace(Struct):
    """Rate limit for messages: a small burst, then one per interval.

    Args:
        scale: factor on all times; 0 = no waiting.
    """

    scale: float = 1.0
    _free_at: float = 0.0

    async def turn(self, chat: int) -> None:
        """Wait until a message may be sent to this chat; groups (ids below 0) have a lower rate."""
        every_s = self.scale * (GROUP_EVERY_S if chat < 0 else PRIVATE_EVERY_S)
        now = asyncio.get_running_loop().time()
        self._free_at = max(self._free_at, now - BURST * every_s) + every_s
        await asyncio.sleep(max(0.0, self._free_at - now))

    def after(self, attempt: int) -> float:
        """Return the pause in seconds after so many failed attempts."""
        return float(self.scale * PAUSE_S * 2 ** (attempt - 1))

    def hold(self, seconds: float) -> None:
        """Send nothing for so many seconds."""
        now = asyncio.get_running_loop().time()
        self._free_at = max(self._free_at, now + seconds)


class Upload(Struct, frozen=True):
    """A text file to send: its name and content."""

    name: str
    content: bytes


class BotApi:
    """Calls the Telegram Bot API for one bot."""

    def __init__(
        self, endpoint: OutboundEndpoint, token: BotToken, *, pace: Pace | None = None
    ) -> None:
        self.token = token
        self._endpoint = endpoint
        self._pace = pace or Pace()

    async def call(
        self, method: str, params: Mapping[str, Json], *, timeout_s: float = CALL_S
    ) -> Json:
        """Call a method once, without retry, and return its result.

        Raises:
            BotApiError: there was no answer in `timeout_s` seconds, or an error.
        """
        body = json.dumps(dict(params)).encode()
        return await self._post(method, {"Content-Type": "application/json"}, body, timeout_s)

    async def updates(self, offset: int, *, wait_s: int) -> Json:
        """Wait up to `wait_s` seconds for updates from id `offset` on (long polling).

        Raises:
            BotApiError: there is no valid result.
        """
        params: dict[str, Json] = {"timeout": wait_s, "limit": BATCH, "allowed_updates": [*ALLOWED]}
        if offset:
            # Without an offset Telegram gives what nobody has confirmed yet.
            params["offset"] = offset
        return await self.call("getUpdates", params, timeout_s=wait_s + CALL_S)

    async def send(self, chat: int, text: str, **more: Json) -> int:
        """Send a message and return its id.

        Raises:
            BotApiError: it was not sent, or that cannot be known.
        """
        params: dict[str, Json] = {
            "chat_id": chat,
            "text": text,
            "link_preview_options": {"is_disabled": True},
            **more,
        }
        return _message_id(await self._patiently("sendMessage", params, chat=chat))

    async def edit(self, chat: int, message_id: int, text: str, **more: Json) -> None:
        """Replace a message's text; it is no error if it reads so already.

        Raises:
            BotApiError: it was not replaced.
        """
        params: dict[str, Json] = {
            "chat_id": chat,
            "message_id": message_id,
            "text": text,
            "link_preview_options": {"is_disabled": True},
            **more,
        }
        try:
            await self._patiently("editMessageText", params, chat=chat)
        except BotApiError as error:
            # Telegram has no code of its own for this; its words are stable and documented.
            if error.code != 400 or "not modified" not in str(error):
                raise

    async def send_file(self, chat: int, upload: Upload, *, reply_to: int) -> int:
        """Send a text file as a reply; return the id of the new message.

        Raises:
            BotApiError: it was not sent, or that cannot be known.
        """
        reply = json.dumps({"message_id": reply_to, "allow_sending_without_reply": True})
        fields = {"chat_id": str(chat), "reply_parameters": reply}
        kind, body = _multipart(fields, upload)
        await self._pace.turn(chat)
        return _message_id(await self._post("sendDocument", {"Content-Type": kind}, body, CALL_S))

    async def answer_tap(self, callback_id: str, text: str, *, is_alert: bool) -> None:
        """Show a text to the person who tapped a button.

        Args:
            is_alert: True to show a dialog they must close, else a short toast.

        Raises:
            BotApiError: it was not shown.
        """
        params: dict[str, Json] = {
            "callback_query_id": callback_id,
            "text": text[:SAID_LIMIT],
            "show_alert": is_alert,
        }
        await self.call("answerCallbackQuery", params)

    async def _patiently(self, method: str, params: Mapping[str, Json], *, chat: int) -> Json:
        """Call a method, again if another try may go better, after the pause that is asked for.

        Raises:
            BotApiError: it failed as often as it is tried, or for good.
        """
        for attempt in range(1, TRIES + 1):
            await self._pace.turn(chat)
            try:
                return await self.call(method, params)
            except BotApiError as error:
                self._pace.hold(min(error.retry_after_s, LONGEST_WAIT_S))
                is_last = attempt == TRIES or error.retry_after_s > LONGEST_WAIT_S
                if is_last or not error.may_pass:
                    raise
                self._pace.hold(0 if error.retry_after_s else self._pace.after(attempt))
        raise BotApiError(f"{method}: it was not tried")

    async def _post(
        self, method: str, headers: Mapping[str, str], body: bytes, timeout_s: float
    ) -> Json:
        path = f"/bot{self.token.value}/{method}"
        try:
            async with asyncio.timeout(timeout_s):
                answer = await post(self._endpoint, path, headers=headers, body=body)
        except TimeoutError:
            said = f"{method}: no answer within {timeout_s:g} seconds"
            raise BotApiError(said, may_pass=True) from None
        except CallFailed as error:
            # Without its cause: tracebacks of it would show the address, and so the token.
            raise BotApiError(f"{method}: {error}", may_pass=error.may_pass) from None
        return self._result(method, answer)

    def _result(self, method: str, answer: HttpAnswer) -> Json:
        """Return the result an answer holds.

        Raises:
            BotApiError: it holds none.
        """
        try:
            said = json.loads(answer.body)
        except (ValueError, RecursionError):
            said = None
        # What may pass is tried again; anything else would fail the same way.
        may_pass = answer.status >= 500 or answer.status in (408, 429)
        if not isinstance(said, dict):
            what = f"{method}: status {answer.status}, and no JSON object"
            raise BotApiError(what, code=answer.status, may_pass=may_pass)
        # Both, since a proxy between may answer 200 with a page of its own.
        if answer.status == 200 and said.get("ok") is True:
            result: Json = said.get("result")
            return result
        # Telegram quotes the address in some errors, and the token is part of it.
        words = visible(self.token.scrub(str(said.get("description", "")))[:SAID_LIMIT])
        raise BotApiError(
            f"{method}: status {answer.status}: {words or 'no reason given'}",
            code=answer.status,
            retry_after_s=_retry_after_s(said.get("parameters")),
            may_pass=may_pass,
        )


def _retry_after_s(parameters: Json) -> float:
    asked = parameters.get("retry_after") if isinstance(parameters, Mapping) else None
    is_number = isinstance(asked, int | float) and not isinstance(asked, bool)
    # Bounded: one answer must not silence the channel for days.
    return float(asked) if is_number and 0 < asked < 1e6 else 0.0  # type: ignore[operator, arg-type]  # a number, as checked


def _message_id(result: Json) -> int:
    """Return the id of the message a method has sent.

    Raises:
        BotApiError: there is none.
    """
    found = result.get("message_id") if isinstance(result, Mapping) else None
    if not isinstance(found, int) or isinstance(found, bool):
        raise BotApiError("the answer names no message")
    return found


def _multipart(fields: Mapping[str, str], upload: Upload) -> tuple[str, bytes]:
    """Return the content type and the body of a form with a file."""
    # Unguessable, so that no call's text can contain it and end the part.
    border = f"signoff-{secrets.token_hex(16)}"
    parts = [
        f'--{border}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode()
        for name, value in fields.items()
    ]
    head = f'Content-Disposition: form-data; name="document"; filename="{upload.name}"'
    kind = "Content-Type: text/plain; charset=utf-8"
    parts.append(f"--{border}\r\n{head}\r\n{kind}\r\n\r\n".encode() + upload.content + b"\r\n")
    return f"multipart/form-data; boundary={border}", b"".join(
        [*parts, f"--{border}--\r\n".encode()]
    )
