"""The relay between one client and one server: what passes, what is judged, what is changed.

Bytes pass as they came, but for: calls of tools and reads of resources, which are ruled on first;
lists of tools, which lose what is held back; results, which get labels; requests of the server to
the client that the settings refuse. A message that cannot be read without doubt goes nowhere.

    await McpRelay(parts).run(client, server)
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Coroutine, Mapping

from msgspec import Struct

from signoff.actions.action import Json
from signoff.challenge.visible import visible
from signoff.frontends.mcp.guard import CallGuard
from signoff.frontends.mcp.pins import PinFile
from signoff.frontends.mcp.relay import answers
from signoff.frontends.mcp.relay.calls import CallJudge, CallPlace
from signoff.frontends.mcp.relay.catalogue import ListedTool, ToolCatalogue
from signoff.frontends.mcp.relay.client_facts import (
    META,
    ClientFacts,
    call_id,
    facts_of,
    meta_of,
    progress_token,
)
from signoff.frontends.mcp.relay.framing import (
    BadMessage,
    Fields,
    McpMessage,
    MessageId,
    MessageKind,
    is_large_call,
    read_messages,
)
from signoff.frontends.mcp.relay.links import MessageLink, note
from signoff.frontends.mcp.relay.offers import OFFERED, OfferCheck
from signoff.frontends.mcp.relay.results import ResultCheck, ResultRequest
from signoff.frontends.mcp.relay.server_requests import ServerRequests
from signoff.sections import McpSection, ResultPolicy

JUDGED = ("tools/call", "resources/read")
CHECKED = (*JUDGED, "tasks/result", "prompts/get")
LIST = "tools/list"
LISTED = "notifications/tools/list_changed"
OWN = "signoff:"  # ids of our own requests begin so
OPEN_MOST = 1_000  # requests at once
LIST_S, PAGES = 20.0, 20
FORM_S = 600.0


class RelayParts(Struct, frozen=True, kw_only=True):
    """The components of a relay."""

    guard: CallGuard
    pins: PinFile
    place: CallPlace
    settings: McpSection


class OpenRequest(Struct, frozen=True, kw_only=True):
    """A request that the server is working on, and who waits for the answer."""

    method: str
    tool: str = ""
    is_followed: bool = False
    call_id: str = ""
    agent: str = ""
    progress: str | int | None = None
    answer: asyncio.Future[McpMessage | None] | None = None


class McpRelay:
    """Relays messages until one side ends."""

    def __init__(self, parts: RelayParts, client: MessageLink, server: MessageLink) -> None:
        self._parts, self._client, self._server = parts, client, server
        place, guard = parts.place, parts.guard
        self._catalogue = ToolCatalogue(
            parts.pins, guard, prefix=place.judged_name(""), alert=self._alert
        )
        self._offers = OfferCheck(guard, server=place.server, alert=self._alert)
        policy = parts.settings.results or ResultPolicy.LABEL
        self._results = ResultCheck(guard, place, policy)
        self._calls = CallJudge(guard, place, ask_client=self._ask_client, tell_client=client.send)
        self._requests = ServerRequests(parts.settings)
        self._facts = ClientFacts()
        self._sent: dict[MessageId, OpenRequest] = {}  # the server has these
        self._judging: dict[MessageId, asyncio.Task[None]] = {}  # and not yet these
        self._asked: dict[MessageId, asyncio.Future[Fields | None]] = {}  # the client has these
        self._tasks: set[asyncio.Task[None]] = set()
        self._number = 0
        self._learning = asyncio.Lock()

    async def run(self) -> None:
        """Relay until the client or the server ends; then end both."""
        sides = [
            asyncio.create_task(self._from_client()),
            asyncio.create_task(self._from_server()),
        ]
        try:
            await asyncio.wait(sides, return_when=asyncio.FIRST_COMPLETED)
            if sides[1].done():
                await self._closed()
        finally:
            for task in (*sides, *self._tasks):
                task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await asyncio.gather(*sides, *self._tasks, return_exceptions=True)
            await self._server.close()
            await self._client.close()

    async def _from_client(self) -> None:
        while (line := await self._client.receive()) is not None:
            try:
                limit = self._parts.settings.max_message_bytes
                messages = read_messages(line, limit=limit)
            except BadMessage as error:
                code = answers.PARSE_ERROR if error.id is None else answers.INVALID_REQUEST
                await self._client.send(answers.error(error.id, code, f"signoff: {error}"))
                continue
            for message in messages:
                await self._of_client(message)

    async def _of_client(self, message: McpMessage) -> None:
        """Handle one message of the client."""
        if message.kind is MessageKind.RESPONSE:
            asked = self._asked.pop(message.id, None) if message.id is not None else None
            if asked is None:
                await self._server.send(message.raw)
            elif not asked.done():
                asked.set_result(message.result)
        elif message.kind is MessageKind.NOTIFICATION:
            await self._notified(message)
        else:
            await self._requested(message)

    async def _notified(self, message: McpMessage) -> None:
        if message.method in JUDGED:
            note(f"a {message.method} without an id was dropped: it could not be answered")
            return
        cancelled = message.params.get("requestId")
        if message.method == "notifications/cancelled" and isinstance(cancelled, str | int):
            judging = self._judging.pop(cancelled, None)
            if judging is not None:
                judging.cancel()
                return
        await self._server.send(message.raw)

    async def _requested(self, message: McpMessage) -> None:
        id = message.id
        if id is None:
            return
        # The answer to one of two equal ids would be taken for that of the other.
        if id in self._sent or id in self._judging or str(id).startswith(OWN):
            said = "signoff: this id is used for another request"
            await self._client.send(answers.error(id, answers.INVALID_REQUEST, said))
            return
        if len(self._sent) + len(self._judging) >= OPEN_MOST:
            said = "signoff: too many requests at once"
            await self._client.send(answers.error(id, answers.INVALID_REQUEST, said))
            return
        self._facts = facts_of(message, self._facts)
        if message.method not in JUDGED:
            await self._forward(message, OpenRequest(method=message.method))
            return
        if is_large_call(message):
            await self._refused(message, "signoff: this call is larger than what can be judged")
            return
        task = self._spawn(self._judged(message, self._facts))
        self._judging[id] = task
        task.add_done_callback(lambda _: self._judging.pop(id, None))

    async def _judged(self, message: McpMessage, client: ClientFacts) -> None:
        """Rule on a call; whatever fails on the way, the server does not get it."""
        try:
            tool = await self._tool(message)
            ruling = await self._calls.rule(message, tool, client)
        except Exception as error:  # noqa: BLE001 - no failure of any kind may let a call through
            await self._refused(
                message, f"signoff: cannot decide, so it is refused: {error!r}"[:400]
            )
            return
        if ruling.form is not None and message.id is not None:
            await self._client.send(answers.result(message.id, ruling.form))
        elif ruling.forward is not None:
            opened = OpenRequest(
                method=message.method,
                tool=tool.name,
                is_followed=ruling.is_followed,
                call_id=call_id(message, self._parts.place.session),
                agent=client.name,
                progress=progress_token(message),
            )
            await self._forward(message, opened, raw=ruling.forward)
        else:
            await self._refused(message, ruling.refusal)

    async def _tool(self, message: McpMessage) -> ListedTool:
        """Return the tool that is called, with what the server says of it.

        Raises:
            ValueError: it has no name.
        """
        if message.method != "tools/call":
            return ListedTool(name="read_resource")
        name = message.params.get("name")
        if not isinstance(name, str) or not name:
            raise ValueError("the call names no tool")
        if not self._catalogue.is_listed:
            await self._learn(message)
        return self._catalogue.of(name)

    async def _learn(self, message: McpMessage) -> None:
        """List the server's tools, for a client that calls without having listed them."""
        async with self._learning:
            if self._catalogue.is_listed:
                return
            # From 2026-07-28 on each request names version and client; the call's own progress
            # token stays out.
            meta = {k: v for k, v in meta_of(message).items() if k.startswith(META)}
            params: dict[str, Json] = {"_meta": meta} if meta else {}
            for _ in range(PAGES):
                answer = await self._ask_server(LIST, params)
                if answer is None or answer.result is None:
                    return
                await self._catalogue.learn(answer.result)
                cursor = answer.result.get("nextCursor")
                if not isinstance(cursor, str):
                    return
                params = {**params, "cursor": cursor}

    async def _from_server(self) -> None:
        while (line := await self._server.receive()) is not None:
            try:
                limit = self._parts.settings.max_message_bytes
                messages = read_messages(line, limit=limit, is_server=True)
            except BadMessage as error:
                note(f"a message of the server was dropped: {visible(str(error))}")
                if error.id is not None and self._sent.pop(error.id, None) is not None:
                    said = f"signoff: the server's answer cannot be read: {error}"
                    await self._client.send(answers.error(error.id, answers.CLOSED, said))
                continue
            for message in messages:
                await self._of_server(message)

    async def _of_server(self, message: McpMessage) -> None:
        """Handle one message of the server."""
        if message.kind is MessageKind.RESPONSE and message.id is not None:
            opened = self._sent.pop(message.id, None)
            if opened is None:
                note("an answer to nothing was dropped")
            elif opened.answer is not None:
                if not opened.answer.done():
                    opened.answer.set_result(message)
            elif opened.method in (*CHECKED, *OFFERED, LIST):
                self._spawn(self._answered(message, opened))
            else:
                await self._client.send(message.raw)
            return
        if message.kind is MessageKind.REQUEST and (refusal := self._refused_request(message)):
            await self._server.send(refusal)
            return
        if message.method == LISTED:
            # The next call lists the tools first, so that it is judged by what its tool is now.
            self._catalogue.is_listed = False
        await self._client.send(message.raw)

    def _refused_request(self, message: McpMessage) -> bytes:
        """Return the answer to a request of the server that the client does not get, else b""."""
        if message.id is None:
            return b""
        if str(message.id).startswith(OWN):
            return answers.error(message.id, answers.INVALID_REQUEST, "this id is not the server's")
        return self._requests.refusal(message.method, message.id)

    async def _answered(self, message: McpMessage, opened: OpenRequest) -> None:
        """Pass on what has to be looked at first; what fails there is no reason to skip it."""
        raw = message.raw
        if opened.is_followed:
            self._spawn(self._report(opened, message))
        try:
            name = "error" if message.result is None else "result"
            async with self._calls.progress(opened.progress):
                changed = await self._looked_at(message, opened)
            raw = raw if changed is None else answers.changed(message, name, changed)
        except Exception as error:  # noqa: BLE001 - unread, it is not passed on
            said = f"signoff: the server's answer could not be checked: {type(error).__name__}"
            raw = answers.error(message.id, answers.CLOSED, said)
        await self._client.send(raw)

    async def _looked_at(self, message: McpMessage, opened: OpenRequest) -> Fields | None:
        """Return a result or error as the client gets it, None if it is as it came."""
        result = message.result
        place = self._parts.place
        name = place.judged_name(opened.tool or opened.method.replace("/", "_"))
        within_s = place.time_for(opened.progress)
        asked = ResultRequest(
            tool=name, method=opened.method, agent=opened.agent, within_s=within_s
        )
        if result is None:
            error = message.fields.get("error")
            told = error if isinstance(error, Mapping) else {"message": str(error)}
            return await self._results.error(told, asked)
        if opened.method == LIST:
            return await self._catalogue.shown(result)
        if opened.method in OFFERED:
            return await self._offers.shown(opened.method, result)
        if (refusal := self._requests.refusal_in(result)) is not None:
            return refusal
        return await self._results.checked(result, asked)

    async def _report(self, opened: OpenRequest, message: McpMessage) -> None:
        """Tell the guard the outcome of a call that a person had approved."""
        has_failed = message.result is None or message.result.get("isError") is True
        session = self._parts.place.session
        said: dict[str, Json] = {
            "hook_event_name": "PostToolUse",
            "tool_name": self._parts.place.judged_name(opened.tool),
            "session_id": session,
            "tool_use_id": opened.call_id,
            "has_failed": has_failed,
        }
        await self._parts.guard.report(json.dumps(said).encode())

    async def _forward(
        self, message: McpMessage, opened: OpenRequest, *, raw: bytes | None = None
    ) -> None:
        if message.id is not None:
            self._sent[message.id] = opened
            await self._server.send(message.raw if raw is None else raw)

    async def _refused(self, message: McpMessage, reason: str) -> None:
        """Tell the client that its call was not made."""
        if message.id is None:
            return
        if message.method == "tools/call":
            await self._client.send(answers.refusal(message.id, reason))
        else:
            await self._client.send(answers.error(message.id, answers.CLOSED, reason))

    async def _ask_server(self, method: str, params: Fields) -> McpMessage | None:
        """Send a request of our own to the server; None if it does not answer in time."""
        id = self._next_id()
        answer: asyncio.Future[McpMessage | None] = asyncio.get_running_loop().create_future()
        self._sent[id] = OpenRequest(method=method, answer=answer)
        await self._server.send(answers.request(id, method, params))
        try:
            async with asyncio.timeout(LIST_S):
                return await answer
        except TimeoutError:
            return None
        finally:
            self._sent.pop(id, None)

    async def _ask_client(self, method: str, params: Fields) -> Fields | None:
        """Send a request of our own to the client; None if it does not answer in time."""
        id = self._next_id()
        answer: asyncio.Future[Fields | None] = asyncio.get_running_loop().create_future()
        self._asked[id] = answer
        await self._client.send(answers.request(id, method, params))
        try:
            async with asyncio.timeout(FORM_S):
                return await answer
        except TimeoutError:
            return None
        finally:
            self._asked.pop(id, None)

    async def _alert(self, said: Mapping[str, Json]) -> None:
        """Tell people of a tool that is held back: in the client's log, and on channels."""
        server = self._parts.place.server
        note(f"the tool `{said['tool']}` of {server} is held back: its definition {said['why']}")
        self._spawn(self._parts.guard.alert({"server": server, **said}))

    async def _closed(self) -> None:
        """Answer what the server cannot answer any more."""
        for id, opened in list(self._sent.items()):
            if opened.answer is None:
                said = "signoff: the server has ended"
                await self._client.send(answers.error(id, answers.CLOSED, said))

    def _next_id(self) -> str:
        self._number += 1
        return f"{OWN}{self._number}"

    def _spawn(self, work: Coroutine[None, None, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task
