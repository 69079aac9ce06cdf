"""Makes checkpoints of the audit log, and never one that contradicts an earlier one.

The tree is kept by its peaks in a file; a new checkpoint adds the entries since the last one. So
the root that is signed always continues the root that was signed before: what is changed below it
later is not in the next root, and shows when the log is verified.

    keeper = CheckpointKeeper(store, signer, folder="/home/dev/.local/state/signoff/checkpoints")
    note = keeper.update()          # None if nothing was added since the last one
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from typing import Protocol

import msgspec
from msgspec import Struct

from signoff.errors import StoreError, TamperedRecord
from signoff.storage.chain import Head
from signoff.storage.proof.note import (
    BadCheckpoint,
    Checkpoint,
    CheckpointSigner,
    NoteKey,
    checked_note,
)
from signoff.storage.proof.tree import MerkleTree
from signoff.storage.text_file import file_lock, write_whole

STATE, LOG, KEY, LOCK = "tree.json", "checkpoints.jsonl", "key.txt", "lock"
KEPT = 10_000  # checkpoints that stay where the file gets too large
FILE_LIMIT = 8_000_000  # bytes
LINE_LIMIT = 4_096


class LeafStore(Protocol):
    """Port: the part of an audit log that checkpoints are made from."""

    def head(self) -> Head:
        """Return the newest entry's number and hash."""

    def leaves(self, *, first: int = 1, last: int | None = None) -> Iterator[bytes]:
        """Yield the leaf hashes of the entries from `first` to `last`, both included."""


class TreeState(Struct, frozen=True, kw_only=True):
    """State of the Merkle tree at the newest checkpoint.

    Args:
        leaf: leaf hash of its newest entry, b"" if it has none.
    """

    size: int = 0
    peaks: tuple[bytes, ...] = ()
    leaf: bytes = b""


class KeptCheckpoint(Struct, frozen=True, kw_only=True):
    """A checkpoint with the time it was signed, seconds since the epoch."""

    at_s: float
    note: str


class CheckpointKeeper:
    """Signs and stores checkpoints of one log; safe for several processes."""

    def __init__(self, store: LeafStore, signer: CheckpointSigner, *, folder: str) -> None:
        self.folder = folder
        self._store = store
        self._signer = signer
        self._lock = threading.Lock()

    @property
    def key(self) -> NoteKey:
        """The public key."""
        return self._signer.key

    def head_size(self) -> int:
        """Return the number of entries in the log.

        Raises:
            StoreError: it cannot be read.
        """
        return self._store.head().seq

    def update(self) -> str | None:
        """Sign the log as it is; None if it is empty or unchanged since the last checkpoint.

        Raises:
            TamperedRecord: the log no longer contains what was signed; nothing is signed.
            StoreError: the log or the files cannot be read or written.
        """
        with self._lock, file_lock(self.folder, LOCK):
            state = self._state()
            head = self._store.head()
            self._check(state, head)
            if head.seq == state.size:
                return None
            tree, leaf = MerkleTree(size=state.size, peaks=list(state.peaks)), state.leaf
            for leaf in self._store.leaves(first=state.size + 1, last=head.seq):
                tree.append(leaf)
            note = self._signer.sign(size=tree.size, root=tree.root())
            after = TreeState(size=tree.size, peaks=tuple(tree.peaks), leaf=leaf)
            # The note first: a crash in between signs the same root once more, and no other.
            self._append(note)
            write_whole(os.path.join(self.folder, STATE), msgspec.json.encode(after))
            return note

    def newest_note(self) -> str:
        """Return the newest stored signed note, "" if there is none.

        Raises:
            StoreError: the file cannot be read.
            BadCheckpoint: it holds something else.
        """
        line = _last_line(os.path.join(self.folder, LOG))
        try:
            return msgspec.json.decode(line, type=KeptCheckpoint).note if line else ""
        except msgspec.DecodeError as error:
            raise BadCheckpoint(f"`{self.folder}/{LOG}` ends in no checkpoint") from error

    def newest(self) -> Checkpoint | None:
        """Return the newest stored checkpoint, None if there is none.

        Raises:
            StoreError: the file cannot be read.
            BadCheckpoint: it holds something else.
        """
        note = self.newest_note()
        return checked_note(note, self.key) if note else None

    def kept(self) -> tuple[KeptCheckpoint, ...]:
        """Return the stored checkpoints, oldest first; their signatures are not checked.

        Raises:
            StoreError: the file cannot be read.
        """
        return read_kept(os.path.join(self.folder, LOG))

    def _check(self, state: TreeState, head: Head) -> None:
        """Refuse a log that is shorter than what was signed, or has another entry at its end."""
        if not state.size:
            return
        # One leaf of the record's end: checking the whole tree is what `audit verify` is for.
        found = next(self._store.leaves(first=state.size, last=state.size), b"")
        if head.seq < state.size or found != state.leaf:
            raise TamperedRecord(
                f"the audit log ends at entry {head.seq} or was rewritten, but {state.size} entries"
                " were signed: run `signoff audit verify`",
                seq=state.size,
            )

    def _state(self) -> TreeState:
        try:
            with open(os.path.join(self.folder, STATE), "rb") as source:
                return msgspec.json.decode(source.read(), type=TreeState)
        except FileNotFoundError:
            return TreeState()
        except (OSError, msgspec.DecodeError) as error:
            raise StoreError(f"cannot read `{self.folder}/{STATE}`: {error}") from error

    def _append(self, note: str) -> None:
        line = msgspec.json.encode(KeptCheckpoint(at_s=round(time.time(), 3), note=note)) + b"\n"
        path = os.path.join(self.folder, LOG)
        try:
            if os.path.exists(path) and os.path.getsize(path) > FILE_LIMIT:
                # The oldest may go: the newest checkpoint covers every entry before it.
                newer = self.kept()[-KEPT:]
                write_whole(path, b"".join(msgspec.json.encode(one) + b"\n" for one in newer))
            with open(path, "ab") as target:
                target.write(line)
                target.flush()
                os.fsync(target.fileno())
        except OSError as error:
            raise StoreError(f"cannot write `{path}`: {error}") from error


def _last_line(path: str) -> bytes:
    """Return the last line of a file, b"" if there is none.

    Raises:
        StoreError: it cannot be read.
    """
    try:
        with open(path, "rb") as source:
            source.seek(0, os.SEEK_END)
            source.seek(max(0, source.tell() - LINE_LIMIT))
            lines = source.read().split(b"\n")
    except FileNotFoundError:
        return b""
    except OSError as error:
        raise StoreError(f"cannot read `{path}`: {error}") from error
    return next((line for line in reversed(lines) if line), b"")


def read_kept(path: str) -> tuple[KeptCheckpoint, ...]:
    """Return the checkpoints in a file of a keeper.

    Raises:
        StoreError: it cannot be read, or holds something else.
    """
    try:
        with open(path, "rb") as source:
            return tuple(
                msgspec.json.decode(line, type=KeptCheckpoint) for line in source if line.strip()
            )
    except FileNotFoundError:
        return ()
    except (OSError, msgspec.DecodeError) as error:
        raise StoreError(f"cannot read `{path}`: {error}") from error
