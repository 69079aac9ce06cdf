"""The inbox's origin: a host name nobody can guess, made at each start, and the key that proves it.

Browsers keep cookies, storage and service workers by origin. A name that no start has had before
has none of them, and no other server of this machine can have left some there. Browsers resolve
every name under `localhost` to this machine by themselves (RFC 6761), without asking anybody.

    origin = WebOrigin(4440)
    origin.address()            "http://3f0c...9a.localhost:4440"
    origin.prove("8d1e...")     what a page that was given `origin.key` at sign-in expects

Where nobody else can have listened on the port since the last start, its name is used again
(`sign_ins/sign_in_file.py`).
"""

from __future__ import annotations

import hashlib
import hmac
import secrets

from msgspec import Struct

PLAIN = "localhost"
LABEL_PREFIX = b"signoff-label-v1"
PROOF_PREFIX = b"signoff-inbox-v1\n"


def label_of(key: bytes) -> str:
    """Return a host name label derived from a key: 64 bits that do not reveal it."""
    return f"signoff-{hmac.new(key, LABEL_PREFIX, hashlib.sha256).hexdigest()[:16]}"


class OriginSecrets(Struct, frozen=True, kw_only=True):
    """The random values of one origin.

    Args:
        name: 32 hex digits, the first part of its host name.
        cookie: the name of its cookie.
        key: 64 hex digits, which pages check proofs by.
    """

    name: str
    cookie: str
    key: str

    @classmethod
    def fresh(cls) -> OriginSecrets:
        """Return new random values."""
        return cls(
            name=secrets.token_hex(16),
            cookie=f"signoff_{secrets.token_hex(4)}",
            key=secrets.token_hex(32),
        )


class WebOrigin:
    """Knows under which hosts pages are served, and proves to them that this daemon answers.

    Args:
        port: the daemon's port on loopback.
        label: the name of this installation, a host name's part that nobody can guess; "" = it has
            none. The random name stands below it, so passkeys are bound to what lasts
            (docs/adr/0019).
        kept: those of the last start; None = new ones.

    Attributes:
        relying_party: what passkeys are bound to, "" without a label.
        host: `name:port`, as browsers send it.
        hosts: all hosts that pages are served under: one, until the plain one is let in.
        secrets: what the next start may be handed.
        cookie: the name of this start's cookie. No `__Host-` before it: that takes the attribute
            `Secure`, which not every browser lets `http` set, and keeps out cookies of names above
            and below this one, which nobody else can have.
        key: 64 hex digits, given to pages at sign-in and to nobody else.
    """

    scheme = "http"
    # Paths the cookie is sent with; the `__Host-` of a public one takes all.
    cookie_path = "/web"

    def __init__(self, port: int, *, label: str = "", kept: OriginSecrets | None = None) -> None:
        self.secrets = kept or OriginSecrets.fresh()
        self._port, self.cookie, self.key = port, self.secrets.cookie, self.secrets.key
        self.relying_party = f"{label}.{PLAIN}" if label else ""
        self.host = f"{self.secrets.name}.{self.relying_party or PLAIN}:{port}"
        self.hosts = frozenset({self.host.encode()})

    @property
    def provider_address(self) -> str:
        """Address that identity providers redirect browsers to; it never changes."""
        return f"http://{PLAIN}:{self._port}"

    def address(self, *, is_plain: bool = False) -> str:
        """Return the address of the inbox, without a path.

        Args:
            is_plain: `localhost` itself, for a browser that knows no names under it. Pages are
                served there from now on, until the daemon ends.
        """
        if not is_plain:
            return f"{self.scheme}://{self.host}"
        host = f"{PLAIN}:{self._port}"
        self.hosts |= {host.encode()}
        return f"http://{host}"

    @property
    def is_secure(self) -> bool:
        """Whether browsers use TLS."""
        return self.scheme == "https"

    def prove(self, nonce: str) -> str:
        """Return the proof that this daemon answers: an HMAC of a page's nonce, 64 hex digits."""
        return hmac.new(
            bytes.fromhex(self.key), PROOF_PREFIX + nonce.encode(), hashlib.sha256
        ).hexdigest()


class PublicOrigin(WebOrigin):
    """The origin under a name that lasts, with TLS by a proxy before the daemon's own socket.

    Nobody but the service's user can listen on that socket, so the origin is never another
    program's (docs/adr/0030).

    Args:
        url: `https://HOST` or `https://HOST:PORT`.
    """

    scheme = "https"
    cookie_path = "/"

    def __init__(self, url: str, *, kept: OriginSecrets | None = None) -> None:
        super().__init__(0, kept=kept)
        self.host = url.removeprefix("https://").removesuffix(":443")
        self.relying_party = self.host.partition(":")[0]
        # Browsers take it from this very host over https only (RFC 6265bis, 4.1.3.2).
        self.cookie = "__Host-signoff"
        self.hosts = frozenset({self.host.encode()})

    @property
    def provider_address(self) -> str:
        """Address that identity providers redirect browsers to."""
        return self.address()

    def address(self, *, is_plain: bool = False) -> str:
        """Return the public address; `is_plain` makes no difference."""
        return f"{self.scheme}://{self.host}"
