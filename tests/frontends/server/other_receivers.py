"""What else a daemon tells: a receiver of webhooks and notices, and one of syslog."""

from __future__ import annotations

import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class HttpReceiver(ThreadingHTTPServer):
    """Keeps what is posted to it, by its path."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _HttpHandler)
        self.bodies: list[tuple[str, bytes]] = []

    def url(self, path: str, *, scheme: str = "http") -> str:
        """Return its address."""
        return f"{scheme}://127.0.0.1:{self.server_address[1]}{path}"

    def at(self, path: str) -> bytes:
        """Return what came to a path, heads included."""
        return b"\n".join(raw for at, raw in self.bodies if at == path)


class _HttpHandler(BaseHTTPRequestHandler):
    server: HttpReceiver

    def do_POST(self) -> None:
        """Keep the message."""
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.bodies.append((self.path, bytes(self.headers) + body))
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, format: str, *args: object) -> None:
        """Keep still."""


class SyslogReceiver(socketserver.ThreadingTCPServer):
    """Keeps all bytes that are sent to it."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _SyslogHandler)
        self.pieces: list[bytes] = []

    @property
    def url(self) -> str:
        """Its address."""
        return f"syslog+tcp://127.0.0.1:{self.server_address[1]}"


class _SyslogHandler(socketserver.BaseRequestHandler):
    server: SyslogReceiver

    def handle(self) -> None:
        """Take what comes."""
        while piece := self.request.recv(65_536):
            self.server.pieces.append(piece)


@contextmanager
def receiving() -> Iterator[tuple[HttpReceiver, SyslogReceiver]]:
    """Run both."""
    servers = HttpReceiver(), SyslogReceiver()
    for server in servers:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    try:
        yield servers
    finally:
        for server in servers:
            server.shutdown()
            server.server_close()
