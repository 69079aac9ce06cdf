"""Who may speak to the daemon over TCP: this machine's own programs, and no web page.

A page in a browser can send requests to loopback, under a name it controls (DNS rebinding) or
across origins. So before anything else: the Host must be one of ours, to the letter, the inbox's
for its pages and a plain one for programs; a request
with a foreign Origin, or one a browser calls cross-site, is refused; what changes state is JSON,
which no form can send; and everything but `/healthz` and `/readyz` needs the token of this
installation. No CORS header is ever sent.

The Unix socket needs none of it: it lies in a folder only its owner can enter.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from starlette.types import Scope

from signoff.frontends.client.places import hook_token
from signoff.frontends.server.wire.service_tokens import ServiceTokens
from signoff.frontends.web.origin import PublicOrigin, WebOrigin
from signoff.serving.peer import Peer

Headers = list[tuple[bytes, bytes]]
Shown = Mapping[bytes, Sequence[bytes]]  # what is given under each name that is looked at
OPEN_PATHS = frozenset({"/healthz", "/readyz"})
HOOKS = "/hooks/"
# `none` is a person who typed the address or took a bookmark (W3C Fetch Metadata).
SAME_SITE = frozenset({b"same-origin", b"none"})
ANY_SITE = SAME_SITE | {b"cross-site", b"same-site"}
LOOKED_AT = frozenset(
    {b"host", b"origin", b"sec-fetch-site", b"authorization", b"content-type", b"content-length"}
)
NOTHING: tuple[bytes, ...] = ()
Ends: TypeAlias = tuple[tuple[str, int] | None, tuple[str, int] | None]  # client and server
# Of a host, the `Authorization` header, and the ends of the connection: whose hook asks.
HookUsers: TypeAlias = Callable[[str, bytes, Ends], Peer | None]


class Shield:
    """Decides whether a request may be served, by Host, Origin and token.

    Args:
        port: the server's port.
        token: the API callers' token; a hook may use its own, for that hook only.
        hosts: names of hosts that have hooks.
        inbox: hosts under which pages are served.
        service: tokens for some paths.
        hook_users: tells whose hook asks, for a service; None = one user.
    """

    def __init__(
        self,
        *,
        port: int,
        token: str,
        hosts: Mapping[str, object],
        inbox: WebOrigin | None = None,
        service: ServiceTokens | None = None,
        hook_users: HookUsers | None = None,
    ) -> None:
        names = ("127.0.0.1", "localhost", "[::1]")
        self._hosts = frozenset(f"{name}:{port}".encode() for name in names)
        self._origins = _origins(self._hosts)
        self._inbox, self._plain = inbox, f"localhost:{port}".encode()
        self._token = f"Bearer {token}".encode()
        self._service, self._hook_users = service, hook_users
        self._hook_tokens = {
            f"{HOOKS}{host}": f"Bearer {hook_token(token, host)}".encode() for host in hosts
        }

    def foreign(
        self, shown: Shown, *, is_page: bool, is_entry: bool = False, is_return: bool = False
    ) -> str:
        """Return why a request may come from another web page, "" if it cannot.

        Args:
            is_page: a page of the inbox is requested.
            is_entry: it is the sign-in page, by GET. `signoff open` leads a browser there from a
                file, which is another site; the page changes nothing.
            is_return: identity providers redirect there, under `localhost`, which no page of the
                inbox uses.
        """
        host, hosts, origins = _only(shown, b"host"), self._hosts, self._origins
        if is_page:
            hosts = self._inbox.hosts if self._inbox is not None else frozenset()
            hosts = frozenset({self._plain}) if is_return else hosts
            origins = _origins(hosts)
        if host is None or host not in hosts:
            return "host"
        sites = ANY_SITE if is_entry or is_return else SAME_SITE
        for name, fine in ((b"origin", origins), (b"sec-fetch-site", sites)):
            # Missing is fine: programs send neither, and the browsers of today at least one.
            if not fine.issuperset(shown.get(name, NOTHING)):
                return name.decode()
        return ""

    def hook_user(self, scope: Scope, shown: Shown) -> Peer | None:
        """Return the service's user whose hook sent a request, None if it is nobody's."""
        path, token = scope["path"], _only(shown, b"authorization")
        if self._hook_users is None or token is None or not path.startswith(HOOKS):
            return None
        ends = (scope.get("client"), scope.get("server"))
        return self._hook_users(path.removeprefix(HOOKS), token, ends)

    def stranger(self, path: str, shown: Shown) -> str:
        """Return why the token shown is not valid here, "" if it is: `token` or `scope`."""
        if path in OPEN_PATHS:
            return ""
        token = _only(shown, b"authorization")
        if token is None:
            return "token"
        good = (self._token, self._hook_tokens.get(path, self._token))
        # A list, so that both are compared whatever the first one gives.
        if any([hmac.compare_digest(token, one) for one in good]):
            return ""
        scheme, _, secret = token.decode("latin-1").partition(" ")
        if scheme != "Bearer" or self._service is None:
            return "token"
        why = self._service.objection(secret, path)
        # A hook is answered in its host's form, which is that of a wrong token.
        return "token" if path.startswith(HOOKS) and why else why


class PublicFence:
    """The same checks for the public inbox: only browsers, only its pages.

    A TLS proxy passes requests on to a Unix socket of the service. No calls are decided there, and
    no token counts. What a proxy says about its callers is not read.
    """

    def __init__(self, origin: PublicOrigin) -> None:
        self._host = origin.host.encode()
        self._origins = frozenset({origin.address().encode()})

    def foreign(
        self, shown: Shown, *, is_page: bool, is_entry: bool = False, is_return: bool = False
    ) -> str:
        """Return why a request may come from another web page, or is not for the inbox; else ""."""
        if not is_page or _only(shown, b"host") != self._host:
            return "host"
        # People come to the page that signs in from messages and other sites; it only shows.
        sites = ANY_SITE if is_entry or is_return else SAME_SITE
        for name, fine in ((b"origin", self._origins), (b"sec-fetch-site", sites)):
            if not fine.issuperset(shown.get(name, NOTHING)):
                return name.decode()
        return ""

    def stranger(self, path: str, shown: Shown) -> str:
        """Return `token`: no token is valid here."""
        return "token"

    def hook_user(self, scope: Scope, shown: Shown) -> Peer | None:
        """Return None: hooks are not served here."""
        return None


def looked_at(headers: Headers) -> Shown:
    """Return the headers that are checked, with every value given."""
    shown: dict[bytes, tuple[bytes, ...]] = {}
    for name, value in headers:
        if name in LOOKED_AT:
            shown[name] = (*shown[name], value) if name in shown else (value,)
    return shown


def is_json(shown: Shown) -> bool:
    """Return whether exactly one header declares the body as JSON."""
    kind = _only(shown, b"content-type")
    if kind is None:
        return False
    if kind == b"application/json":
        return True
    media, _, parameters = kind.lower().partition(b";")
    return media.strip() == b"application/json" and parameters.strip() in (b"", b"charset=utf-8")


def _origins(hosts: frozenset[bytes]) -> frozenset[bytes]:
    return frozenset(b"http://" + host for host in hosts)


def _only(shown: Shown, name: bytes) -> bytes | None:
    """Return the value of a header that is there exactly once."""
    found = shown.get(name, NOTHING)
    # Of two Host headers servers and proxies may believe different ones (RFC 9112, section 3.2).
    return found[0] if len(found) == 1 else None
