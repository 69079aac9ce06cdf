"""Connections to the daemon's server: requests in pieces, in a row, cut off, or never sent."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import socket
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import pytest
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import Receive, Scope, Send
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from signoff.frontends.server.wire.bodies import gone, read_body
from signoff.serving.bounded import HEAD_LIMIT, BoundedProtocol
from signoff.serving.connections import Connections, is_whole_request
from signoff.serving.listening import GRACE_S, build_server

WITHIN_S = 0.5
IDLE_S = 1
LIMIT = 20
AT_MOST_S = 6.0  # a busy machine, and a look every second


class Freed:
    """Something that is freed with the request that holds it."""


@dataclass(slots=True)
class Echo:
    """An application that says what it was asked, and whether it was there as a whole."""

    left: threading.Event = field(default_factory=threading.Event)
    may_answer: threading.Event = field(default_factory=threading.Event)
    held: list[weakref.ref[Freed]] = field(default_factory=list)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Say the body again, and the headers called Host."""
        request = Request(scope, receive)
        way = "whole" if is_whole_request() else "pieces"
        scope["held"] = held = Freed()
        self.held.append(weakref.ref(held))
        if scope["path"] == "/unread":
            await PlainTextResponse("unread")(scope, receive, send)
            return
        said = f"{way}:{(await read_body(request)).decode()}"
        if scope["path"] == "/host":
            said = ",".join(request.headers.getlist("host"))
        if scope["path"] == "/break":
            raise RuntimeError("the application is broken")
        if scope["path"] == "/wait":
            await gone(request)
            self.left.set()
        if scope["path"] == "/ended":
            try:
                await asyncio.sleep(60)
            except asyncio.CancelledError:
                await asyncio.to_thread(time.sleep, 0.5)
                said = "refused"
        if scope["path"] == "/late":
            await asyncio.to_thread(self.may_answer.wait, 20)
        await PlainTextResponse(said)(scope, receive, send)


@dataclass(frozen=True, slots=True)
class Served:
    """A running server."""

    port: int
    door: Echo
    connections: Connections
    end: Callable[[], bool]

    @contextlib.contextmanager
    def connected(self) -> Iterator[socket.socket]:
        """Connect to it."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=60) as line:
            yield line


@pytest.fixture
def served() -> Iterator[Served]:
    """Return a server of the application in a thread of its own."""
    door = Echo()
    listening = socket.create_server(("127.0.0.1", 0))
    connections = Connections(limit=LIMIT, arrive_within_s=WITHIN_S, idle_s=IDLE_S)
    server = build_server(door, connections=connections)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()

    def end() -> bool:
        server.should_exit = True
        thread.join(60)
        return not thread.is_alive()

    yield Served(listening.getsockname()[1], door, connections, end)
    door.may_answer.set()
    assert end()


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


def ends_within(line: socket.socket, seconds: float) -> bool:
    """Tell whether the server ends a connection in time."""
    line.settimeout(seconds)
    try:
        while line.recv(65_536):
            continue
    except TimeoutError:
        return False
    except OSError:
        pass
    return True


CALLBACKS = frozenset(  # as httptools documents them
    {
        "on_message_begin",
        "on_url",
        "on_header",
        "on_headers_complete",
        "on_body",
        "on_message_complete",
        "on_chunk_header",
        "on_chunk_complete",
        "on_status",
    }
)


def test_only_public_interfaces_are_extended() -> None:
    """What asyncio calls on a protocol, and what the parser calls on its owner; nothing else."""
    ours = {name for name in vars(BoundedProtocol) if not name.startswith("__")}
    extended = ours & set(dir(HttpToolsProtocol))

    assert extended <= CALLBACKS | set(dir(asyncio.Protocol))
    assert set(dir(asyncio.Protocol)) - set(dir(object)) >= {"data_received", "connection_made"}


def test_requests_follow_each_other_on_a_connection(served: Served) -> None:
    """What arrives in one piece needs no clock, again and again on one connection."""
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
            until = time.monotonic() + 60
            while served.door.held[0]() is not None and time.monotonic() < until:
                time.sleep(0.01)
            assert served.door.held[0]() is None
    finally:
        gc.enable()


def test_a_body_that_comes_later_is_waited_for(served: Served) -> None:
    """With a clock, so no connection waits for ever."""
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
    """The second waits for the first."""
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


def test_a_broken_application_approves_nothing(served: Served) -> None:
    """No answer is no approval: the caller refuses."""
    with served.connected() as line:
        line.sendall(asked("x", path="/break"))

        assert line.recv(100).startswith(b"HTTP/1.1 500 ")


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
    """It is used beyond the limit, then left."""
    with served.connected() as line:
        for number in range(6):
            line.sendall(asked(str(number)))
            assert [f"whole:{number}".encode()] == answers(line, 1)
            threading.Event().wait(IDLE_S / 4)

        assert ends_within(line, AT_MOST_S)


HALVES = {
    "nothing": b"",
    "empty lines": b"\r\n\r\n",
    "half a line": b"POST /dec",
    "half a head": b"POST /decide HTTP/1.1\r\nHost: h\r\nX-A: ",
    "half a body": b"POST /unread HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\nabc",
    "half a request after another": b"GET /unread HTTP/1.1\r\nHost: h\r\n\r\nGET /unr",
}


@pytest.mark.parametrize("sent", HALVES.values(), ids=HALVES.keys())
def test_a_request_that_does_not_arrive_ends_its_connection(served: Served, sent: bytes) -> None:
    """Nobody takes a descriptor for long who does not ask anything."""
    with served.connected() as line:
        line.sendall(sent)

        assert ends_within(line, AT_MOST_S)
    assert len(served.connections) == 0


def test_bytes_now_and_then_keep_no_connection_open(served: Served) -> None:
    """Time counts from the first byte of a request, not from the last one."""
    with served.connected() as line:
        line.sendall(b"POST /decide HTTP/1.1\r\nX-A: ")
        until = time.monotonic() + AT_MOST_S
        with contextlib.suppress(OSError):
            while time.monotonic() < until:
                line.sendall(b"a")
                time.sleep(WITHIN_S / 5)

        assert time.monotonic() < until


def test_empty_lines_after_an_answer_keep_no_connection_open(served: Served) -> None:
    """They are no request."""
    with served.connected() as line:
        line.sendall(asked("one"))
        answers(line, 1)
        until = time.monotonic() + AT_MOST_S
        with contextlib.suppress(OSError):
            while time.monotonic() < until:
                line.sendall(b"\r\n")
                time.sleep(IDLE_S / 5)

        assert time.monotonic() < until


def test_a_body_nobody_waited_for_leaves_a_connection_that_ends(served: Served) -> None:
    """It arrives after the answer; the connection is idle from then on."""
    with served.connected() as line:
        whole = asked("late body", path="/unread")
        line.sendall(whole[:-4])
        assert [b"unread"] == answers(line, 1)
        line.sendall(whole[-4:])

        assert ends_within(line, AT_MOST_S)


def test_who_waits_for_an_answer_is_not_ended(served: Served) -> None:
    """People take their time."""
    with served.connected() as line:
        line.sendall(asked("a", path="/late"))
        assert not ends_within(line, 3 * max(WITHIN_S, IDLE_S))
        served.door.may_answer.set()
        line.settimeout(20)

        assert [b"whole:a"] == answers(line, 1)


def test_the_longest_silent_connection_makes_room(served: Served) -> None:
    """Silent connections starve nobody, and one that waits for its answer stays."""
    with contextlib.ExitStack() as stack:
        waiting = stack.enter_context(served.connected())
        waiting.sendall(asked("a", path="/late"))
        for number in range(3 * LIMIT):
            line = stack.enter_context(served.connected())
            if number % 2:
                line.sendall(asked("b"))
                answers(line, 1)
        assert len(served.connections) <= LIMIT
        served.door.may_answer.set()

        assert [b"whole:a"] == answers(waiting, 1)


@pytest.mark.parametrize("piece", [HEAD_LIMIT * 3, 1_000], ids=["at once", "in pieces"])
def test_a_head_over_the_limit_is_cut_off(served: Served, piece: int) -> None:
    """However it is sent, and whether it would have come to an end or not."""
    head = b"POST /decide HTTP/1.1\r\nHost: h\r\nX-A: " + b"a" * HEAD_LIMIT + b"\r\n\r\n"
    with served.connected() as line:
        with contextlib.suppress(OSError):
            for start in range(0, len(head), piece):
                line.sendall(head[start : start + piece])

        assert [] == answers(line, 1)


def test_a_head_below_the_limit_and_a_large_body_are_taken(served: Served) -> None:
    """Only heads are limited here, and many requests at once are no long head."""
    long = "x" * (HEAD_LIMIT - 1_000)
    with served.connected() as line:
        line.sendall(asked("b" * 300_000, f"X-A: {long}") + asked("c") * 2)

        assert [300_000, 1, 1] == [len(said.partition(b":")[2]) for said in answers(line, 3)]


@pytest.mark.parametrize("target", ["http://evil.example/host", "http://h/host", "HTTP:/host"])
def test_a_target_that_names_a_host_counts_as_one(served: Served, target: str) -> None:
    """A server believes it over `Host`; the check of hosts sees both."""
    with served.connected() as line:
        line.sendall(asked("", path=target))

        assert answers(line, 1) in ([f"h,{target}".encode()], [b"Invalid HTTP request received."])


def test_an_ordinary_target_adds_no_host(served: Served) -> None:
    """Also after one that did, on the same connection."""
    with served.connected() as line:
        line.sendall(asked("", path="http://h/host") + asked("", path="/host"))

        assert [b"h,http://h/host", b"h"] == answers(line, 2)


def test_the_server_ends_whatever_is_connected(served: Served) -> None:
    """Silent, half-sent, idle and waiting connections hold it up for its time of grace only."""
    with contextlib.ExitStack() as stack:
        for sent in (b"", b"POST /dec", asked("x"), asked("x", path="/wait"), asked("xy")[:-1]):
            stack.enter_context(served.connected()).sendall(sent)
        time.sleep(0.2)
        started = time.monotonic()

        assert served.end()
        assert time.monotonic() - started < GRACE_S + 5


def test_what_the_end_cancels_is_still_answered(served: Served) -> None:
    """A refusal takes a moment where the machine is busy; it is sent before the server is gone."""
    with served.connected() as line:
        line.sendall(asked("x", path="/ended"))
        time.sleep(0.2)

        assert served.end()
        assert answers(line, 1) == [b"refused"]
