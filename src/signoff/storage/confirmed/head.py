"""What an admin last confirmed, sealed in a file, so that it outlives the daemon.

The seal is made with the key of this installation, which is a file: it finds edits that were made
while no daemon ran, and not who reads that key and seals anew. The daemon that runs believes its
memory only.

    head = ConfirmedHead(path, key)
    head.write(standing)
"""

from __future__ import annotations

import hashlib
import hmac

import msgspec
from msgspec import Struct

from signoff.challenge.terms.approver import Approver
from signoff.challenge.terms.mode import Mode
from signoff.challenge.terms.policy import Policy
from signoff.errors import StoreError
from signoff.storage.locks.lock import Lock
from signoff.storage.text_file import read_text, write_whole

FILE = "confirmed.json"
PREFIX = b"signoff-confirmed-v1\0"
SIZE_LIMIT = 4_194_304  # bytes


class StandingState(Struct, frozen=True, kw_only=True):
    """Everything that holds beyond one request."""

    approvers: tuple[Approver, ...] = ()
    mode: Mode = Mode.REMOTE
    policies: tuple[Policy, ...] = ()
    locks: tuple[Lock, ...] = ()


class _SealedStanding(Struct, frozen=True, kw_only=True):
    """The file."""

    standing: StandingState
    seal: str


class ConfirmedHead:
    """The file `confirmed.json` in the state folder."""

    def __init__(self, path: str, key: bytes) -> None:
        self.path = path
        self._key = key

    def read(self) -> StandingState | None:
        """Return what was confirmed, None if there is no file.

        Raises:
            StoreError: it cannot be read, or its seal is not ours.
        """
        try:
            text = read_text(self.path, limit=SIZE_LIMIT)
            if text is None:
                return None
            said = msgspec.json.decode(text, type=_SealedStanding)
        except (OSError, ValueError, msgspec.MsgspecError) as error:
            raise StoreError(f"`{self.path}` cannot be read: {error}") from error
        if not hmac.compare_digest(self._seal(said.standing), said.seal):
            raise StoreError(f"`{self.path}` was changed: its seal does not hold")
        return said.standing

    def write(self, standing: StandingState) -> None:
        """Write the file whole or not at all, durably.

        Raises:
            StoreError: it cannot be written.
        """
        said = _SealedStanding(standing=standing, seal=self._seal(standing))
        try:
            write_whole(self.path, msgspec.json.encode(said))
        except OSError as error:
            raise StoreError(f"cannot write `{self.path}`: {error}") from error

    def _seal(self, standing: StandingState) -> str:
        text = msgspec.json.encode(standing)
        return hmac.new(self._key, PREFIX + text, hashlib.sha256).hexdigest()
