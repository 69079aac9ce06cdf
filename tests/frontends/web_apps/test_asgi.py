"""Starlette and FastAPI behind the middleware, over real sockets."""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import http.client
import json
import threading
import time
from collections.abc import AsyncIterator, Iterator

import pytest
from serving import Client, asgi_server
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, StreamingResponse
from starlette.routing import Route, WebSocketRoute
from starlette.types import Message, Receive, Scope, Send
from starlette.websockets import WebSocket
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from signoff import Action, Pipeline
from signoff.asgi import (
    AsgiMiddleware,
    JudgeMode,
    Larger,
    OnFailure,
    RouteRule,
    lenient,
    responses,
    strict,
)
from signoff.assess.detectors.detector import Detector, Evidence
from signoff.assess.finding import Finding
from signoff.effects.pipeline import PipelineDecision

ATTACK = "/search?q=%3Cscript%3Efetch('//e.example')%3C/script%3E"
BROKEN_SQL = "You have an error in your SQL syntax; check the manual that corresponds to your MySQL"
seen: list[PipelineDecision] = []
statuses: list[tuple[str, int]] = []
released = threading.Event()


async def echo(request: Request) -> JSONResponse:
    body = await request.body()
    decision = request.scope.get("signoff")
    return JSONResponse({"length": len(body), "judged": decision is not None})


async def page(request: Request) -> HTMLResponse:
    return HTMLResponse(f"<p>You asked for {request.query_params.get('q', '')}</p>")


async def leak(request: Request) -> PlainTextResponse:
    return PlainTextResponse(BROKEN_SQL)


async def stream(request: Request) -> StreamingResponse:
    async def pieces() -> AsyncIterator[str]:
        yield "first;"
        while not released.is_set():
            await asyncio.sleep(0.005)
        yield BROKEN_SQL

    return StreamingResponse(pieces(), media_type="text/plain")


async def socket(socket: WebSocket) -> None:
    await socket.accept()
    await socket.send_text(await socket.receive_text())
    await socket.close()


def broken(evidence: Evidence) -> Iterator[Finding]:
    raise RuntimeError("a detector that fails")


class Unreadable:
    """A pipeline that fails."""

    is_in_background = False
    is_waiting = False

    def decide(self, action: Action) -> PipelineDecision:
        raise RuntimeError("no judgement")


def routes() -> list[Route | WebSocketRoute]:
    methods = ["GET", "POST", "PUT"]
    return [
        Route("/search", page),
        Route("/static/{name}", page),
        Route("/leak", leak),
        Route("/stream", stream),
        WebSocketRoute("/ws", socket),
        Route("/{rest:path}", echo, methods=methods),
    ]


def note(action: Action, status: int) -> None:
    statuses.append((action.text("path"), status))


RULES = (
    RouteRule("/static/*", None),
    RouteRule("/login", strict()),
    RouteRule("/search", lenient()),
    RouteRule("/small", strict(), body_limit=1024),
    RouteRule("/upload/*", strict(), body_limit=1024, larger=Larger.BEGINNING),
    RouteRule("/broken", Pipeline(Detector(id="broken", run=broken))),
    RouteRule("/unjudged", Unreadable()),  # type: ignore[arg-type]  # it fails on purpose
    RouteRule(
        "/watched", strict().on("block", seen.append), mode=JudgeMode.WATCH, methods=("POST",)
    ),
)


def application(on_failure: OnFailure = OnFailure.REFUSE) -> Starlette:
    guard = Middleware(
        AsgiMiddleware,
        routes=RULES,
        responses=responses().on("block", seen.append),
        answered=(note,),
        on_failure=on_failure,
    )
    return Starlette(routes=routes(), middleware=[guard])


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with asgi_server(application()) as made:
        yield made


def test_ordinary_traffic_is_untouched(client: Client) -> None:
    """The application reads the whole body, and can read the decision."""
    body = json.dumps({"name": "Ann O'Neil", "text": "a & b; c | d"})
    answer = client.post("/api", body, "application/json")
    assert (200, {"length": len(body), "judged": True}) == (
        answer.status,
        json.loads(answer.body),
    )


def test_attack_is_answered_with_a_problem(client: Client) -> None:
    """The answer has the form of RFC 9457, an id, and no word about what was found."""
    answer = client.get(ATTACK)
    said = json.loads(answer.body)
    assert (403, "application/problem+json", 403, "Forbidden") == (
        answer.status,
        answer.headers["content-type"],
        said["status"],
        said["title"],
    )
    assert said["instance"].startswith("urn:signoff:") and "xss" not in answer.body


def test_route_decides_how_strict(client: Client) -> None:
    """A foreign target of a redirect is refused at the login and let through in a search."""
    target = "?next=https://elsewhere.example"
    assert (403, 200) == (client.get(f"/login{target}").status, client.get(f"/x{target}").status)


def test_route_without_pipeline_is_not_judged(client: Client) -> None:
    """Static files are served as they are asked for."""
    assert 200 == client.get("/static/a?q=%3Cscript%3Ex()%3C/script%3E").status


def test_body_over_the_limit_is_refused_before_it_is_read(client: Client) -> None:
    """Declared or chunked, a longer body is answered with 413."""
    assert (200, 413) == (
        client.post("/small", b"x" * 1024, "text/plain").status,
        client.post("/small", b"x" * 1025, "text/plain").status,
    )
    pieces = iter([b"x" * 900, b"x" * 900])  # sent in chunks, without a length
    assert 413 == client.ask("POST", "/small", pieces).status


def test_upload_is_judged_by_its_beginning_and_passed_on_whole(client: Client) -> None:
    """What the limit cuts off reaches the application; an attack at the start does not."""
    size = 3 << 20
    answer = client.post("/upload/a", b"x" * size, "text/plain")
    attack = b"x' union select name, pw from users -- " + b"x" * size
    assert (size, 403) == (
        json.loads(answer.body)["length"],
        client.post("/upload/a", attack, "text/plain").status,
    )


def test_packed_body_hides_nothing(client: Client) -> None:
    """A packed body is judged unpacked; one that cannot be read is refused."""
    attack = gzip.compress(b'{"q": "<script>fetch(1)</script>"}')
    packed = {"Content-Type": "application/json", "Content-Encoding": "gzip"}
    bomb = gzip.compress(b"\0" * (4 << 20))
    odd = {"Content-Type": "application/json; charset=utf-7"}
    assert (403, 415, 415, 200) == (
        client.ask("POST", "/api", attack, packed).status,
        client.ask("POST", "/api", bomb, packed).status,
        client.ask("POST", "/api", b"+ADw-script+AD4-", odd).status,
        client.ask("POST", "/api", gzip.compress(b'{"a": 1}'), packed).status,
    )


def test_what_follows_a_packed_body_hides_nothing(client: Client) -> None:
    """A second member, which many applications unpack as well, is refused."""
    attack = gzip.compress(b'{"q": "') + gzip.compress(b'<script>fetch(1)</script>"}')
    packed = {"Content-Type": "application/json", "Content-Encoding": "gzip"}
    assert 415 == client.ask("POST", "/api", attack, packed).status


@pytest.mark.parametrize(
    "lines",
    [
        ("content-encoding: identity", "content-encoding: gzip"),
        ("content-type: text/plain", "content-type: text/plain; charset=utf-16"),
        ("content-type: text/plain; charset=utf-8; charset=utf-16",),
        ("content-type: text/plain; charset*=utf-8''utf-16",),
    ],
)
def test_a_body_is_described_once(client: Client, lines: tuple[str, ...]) -> None:
    """Of two descriptions the application may follow the one that was not judged."""
    link = http.client.HTTPConnection("127.0.0.1", client.port, timeout=60)
    with contextlib.closing(link):
        link.putrequest("POST", "/api")
        for name, value in (line.split(": ") for line in lines):
            link.putheader(name, value)
        link.putheader("content-length", "8")
        link.endheaders(b'{"a": 1}')
        assert 415 == link.getresponse().status


def test_failure_of_the_guard_refuses(client: Client) -> None:
    """A detector that fails blocks, a judgement that fails is 503, unless the setting is unsafe."""
    assert (403, 503) == (client.get("/broken").status, client.get("/unjudged").status)
    with asgi_server(application(OnFailure.UNSAFE_PASS)) as unsafe:
        assert 200 == unsafe.get("/unjudged").status


def test_watched_route_is_served_and_judged_afterwards(client: Client) -> None:
    """An attack reaches the application and the handlers."""
    seen.clear()
    answer = client.post("/watched", "q=%3Cscript%3Ex()%3C/script%3E", "text/html")
    deadline = time.monotonic() + 60
    while not seen and time.monotonic() < deadline:
        time.sleep(0.005)
    assert (200, 1) == (answer.status, len(seen))


def test_response_that_leaks_is_withheld(client: Client) -> None:
    """The words of a database do not leave; the status is counted as it was sent."""
    statuses.clear()
    answer = client.get("/leak")
    assert 500 == answer.status
    assert "SQL" not in answer.body
    assert [("/leak", 500)] == statuses


def test_stream_leaves_as_it_comes(client: Client) -> None:
    """The first piece arrives before the last is made; what leaked is reported afterwards."""
    import http.client  # noqa: PLC0415 - the only test that reads piece by piece

    seen.clear()
    released.clear()
    link = http.client.HTTPConnection("127.0.0.1", client.port, timeout=60)
    link.request("GET", "/stream")
    response = link.getresponse()
    first = response.read(6)
    released.set()
    rest = response.read()
    link.close()
    assert (b"first;", BROKEN_SQL.encode()) == (first, rest)


def test_websocket_handshake_is_judged(client: Client) -> None:
    """A handshake with an attack is refused; an ordinary one talks."""
    base = f"ws://127.0.0.1:{client.port}/ws"
    with connect(f"{base}?room=42") as talk:
        talk.send("hello")
        assert "hello" == talk.recv()
    with pytest.raises(InvalidStatus):
        connect(f"{base}?room=1%27%20or%20%271%27=%271")


def test_fastapi_reads_what_it_declares() -> None:
    """A FastAPI application gets its models and path parameters; attacks do not reach it."""
    fastapi = pytest.importorskip("fastapi")
    app = fastapi.FastAPI()

    async def add(number: int, note: dict[str, str]) -> dict[str, object]:
        return {"number": number, **note}

    app.add_api_route("/notes/{number}", add, methods=["POST"])
    app.add_middleware(AsgiMiddleware, default=strict(), responses=responses())
    with asgi_server(app) as made:
        good = made.post("/notes/7", '{"text": "it\'s fine"}', "application/json")
        bad = made.post("/notes/7", "{\"text\": \"x' or '1'='1\"}", "application/json")
        wrong = made.post("/notes/x", '{"text": "a"}', "application/json")
    assert ({"number": 7, "text": "it's fine"}, 403, 422) == (
        json.loads(good.body),
        bad.status,
        wrong.status,
    )


@pytest.mark.parametrize("mode", list(JudgeMode))
@pytest.mark.parametrize("content_type", [b"text/plain", b"image/png"])
def test_an_application_that_raises_while_it_streams_is_counted_as_500(
    content_type: bytes, mode: JudgeMode
) -> None:
    """It began with 200, but nobody was served: limits on failures must see that."""

    async def failing(scope: Scope, receive: Receive, send: Send) -> None:
        headers = [(b"content-type", content_type)]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": b"half", "more_body": True})
        raise RuntimeError("boom")

    async def received() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def sent(message: Message) -> None:
        """Take what a server would send."""

    told: list[int] = []
    rules = (RouteRule("/*", lenient(), mode=mode),)
    note_status = (lambda _, status: told.append(status),)
    app = AsgiMiddleware(failing, routes=rules, responses=responses(), answered=note_status)
    scope = {"type": "http", "method": "GET", "path": "/", "headers": [], "query_string": b""}

    with pytest.raises(RuntimeError):
        asyncio.run(app(scope, received, sent))
    assert [500] == told
