"""Real servers on loopback for applications behind the middleware."""

from __future__ import annotations

import contextlib
import http.client
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from socketserver import ThreadingMixIn
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

import uvicorn


class Answer:
    """What came back over the socket."""

    def __init__(self, response: http.client.HTTPResponse) -> None:
        self.status = response.status
        self.headers = {name.lower(): value for name, value in response.getheaders()}
        self.body = response.read().decode()


class Client:
    """Asks a server on loopback, one connection a request."""

    def __init__(self, port: int) -> None:
        self.port = port

    def ask(
        self,
        method: str,
        target: str,
        body: bytes | str | Iterator[bytes] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
        link = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            link.request(method, target, body, dict(headers or {}))
            return Answer(link.getresponse())
        finally:
            link.close()

    def get(self, target: str, **headers: str) -> Answer:
        return self.ask("GET", target, headers=headers)

    def post(self, target: str, body: bytes | str, kind: str) -> Answer:
        return self.ask("POST", target, body, {"Content-Type": kind})


@contextlib.contextmanager
def asgi_server(app: Callable[..., Any]) -> Iterator[Client]:
    """Serve an ASGI application with uvicorn."""
    config = uvicorn.Config(app, host="127.0.0.1", port=0, log_level="error", proxy_headers=False)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    deadline = time.monotonic() + 60
    while not server.started and time.monotonic() < deadline:
        time.sleep(0.005)
    try:
        yield Client(server.servers[0].sockets[0].getsockname()[1])
    finally:
        server.should_exit = True
        thread.join(60)


class _Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True


class _Quiet(WSGIRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@contextlib.contextmanager
def wsgi_server(app: Callable[..., Any]) -> Iterator[Client]:
    """Serve a WSGI application with the standard library's server, one thread a request."""
    with make_server("127.0.0.1", 0, app, _Server, _Quiet) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        try:
            yield Client(server.server_port)
        finally:
            server.shutdown()
            thread.join(60)
