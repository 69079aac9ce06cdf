"""Where a call goes out to: one address, taken from settings, checked, and then held on to.

Plain http goes to this machine only. Addresses that belong to the link, the cloud's metadata
service among them, are never called, whatever name leads there (threats T-28).

    OutboundEndpoint.parse("https://api.anthropic.com")
"""

from __future__ import annotations

import ipaddress
from typing import TypeAlias
from urllib.parse import urlsplit

from msgspec import Struct

from signoff.errors import BadSettings, SignoffError

URL_LIMIT = 500  # longer than the address of any service: what is longer is no address of one
PORTS = {"https": 443, "http": 80}
# Metadata services that do not live on a link-local address.
METADATA = frozenset({"fd00:ec2::254", "fd20:ce::254", "100.100.100.200", "192.0.0.192"})
CARRIERS = ("64:ff9b::/96", "64:ff9b:1::/48", "2002::/16", "2001::/32")  # carry an IPv4 address

Ip: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address


class CallFailed(SignoffError):
    """An outgoing API call gave no usable answer. The message contains no address and no token.

    `may_pass`: True if a retry may succeed.
    """

    def __init__(self, message: str, *, may_pass: bool = False) -> None:
        super().__init__(message)
        self.may_pass = may_pass


class OutboundEndpoint(Struct, frozen=True, kw_only=True):
    """Host, port and base path of an API that signoff calls; only https or loopback."""

    host: str
    port: int
    is_https: bool = True
    path: str = ""

    @classmethod
    def parse(cls, url: str) -> OutboundEndpoint:
        """Parse a base URL.

        Raises:
            BadSettings: the URL is not plain https, nor http to this machine.
        """
        try:
            parts = urlsplit(url)
            port, host = parts.port, parts.hostname or ""
        except ValueError:
            raise BadSettings(f"`{_without_user(url)}` is no address") from None
        problem = _problem(url, parts.scheme, host)
        # `https://api.example@evil.example` reads like the first host and calls the second.
        if problem or parts.username is not None or parts.query or parts.fragment or port == 0:
            said = problem or "expected scheme, host and path only, without user, `?` and `#`"
            raise BadSettings(f"address `{_without_user(url)}`: {said}")
        return cls(
            host=host,
            port=port or PORTS[parts.scheme],
            is_https=parts.scheme == "https",
            path=parts.path.rstrip("/"),
        )

    @property
    def authority(self) -> str:
        """The value of the Host header: host, and port unless it is the default."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == PORTS[self._scheme] else f"{host}:{self.port}"

    @property
    def origin(self) -> OutboundEndpoint:
        """The same host and port without a path."""
        return OutboundEndpoint(host=self.host, port=self.port, is_https=self.is_https)

    @property
    def _scheme(self) -> str:
        return "https" if self.is_https else "http"


def may_call(address: str, *, is_https: bool) -> bool:
    """Tell whether an IP address may be called: with http only this machine."""
    try:
        # A zone (`fe80::1%eth0`) says which interface, not which address.
        ip: Ip = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return False
    # `::ffff:169.254.169.254` reaches the metadata service as well.
    mapped = ip.ipv4_mapped if isinstance(ip, ipaddress.IPv6Address) else None
    plain = mapped or ip
    if plain.is_loopback:
        return True
    if not is_https or str(plain) in METADATA or _is_carrier(plain):
        return False
    return not (
        plain.is_link_local or plain.is_multicast or plain.is_unspecified or plain.is_reserved
    )


def _is_carrier(ip: Ip) -> bool:
    """Tell whether an address only wraps another one, which would have to be judged instead."""
    return ip.version == 6 and any(ip in ipaddress.ip_network(net) for net in CARRIERS)


def _problem(url: str, scheme: str, host: str) -> str:
    """Say what is wrong with an address, "" if nothing is."""
    # Letters of other scripts look like those of a known host; `urlsplit` drops tabs and line
    # ends.
    if len(url) > URL_LIMIT or not url.isascii() or not url.isprintable() or " " in url:
        return "expected plain characters only"
    if scheme not in PORTS or not host:
        return "expected `https://host/path`"
    if scheme == "http" and not _is_this_machine(host):
        return "plain http goes to this machine only; use https"
    if _is_literal(host) and not may_call(host, is_https=scheme == "https"):
        return "this address is never called"
    return ""


def _is_this_machine(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _is_literal(host: str) -> bool:
    try:
        ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return False
    return True


def _without_user(url: str) -> str:
    """Return an address without what may be a password in it."""
    # Cut last: the `@` that ends a password may stand beyond the limit.
    scheme, sep, rest = url.partition("://")
    return f"{scheme}{sep}{rest.rpartition('@')[2]}"[:URL_LIMIT]
