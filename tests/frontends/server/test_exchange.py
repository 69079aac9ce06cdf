"""Requests for decisions on a connection: whole or in pieces, one after another, or cut off."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import socket
import threading
import time
import weakref
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial

import pytest
import uvicorn
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import Receive, Scope, Send

from signoff.frontends.server.api import read_body
from signoff.frontends.server.waiting import gone
from signoff.frontends.server.wire.exchange import ARRIVED
from signoff.frontends.server.wire.protocol import BoundedProtocol

IDLE_S = 1


class Held:
    """Something that is freed with the request that holds it."""


@dataclass(slots=True)
class Echo:
    """A door that says what it was asked, and which way the question came."""

    left: threading.Event = field(default_factory=threading.Event)
    may_answer: threading.Event = field(default_factory=threading.Event)
    held: list[weakref.ref[Held]] = field(default_factory=list)

    def decides(self, path: bytes) -> bool:
        """Tell so of some paths."""
        if path == b"/fault":
            raise RuntimeError("the door is at fault")
        return path in (b"/decide", b"/wait", b"/break", b"/late")

    async def answer(self, scope: Scope, receive: Receive) -> Response:
        """Say the body again, by the way it came."""
        request = Request(scope, receive)
        way = "pieces" if isinstance(scope[ARRIVED], partial) else "whole"
        scope["held"] = held = Held()
        self.held.append(weakref.ref(held))
        said = f"{way}:{(await read_body(request)).decode()}"
        if scope["path"] == "/break":
            raise RuntimeError("the door is broken")
        if scope["path"] == "/wait":
            await gone(request)
            self.left.set()
        if scope["path"] == "/late":
            await asyncio.to_thread(self.may_answer.wait, 20)
        return PlainTextResponse(said)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve as an application."""
        response = await self.answer(scope, receive)
        await response(scope, receive, send)


@dataclass(frozen=True, slots=True)
class Served:
    """A running server."""

    port: int
    door: Echo

    @contextlib.contextmanager
    def connected(self) -> Iterator[socket.socket]:
        """Connect to it."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=20) as line:
            yield line


@pytest.fixture
def served() -> Iterator[Served]:
    """Return a server of the door in a thread of its own."""
    door = Echo()
    listening = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(
        uvicorn.Config(
            door,
            http=BoundedProtocol,
            ws="none",
            lifespan="off",
            log_config=None,
            proxy_headers=False,
            timeout_keep_alive=IDLE_S,
            timeout_graceful_shutdown=5,
        )
    )
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    yield Served(listening.getsockname()[1], door)
    door.may_answer.set()
    server.should_exit = True
    thread.join(20)
    assert not thread.is_alive()


def asked(body: str, *lines: str, path: str = "/decide") -> bytes:
    """Return a request."""
    head = [f"POST {path} HTTP/1.1", "Host: h", f"Content-Length: {len(body)}", *lines]
    return ("\r\n".join([*head, "", ""]) + body).encode()


def answers(line: socket.socket, count: int) -> list[bytes]:
    """Read so many bodies of answers, fewer if the connection ends before."""
    bodies: list[bytes] = []
    data = b""
    while len(bodies) < count:
        head, gap, rest = data.partition(b"\r\n\r\n")
        length = int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0]) if gap else 0
        if gap and len(rest) >= length:
            bodies.append(rest[:length])
            data = rest[length:]
            continue
        more = line.recv(65_536)
        if not more:
            break
        data += more
    return bodies


def test_a_whole_request_is_an_exchange(served: Served) -> None:
    """What arrives in one piece takes the short way, again and again on one connection."""
    with served.connected() as line:
        line.sendall(asked("one"))
        first = answers(line, 1)
        line.sendall(asked("two"))

        assert [b"whole:one", b"whole:two"] == [*first, *answers(line, 1)]


def test_an_answered_request_is_freed_without_the_collector(served: Served) -> None:
    """Cycles would be left for pauses in which nobody is answered."""
    gc.disable()
    try:
        with served.connected() as line:
            line.sendall(asked("one"))
            answers(line, 1)
            line.sendall(asked("two"))
            answers(line, 1)
            until = time.monotonic() + 5
            while served.door.held[0]() is not None and time.monotonic() < until:
                time.sleep(0.01)
            assert served.door.held[0]() is None
    finally:
        gc.enable()


def test_a_body_that_comes_later_takes_the_long_way(served: Served) -> None:
    """It is waited for with a clock, so no connection waits for ever."""
    with served.connected() as line:
        whole = asked("slowly")
        line.sendall(whole[:-4])
        with pytest.raises(TimeoutError):
            line.settimeout(0.3)
            line.recv(1)
        line.settimeout(20)
        line.sendall(whole[-4:])

        assert [b"pieces:slowly"] == answers(line, 1)


def test_requests_sent_at_once_are_answered_in_order(served: Served) -> None:
    """The second waits for the first, whichever way each of them takes."""
    with served.connected() as line:
        line.sendall(asked("a", path="/late") + asked("b") + asked("c"))
        served.door.may_answer.set()

        assert [b"a", b"b", b"c"] == [said.split(b":")[1] for said in answers(line, 3)]


def test_a_caller_that_goes_away_is_noticed(served: Served) -> None:
    """Whoever waits for people stops to wait for nobody."""
    with served.connected() as line:
        line.sendall(asked("wait", path="/wait"))
        assert not served.door.left.wait(0.3)

    assert served.door.left.wait(20)


def test_a_broken_door_cuts_the_connection(served: Served) -> None:
    """No answer is no approval: the caller refuses."""
    with served.connected() as line:
        line.sendall(asked("x", path="/break"))

        assert [] == answers(line, 1)


def test_a_fault_of_ours_is_told(served: Served, caplog: pytest.LogCaptureFixture) -> None:
    """It is answered as what cannot be read, so only the log tells whose fault it was."""
    with served.connected() as line:
        line.sendall(asked("x", path="/fault"))
        answers(line, 1)

    assert ["the door is at fault"] == faults(caplog)


@pytest.mark.parametrize("sent", [b"\0 / HTTP/1.1\r\n\r\n", b"GET /\xff\xfe HTTP/1.1\r\n\r\n"])
def test_a_fault_of_theirs_is_only_refused(
    served: Served, caplog: pytest.LogCaptureFixture, sent: bytes
) -> None:
    """Whoever sends rubbish fills no log with traces."""
    with served.connected() as line:
        line.sendall(sent)
        head = line.recv(100)

    assert (True, []) == (head.startswith(b"HTTP/1.1 400"), faults(caplog))


def faults(caplog: pytest.LogCaptureFixture) -> list[str]:
    """Return what was told with a trace."""
    return [str(one.exc_info[1]) for one in caplog.records if one.exc_info]


def test_the_caller_may_ask_for_the_end(served: Served) -> None:
    """`Connection: close` is answered and the connection is closed."""
    with served.connected() as line:
        line.sendall(asked("last", "Connection: close"))

        assert [b"whole:last"] == answers(line, 2)


def test_an_idle_connection_is_closed(served: Served) -> None:
    """One timer serves all requests of a connection: it is used beyond the limit, then left."""
    with served.connected() as line:
        for number in range(6):
            line.sendall(asked(str(number)))
            assert [f"whole:{number}".encode()] == answers(line, 1)
            threading.Event().wait(IDLE_S / 4)

        assert b"" == line.recv(1)
