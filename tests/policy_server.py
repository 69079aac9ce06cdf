"""A server of bundles on loopback: gives what it is told to give, and can misbehave."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class PolicyServer:
    """Serves one bundle.

    Attributes:
        text: what is sent.
        status: of the answers.
        cut: bytes of the body that are sent; None = all.
        location: of a redirect.
    """

    def __init__(self, address: str) -> None:
        self.address = address
        self.text, self.status, self.location = "", 200, ""
        self.cut: int | None = None
        self.asked = 0


@contextmanager
def serving() -> Iterator[PolicyServer]:
    """Serve bundles until the block ends."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            found.asked += 1
            body = found.text.encode()
            self.send_response(found.status)
            self.send_header("Content-Length", str(len(body)))
            if found.location:
                self.send_header("Location", found.location)
            self.end_headers()
            self.wfile.write(body if found.cut is None else body[: found.cut])

        def log_message(self, *_: object) -> None:
            """Print nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    found = PolicyServer(f"http://127.0.0.1:{server.server_port}/signoff.bundle")
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield found
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
