"""What an admin last confirmed, sealed in a file, so that it outlives the daemon.

The seal is made with the key of this installation, which is a file: it finds edits that were made
while no daemon ran, and not who reads that key and seals anew. The daemon that runs believes its
memory only. A mark in the folder of what was seen tells that there was a file: one that is gone is
no first start.

    head = ConfirmedHead(path, key)
    head.write(standing)
"""

from __future__ import annotations

import hashlib
import hmac
import os
import time
from collections.abc import Callable

import msgspec
from msgspec import Struct

from signoff.challenge.terms.approver import Approver
from signoff.challenge.terms.mode import Mode
from signoff.challenge.terms.policy import Policy
from signoff.decide.decision import Enforcement
from signoff.effects.learning.trust_ledger import ALL_REVOKED, SharedAnswer, TrustMark
from signoff.errors import SignoffError, StoreError
from signoff.ids import is_same_secret
from signoff.storage.commits.seen_head import FOLDER as SEEN_FOLDER
from signoff.storage.locks.lock import Lock
from signoff.storage.text_file import make_folder, read_text, write_whole

FILE = "confirmed.json"
PREFIX = b"signoff-confirmed-v1\0"
SIZE_LIMIT = 4_194_304  # bytes
NO_TRUST = b',"trust":[]'  # left out where empty, so that a seal made before there was trust holds
NO_SIGN_IN = b',"sign_in":[]'
NOT_SHARED = b',"revoked":[],"next_policy":0,"answered":[],"versions":[]'
ENDLESS = b',"expires_s":0.0}'
USUAL = b',"enforcement":"enforce","enforced_from_s":0.0'


class StandingState(Struct, frozen=True, kw_only=True):
    """Everything in force beyond single requests: locks, approvers, policies, mode, trust.

    Args:
        enforced_from_s: seconds since the epoch from when on decisions are enforced again.
        sign_in: the provider that people sign in to the inbox at, and as what.
        revoked: rights of approvers that ended on any node (`rights.py`).
        next_policy: number of the next policy, where nodes share them; no number is used again.
        answered: what people answered on all nodes, the newest last, as far as trust needs it.
        versions: which versions of what nodes share were taken over, by kind.
    """

    approvers: tuple[Approver, ...] = ()
    mode: Mode = Mode.REMOTE
    policies: tuple[Policy, ...] = ()
    locks: tuple[Lock, ...] = ()
    enforcement: Enforcement = Enforcement.ENFORCE
    enforced_from_s: float = 0.0
    trust: tuple[TrustMark, ...] = ()
    sign_in: tuple[str, ...] = ()
    revoked: tuple[str, ...] = ()
    next_policy: int = 0
    answered: tuple[SharedAnswer, ...] = ()
    versions: tuple[tuple[str, int], ...] = ()

    def enforcement_at(self, now_s: float) -> Enforcement:
        """Return the mode at a time; modes other than `enforce` end."""
        return self.enforcement if now_s < self.enforced_from_s else Enforcement.ENFORCE


class _SealedStanding(Struct, frozen=True, kw_only=True):
    """The content of the file: the state and its seal."""

    standing: StandingState
    seal: str


class ConfirmedHead:
    """The sealed file `confirmed.json` in the state folder."""

    def __init__(self, path: str, key: bytes) -> None:
        self.path = path
        self._key = key

    def read(self) -> StandingState | None:
        """Return the confirmed state, None if there never was a file.

        Raises:
            StoreError: it cannot be read, was deleted, or its seal is not ours.
        """
        try:
            text = read_text(self.path, limit=SIZE_LIMIT)
            if text is None:
                if was_seen(self.path):
                    raise StoreError(f"`{self.path}` is gone")
                return None
            said = msgspec.json.decode(text, type=_SealedStanding)
        except (OSError, ValueError, msgspec.MsgspecError) as error:
            raise StoreError(f"`{self.path}` cannot be read: {error}") from error
        if not is_same_secret(self._seal(said.standing), said.seal):
            raise StoreError(f"`{self.path}` was changed: its seal does not hold")
        return said.standing

    def write(self, standing: StandingState) -> None:
        """Write the file atomically and durably.

        Raises:
            StoreError: it cannot be written.
        """
        said = _SealedStanding(standing=standing, seal=self._seal(standing))
        try:
            write_whole(self.path, msgspec.json.encode(said))
            self.mark_seen()
        except OSError as error:
            raise StoreError(f"cannot write `{self.path}`: {error}") from error

    def mark_seen(self) -> None:
        """Store, apart from it, that the file exists, so that its removal is detected.

        Raises:
            StoreError: it cannot be stored.
        """
        mark = _mark_of(self.path)
        if os.path.lexists(mark):
            return
        try:
            make_folder(os.path.dirname(mark))
            write_whole(mark, b"")
        except OSError as error:
            raise StoreError(f"cannot write `{mark}`: {error}") from error

    def _seal(self, standing: StandingState) -> str:
        # As it was sealed before nodes shared any of it, and people could sign in at a provider.
        text = msgspec.json.encode(standing).replace(NOT_SHARED, b"").replace(NO_SIGN_IN, b"")
        text = text.removesuffix(NO_TRUST + b"}") + b"}" if text.endswith(NO_TRUST + b"}") else text
        # Sealed as it was before there were modes, so that an older seal holds.
        text = text.removesuffix(USUAL + b"}") + b"}" if text.endswith(USUAL + b"}") else text
        # The same for policies without an end; in a text of theirs the quotes would be escaped.
        text = text.replace(ENDLESS, b"}")
        return hmac.new(self._key, PREFIX + text, hashlib.sha256).hexdigest()


# The incidents are gone with the seal, so no agent is trusted; decisions are enforced.
NOBODY_TRUSTED = StandingState(trust=(ALL_REVOKED,))


def was_seen(path: str) -> bool:
    """Return whether this installation ever had the file at this path."""
    return os.path.lexists(_mark_of(path))


def _mark_of(path: str) -> str:
    folder, name = os.path.split(path)
    return os.path.join(folder, SEEN_FOLDER, name)


class SealedEnforcement:
    """Reads the sealed mode for gates outside the daemon.

    What cannot be read, or has no valid seal, counts as `enforce`.
    """

    def __init__(self, path: str, key: Callable[[], bytes]) -> None:
        self._path, self._key = path, key
        self._seen: tuple[int, int, int] | None = None
        self._standing = StandingState()

    def __call__(self) -> Enforcement:
        """Return the mode in force."""
        return self._read().enforcement_at(time.time())

    def trust(self) -> tuple[TrustMark, ...]:
        """Return the trust marks people set on agents."""
        return self._read().trust

    def held(self, locks: tuple[Lock, ...]) -> tuple[Lock, ...]:
        """Return the locks in force, given those of the file."""
        return locks

    def _read(self) -> StandingState:
        try:
            found = os.stat(self._path)
        except OSError:
            # As with a broken seal: without the file nobody knows of incidents.
            return NOBODY_TRUSTED if was_seen(self._path) else StandingState()
        # A gate asks for each call: the file is read and its seal checked only when it is another
        # one.
        seen = found.st_mtime_ns, found.st_size, found.st_ino
        if seen != self._seen:
            try:
                standing = ConfirmedHead(self._path, self._key()).read()
            except SignoffError:
                standing = NOBODY_TRUSTED
            self._standing, self._seen = standing or StandingState(), seen
        return self._standing
