"""Django behind the WSGI middleware, over real sockets."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlencode

import pytest
from serving import Answer, Client, wsgi_server

from signoff import Action
from signoff.wsgi import JudgeMode, Larger, RouteRule, WsgiMiddleware, lenient, responses, strict

pytest.importorskip("django")

from django_site import application

FORM = "application/x-www-form-urlencoded"
statuses: list[tuple[str, int]] = []


def note(action: Action, status: int) -> None:
    statuses.append((action.text("path"), status))


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    guarded = WsgiMiddleware(
        application(),
        routes=(
            RouteRule("/form/*", strict()),
            RouteRule("/size/*", lenient(), body_limit=4096, larger=Larger.BEGINNING),
            RouteRule("/small/*", strict(), body_limit=1024),
            RouteRule("/watched/*", strict(), mode=JudgeMode.WATCH, body_limit=1024),
        ),
        responses=responses(),
        answered=(note,),
    )
    with wsgi_server(guarded) as made:
        yield made


def send(client: Client, title: str) -> Answer:
    """Fill the form in as a browser does, with its token and its cookie."""
    shown = client.get("/form/")
    cookie = shown.headers["set-cookie"].partition(";")[0]
    token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', shown.body)
    assert token is not None
    body = urlencode({"csrfmiddlewaretoken": token[1], "title": title})
    origin = f"http://127.0.0.1:{client.port}"
    headers = {"Content-Type": FORM, "Cookie": cookie, "Origin": origin}
    return client.ask("POST", "/form/", body, headers)


def test_an_application_that_raises_answers_500() -> None:
    """Which is counted as every other answer is."""

    def broken(*_: object) -> list[bytes]:
        raise RuntimeError("boom")

    told: list[int] = []
    routes = (RouteRule("/*", lenient()),)
    app = WsgiMiddleware(broken, routes=routes, answered=(lambda _, status: told.append(status),))
    environ = {"REQUEST_METHOD": "GET", "PATH_INFO": "/", "wsgi.input": io.BytesIO()}

    with pytest.raises(RuntimeError):
        app(environ, lambda *_: print)
    assert [500] == told


@pytest.mark.parametrize("sent", [(), (b"half",)])
@pytest.mark.parametrize("content_type", ["text/plain", "image/png"])
def test_an_application_that_raises_while_it_streams_is_counted_as_500(
    content_type: str, sent: tuple[bytes, ...]
) -> None:
    """It began with 200, but nobody was served: limits on failures must see that."""

    def broken(_: object, start_response: Callable[..., object]) -> Iterator[bytes]:
        start_response("200 OK", [("Content-Type", content_type)])
        yield from sent
        raise RuntimeError("boom")

    told: list[int] = []
    routes = (RouteRule("/*", lenient()),)
    note_status = (lambda _, status: told.append(status),)
    app = WsgiMiddleware(broken, routes=routes, responses=responses(), answered=note_status)
    environ = {"REQUEST_METHOD": "GET", "PATH_INFO": "/", "wsgi.input": io.BytesIO()}

    with pytest.raises(RuntimeError):
        list(app(environ, lambda *_: print))
    assert [500] == told


def test_an_application_that_raises_before_it_begins_is_closed() -> None:
    """PEP 3333: `close` is called also where the first piece could not be had."""
    closed: list[bool] = []

    class Broken:
        def __iter__(self) -> Iterator[bytes]:
            raise RuntimeError("boom")

        def close(self) -> None:
            closed.append(True)

    app = WsgiMiddleware(lambda *_: Broken(), routes=(RouteRule("/*", lenient()),))
    environ = {"REQUEST_METHOD": "GET", "PATH_INFO": "/", "wsgi.input": io.BytesIO()}

    with pytest.raises(RuntimeError):
        app(environ, lambda *_: print)
    assert [True] == closed


def test_form_of_django_is_served(client: Client) -> None:
    """Names with apostrophes and signs reach the view, which shows them escaped."""
    answer = send(client, "Rock 'n' Read: 50% more & <books>")
    assert (200, True) == (answer.status, "Rock &#x27;n&#x27; Read: 50% more &amp;" in answer.body)


@pytest.mark.parametrize(
    "title",
    ["x' union select name, pw from users -- ", "<img src=x onerror=fetch('//e.example')>"],
)
def test_attack_does_not_reach_django(client: Client, title: str) -> None:
    """The answer is a problem, and the status is counted."""
    statuses.clear()
    answer = send(client, title)
    assert (403, "application/problem+json", ("/form/", 403)) == (
        answer.status,
        answer.headers["content-type"],
        statuses[-1],
    )


def test_upload_reaches_django_whole(client: Client) -> None:
    """A picture of some size arrives byte for byte."""
    picture = b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 400
    head = b'--b\r\nContent-Disposition: form-data; name="f"; filename="a b.png"\r\n'
    body = head + b"Content-Type: image/png\r\n\r\n" + picture + b"\r\n--b--\r\n"
    answer = client.post("/upload/", body, "multipart/form-data; boundary=b")
    assert {"a b.png": len(picture)} == json.loads(answer.body)


def test_long_body_is_passed_on_whole(client: Client) -> None:
    """What lies behind the limit reaches the application, or nothing does."""
    size = 200_000
    answer = client.post("/size/", b"x" * size, "text/plain")
    small = client.post("/small/", b"x" * 1025, "text/plain")
    assert ({"length": size}, 413) == (json.loads(answer.body), small.status)


def test_a_watched_route_serves_what_is_longer(client: Client) -> None:
    """Django answers it, as over ASGI: what is only watched is never refused."""
    assert 404 == client.post("/watched/", b"x" * 1025, "text/plain").status


def test_a_watched_route_serves_what_cannot_be_read(client: Client) -> None:
    """Its judgement would come from nothing, and it is only watched."""
    assert 404 == client.post("/watched/", b"x", "text/plain; charset=utf-16").status
    packed = {"Content-Type": "text/plain", "Content-Encoding": "br"}
    assert 404 == client.ask("POST", "/watched/", b"x", packed).status


def test_response_that_leaks_is_withheld(client: Client) -> None:
    """The words of a database do not leave."""
    answer = client.get("/leak/")
    assert (500, False) == (answer.status, "SELECT" in answer.body)


def test_stream_is_passed_on(client: Client) -> None:
    """A response without a length comes as it is."""
    assert "first;last" == client.get("/stream/").body


def test_input_without_a_number_is_refused() -> None:
    """A length that is no number reaches nobody."""
    called: list[object] = []

    def bare(environ: dict[str, Any], start: Callable[..., Any]) -> list[bytes]:
        called.append("bare")
        return [b""]

    def start(status: str, headers: list[tuple[str, str]]) -> Callable[[bytes], object]:
        called.append(status[:3])
        return called.append

    environ = {"REQUEST_METHOD": "POST", "PATH_INFO": "/", "CONTENT_LENGTH": "1e9"}
    list(WsgiMiddleware(bare)(environ, start))
    assert ["413"] == called
