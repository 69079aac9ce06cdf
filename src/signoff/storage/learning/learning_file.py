"""What became of proposals: those an admin does not want, and learned rules that were withdrawn.

The file only ever makes signoff learn less: without it, proposals come back.

    LearningFile("/home/dev/.local/state/signoff/learning.json").dismiss("prop_1a2b3c4d", by="ada")
"""

from __future__ import annotations

import threading
from datetime import UTC, datetime

import msgspec
from msgspec import Struct

from signoff.errors import BadSettings, StoreError
from signoff.storage.text_file import read_text, write_whole
from signoff.values import replace

FILE = "learning.json"
SIZE_LIMIT = 1_000_000
KEPT = 500  # of each list


class DismissedProposal(Struct, frozen=True, kw_only=True):
    """A proposed rule that a person has dismissed."""

    id: str
    by: str
    at: str


class WithdrawnRule(Struct, frozen=True, kw_only=True):
    """A learned rule that was taken out of force, and why."""

    name: str
    why: str
    at: str


class LearningState(Struct, frozen=True, kw_only=True):
    """The content of the file."""

    dismissed: tuple[DismissedProposal, ...] = ()
    withdrawn: tuple[WithdrawnRule, ...] = ()


class LearningFile:
    """Stores dismissed proposals and withdrawn rules; thread-safe."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._lock = threading.Lock()

    def read(self) -> LearningState:
        """Return the stored state; an empty one if the file cannot be read."""
        try:
            text = read_text(self.path, limit=SIZE_LIMIT)
            return msgspec.json.decode(text, type=LearningState) if text else LearningState()
        # A broken file only brings proposals back; it must not stop anything.
        except (BadSettings, msgspec.MsgspecError):
            return LearningState()

    def dismiss(self, id: str, *, by: str) -> None:
        """Store that a person dismissed a proposal.

        Raises:
            StoreError: it cannot be stored.
        """
        with self._lock:
            state = self.read()
            new = DismissedProposal(id=id, by=by, at=_now())
            self._write(replace(state, dismissed=(*state.dismissed, new)[-KEPT:]))

    def withdraw(self, name: str, *, why: str) -> None:
        """Store that a rule was withdrawn.

        Raises:
            StoreError: it cannot be stored.
        """
        with self._lock:
            state = self.read()
            new = WithdrawnRule(name=name, why=why, at=_now())
            self._write(replace(state, withdrawn=(*state.withdrawn, new)[-KEPT:]))

    def _write(self, state: LearningState) -> None:
        try:
            write_whole(self.path, msgspec.json.encode(state))
        except OSError as error:
            raise StoreError(f"cannot write `{self.path}`: {error.strerror}") from error


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
