"""A witness of audit logs keeps the newest checkpoint of each, and signs only what continues it.

A request is that of C2SP's `add-checkpoint`: the size seen last, a consistency proof, and the
checkpoint. The witness stores the new checkpoint before it answers, and never goes back.

    witness = Witness(folder, cosigner, logs=(log_key,))
    witness.add_checkpoint(body)  ->  WitnessAnswer(status=200, text="- signoff.witness/... ...")
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import os
import threading
import time

import msgspec
from msgspec import Struct

from signoff.errors import StoreError
from signoff.storage.proof.note import (
    BadCheckpoint,
    Checkpoint,
    Cosigner,
    NoteKey,
    checked_note,
    parse_note,
)
from signoff.storage.proof.tree import CONSISTENCY_LIMIT, is_consistent
from signoff.storage.text_file import file_lock, write_whole

BODY_LIMIT = 65_536  # bytes of a request
NUMBER_LIMIT = 19  # digits
LOCK = "lock"
SIZE_TYPE, TEXT_TYPE = "text/x.tlog.size", "text/plain; charset=utf-8"
OK, BAD, UNTRUSTED, UNKNOWN, CONFLICT, INCONSISTENT = 200, 400, 403, 404, 409, 422


class WitnessAnswer(Struct, frozen=True, kw_only=True):
    """A witness's response: HTTP status and text."""

    status: int
    text: str
    content_type: str = TEXT_TYPE


class SeenCheckpoint(Struct, frozen=True, kw_only=True):
    """The newest checkpoint of a log that this witness cosigned.

    Args:
        at_s: when, in seconds since the epoch.
        note: the checkpoint with the signatures of log and witness.
    """

    origin: str
    at_s: int
    note: str


class _NotCosigned(Exception):
    """A request is refused with this answer."""

    def __init__(self, status: int, text: str, content_type: str = TEXT_TYPE) -> None:
        super().__init__(text)
        self.answer = WitnessAnswer(status=status, text=f"{text}\n", content_type=content_type)


class Witness:
    """Checks and cosigns the checkpoints of some logs; safe for several processes.

    Args:
        folder: keeps one file for each log.
        logs: keys of the logs; all others are refused.
    """

    def __init__(self, folder: str, cosigner: Cosigner, *, logs: tuple[NoteKey, ...]) -> None:
        self.folder = folder
        self.cosigner = cosigner
        self._logs = {key.name: key for key in logs}
        self._lock = threading.Lock()

    @property
    def origins(self) -> tuple[str, ...]:
        """Names of the logs it accepts."""
        return tuple(sorted(self._logs))

    def add_checkpoint(self, body: bytes) -> WitnessAnswer:
        """Cosign a checkpoint, or answer why not.

        Args:
            body: the request body of the witness protocol (c2sp.org/tlog-witness).

        Raises:
            StoreError: the files cannot be read or written; nothing is signed.
        """
        try:
            old_size, proof, note = _parsed(body)
            checkpoint = self._checked(note)
            # Before the lock: what cannot be right keeps no other log waiting.
            if old_size > checkpoint.size:
                raise _NotCosigned(BAD, "the old size is larger than the checkpoint")
            with self._lock, file_lock(self.folder, LOCK):
                return self._cosigned(note, checkpoint, old_size=old_size, proof=proof)
        except _NotCosigned as refused:
            return refused.answer

    def seen(self) -> tuple[SeenCheckpoint, ...]:
        """Return the newest checkpoint of each log, by name of the log.

        Raises:
            StoreError: a file cannot be read.
        """
        found = [self._newest(origin) for origin in self.origins]
        return tuple(one for one in found if one is not None)

    def _checked(self, note: str) -> Checkpoint:
        try:
            origin = parse_note(note)[0].origin
        except BadCheckpoint as error:
            raise _NotCosigned(BAD, str(error)) from error
        key = self._logs.get(origin)
        if key is None:
            raise _NotCosigned(UNKNOWN, "this witness does not know this log")
        try:
            return checked_note(note, key)
        except BadCheckpoint as error:
            raise _NotCosigned(UNTRUSTED, str(error)) from error

    def _cosigned(
        self, note: str, checkpoint: Checkpoint, *, old_size: int, proof: tuple[bytes, ...]
    ) -> WitnessAnswer:
        newest = self._newest(checkpoint.origin)
        last = parse_note(newest.note)[0] if newest is not None else None
        size = last.size if last is not None else 0
        # C2SP tlog-witness: status 409 with the size, and the client sends the proof from there.
        if old_size != size:
            raise _NotCosigned(CONFLICT, str(size), SIZE_TYPE)
        if last is not None and last.size == checkpoint.size and last.root != checkpoint.root:
            raise _NotCosigned(CONFLICT, str(size), SIZE_TYPE)
        old = (size, last.root if last is not None else b"")
        if checkpoint.size and not is_consistent(
            proof, old=old, new=(checkpoint.size, checkpoint.root)
        ):
            raise _NotCosigned(INCONSISTENT, f"the log does not continue the {size} entries seen")
        at_s = int(time.time())
        line = self.cosigner.sign(checkpoint, at_s=at_s)
        signed = note.partition("\n\n")[0] + "\n\n" + _own_line(note, checkpoint.origin) + line
        kept = SeenCheckpoint(origin=checkpoint.origin, at_s=at_s, note=signed)
        try:
            write_whole(self._path(checkpoint.origin), msgspec.json.encode(kept))
        except OSError as error:
            raise StoreError(f"cannot write `{self.folder}`: {error}") from error
        return WitnessAnswer(status=OK, text=line)

    def _newest(self, origin: str) -> SeenCheckpoint | None:
        path = self._path(origin)
        try:
            with open(path, "rb") as source:
                return msgspec.json.decode(source.read(), type=SeenCheckpoint)
        except FileNotFoundError:
            return None
        except (OSError, msgspec.DecodeError) as error:
            raise StoreError(f"cannot read `{path}`: {error}") from error

    def _path(self, origin: str) -> str:
        # A hash: the name of a log comes from outside, and must not become a path.
        name = hashlib.sha256(origin.encode()).hexdigest()[:32]
        return os.path.join(self.folder, f"{name}.json")


def _parsed(body: bytes) -> tuple[int, tuple[bytes, ...], str]:
    """Return the old size, the proof and the checkpoint of a request."""
    try:
        head, gap, note = body.decode("utf-8").partition("\n\n")
        first, *lines = head.split("\n")
        word, _, number = first.partition(" ")
        is_size = number.isascii() and number.isdigit() and len(number) <= NUMBER_LIMIT
        if word != "old" or not gap or not is_size or number != str(int(number)):
            raise _NotCosigned(
                BAD, "expected `old <size>`, a proof, an empty line and a checkpoint"
            )
        if len(lines) > CONSISTENCY_LIMIT:
            raise _NotCosigned(BAD, f"a proof has at most {CONSISTENCY_LIMIT} lines")
        proof = tuple(base64.b64decode(line, validate=True) for line in lines)
    except (UnicodeDecodeError, binascii.Error, ValueError) as error:
        raise _NotCosigned(BAD, "the request is not text with base64") from error
    return int(number), proof, note


def _own_line(note: str, origin: str) -> str:
    """Return the signature lines of the log itself, without those of others."""
    lines = note.partition("\n\n")[2].splitlines()
    return "".join(f"{line}\n" for line in lines if line.split(" ")[1:2] == [origin])
