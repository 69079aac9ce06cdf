"""Host names and addresses: what kind of place a host is, recognised from its spelling alone.

No name is ever resolved. Every spelling of an address counts as the address: octal, hexadecimal,
one number, short forms, IPv4 inside IPv6, and names of services that answer with the address in
the name.

    class_of_host("0251.0376.0251.0376") is HostClass.METADATA
"""

from __future__ import annotations

import ipaddress
import unicodedata
from urllib.parse import unquote, urlsplit

from signoff.actions.lexicon.unicode_forms import compatible
from signoff.actions.vocabulary import Vocabulary, lazy_re, words


class HostClass(Vocabulary):
    """What kind of network place a host is: this machine, a private network, the internet ..."""

    LOOPBACK = "loopback"
    PRIVATE = "private"
    LINK_LOCAL = "link-local"
    METADATA = "metadata"  # hands out the credentials of a cloud machine
    PUBLIC = "public"
    UNKNOWN = "unknown"  # a variable stands in it, or it is no host at all


# The worst reading of a disguised address counts.
BADNESS: tuple[HostClass, ...] = (
    HostClass.LOOPBACK,
    HostClass.PUBLIC,
    HostClass.PRIVATE,
    HostClass.LINK_LOCAL,
    HostClass.UNKNOWN,
    HostClass.METADATA,
)
_METADATA_ADDRESSES = words(
    "169.254.169.254 169.254.170.2 169.254.170.23 100.100.100.200 192.0.0.192 168.63.129.16 "
    "fd00:ec2::254 fd00:ec2::23 fd20:ce::254"
)
_METADATA_NAMES = words(
    "metadata metadata.google.internal metadata.goog instance-data instance-data.ec2.internal "
    "metadata.azure.internal metadata.azure.com metadata.tencentyun.com metadata.packet.net "
    "metadata.platformequinix.com metadata.oraclecloud.com"
)
_LOOPBACK_NAMES = words(
    "localhost localhost.localdomain ip6-localhost ip6-loopback localhost6 loopback localtest.me "
    "lvh.me vcap.me lacolhost.com 127-0-0-1.org.uk local.gd readme.localtest.me"
)
_LOOPBACK_ENDS = (".localhost", ".localtest.me", ".lvh.me", ".vcap.me", ".lacolhost.com")
_PRIVATE_ENDS = (
    ".local", ".internal", ".lan", ".home", ".home.arpa", ".corp", ".intranet", ".localdomain",
    ".private", ".cluster.local", ".svc",
)  # fmt: skip
_LOCAL_CLUSTERS = words(
    "minikube docker-desktop docker-for-desktop rancher-desktop orbstack colima microk8s kind k3d"
)
_LOCAL_CLUSTER_STARTS = ("kind-", "k3d-", "minikube-", "colima-")
_ADDRESS_IN_NAME = (".nip.io", ".sslip.io", ".xip.io", ".traefik.me", ".1u.ms", ".rbndr.us")
# Not `is_private`: its table changes with patch versions of Python. As IANA lists them; what is for
# documentation stands for the public internet.
_PRIVATE_NETWORKS = tuple(
    map(
        ipaddress.ip_network,
        words(
            "0.0.0.0/8 10.0.0.0/8 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24"
            " 192.168.0.0/16 198.18.0.0/15 240.0.0.0/4 ::/127 64:ff9b:1::/48 100::/64 2001::/23"
            " 2001:db8::/32 2002::/16 3fff::/20 fc00::/7 fe80::/10"
        ),
    )
)
_PUBLIC_NETWORKS = tuple(
    map(
        ipaddress.ip_network,
        words(
            "192.0.0.9/32 192.0.0.10/32 2001:1::1/128 2001:1::2/128 2001:3::/32 2001:4:112::/48"
            " 2001:20::/28 2001:30::/28"
        ),
    )
)
_UNKNOWN_MARKS = frozenset("\ufffd$`{}<>*")
MAX_HOST = 512  # no name is as long (253 in DNS): such a host is unknown, never harmless
_NAT64 = ipaddress.ip_network("64:ff9b::/96")

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
# Package registries everybody uses, by the host that answers for them.
_REGISTRY = lazy_re(
    r"(?i)^(?:[\w-]+\.)*(?:pypi\.org|pythonhosted\.org|pytorch\.org|pyg\.org|pypi\.nvidia\.com"
    r"|npmjs\.(?:org|com)|yarnpkg\.com|npmmirror\.com|jsr\.io|pkg\.github\.com|rubygems\.org"
    r"|packagist\.(?:org|com)|anaconda\.(?:org|com)|conda\.io|prefix\.dev|crates\.io|golang\.org"
    r"|nuget\.org|hex\.pm|metacpan\.org|cran\.r-project\.org)$"
)
# One file of a registry is what one author put there; a trial registry is open to any name.
_ONE_FILE = (".whl", ".zip", ".gz", ".tgz", ".gem", ".crate", ".nupkg", ".txt")
_TRIAL = "test.pypi.org"


def normal_host(written: str) -> str:
    """Return a host as a resolver sees it: decoded, lower case, no brackets, zone or last dot."""
    host = unquote(written) if "%" in written and ":" not in written else written
    # Browsers map full-width digits, dots and the like to plain ones before they look a name up.
    if not host.isascii():
        host = compatible(host).replace("\u3002", ".")
        host = "".join(char for char in host if unicodedata.category(char) != "Cf")
    host = host.strip().lower()
    if host.startswith("["):
        host = host[1:].partition("]")[0].partition("%")[0]
    return host.rstrip(".")


def class_of_host(written: str) -> HostClass:
    """Classify a host name or address; never resolves a name."""
    host = normal_host(written)
    if not host or len(host) > MAX_HOST or not _UNKNOWN_MARKS.isdisjoint(host):
        return HostClass.UNKNOWN
    address = address_of(host)
    if address is not None:
        return _class_of_address(address)
    if host in _METADATA_NAMES:
        return HostClass.METADATA
    if host in _LOOPBACK_NAMES or host.endswith(_LOOPBACK_ENDS):
        return HostClass.LOOPBACK
    inner = _address_in_name(host)
    if inner is not None:
        return _class_of_address(inner)
    # A name without a dot is looked up in the machine's own network.
    is_private = "." not in host or host.endswith(_PRIVATE_ENDS)
    return HostClass.PRIVATE if is_private else HostClass.PUBLIC


def is_local_cluster(context: str) -> bool:
    """Return whether a context has the name of a local cluster, as `kind-dev`."""
    return context in _LOCAL_CLUSTERS or context.startswith(_LOCAL_CLUSTER_STARTS)


def is_usual_host(host: str) -> bool:
    """Return whether a host answers for a registry everybody uses, or is this machine."""
    return class_of_host(host) is HostClass.LOOPBACK or _REGISTRY.match(host) is not None


def is_usual_registry(address: str) -> bool:
    """Return whether an address is that of such a registry, and nobody else can answer for it.

    Without TLS anybody on the way answers: `http://pypi.org/simple` is nobody's.
    """
    try:
        parts = urlsplit(address)
        host = parts.hostname or ""
    except ValueError:
        return False
    if parts.path.lower().endswith(_ONE_FILE) or host == _TRIAL or "@" in parts.netloc:
        return False
    is_near = parts.scheme == "http" and class_of_host(host) is HostClass.LOOPBACK
    return is_near or (parts.scheme == "https" and is_usual_host(host))


def address_of(host: str) -> Address | None:
    """Parse a normalised host as an IP address, None if it is a name."""
    if ":" in host:
        try:
            return _inner_address(ipaddress.IPv6Address(host))
        except ValueError:
            return None
    return _ipv4(host)


def _ipv4(host: str) -> ipaddress.IPv4Address | None:
    """Read one to four numbers, decimal, octal or hexadecimal, as `inet_aton` does."""
    pieces = host.split(".")
    if len(pieces) > 4 or not host[:1].isdigit():
        return None
    numbers = []
    for piece in pieces:
        number = _number(piece)
        if number is None:
            return None
        numbers.append(number)
    *heads, last = numbers
    # As in inet_aton(3), the last number fills all bytes that are left: `127.1` is 127.0.0.1.
    if any(head > 255 for head in heads) or last >= 256 ** (5 - len(numbers)):
        return None
    value = last
    for at, head in enumerate(heads):
        value += head << (24 - 8 * at)
    return ipaddress.IPv4Address(value)


def _number(piece: str) -> int | None:
    # `isdigit` is true of other digits too; 32 is longer than any address in octal.
    if len(piece) > 32 or not piece.isascii():
        return None
    try:
        if piece.startswith("0x"):
            # `int` takes signs and underscores, which no resolver does.
            return int(piece[2:] or "0", 16) if piece.isalnum() else None
        if len(piece) > 1 and piece.startswith("0") and piece.isdigit():
            return int(piece, 8)
    except ValueError:
        return int(piece) if piece.isdigit() else None
    return int(piece) if piece.isdigit() else None


def _inner_address(address: ipaddress.IPv6Address) -> Address:
    """The IPv4 address inside an IPv6 one, where it carries one."""
    # RFC 4291 and RFC 3056: such packets go to the IPv4 address inside.
    inner = address.ipv4_mapped or address.sixtofour
    if inner is not None:
        return inner
    # RFC 6052, and the old IPv4-compatible form `::a.b.c.d`; `::1` stays IPv6's own.
    if address in _NAT64 or (1 << 16) < int(address) < (1 << 32):
        return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    return address


def _class_of_address(address: Address) -> HostClass:
    if str(address) in _METADATA_ADDRESSES:
        return HostClass.METADATA
    if address.is_loopback or address.is_unspecified or _is_this_host(address):
        return HostClass.LOOPBACK
    if address.is_link_local:
        return HostClass.LINK_LOCAL
    return HostClass.PRIVATE if _is_private(address) else HostClass.PUBLIC


def _is_private(address: Address) -> bool:
    return any(address in one for one in _PRIVATE_NETWORKS) and not any(
        address in one for one in _PUBLIC_NETWORKS
    )


def _is_this_host(address: Address) -> bool:
    # RFC 1122: 0.0.0.0/8 is this host on this network; Linux connects it to itself.
    return address.version == 4 and int(address) < 1 << 24


def _address_in_name(host: str) -> ipaddress.IPv4Address | None:
    """The address in `app.10-0-0-1.nip.io` or `169.254.169.254.sslip.io`."""
    for end in _ADDRESS_IN_NAME:
        if host.endswith(end):
            labels = host[: -len(end)].replace("-", ".").split(".")
            for start in range(max(0, len(labels) - 4), len(labels)):
                found = _ipv4(".".join(labels[start:]))
                if found is not None:
                    return found
            return _hex_ipv4(labels[-1])
    return None


def _hex_ipv4(label: str) -> ipaddress.IPv4Address | None:
    try:
        return ipaddress.IPv4Address(int(label, 16)) if len(label) == 8 else None
    except ValueError:
        return None
