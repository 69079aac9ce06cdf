"""The inbox of the service under a public name, as a TLS proxy reaches it."""

from __future__ import annotations

import contextlib
import http.client
import re
import socket
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from live_daemon import Reply
from service_machine import ServiceMachine, service_machine

from signoff.frontends.client.places import Places
from signoff.frontends.client.service_layout import LAYOUT

NAME = "signoff.example.com"
LINK = re.compile(rf"https://{re.escape(NAME)}/web/sign-in#(\S+)")
PAGE = {"Accept": "text/html", "Sec-Fetch-Site": "same-origin"}


@contextlib.contextmanager
def public_machine(*edits: str) -> Iterator[ServiceMachine]:
    """Make a machine whose service has a public address; it does not run yet.

    Args:
        edits: of its settings, as `sed` takes them.
    """
    with service_machine() as made:
        path = f"{LAYOUT.config}/signoff.yaml"
        line = f"server: {{inbox_url: 'https://{NAME}', port: {made.port}}}"
        more = [word for edit in edits for word in ("-e", edit)]
        words = ["sed", "-i", "-e", f"s|^server:.*|{line}|", *more, path]
        assert made.run(words, user="root").returncode == 0
        yield made


@dataclass(frozen=True, slots=True)
class Proxy:
    """What a TLS proxy does once it has taken TLS off."""

    machine: ServiceMachine

    def ask(self, method: str, path: str, headers: Mapping[str, str], body: str = "") -> Reply:
        """Pass a request on."""
        link = http.client.HTTPConnection("unused")
        link.sock = socket.socket(socket.AF_UNIX)
        link.sock.settimeout(60)
        link.sock.connect(str(self.machine.root / Places(LAYOUT.state).inbox_socket.lstrip("/")))
        try:
            link.request(method, path, body or None, {"Host": NAME, **headers})
            answer = link.getresponse()
            return Reply(status=answer.status, headers=dict(answer.headers), body=answer.read())
        finally:
            link.close()

    def get(self, path: str, cookie: str = "", **headers: str) -> Reply:
        """Ask for a page."""
        return self.ask("GET", path, {**PAGE, "Cookie": cookie, **headers})

    def post(self, path: str, cookie: str = "", **fields: str) -> Reply:
        """Send a form as the page does."""
        headers = {
            "Content-Type": "application/x-www-form-urlencoded",
            "Origin": f"https://{NAME}",
            "Cookie": cookie,
        }
        return self.ask("POST", path, headers, urlencode(fields))

    def signed_in(self, *words: str) -> tuple[str, str]:
        """Sign in by a link from root's terminal; return cookie and token."""
        shown = self.machine.at_terminal("root", "open", "--public", *words)
        found = LINK.search(shown)
        assert found is not None, shown
        reply = self.post("/web/sign-in", code=found[1])
        assert reply.status == 200, reply
        return reply.headers["set-cookie"].partition(";")[0], reply.said["token"]
