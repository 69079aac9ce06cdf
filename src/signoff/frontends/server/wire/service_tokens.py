"""Service tokens: what programs of other users or machines show, each for some routes and a time.

Only digests are kept. No scope answers a request, changes anything of signoff or reads the inbox: a
token that leaks lets nobody sign for anybody.

    tokens = ServiceTokens(state_dir)
    secret = tokens.create(new)
    tokens.allows(secret, "/v1/status")
"""

from __future__ import annotations

import hashlib
import os
import secrets
import time
from collections.abc import Mapping
from enum import StrEnum

import msgspec

from signoff.errors import BadSettings, StoreError
from signoff.storage.text_file import Signature, file_lock, read_text, signature_of, write_whole

FILE, LOCK = "service-tokens.json", "service-tokens.lock"
PREFIX = "signoff_"
TOKENS_LIMIT = 500
SIZE_LIMIT = 1_048_576  # bytes


class TokenScope(StrEnum):
    """What a token allows."""

    DECIDE = "decide"  # asks about calls, and waits for the answer
    READ = "read"  # what is in force, sessions
    METRICS = "metrics"


PATHS: Mapping[TokenScope, tuple[str, ...]] = {
    TokenScope.DECIDE: ("/v1/actions", "/v1/actions/", "/v1/inspections"),
    TokenScope.READ: ("/v1/status", "/v1/sessions", "/openapi.json"),
    TokenScope.METRICS: ("/metrics",),
}


class ServiceToken(msgspec.Struct, frozen=True, kw_only=True):
    """A stored API token; the secret itself is not stored.

    Args:
        digest: SHA-256 of the token.
        expires_s: seconds since the epoch.
    """

    id: str
    name: str
    scopes: tuple[TokenScope, ...]
    created_by: str
    expires_s: float
    digest: str = ""


class ServiceTokens:
    """The API tokens of this installation, in a file that is reread when it changes."""

    def __init__(self, state_dir: str) -> None:
        self._folder, self._path = state_dir, os.path.join(state_dir, FILE)
        self._known: tuple[Signature | None, tuple[ServiceToken, ...]] = (None, ())

    def listed(self) -> tuple[ServiceToken, ...]:
        """Return the tokens, expired ones too.

        Raises:
            StoreError: the file cannot be read.
        """
        signature = signature_of(self._path)
        if signature is None:
            return ()
        if signature != self._known[0]:
            try:
                text = read_text(self._path, limit=SIZE_LIMIT) or "[]"
                found = msgspec.json.decode(text, type=tuple[ServiceToken, ...])
            except (BadSettings, msgspec.DecodeError) as error:
                raise StoreError(f"`{self._path}` cannot be read: {error}") from error
            self._known = signature, found
        return self._known[1]

    def create(self, new: ServiceToken) -> str:
        """Store a token and return its secret, which is stored nowhere.

        Raises:
            StoreError: it cannot be stored.
        """
        secret = f"{PREFIX}{secrets.token_urlsafe(32)}"
        kept = msgspec.structs.replace(new, digest=_digest(secret))
        with file_lock(self._folder, LOCK):
            now_s = time.time()
            known = [one for one in self.listed() if now_s < one.expires_s]
            if len(known) >= TOKENS_LIMIT:
                raise StoreError(f"there are {len(known)} tokens: revoke one first")
            self._write((*known, kept))
        return secret

    def revoke(self, id: str) -> bool:
        """Remove a token; False if there is none of this id.

        Raises:
            StoreError: it cannot be removed.
        """
        with file_lock(self._folder, LOCK):
            known = self.listed()
            left = tuple(one for one in known if one.id != id)
            if len(left) < len(known):
                self._write(left)
        return len(left) < len(known)

    def objection(self, secret: str, path: str) -> str:
        """Return why a secret does not allow a path now, "" if it does.

        `token`: it is unknown or expired; `scope`: it is for other paths. A file that cannot be
        read has no tokens.
        """
        if not secret.startswith(PREFIX):
            return "token"
        try:
            # By its digest: how long a look takes tells nothing of the token.
            digest = _digest(secret)
            found = next((one for one in self.listed() if one.digest == digest), None)
        except StoreError:
            return "token"
        if found is None or time.time() >= found.expires_s:
            return "token"
        is_covered = any(
            path == one or (one.endswith("/") and path.startswith(one))
            for scope in found.scopes
            for one in PATHS[scope]
        )
        return "" if is_covered else "scope"

    def _write(self, tokens: tuple[ServiceToken, ...]) -> None:
        try:
            write_whole(self._path, msgspec.json.encode(tokens))
        except OSError as error:
            raise StoreError(f"cannot write `{self._path}`: {error.strerror}") from error


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()
