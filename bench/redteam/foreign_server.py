"""A server of somebody else on the daemon's port: it takes what browsers send, and tries to stay.

Every page it serves registers a service worker. The worker takes the code out of the next sign-in
link, signs in with it itself and approves whatever waits.
"""

from __future__ import annotations

import contextlib
import json
import socket
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

LOOPBACK = ("127.0.0.1", "::1")
PAGE = b"""<!doctype html><title>signoff</title><h1 id="foreign">Foreign page</h1>
<script>
navigator.serviceWorker.register("/sw.js", {scope: "/"})
  .then(() => navigator.serviceWorker.ready)
  .then(() => fetch("/installed?token=" + localStorage.getItem("signoff-token")));
</script>"""
WORKER = b"""
const sleep = (ms) => new Promise((end) => setTimeout(end, ms));
const post = (path, fields) => fetch(path, {method: "POST", body: new URLSearchParams(fields)});
async function approve(token) {
  for (let tries = 0; tries < 40; tries++) {
    const list = await (await fetch("/web/inbox/list")).text();
    for (const [path] of list.matchAll(/\\/web\\/requests\\/\\w+/g)) {
      const page = await (await fetch(path)).text();
      const nonce = page.match(/name="nonce" value="(\\w+)"/);
      if (!nonce) continue;
      await post(path + "/seen", {token});
      await sleep(1500);
      await post(path + "/answer", {token, nonce: nonce[1], answer: "approve"});
    }
    await sleep(200);
  }
}
async function serve(event, url) {
  if (event.request.mode === "navigate" && url.hash.length > 1) {
    const answer = await post("/web/sign-in", {code: url.hash.slice(1)});
    const said = await answer.json();
    if (said.token) await approve(said.token);
  }
  return fetch(event.request);
}
self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("fetch", (event) =>
  event.respondWith(serve(event, new URL(event.request.url))));
"""


@dataclass(slots=True, kw_only=True)
class Taken:
    """What the foreign server got.

    Args:
        hosts: the host names browsers asked for.
        pages: paths that were loaded as pages.
        cookies: headers, as sent.
        installed: how many pages have a worker in place.
    """

    hosts: set[str] = field(default_factory=set)
    pages: list[str] = field(default_factory=list)
    cookies: set[str] = field(default_factory=set)
    installed: int = 0


@contextlib.contextmanager
def foreign_server(port: int, *, request_id: str = "", host: str = "") -> Iterator[Taken]:
    """Serve on a port of loopback, IPv4 and IPv6, until the block ends.

    Args:
        request_id: of the request that the open pages are told has moved on.
        host: one address instead of both.

    Raises:
        OSError: an address is taken.
    """
    taken = Taken()

    class Handler(_Handler):
        """Knows what was taken."""

    Handler.taken, Handler.request_id = taken, request_id
    with contextlib.ExitStack() as stack:
        for address in (host,) if host else LOOPBACK[: 1 + has_ipv6()]:
            server = _server(address, port, Handler)
            stack.callback(server.server_close)
            threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
            stack.callback(server.shutdown)
        yield taken


def has_ipv6() -> bool:
    """Tell whether this machine has a loopback of IPv6."""
    try:
        with socket.socket(socket.AF_INET6) as probe:
            probe.bind((LOOPBACK[1], 0))
    except OSError:
        return False
    return True


class _Server(ThreadingHTTPServer):
    """Ends without waiting for those that listen to it."""

    daemon_threads = True
    block_on_close = False

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing of browsers that have gone."""


def _server(address: str, port: int, handler: type[BaseHTTPRequestHandler]) -> _Server:
    class Server(_Server):
        """Of this address family."""

        address_family = socket.AF_INET6 if ":" in address else socket.AF_INET

    return Server((address, port), handler)


class _Handler(BaseHTTPRequestHandler):
    """Answers whatever is asked."""

    taken: Taken
    request_id: str

    def do_GET(self) -> None:
        """Serve a page, the worker, or events that send the open pages on."""
        self._note()
        path = self.path.partition("?")[0]
        if path == "/sw.js":
            self._say(WORKER, "text/javascript", {"Service-Worker-Allowed": "/"})
        elif path == "/web/events":
            self._stream()
        elif path == "/web/inbox/list":
            self._say(b"sign in", "text/plain", status=401)
        elif path == "/installed":
            self.taken.installed += 1
            self._say(b"", "text/plain")
        else:
            self._say(PAGE, "text/html")

    def do_POST(self) -> None:
        """Answer a question for a proof with a guess."""
        self._note()
        self.rfile.read(int(self.headers.get("content-length") or 0))
        said = {"proof": "0" * 64, "token": "x", "left_s": 0}
        self._say(json.dumps(said).encode(), "application/json")

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""

    def _note(self) -> None:
        self.taken.hosts.add(self.headers.get("host", ""))
        if self.headers.get("sec-fetch-dest") == "document":
            self.taken.pages.append(self.path)
        if "cookie" in self.headers:
            self.taken.cookies.add(self.headers["cookie"])

    def _say(
        self, body: bytes, kind: str, headers: dict[str, str] | None = None, status: int = 200
    ) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": kind, **(headers or {})}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _stream(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        change = json.dumps({"id": self.request_id, "state": "approved", "step": 9})
        said = f"retry: 300\nevent: hello\ndata: {{}}\n\nevent: change\ndata: {change}\n\n"
        self.wfile.write(said.encode())
        self.wfile.flush()
        self.close_connection = True
