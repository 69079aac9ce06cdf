"""Where the daemon keeps what it works with: files in the state folder, for their owner only.

places = Places(settings.state_dir)
places.token()      made at the first start
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
from dataclasses import dataclass

from signoff.errors import StoreError
from signoff.frontends.client.service_layout import LAYOUT
from signoff.storage.text_file import make_own_folder
from signoff.system.files import CLOEXEC, NOFOLLOW, NONBLOCK

TOKEN_BYTES = 32
# Keeps these digests apart from anything else that is made with the same token.
HOOK_PREFIX = b"signoff-hook-v1\0"


@dataclass(frozen=True, slots=True)
class Places:
    """Paths of the daemon's files; `state` is the state folder."""

    state: str

    @property
    def is_service(self) -> bool:
        """Whether the daemon of this folder is the system's service, for every user."""
        return self.state == LAYOUT.state

    @property
    def socket(self) -> str:
        """Path of the Unix socket."""
        return LAYOUT.socket if self.is_service else os.path.join(self.state, "daemon.sock")

    @property
    def inbox_socket(self) -> str:
        """Path of the socket a TLS proxy reaches the inbox of the service by."""
        return os.path.join(os.path.dirname(LAYOUT.socket), "inbox.sock")

    @property
    def lock(self) -> str:
        """Path of the lock file that the running daemon holds; it contains its process id."""
        return os.path.join(self.state, "daemon.lock")

    @property
    def sessions(self) -> str:
        """Path of the saved session history; written now and then."""
        return os.path.join(self.state, "sessions.json")

    @property
    def outcomes(self) -> str:
        """Path of the outcomes of calls that no entry of the record holds yet."""
        return os.path.join(self.state, "outcomes.json")

    @property
    def log(self) -> str:
        """Path of the daemon's log, one JSON object a line."""
        return os.path.join(self.state, "log", "daemon.log")

    @property
    def start_log(self) -> str:
        """Path of what a background start printed before the log was open."""
        return os.path.join(self.state, "log", "start.log")

    def make(self) -> None:
        """Create the folders, private to their owner.

        Raises:
            StoreError: they cannot be made.
        """
        try:
            for folder in (self.state, os.path.dirname(self.log)):
                make_own_folder(folder)
        except OSError as error:
            raise StoreError(f"cannot use the folder `{self.state}`: {error}") from error

    def token(self) -> str:
        """Return the token for API callers; created if missing.

        If two processes create it, one wins.

        Raises:
            StoreError: it cannot be made or read, or is damaged.
        """
        path = os.path.join(self.state, "token")
        try:
            # Not `exists`: a link that points nowhere is there, and is refused below.
            if not os.path.lexists(path):
                _make(path)
            # O_NONBLOCK: a named pipe in its place must not stop the start.
            handle = os.open(path, os.O_RDONLY | NOFOLLOW | CLOEXEC | NONBLOCK)
            with open(handle, encoding="ascii") as source:
                token = source.read(200).strip()
        except (OSError, UnicodeError) as error:
            raise StoreError(f"cannot use the token `{path}`: {error}") from error
        if len(token) != 2 * TOKEN_BYTES or not token.isalnum():
            raise StoreError(f"the token `{path}` is damaged: remove it, and a new one is made")
        return token


def hook_token(token: str, host: str) -> str:
    """Return the token for one host's hook, which is valid for nothing else.

    Args:
        token: the API callers' token.
    """
    # One way only: an HTTP hook's token stands in the host's settings, which the agent can read.
    return hmac.new(token.encode(), HOOK_PREFIX + host.encode(), hashlib.sha256).hexdigest()


def _make(path: str) -> None:
    """Write a new token beside its place and link it in: whole, or not there."""
    aside = f"{path}.{secrets.token_hex(8)}"
    handle = os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | CLOEXEC, 0o600)
    try:
        with open(handle, "w", encoding="ascii") as target:
            target.write(secrets.token_hex(TOKEN_BYTES) + "\n")
        os.link(aside, path)
    # The link failed, not the write: another process was first, and its token is read.
    except FileExistsError:
        return
    finally:
        os.unlink(aside)
