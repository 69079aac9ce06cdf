"""Judges calls for `signoff mcp`: by the running daemon, or by a gate in this process.

Anything but a complete, well-formed answer raises `GuardFailed`: the daemon is not there, hangs,
ends, answers too late or answers nonsense. The relay then denies the call.

    guard = DaemonGuard(settings)
    verdict = await guard.judge(event, can_ask=False, within_s=50)
    findings = await guard.inspect((TextToInspect(kind="result", tool="mcp__x__y", text="..."),))
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
import uuid
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Protocol, TypeAlias

import msgspec
from msgspec import Struct

from signoff.actions.action import Action, Json
from signoff.decide.decision import Decision
from signoff.errors import BadPayload, SignoffError
from signoff.frontends.client.found import places_of
from signoff.frontends.mcp.adapter import ELICITING, NAME
from signoff.frontends.payloads import parse_object
from signoff.frontends.python.wire import (
    CALLS,
    OUTCOMES,
    CallOutcome,
    question_json,
    read_answer,
)
from signoff.frontends.results.inspecting import (
    INSPECTIONS,
    InspectedText,
    InspectedTexts,
    TextToInspect,
)
from signoff.sections import WithoutDaemon
from signoff.settings import Settings
from signoff.system.links import connect
from signoff.system.processes import APART

CONNECT_S = 3.0
SILENCE_S = 5.0  # after which the daemon is asked whether it lives
ALIVE_S = 25.0  # in which it must answer that
INSPECT_S = 15.0
START_S = 40.0
REPORT_S = 5.0
LATE_S = 5.0  # beyond what the daemon was given
IDLE_MOST, IDLE_S = 4, 2.0  # the daemon keeps a connection longer than that
ANSWER_LIMIT = 2 << 20
HEAD_LIMIT = 16_384
NOT_RUNNING = "the daemon is not running: start it with `signoff up`"
Link: TypeAlias = tuple[asyncio.StreamReader, asyncio.StreamWriter]
VERDICTS = ("allow", "ask", "deny")


class GuardFailed(SignoffError):
    """No usable answer was received; the call is denied."""


class CallVerdict(Struct, frozen=True, kw_only=True):
    """The decision about a call.

    Args:
        verdict: `allow`, `ask` (the client's user) or `deny`.
        is_followed: True if somebody waits to hear what came of it.
        arguments: what a person changed the arguments to, None if nobody did.
    """

    verdict: str
    reason: str
    is_followed: bool = False
    arguments: dict[str, Json] | None = None


class CallGuard(Protocol):
    """Port: judges calls and inspects texts for the relay."""

    async def judge(self, event: bytes, *, can_ask: bool, within_s: float) -> CallVerdict:
        """Decide about a call within so many seconds; raises GuardFailed."""

    async def inspect(self, texts: Sequence[TextToInspect]) -> tuple[InspectedText, ...]:
        """Return what was found in each text; raises GuardFailed."""

    async def check(self, result: Action, *, within_s: float, withheld: str = "") -> Decision:
        """Ask people about a result, or record why it is withheld; raises GuardFailed."""

    async def report(self, event: bytes) -> None:
        """Report the outcome of a call; never raises."""

    async def alert(self, said: Mapping[str, Json]) -> None:
        """Tell people about a tool that is held back; never raises."""


class DaemonGuard:
    """Judges by asking the running daemon, which is started or replaced as configured."""

    def __init__(self, settings: Settings, instead: CallGuard | None = None) -> None:
        self._path = places_of(settings).socket
        self._without = settings.without_daemon
        self._instead = instead
        self._starting = asyncio.Lock()
        self._idle: list[tuple[float, Link]] = []

    async def judge(self, event: bytes, *, can_ask: bool, within_s: float) -> CallVerdict:
        """Return the daemon's decision about a call.

        Raises:
            GuardFailed: there was no usable answer in time.
        """
        host = ELICITING if can_ask else NAME
        headers = {"signoff-deadline": f"{within_s:.1f}", **_own_place()}
        path = f"/hooks/{host}"
        try:
            async with asyncio.timeout(within_s + LATE_S):
                link = await self._reached()
                if link is None:
                    return await self._own().judge(event, can_ask=can_ask, within_s=within_s)
                body, head = await self._exchange(link, path, event, headers)
            if head.get("signoff-exit") != "0":
                raise GuardFailed("the daemon does not know this adapter; run `signoff up`")
            return read_verdict(body)
        except (OSError, EOFError, ValueError, TimeoutError, BadPayload) as error:
            raise GuardFailed(f"{type(error).__name__}: {error}"[:300]) from error

    async def inspect(self, texts: Sequence[TextToInspect]) -> tuple[InspectedText, ...]:
        """Return what the daemon finds in texts.

        Raises:
            GuardFailed: there was no usable answer in time.
        """
        try:
            async with asyncio.timeout(INSPECT_S):
                link = await self._reached()
                if link is None:
                    return await self._own().inspect(texts)
                said = msgspec.json.encode({"texts": texts})
                body, _ = await self._exchange(link, INSPECTIONS, said, {})
            found = msgspec.json.decode(body, type=InspectedTexts).texts
        except (OSError, EOFError, ValueError, TimeoutError) as error:
            raise GuardFailed(f"{type(error).__name__}: {error}"[:300]) from error
        # A text that the answer leaves out would pass for one in which nothing was found.
        if len(found) != len(texts):
            raise GuardFailed("the daemon's answer is not whole")
        return found

    async def check(self, result: Action, *, within_s: float, withheld: str = "") -> Decision:
        """Ask people about a result through the daemon, or record why it is withheld.

        Raises:
            GuardFailed: there was no usable answer in time.
        """
        said = {"wait_s": within_s, "key": uuid.uuid4().hex, "refused": withheld[:2_000]}
        try:
            async with asyncio.timeout(within_s + LATE_S):
                link = await self._reached()
                if link is None:
                    return await self._own().check(result, within_s=within_s, withheld=withheld)
                body, _ = await self._exchange(link, CALLS, question_json(result, said), {})
            decision = read_answer(result, body)
        except (OSError, EOFError, ValueError, TimeoutError) as error:
            raise GuardFailed(f"{type(error).__name__}: {error}"[:300]) from error
        # The result goes to the client now: the approval is used up.
        if decision.allowed and decision.answer is not None and decision.answer.request_id:
            outcome = CallOutcome(request=decision.answer.request_id)
            await self._quietly(OUTCOMES, msgspec.json.encode(outcome))
        return decision

    async def report(self, event: bytes) -> None:
        """Report the outcome of a call to the daemon."""
        await self._quietly(f"/hooks/{NAME}", event)

    async def alert(self, said: Mapping[str, Json]) -> None:
        """Have the daemon tell people about a tool that is held back."""
        await self._quietly("/v1/tool-alerts", json.dumps(said).encode())

    async def _quietly(self, path: str, body: bytes) -> None:
        try:
            async with asyncio.timeout(REPORT_S):
                # Nothing is started for a report, and no gate of this process stands in.
                link = self._kept() or await _connected(self._path)
                await self._exchange(link, path, body, {})
        except (OSError, EOFError, ValueError, TimeoutError, GuardFailed):
            return

    def _own(self) -> CallGuard:
        if self._instead is None:
            raise GuardFailed(NOT_RUNNING)
        return self._instead

    async def _reached(self) -> Link | None:
        """Return a connection to the daemon; None if a gate of this process stands in for it.

        Raises:
            GuardFailed: it is not there, and nothing may stand in for it.
        """
        if (kept := self._kept()) is not None:
            return kept
        try:
            return await _connected(self._path)
        except (OSError, TimeoutError):
            if self._without is WithoutDaemon.IN_PROCESS:
                return None
            if self._without is WithoutDaemon.REFUSE:
                raise GuardFailed(NOT_RUNNING) from None
        # One `signoff up` for all calls that wait for the daemon.
        async with self._starting:
            await _started()
        try:
            return await _connected(self._path)
        except (OSError, TimeoutError) as error:
            raise GuardFailed("the daemon does not start: `signoff up` says why") from error

    async def _exchange(
        self, link: Link, path: str, body: bytes, headers: Mapping[str, str]
    ) -> tuple[bytes, Mapping[str, str]]:
        """Send one request; return the body and headers of a whole answer of status 200.

        A connection that was whole to its end is kept for the next request.
        """
        lines = [f"POST {path} HTTP/1.1", "host: localhost"]
        lines += ["content-type: application/json", f"content-length: {len(body)}"]
        lines += [f"{name}: {value}" for name, value in headers.items()]
        reader, writer = link
        try:
            writer.write("\r\n".join([*lines, "", ""]).encode() + body)
            await writer.drain()
            answer = await _whole_answer(reader, self._is_alive)
        except BaseException:
            writer.transport.abort()  # the daemon sees that nobody waits any more
            raise
        if answer[1].get("connection") == "close" or len(self._idle) >= IDLE_MOST:
            writer.transport.abort()
        else:
            self._idle.append((time.monotonic(), link))
        return answer

    def _kept(self) -> Link | None:
        """Return a connection that was in use a moment ago and is whole, None if there is none."""
        while self._idle:
            since, (reader, writer) = self._idle.pop()
            if not reader.at_eof() and time.monotonic() - since < IDLE_S:
                return reader, writer
            writer.transport.abort()
        return None

    def close(self) -> None:
        """Close kept connections."""
        for _, (_, writer) in self._idle:
            writer.transport.abort()
        self._idle.clear()

    async def _is_alive(self) -> bool:
        """Tell whether the daemon says anything at all."""
        try:
            async with asyncio.timeout(ALIVE_S):
                reader, writer = await _connected(self._path)
                try:
                    head = "GET /healthz HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n"
                    writer.write(head.encode())
                    return bool(await reader.read(1))
                finally:
                    writer.transport.abort()
        except (OSError, TimeoutError):
            return False


def read_verdict(body: bytes | str) -> CallVerdict:
    """Parse the daemon's answer about a call.

    Raises:
        GuardFailed: it is not valid.
    """
    try:
        said = parse_object(body)
    except BadPayload as error:
        raise GuardFailed(f"the guard's answer cannot be read: {error}"[:300]) from error
    verdict, reason = said.get("verdict"), said.get("reason")
    arguments = said.get("arguments")
    is_whole = isinstance(verdict, str) and verdict in VERDICTS and isinstance(reason, str)
    # Only an allow can change arguments; with any other verdict they are a sign of a broken
    # answer.
    is_change = verdict == "allow" and isinstance(arguments, Mapping)
    if not is_whole or not (arguments is None or is_change):
        raise GuardFailed("the guard's answer cannot be read")
    return CallVerdict(
        verdict=str(verdict),
        reason=str(reason),
        is_followed=said.get("is_followed") is True,
        arguments=dict(arguments) if isinstance(arguments, Mapping) else None,
    )


def _own_place() -> dict[str, str]:
    """Return the headers that say where this process stands."""
    return {
        "signoff-project": _quoted(os.fsencode(os.getcwd())),
        "signoff-path": _quoted(os.fsencode(os.environ.get("PATH", ""))[:8_192]),
    }


def _quoted(value: bytes) -> str:
    # Percent-encoded: a folder's name may hold line ends, which would begin a header (CWE-113).
    return "".join(chr(c) if 32 < c < 127 and c != 37 else f"%{c:02X}" for c in value)


async def _connected(path: str) -> Link:
    """Connect to the daemon.

    Raises:
        OSError, TimeoutError: nobody listens there.
    """
    line = await asyncio.to_thread(connect, path, within_s=CONNECT_S)
    line.setblocking(False)  # noqa: FBT003 - of the standard library
    return await asyncio.open_connection(sock=line, limit=HEAD_LIMIT)


async def _started() -> None:
    """Start the daemon in the background; a second caller finds it running."""
    process = await asyncio.create_subprocess_exec(
        # `-I`: neither PYTHONPATH nor the agent's working folder may change what is started.
        *(sys.executable, "-I", "-m", "signoff", "up"),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.DEVNULL,
        # Ctrl-C in the client's terminal must not end the daemon.
        start_new_session=True,
        creationflags=APART,
    )
    async with asyncio.timeout(START_S):
        await process.wait()


async def _whole_answer(
    reader: asyncio.StreamReader, is_alive: Callable[[], Awaitable[bool]]
) -> tuple[bytes, Mapping[str, str]]:
    """Read an answer, however long people take, while the daemon lives.

    Raises:
        ValueError, EOFError, TimeoutError: there is none, or it is not whole.
    """
    reading = asyncio.ensure_future(reader.readuntil(b"\r\n\r\n"))
    is_ending = False
    try:
        while not (await asyncio.wait({reading}, timeout=SILENCE_S))[0]:
            if is_ending:
                raise TimeoutError("the daemon says nothing")
            # A daemon that ends takes no new connections, but still answers those who wait.
            is_ending = not await is_alive()
        head = (await reading).decode("latin-1").lower()
    except asyncio.LimitOverrunError as error:
        raise ValueError("the daemon's answer has no head") from error
    finally:
        reading.cancel()
    first, *lines = head.rstrip("\r\n").split("\r\n")
    headers = dict(line.split(": ", 1) for line in lines)
    if first.split(" ")[:2] != ["http/1.1", "200"]:
        raise ValueError(f"the daemon answers `{first[:40]}`")
    size = int(headers.get("content-length", ""))
    if not 0 <= size <= ANSWER_LIMIT:
        raise ValueError("the daemon's answer is too long")
    return await reader.readexactly(size), headers
