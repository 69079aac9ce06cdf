"""The part of Matrix's client-server API that is used: one room, plain HTTP with long polling.

The access token goes in a header and nowhere else; errors carry the method, the status and the
homeserver's own short code. What the homeserver asks to wait is waited. A message is sent under a
transaction id, so one that is sent again is not there twice.

    api = MatrixApi(OutboundEndpoint.parse("https://matrix.example.org"), token, room="!abc:...")
    event_id = await api.send("m.room.message", {"msgtype": "m.text", "body": "hello"}, txn="1")
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from urllib.parse import quote, urlencode

import msgspec

from signoff.actions.action import Json
from signoff.challenge.outbound.endpoint import CallFailed, OutboundEndpoint
from signoff.challenge.outbound.http1 import HttpAnswer, call
from signoff.challenge.outbound.patience import PASSING
from signoff.challenge.visible import visible

PREFIX = "/_matrix/client/v3"
TRIES = 3  # the caller tries again later; a card must not hang behind a homeserver that is down
PAUSE_S = 1.0  # doubled after each try, unless the homeserver says how long
CALL_S = 20.0  # beyond the time a long poll was asked to take
LONGEST_WAIT_S = 60.0  # a longer wait is left to whoever sends
# A sync that leaves some out says so (`limited`), and the channel then counts what it missed.
BATCH = 100  # events of one sync
# The code stands in errors and logs, and a homeserver could send any text in its place.
CODE_LIMIT = 60


class MatrixError(CallFailed):
    """The homeserver returned an error; `code` is e.g. `M_FORBIDDEN`, "" if unknown."""

    def __init__(self, message: str, *, code: str = "", may_pass: bool = False) -> None:
        super().__init__(message, may_pass=may_pass)
        self.code = code


class _ErrorJson(msgspec.Struct):
    errcode: str = ""
    retry_after_ms: float = 0.0


class _TimelineJson(msgspec.Struct):
    events: list[dict[str, object]] = []
    limited: bool = False


class _RoomJson(msgspec.Struct):
    timeline: _TimelineJson = msgspec.field(default_factory=_TimelineJson)


class _RoomsJson(msgspec.Struct):
    join: dict[str, _RoomJson] = {}


class _SyncJson(msgspec.Struct):
    next_batch: str
    rooms: _RoomsJson = msgspec.field(default_factory=_RoomsJson)


class SyncBatch(msgspec.Struct, frozen=True, kw_only=True):
    """The events in the room since a sync position.

    Args:
        position: where the next sync goes on.
        events: as they came, oldest first.
        is_limited: older events since the last position were left out.
    """

    position: str
    events: tuple[Mapping[str, object], ...] = ()
    is_limited: bool = False


class MatrixApi:
    """Calls a Matrix homeserver for one user in one room.

    Args:
        pause_s: base of the pauses after failures, in seconds; short in tests.
    """

    def __init__(
        self, homeserver: OutboundEndpoint, token: str, *, room: str, pause_s: float = 1.0
    ) -> None:
        self._homeserver, self._room, self._pause_s = homeserver, room, pause_s
        self._token = token

    async def whoami(self) -> str:
        """Return the id of the user the token belongs to.

        Raises:
            MatrixError: the token is not valid, or there was no answer.
        """
        said = await self._call("GET", "/account/whoami")
        user = said.get("user_id")
        if not isinstance(user, str):
            raise MatrixError("the homeserver did not say whose token this is")
        return user

    async def join(self) -> None:
        """Join the room; no error if the user is in it already.

        Raises:
            MatrixError: the user may not join, or there was no answer.
        """
        await self._call("POST", f"/rooms/{_quoted(self._room)}/join", body={})

    async def is_encrypted(self) -> bool:
        """Tell whether the room's messages are encrypted.

        Raises:
            MatrixError: there was no answer.
        """
        try:
            await self._call("GET", f"/rooms/{_quoted(self._room)}/state/m.room.encryption/")
        except MatrixError as error:
            # The only answer that means "no": a room whose state cannot be read must not pass as
            # plain.
            if error.code == "M_NOT_FOUND":
                return False
            raise
        return True

    async def sync(self, position: str, *, wait_s: float) -> SyncBatch:
        """Return the events since `position`; wait up to `wait_s` seconds for the first.

        Args:
            position: "" to start now: returns the present position with few events.

        Raises:
            MatrixError: there was no answer.
        """
        # The bot may be in other rooms: what is said there must not be read, nor cost anything.
        query = {"filter": json.dumps(_filter(self._room)), "timeout": str(int(1_000 * wait_s))}
        if position:
            query["since"] = position
        said = await self._call("GET", f"/sync?{urlencode(query)}", within_s=wait_s + CALL_S)
        try:
            found = msgspec.convert(said, _SyncJson)
        except msgspec.ValidationError as error:
            raise MatrixError("the answer is not one of this API") from error
        timeline = found.rooms.join.get(self._room, _RoomJson()).timeline
        return SyncBatch(
            position=found.next_batch,
            events=tuple(timeline.events),
            # The first sync of all is always cut off, and nothing of it was asked by us.
            is_limited=timeline.limited and bool(position),
        )

    async def send(self, kind: str, content: Mapping[str, Json], *, txn: str) -> str:
        """Send an event to the room and return its id.

        Args:
            txn: transaction id; an event sent again under the same id appears once.

        Raises:
            MatrixError: it was not sent, or that cannot be known.
        """
        path = f"/rooms/{_quoted(self._room)}/send/{_quoted(kind)}/{_quoted(txn)}"
        event_id = (await self._call("PUT", path, body=content)).get("event_id")
        if not isinstance(event_id, str):
            raise MatrixError("the homeserver gave no id for what was sent")
        return event_id

    async def _call(
        self,
        method: str,
        path: str,
        *,
        body: Mapping[str, Json] | None = None,
        within_s: float = CALL_S,
    ) -> Mapping[str, object]:
        """Call until there is an answer; what may pass is tried again."""
        sent = b"" if body is None else msgspec.json.encode(body)
        for attempt in range(1, TRIES + 1):
            try:
                async with asyncio.timeout(within_s):
                    answer = await call(
                        self._homeserver,
                        method,
                        f"{PREFIX}{path}",
                        headers={"Authorization": f"Bearer {self._token}"},
                        body=sent,
                    )
            # Not tried again: a long poll has cost its whole time by now, and its caller starts
            # the next.
            except TimeoutError:
                raise MatrixError(f"no answer within {within_s:g} seconds") from None
            if answer.status == 200:
                return _decoded(answer)
            wait_s = self._wait_s(answer, attempt)
            # A homeserver may ask for hours; the caller must hear of that and not hang here.
            if answer.status not in PASSING or attempt == TRIES or wait_s > LONGEST_WAIT_S:
                raise _error_of(answer)
            await asyncio.sleep(wait_s)
        raise MatrixError("it was not tried")

    def _wait_s(self, answer: HttpAnswer, attempt: int) -> float:
        """Return how long to wait before the next try: as long as the homeserver asks."""
        asked_s = _said(answer).retry_after_ms / 1_000
        return asked_s if asked_s > 0 else PAUSE_S * self._pause_s * 2 ** (attempt - 1)


def _filter(room: str) -> Mapping[str, Json]:
    """Return what of a sync is wanted: messages and reactions of one room."""
    nothing: Json = {"types": []}
    timeline: Json = {"limit": BATCH, "types": ["m.room.message", "m.reaction"]}
    return {
        "presence": nothing,
        "account_data": nothing,
        "room": {
            "rooms": [room],
            "timeline": timeline,
            "state": nothing,
            "ephemeral": nothing,
            "account_data": nothing,
        },
    }


def _error_of(answer: HttpAnswer) -> MatrixError:
    code = visible(_said(answer).errcode[:CODE_LIMIT])
    said = f"the homeserver says `{code}`" if code else f"status {answer.status}"
    return MatrixError(said, code=code, may_pass=answer.status in PASSING)


def _said(answer: HttpAnswer) -> _ErrorJson:
    try:
        return msgspec.json.decode(answer.body, type=_ErrorJson)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return _ErrorJson()


def _decoded(answer: HttpAnswer) -> Mapping[str, object]:
    try:
        return msgspec.json.decode(answer.body, type=dict[str, object])
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise MatrixError("the answer is not one of this API") from error


def _quoted(part: str) -> str:
    # Nothing is safe: a `/` in an id would lead to another path of the API.
    return quote(part, safe="")
