"""Sign-ins that outlive a restart of the daemon, where nobody else can have listened in its place.

One file holds the inbox's name, cookie name and proof key, and digests of what browsers show. It is
encrypted by a key of the installation and bound to `continuity`: what names the sockets that were
never anybody else's. Under another continuity it opens nothing, so everybody signs in again.

    file = SignInFile(path, installation_key(...), continuity_of(passed))
    kept = file.read()          None: a new name, and nobody is signed in
    file.write(StoredSignIns(secrets=secrets, visitors=visitors.kept()))
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import logging
import os
import secrets

import msgspec
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from msgspec import Struct

from signoff.frontends.web.origin import OriginSecrets
from signoff.frontends.web.sign_ins.visitors import KeptVisitor
from signoff.storage.text_file import write_whole
from signoff.system.files import CLOEXEC, NOFOLLOW, NONBLOCK

log = logging.getLogger(__name__)

KEY_PREFIX = b"signoff-sign-ins-v1"
NONCE_BYTES = 12
FILE_LIMIT = 1 << 20


class StoredSignIns(Struct, frozen=True, kw_only=True):
    """The origin's secrets, and who is signed in there."""

    secrets: OriginSecrets
    visitors: tuple[KeptVisitor, ...]


class SignInFile:
    """Stores sign-ins under one continuity; under "" it stores none and deletes the file."""

    def __init__(self, path: str, key: bytes, continuity: str) -> None:
        self._path, self._continuity = path, continuity.encode()
        self._cipher = AESGCM(hmac.new(key, KEY_PREFIX, hashlib.sha256).digest())

    def read(self) -> StoredSignIns | None:
        """Return what was stored under this continuity, None if nothing."""
        if not self._continuity:
            with contextlib.suppress(OSError):
                os.unlink(self._path)
            return None
        try:
            handle = os.open(self._path, os.O_RDONLY | NOFOLLOW | CLOEXEC | NONBLOCK)
            with open(handle, "rb") as source:
                sealed = source.read(FILE_LIMIT)
            nonce, rest = sealed[:NONCE_BYTES], sealed[NONCE_BYTES:]
            said = self._cipher.decrypt(nonce, rest, self._continuity)
            return msgspec.msgpack.decode(said, type=StoredSignIns)
        except FileNotFoundError:
            return None
        except (OSError, InvalidTag, ValueError) as error:
            log.info("nobody stays signed in: %s", error or "the port was let go of since")
            return None

    def write(self, kept: StoredSignIns) -> None:
        """Write the file atomically; on failure nobody stays signed in over a restart."""
        if not self._continuity:
            return
        nonce = secrets.token_bytes(NONCE_BYTES)
        sealed = self._cipher.encrypt(nonce, msgspec.msgpack.encode(kept), self._continuity)
        try:
            # A crash of the machine ends the continuity anyway.
            write_whole(self._path, nonce + sealed, is_durable=False)
        except OSError as error:
            log.warning("sign-ins are not kept: %s", error)
            # Else somebody who has signed out since could be in again after a restart.
            with contextlib.suppress(OSError):
                os.unlink(self._path)
