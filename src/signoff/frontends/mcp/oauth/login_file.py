"""What a sign-in at a remote MCP server left: one encrypted file a server, in the state folder.

The file belongs to its owner alone (0600) and is encrypted with a key made from that of this
installation. The address of the server is part of what is checked: the file of one server gives no
token for another. An agent may not read it (`self-protection`), as its name ends with `.token`.

    file = LoginFile.of(settings, "https://mcp.example.com/mcp")
    file.read()          None without a login
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import os
from collections.abc import Iterator

import msgspec
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from msgspec import Struct

from signoff.challenge.outbound.endpoint import OutboundEndpoint
from signoff.errors import StoreError
from signoff.settings import Settings
from signoff.storage.installation import installation_key
from signoff.storage.text_file import file_lock, own_state_folder, signature_of, write_whole
from signoff.system.files import CLOEXEC, NOFOLLOW, NONBLOCK, is_own, rights_of_others

FOLDER = "mcp"
ENDING = ".token"
KEY_PREFIX = b"signoff-mcp-login-v1\0"
NONCE_BYTES = 12  # of AES-GCM (NIST SP 800-38D)
SIZE_LIMIT = 262_144  # bytes


class StoredLogin(Struct, frozen=True, kw_only=True):
    """The tokens for one server, and what renewing them needs.

    Args:
        resource: the server's address; the token goes there and nowhere else.
        tokens: the answer of the token endpoint, as JSON.
        access_token: the one in `tokens`.
        expires_at: in seconds since 1970, None if the sign-in server did not say.
        client: what signoff is registered as, as JSON; it may hold a secret.
        server: the metadata of the sign-in server (RFC 8414), as JSON.
        metadata: that of the protected resource (RFC 9728), as JSON; "" if it has none.
    """

    resource: str
    tokens: str
    access_token: str
    expires_at: float | None
    client: str
    server: str
    metadata: str = ""

    def __repr__(self) -> str:
        """Name the server alone: a token must not get into a log by a traceback."""
        return f"StoredLogin(resource={self.resource!r})"


class _Sealed(Struct, frozen=True, kw_only=True):
    """The content of the file: a login and its seal."""

    resource: str
    nonce: bytes
    sealed: bytes


def resource_of(url: str) -> str:
    """Return a server's address in normal form: host in lower case, no trailing `/`.

    Raises:
        BadSettings: it is not plain https, nor http to this machine.
    """
    endpoint = OutboundEndpoint.parse(url)
    scheme = "https" if endpoint.is_https else "http"
    return f"{scheme}://{endpoint.authority}{endpoint.path}"


class LoginFile:
    """The stored login at one server."""

    def __init__(self, path: str, key: bytes, resource: str) -> None:
        self.path, self.resource = path, resource
        self._cipher = AESGCM(hmac.new(key, KEY_PREFIX, hashlib.sha256).digest())

    @classmethod
    def of(cls, settings: Settings, url: str) -> LoginFile:
        """Return the file for a server; its folder is created.

        Raises:
            BadSettings: the address cannot be used.
            StoreError: the folder or the key of this installation cannot be made or read.
        """
        resource = resource_of(url)
        folder = own_state_folder(settings.state_dir, FOLDER)
        mark = hashlib.sha256(resource.encode()).hexdigest()[:12]
        host = OutboundEndpoint.parse(resource).host.replace(":", "-")
        path = os.path.join(folder, f"{host}-{mark}{ENDING}")
        return cls(path, installation_key(settings.key_file), resource)

    @property
    def signature(self) -> tuple[int, ...] | None:
        """A value that changes whenever the file does."""
        return signature_of(self.path)

    def read(self) -> StoredLogin | None:
        """Return the stored login, None if there is none.

        Raises:
            StoreError: the file is not ours alone, or was changed by somebody else.
        """
        try:
            # A link would lead to a file that somebody else has written.
            handle = os.open(self.path, os.O_RDONLY | NOFOLLOW | CLOEXEC | NONBLOCK)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise StoreError(f"cannot read `{self.path}`: {error.strerror}") from error
        with open(handle, "rb") as source:
            found = os.fstat(handle)
            if not is_own(found) or rights_of_others(found):
                raise StoreError(f"`{self.path}` is open to others: sign in again")
            raw = source.read(SIZE_LIMIT + 1)
        return self._opened(raw)

    def write(self, login: StoredLogin) -> None:
        """Store a login in place of the old one.

        Raises:
            StoreError: it cannot be written.
        """
        nonce = os.urandom(NONCE_BYTES)
        plain = msgspec.json.encode(login)
        sealed = self._cipher.encrypt(nonce, plain, self.resource.encode())
        said = _Sealed(resource=self.resource, nonce=nonce, sealed=sealed)
        try:
            write_whole(self.path, msgspec.json.encode(said))
        except OSError as error:
            raise StoreError(f"cannot write `{self.path}`: {error}") from error

    def forget(self) -> bool:
        """Delete the login; return whether there was one."""
        try:
            os.unlink(self.path)
        except FileNotFoundError:
            return False
        return True

    @contextlib.contextmanager
    def changing(self) -> Iterator[None]:
        """Hold a lock for the block: two processes must not use one refresh token (RFC 9700).

        Raises:
            StoreError: it cannot be locked.
        """
        folder, name = os.path.split(self.path)
        with file_lock(folder, f"{name}.lock"):
            yield

    def _opened(self, raw: bytes) -> StoredLogin:
        try:
            said = msgspec.json.decode(raw, type=_Sealed)
            plain = self._cipher.decrypt(said.nonce, said.sealed, self.resource.encode())
            login = msgspec.json.decode(plain, type=StoredLogin)
        except (InvalidTag, ValueError, msgspec.MsgspecError):
            # Without the cause: its text may quote the content.
            raise StoreError(f"`{self.path}` was changed: sign in again") from None
        if login.resource != self.resource:
            raise StoreError(f"`{self.path}` belongs to another server: sign in again")
        return login
