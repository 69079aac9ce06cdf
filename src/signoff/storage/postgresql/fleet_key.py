"""The key that all nodes of a store have: what one of them seals, every other one believes.

It is a file given to each node, and never in the database: who can write the database can forge
no answer. Only a hash of it is there, so that a node with another key is refused at once. Without
the file the requests of a node stay on that node.

    key = read_fleet_key("/home/dev/.config/signoff/store.key")
    key.seals, key.codes, key.fingerprint
"""

from __future__ import annotations

import hashlib
import hmac
import re

from msgspec import Struct

from signoff.errors import StoreError
from signoff.storage.postgresql.address import read_secret

HOW = "64 hexadecimal digits, as `openssl rand -hex 32` writes them"
OTHER_KEY = (
    "the key of this node (`store.key`) is another one than that of the other nodes:"
    " give all nodes the same file"
)
FORM = re.compile(r"\A[0-9a-f]{64}\Z")


class FleetKey(Struct, frozen=True, kw_only=True):
    """The keys derived from the nodes' common key, each for one purpose.

    Args:
        seals: what answers and grants are sealed with.
        codes: what confirmation codes are made with.
        standing: what locks, policies, mode and trust of all nodes are sealed with.
        fingerprint: tells two keys apart, and nothing of either.
    """

    seals: bytes
    codes: bytes
    standing: bytes
    fingerprint: str

    def __repr__(self) -> str:
        """Show no key."""
        return f"FleetKey({self.fingerprint})"


def read_fleet_key(path: str, *, tenant: str = "") -> FleetKey:
    """Read the common key file and derive its keys.

    Args:
        tenant: whose; what one tenant sealed is not valid for another, even with the same file.

    Raises:
        StoreError: it cannot be read, others may read it, or it is not a key.
    """
    text = read_secret(path).lower()
    if not FORM.match(text):
        raise StoreError(f"`{path}` is no key: expected {HOW}")
    key = bytes.fromhex(text)
    if tenant:
        key = _derived(key, f"tenant {tenant}")
    return FleetKey(
        seals=_derived(key, "seals"),
        codes=_derived(key, "codes"),
        standing=_derived(key, "standing"),
        fingerprint=_derived(key, "fingerprint").hex()[:32],
    )


def _derived(key: bytes, purpose: str) -> bytes:
    return hmac.new(key, f"signoff-fleet-{purpose}-v1".encode(), hashlib.sha256).digest()
