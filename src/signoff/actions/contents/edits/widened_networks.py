"""Networks that an edit widens where a list says who may come in.

hostlist relay_from_hosts = 10.8.0.0/24  ->  10.8.0.0/16       more machines relay mail
source_ranges = ["198.51.100.8/32"]      ->  198.51.100.0/22   more machines pass the firewall
deny 203.0.113.8/32;                     ->  203.0.113.0/24    none: fewer come in
cidr_block = "10.2.1.0/24"               ->  10.2.0.0/20       none: a network is only made larger
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator
from itertools import islice

from signoff.actions.vocabulary import lazy_re2

Network = ipaddress.IPv4Network | ipaddress.IPv6Network

_READ = 20_000  # characters
_MOST = 60
_ABOVE = 2  # lines that may name the list
_NETWORK = lazy_re2(
    r"(?:^|[^\w.:/-])((?:\d{1,3}\.){3}\d{1,3}(?:/\d{1,2})?|[0-9a-fA-F:]{2,39}/\d{1,3})(?:$"
    r"|[^\w./:-])"
)
_ADMITS = lazy_re2(
    r"(?i)allow|permit|accept|relay|trust|ingress|source|saddr|\bfrom\b|white|safe|hosts|admit"
    r"|my_?networks|cidr_blocks|cidr_ip|\bhost\w*\s+\S+\s+\S+\s|require\s+ip|\bacl\b|inbound"
    r"|access|authori[sz]ed"
    r"|no_?auth|remote_?ip|allowed|-s\s+\d|src-address"
)
_OTHERWISE = lazy_re2(
    r"(?i)\b(?:deny|refuse|denied|drop|reject|block(?:ed|list)?|ban(?:ned)?|subnet\w*|vpc\w*|vnet\w*"
    r"|route\w*|pool\w*|range\s"
    r"|dhcp\w*|pod\w*|service_?cidr|cluster_?cidr|address_?(?:space|prefixes)|rate_?limit\w*"
    r"|nat\w*|destination\w*|egress"
    r"|outbound|allowed_?ips|black\w*|not)\b|cidr_block\b"
)


def widened_network(old: str, new: str) -> str:
    """Return the line of a new network that holds one of the old text and more, else ""."""
    before = [network for network, _ in _networks(old[:_READ])]
    after = list(_networks(new[:_READ])) if before else []
    gone = set(before).difference([network for network, _ in after])
    for network, line in after:
        is_new = network not in before and not network.is_loopback
        # A part of a network that is gone is narrower, whatever else it holds.
        is_part = any([_holds(one, network) for one in gone])
        if is_new and not is_part and any([_holds(network, one) for one in before]):
            return line
    return ""


def _holds(wide: Network, narrow: Network) -> bool:
    if wide.version != narrow.version or wide.prefixlen >= narrow.prefixlen:
        return False
    return int(wide.network_address) <= int(narrow.network_address) <= int(wide.broadcast_address)


def _networks(text: str) -> Iterator[tuple[Network, str]]:
    """The networks of lines that let somebody in, each with its line."""
    lines = text.split("\n")
    count = 0
    for at, line in enumerate(lines):
        for match in islice(_NETWORK.finditer(line), _MOST):
            count += 1
            network = _parsed(str(match.group(1))) if count <= _MOST else None
            if network is not None and _lets_in(lines, at):
                yield network, line.strip()


def _lets_in(lines: list[str], at: int) -> bool:
    """Whether a line is one of a list of those who may, or the nearest that names one is."""
    for line in reversed(lines[max(0, at - _ABOVE) : at + 1]):
        if _OTHERWISE.search(line) is not None:
            return False
        if _ADMITS.search(line) is not None:
            return True
    return False


def _parsed(text: str) -> Network | None:
    try:
        return ipaddress.ip_network(text, strict=False)
    except ValueError:
        return None
