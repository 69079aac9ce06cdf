"""Counts per client, over whatever storage: places in a window, marks that end, lost standing.

    counting = Counting("valkey://127.0.0.1:6379")
    counting.take("requests", "203.0.113.7", Limit(100, 60))  ->  False for the 101st in a minute

Who is counted: an IPv4 address by itself, an IPv6 address with its network of 64 bits, as that is
what one subscriber has; any other name (`user:7`, `key:ab12`) as it is, by its hash, so that no
storage holds a key in clear text.
"""

from __future__ import annotations

import hashlib
import ipaddress
import time
from collections.abc import Callable

from limits import RateLimitItemPerSecond, parse
from limits.storage import Storage, storage_from_string
from limits.strategies import MovingWindowRateLimiter
from msgspec import Struct

from signoff.effects.access.sqlite_storage import SCHEME as SQLITE
from signoff.errors import BadSettings

PREFIX = "signoff"
HALF_LIVES = 6  # after which what was lost is forgotten


class Limit(Struct, frozen=True):
    """At most `count` in any `window_s` seconds."""

    count: int
    window_s: int


def read_limit(text: str) -> Limit:
    """Parse a limit such as `100/minute` or `5 per 10 minutes`.

    Raises:
        BadSettings: it has another form.
    """
    try:
        item = parse(text)
    except ValueError as error:
        raise BadSettings(f"limit `{text}` cannot be read, expected `100/minute`") from error
    # The library reads `0/minute`, which would let nobody in.
    if item.amount < 1:
        raise BadSettings(f"limit `{text}` must allow at least 1")
    return Limit(item.amount, item.get_expiry())


class Counting:
    """Counters, marks and reputation of clients in one storage.

    Args:
        uri: `memory://`, `sqlite:///absolute/path`, `valkey://host:port`, or any other that the
            `limits` library knows and that has moving windows.

    Raises:
        BadSettings: the storage cannot be opened.
    """

    def __init__(self, uri: str, *, clock: Callable[[], float] = time.time) -> None:
        known = f"{SQLITE}{uri.removeprefix('sqlite')}" if uri.startswith("sqlite:") else uri
        try:
            storage = storage_from_string(known)
            self._windows = MovingWindowRateLimiter(storage)
        except Exception as error:
            raise BadSettings(f"storage `{_shown(uri)}` cannot be opened: {error}") from error
        # `async+redis://` gives a storage whose answers are coroutines, and each would count as
        # true.
        if not isinstance(storage, Storage):
            raise BadSettings(f"storage `{_shown(uri)}` is for asynchronous programs only")
        self._storage, self._clock = storage, clock

    def take(self, what: str, client: str, limit: Limit) -> bool:
        """Count one event of a client; False, and not counted, if the limit is reached.

        Args:
            what: the counter's name.
        """
        return self._windows.hit(_item(limit), PREFIX, what, counted_as(client))

    def has_room(self, what: str, client: str, limit: Limit) -> bool:
        """Return whether a client is below the limit; counts nothing."""
        return self._windows.test(_item(limit), PREFIX, what, counted_as(client))

    def mark(self, what: str, client: str, for_s: int) -> None:
        """Set a named mark on a client for some seconds."""
        key = _key(what, client)
        self._storage.clear(key)
        self._storage.incr(key, for_s)

    def is_marked(self, what: str, client: str) -> bool:
        """Return whether a client has this mark now."""
        return self._storage.get(_key(what, client)) > 0

    def unmark(self, what: str, client: str) -> None:
        """Remove a mark from a client."""
        self._storage.clear(_key(what, client))

    def lose(self, client: str, points: float, half_life_s: int) -> None:
        """Lower a client's reputation by some points.

        Args:
            half_life_s: seconds in which half of the loss comes back.
        """
        period = int(self._clock() // half_life_s)
        key = _key(f"standing:{period}", client)
        self._storage.incr(key, half_life_s * (HALF_LIVES + 1), round(points * 10))

    def standing(self, client: str, half_life_s: int) -> float:
        """Return a client's reputation, 0..100; half of a loss comes back every half-life."""
        now = self._clock() / half_life_s
        lost = 0.0
        for age in range(HALF_LIVES + 1):
            period = int(now) - age
            points = self._storage.get(_key(f"standing:{period}", client)) / 10
            # Counted from the middle of its period, as the storage keeps no times of single
            # losses.
            lost += points * 0.5 ** max(0.0, now - period - 0.5)
        return max(0.0, 100.0 - lost)


def counted_as(client: str) -> str:
    """Return the key under which a client is counted."""
    try:
        address = ipaddress.ip_address(client)
    except ValueError:
        return hashlib.sha256(b"signoff-client\0" + client.encode()).hexdigest()[:32]
    if isinstance(address, ipaddress.IPv6Address):
        # A dual-stack server sees the same client under either form.
        if address.ipv4_mapped is not None:
            return str(address.ipv4_mapped)
        return str(ipaddress.ip_network(f"{address}/64", strict=False).network_address) + "/64"
    return str(address)


def _item(limit: Limit) -> RateLimitItemPerSecond:
    return RateLimitItemPerSecond(limit.count, limit.window_s)


def _key(what: str, client: str) -> str:
    return f"{PREFIX}/{what}/{counted_as(client)}"


def _shown(uri: str) -> str:
    """Return a URI without its password."""
    scheme, separator, rest = uri.partition("://")
    return f"{scheme}{separator}{rest.rpartition('@')[2]}"
