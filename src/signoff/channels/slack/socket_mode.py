"""Socket Mode: envelopes in over a websocket that we open, so no public address is needed.

The address comes from Slack by way of our app token, is good for one connection, and is looked at
before it is used: an encrypted socket on Slack's own hosts, or this machine where the settings
say so. An envelope is acknowledged once what it says is kept, and never before: one that fails is
left to Slack, which sends it again or tells whoever tapped. What follows from it, telling people
and editing cards, comes after. A lost connection is reopened after a growing pause.

    await SocketMode(api, handle).run()
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import TypeAlias
from urllib.parse import urlsplit

from msgspec import Struct

from signoff.actions.action import Json
from signoff.challenge.outbound.endpoint import CallFailed, OutboundEndpoint
from signoff.challenge.outbound.http1 import connected
from signoff.channels.slack.web_api import SlackApi
from signoff.errors import BadSettings

log = logging.getLogger(__name__)

SLACK_HOSTS = ".slack.com"
MESSAGE_LIMIT = 1 << 20  # far above what a tap or a dialog of ours carries
CONNECT_S = 10.0
FIRST_PAUSE_S, LONGEST_PAUSE_S = 1.0, 60.0

Payload: TypeAlias = Mapping[str, Json]


async def _nothing() -> None:
    return


class Taken(Struct, frozen=True, kw_only=True):
    """The result of handling one Socket Mode envelope.

    Args:
        answer: payload sent back with the acknowledgement, None for none.
        after: work to do once the envelope is acknowledged.
    """

    answer: Payload | None = None
    after: Callable[[], Awaitable[None]] = _nothing


NOTHING = Taken()
# Takes the type and payload of an envelope; raises where it may not be acknowledged.
Handle: TypeAlias = Callable[[str, Payload], Awaitable[Taken]]


class SocketMode:
    """Receives Slack envelopes over a WebSocket.

    Args:
        pause_s: a scale for pauses after failures; tests make them short.

    Raises:
        BadSettings: the package websockets is not installed.
    """

    def __init__(self, api: SlackApi, handle: Handle, *, pause_s: float = 1.0) -> None:
        try:
            import websockets.asyncio.client  # noqa: F401, PLC0415 - an optional extra
        except ImportError as error:
            raise BadSettings(
                "Slack needs websockets: run `pip install 'signoff[slack]'`"
            ) from error
        self._api, self._handle, self._pause_s = api, handle, pause_s
        self._has_greeted = False
        self.following: set[asyncio.Future[None]] = set()
        self.problem = "not connected yet"

    async def run(self) -> None:
        """Connect and receive until cancelled; reconnects after failures."""
        pause_s = FIRST_PAUSE_S
        while True:
            self._has_greeted = False
            try:
                await self._receive()
            except (CallFailed, OSError, EOFError) as error:
                self._failed(str(error) if isinstance(error, CallFailed) else type(error).__name__)
            # Reset only after a greeting: a server that accepts and closes at once is not hammered.
            pause_s = FIRST_PAUSE_S if self._has_greeted else pause_s
            await asyncio.sleep(pause_s * self._pause_s)
            pause_s = min(2 * pause_s, LONGEST_PAUSE_S)

    def _failed(self, why: str) -> None:
        if not self.problem:
            log.warning("slack: not connected: %s", why)
        self.problem = why

    async def _receive(self) -> None:
        """Receive over one connection until Slack ends it.

        Raises:
            CallFailed, OSError: it could not be opened.
        """
        from websockets.asyncio.client import connect  # noqa: PLC0415 - an optional extra
        from websockets.exceptions import WebSocketException  # noqa: PLC0415 - the same

        url = await self._api.open_socket()
        try:
            async with connect(
                url,
                # The URL comes from outside: its host is checked, and no proxy is used.
                sock=await connected(check_socket(self._api.endpoint, url)),
                proxy=None,
                max_size=MESSAGE_LIMIT,
                open_timeout=CONNECT_S,
            ) as line:
                async for message in line:
                    if not await self._took(message, line.send):
                        return
        except (WebSocketException, ValueError) as error:
            raise CallFailed(f"the socket failed: {type(error).__name__}") from error

    async def _took(self, message: str | bytes, send: Callable[[str], Awaitable[None]]) -> bool:
        """Take one message; False if the connection is to be reopened."""
        envelope = _read(message)
        kind, number = envelope.get("type"), envelope.get("envelope_id")
        if kind == "hello":
            self.problem, self._has_greeted = "", True
            return True
        # Slack announces that it moves the connection; a new address must be asked for.
        if kind == "disconnect":
            return False
        if not isinstance(kind, str) or not isinstance(number, str):
            return True
        payload = envelope.get("payload")
        taken = await self._handled(kind, payload if isinstance(payload, Mapping) else {})
        # Without an acknowledgement Slack sends it again.
        if taken is None:
            return True
        answer: dict[str, Json] = {"envelope_id": number}
        if taken.answer is not None:
            answer["payload"] = taken.answer
        try:
            await send(json.dumps(answer))
        finally:  # it counts, whether Slack hears of it or not
            self._follow(taken)
        return True

    async def _handled(self, kind: str, payload: Payload) -> Taken | None:
        """Handle an envelope; None if it must not be acknowledged."""
        try:
            return await self._handle(kind, payload)
        except Exception as error:  # noqa: BLE001 - its own error; those after it are taken
            # Only the kind of error: texts of errors carry addresses and tokens.
            log.error("slack: an answer was not taken: %s", type(error).__name__)
            return None

    def _follow(self, taken: Taken) -> None:
        """Run the work after an acknowledgement in the background."""
        task = asyncio.ensure_future(taken.after())
        # asyncio keeps only weak references: a task nobody holds can vanish before it ends.
        self.following.add(task)
        task.add_done_callback(self._followed)

    def _followed(self, task: asyncio.Future[None]) -> None:
        self.following.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("slack: what follows an answer failed: %s", type(error).__name__)


def check_socket(api: OutboundEndpoint, url: str) -> OutboundEndpoint:
    """Return the endpoint of a WebSocket URL, if it may be connected to.

    Raises:
        CallFailed: it is neither encrypted and Slack's, nor on this machine like the API itself.
    """
    scheme, _, rest = url.partition("://")
    if scheme not in ("ws", "wss"):
        raise CallFailed("slack gave an address that is no socket")
    try:
        place = OutboundEndpoint.parse(
            f"{'https' if scheme == 'wss' else 'http'}://{urlsplit(url).netloc}"
        )
    except (BadSettings, ValueError) as error:
        raise CallFailed("slack gave an address that is not called") from error
    is_slacks = f".{place.host}".endswith(SLACK_HOSTS) and place.is_https
    # The socket carries answers of people: an answer of the API that names another host would let
    # that host answer for them (T-28).
    if not (is_slacks or place.host == api.host) or place.is_https is not api.is_https or not rest:
        raise CallFailed("slack gave an address that is not its own")
    return place


def _read(message: str | bytes) -> Mapping[str, Json]:
    """Return a message as an object, an empty one if it is none."""
    try:
        found = json.loads(message)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}
