"""Who may speak to the daemon over TCP: this machine's own programs, and no web page.

A page in a browser can send requests to loopback, under a name it controls (DNS rebinding) or
across origins. So before anything else: the Host must be one of ours, to the letter; a request
with a foreign Origin, or one a browser calls cross-site, is refused; what changes state is JSON,
which no form can send; and everything but `/healthz` needs the token of this installation. No CORS
header is ever sent.

The Unix socket needs none of it: it lies in a folder only its owner can enter.
"""

from __future__ import annotations

import hmac
from collections.abc import Mapping

from signoff.frontends.client.places import hook_token

Headers = list[tuple[bytes, bytes]]
OPEN_PATHS = frozenset({"/healthz"})
HOOKS = "/hooks/"
SAME_SITE = frozenset({b"same-origin", b"none"})


class Shield:
    """Tells why a request is not served.

    Args:
        port: the port the server listens on.
        token: what callers must show; a hook may show its own, good for that hook only.
        hosts: the names of the hosts that have hooks.
    """

    def __init__(self, *, port: int, token: str, hosts: Mapping[str, object]) -> None:
        names = ("127.0.0.1", "localhost", "[::1]")
        self._hosts = frozenset(f"{name}:{port}".encode() for name in names)
        self._origins = frozenset(b"http://" + host for host in self._hosts)
        self._token = f"Bearer {token}".encode()
        self._hook_tokens = {
            f"{HOOKS}{host}": f"Bearer {hook_token(token, host)}".encode() for host in hosts
        }

    def foreign(self, headers: Headers) -> str:
        """Say why a request may come from a web page, "" if it cannot."""
        host = _only(headers, b"host")
        if host is None or host not in self._hosts:
            return "host"
        for name, fine in ((b"origin", self._origins), (b"sec-fetch-site", SAME_SITE)):
            if any(key == name and value not in fine for key, value in headers):
                return name.decode()
        return ""

    def stranger(self, path: str, headers: Headers) -> bool:
        """Tell whether the caller shows no token that is good here."""
        if path in OPEN_PATHS:
            return False
        shown = _only(headers, b"authorization")
        if shown is None:
            return True
        good = (self._token, self._hook_tokens.get(path, self._token))
        return not any([hmac.compare_digest(shown, one) for one in good])


def is_json(headers: Headers) -> bool:
    """Tell whether a body is announced as JSON, once and plainly."""
    kind = _only(headers, b"content-type")
    if kind is None:
        return False
    media, _, parameters = kind.lower().partition(b";")
    return media.strip() == b"application/json" and parameters.strip() in (b"", b"charset=utf-8")


def _only(headers: Headers, name: bytes) -> bytes | None:
    """Return the value of a header that is there exactly once."""
    found = [value for key, value in headers if key == name]
    return found[0] if len(found) == 1 else None
