"""Clients that are on a list.

Finds:
    Calls of clients on a blocklist; single addresses, networks (`203.0.113.0/24`) and names.

Why it matters:
    What was settled once need not be judged again.

Example:
    blocklist(frozenset({"203.0.113.0/24", "agent-7"}))

Does not find:
    Clients behind another address.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Callable, Iterable, Iterator

from signoff.assess.detectors.client import ADDRESS, client_of
from signoff.assess.detectors.detector import Detector, Evidence
from signoff.assess.finding import Finding, Severity

ID = "blocklist"


def blocklist(listed: Iterable[str] = (), *, has: Callable[[str], bool] | None = None) -> Detector:
    """Return a detector that finds clients on a list.

    Args:
        listed: addresses, networks and names.
        has: also asked about each client, for a list that changes.
    """
    names, networks = _read(listed)

    def run(evidence: Evidence) -> Iterator[Finding]:
        client, address = client_of(evidence.action), evidence.action.text(ADDRESS)
        is_listed = client in names or _is_in(client, networks) or bool(has and has(client))
        if client and (is_listed or _is_in(address, networks)):
            yield Finding(
                detector=ID,
                category=f"{ID}.listed",
                severity=Severity.CRITICAL,
                confidence=1.0,
                evidence=f"`{client}` is on the blocklist",
            )

    return Detector(id=ID, run=run, title="Clients that are on a list", asi=("ASI02",))


Network = ipaddress.IPv4Network | ipaddress.IPv6Network
MAPPED = ipaddress.IPv6Network("::ffff:0:0/96")


def _read(listed: Iterable[str]) -> tuple[frozenset[str], tuple[Network, ...]]:
    names: set[str] = set()
    networks: list[Network] = []
    for entry in listed:
        try:
            # An address of a network stands for it: `203.0.113.7/24`.
            networks.append(_plain(ipaddress.ip_network(entry, strict=False)))
        except ValueError:
            names.add(entry)
    return frozenset(names), tuple(networks)


def _plain(network: Network) -> Network:
    """Return a network of IPv4 addresses that is written as one of IPv6 in its own form.

    A socket for both families shows IPv4 clients as `::ffff:192.0.2.1` (RFC 4291, 2.5.5.2), and so
    whoever copies one from a log lists it.
    """
    if isinstance(network, ipaddress.IPv4Network) or not network.subnet_of(MAPPED):
        return network
    first = ipaddress.IPv4Address(int(network.network_address) & 0xFFFFFFFF)
    return ipaddress.IPv4Network((first, network.prefixlen - MAPPED.prefixlen))


def _is_in(client: str, networks: tuple[Network, ...]) -> bool:
    if not networks:
        return False
    try:
        address = ipaddress.ip_address(client)
    except ValueError:
        return False
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped is not None:
        address = address.ipv4_mapped
    return any(address in network for network in networks)
