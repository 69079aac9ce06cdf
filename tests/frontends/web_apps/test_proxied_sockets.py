"""WebSockets through the proxy: what either side says arrives, and a judged handshake decides."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import pytest
from serving import Client, asgi_server
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket

pytest.importorskip("httpx2", reason="the extra `proxy` is not installed")
pytest.importorskip("websockets", reason="the extra `proxy` is not installed")

from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Subprotocol

from signoff.frontends.web_apps.asgi import AsgiMiddleware
from signoff.frontends.web_apps.reverse_proxy import ReverseProxy
from signoff.frontends.web_apps.routes import strict

ATTACK = "room=%3Cscript%3Efetch('//e.example')%3C/script%3E"
LONG = "x" * (1 << 20)


async def echo(socket: WebSocket) -> None:
    """Tell what the handshake said, then say everything again; close when told to."""
    await socket.accept(subprotocol="chat.v2" if socket.scope["subprotocols"] else None)
    seen = socket.headers
    await socket.send_json(
        {
            "query": socket.url.query,
            "cookie": seen.get("cookie"),
            "for": seen.get("x-forwarded-for"),
            "host": seen.get("host"),
        }
    )
    async for text in socket.iter_text():
        if text == "close":
            await socket.close(4007, "as you said")
            return
        if text == "bytes":
            await socket.send_bytes(b"\x00\xff")
        else:
            await socket.send_text(text)


async def elsewhere(socket: WebSocket) -> None:
    """Lead away."""
    answer = PlainTextResponse("", 307, headers={"Location": "ws://127.0.0.1:9/chat"})
    await socket.send_denial_response(answer)


async def refuse(socket: WebSocket) -> None:
    """Refuse the handshake with a status."""
    await socket.send_denial_response(PlainTextResponse("sign in first", 401))


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    routes = [WebSocketRoute("/chat", echo), WebSocketRoute("/closed", refuse)]
    routes.append(WebSocketRoute("/elsewhere", elsewhere))
    with contextlib.ExitStack() as stack:
        server = stack.enter_context(asgi_server(Starlette(routes=routes)))
        proxy = ReverseProxy(f"http://127.0.0.1:{server.port}")
        yield stack.enter_context(asgi_server(AsgiMiddleware(proxy, default=strict())))


def opened(client: Client, target: str, **more: str) -> ClientConnection:
    return connect(
        f"ws://127.0.0.1:{client.port}{target}",
        additional_headers=more,
        proxy=None,
        open_timeout=60,
        max_size=4 << 20,
    )


def test_both_sides_hear_each_other(client: Client) -> None:
    """Texts, bytes and long messages, in their order; the server knows who asks for what."""
    with opened(client, "/chat?room=42", Cookie="session=1") as talk:
        hello = talk.recv(60)
        assert isinstance(hello, str)
        assert '"query":"room=42"' in hello.replace(" ", "")
        assert '"session=1"' in hello
        assert '"127.0.0.1"' in hello
        assert f'"127.0.0.1:{client.port}"' in hello
        for text in ("one", "zwei ü", LONG):
            talk.send(text)
            assert text == talk.recv(60)
        talk.send("bytes")
        assert b"\x00\xff" == talk.recv(60)


def test_the_server_closes_with_its_words(client: Client) -> None:
    """Code and reason arrive."""
    with opened(client, "/chat") as talk:
        talk.recv(60)
        talk.send("close")
        with pytest.raises(ConnectionClosed) as closed:
            talk.recv(60)
    assert closed.value.rcvd is not None
    assert (4007, "as you said") == (closed.value.rcvd.code, closed.value.rcvd.reason)


def test_a_protocol_is_agreed_on_with_the_server(client: Client) -> None:
    """The proxy takes what the server chose."""
    url = f"ws://127.0.0.1:{client.port}/chat"
    offered = [Subprotocol("chat.v1"), Subprotocol("chat.v2")]
    with connect(url, subprotocols=offered, proxy=None, open_timeout=60) as talk:
        assert "chat.v2" == talk.subprotocol


def status_of(client: Client, target: str, **more: str) -> int:
    """Return the status of a handshake that is refused."""
    with pytest.raises(InvalidStatus) as refused, opened(client, target, **more):
        pass
    return refused.value.response.status_code


def test_what_the_server_refuses_is_refused(client: Client) -> None:
    """With its status."""
    assert (401, 403) == (status_of(client, "/closed"), status_of(client, "/nowhere"))
    assert 307 == status_of(client, "/elsewhere")


def test_an_attack_does_not_reach_the_server(client: Client) -> None:
    """Neither in the address nor by a page of another site that uses the visitor's cookies."""
    assert 403 == status_of(client, f"/chat?{ATTACK}")
    assert 403 == status_of(client, "/chat", Cookie="s=1", Origin="https://evil.example")
    own = {"Cookie": "s=1", "Origin": f"http://127.0.0.1:{client.port}"}
    with opened(client, "/chat", **own) as talk:
        assert talk.recv(60)


def test_a_server_that_is_gone_is_502() -> None:
    """The client is told."""
    with asgi_server(ReverseProxy("http://127.0.0.1:9")) as lone:
        assert 502 == status_of(lone, "/chat")
