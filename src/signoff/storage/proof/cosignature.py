"""Cosignatures as C2SP writes them: a witness signs a checkpoint together with the time.

What is signed is `cosignature/v1`, a line with the time, and the text of the checkpoint.

    line = Cosigner(seed).sign(checkpoint, at_s=1_760_000_000)
    cosigned_at(note + line, witness_key)  ->  1760000000
"""

from __future__ import annotations

import base64
from functools import cached_property

from signoff.storage.installation import installation_key
from signoff.storage.proof.note import (
    COSIGNATURE,
    DASH,
    SIGNATURE_BYTES,
    BadCheckpoint,
    Checkpoint,
    NoteKey,
    parse_note,
)
from signoff.storage.proof.signing import SigningKey, is_signed

WITNESS = "signoff.witness/"
TIME_BYTES = 8


class Cosigner:
    """Signs what a witness has checked; the witness is named after its key."""

    def __init__(self, seed: bytes) -> None:
        self._own = SigningKey(seed)

    @cached_property
    def key(self) -> NoteKey:
        """The public key, for those who check."""
        name = self._own.name(WITNESS)
        return NoteKey(name=name, public=self._own.public, kind=COSIGNATURE)

    def sign(self, checkpoint: Checkpoint, *, at_s: int) -> str:
        """Return the signature line of a checkpoint; `at_s` is in seconds since the epoch."""
        signature = self._own.sign(_signed_text(checkpoint, at_s))
        encoded = base64.b64encode(self.key.id + at_s.to_bytes(TIME_BYTES, "big") + signature)
        return f"{DASH} {self.key.name} {encoded.decode()}\n"


def open_cosigner(path: str) -> Cosigner:
    """Return the cosigner of a witness; its key is made if there is none.

    Raises:
        StoreError: the key cannot be made or read.
    """
    return Cosigner(installation_key(path))


def cosigned_at(note: str, key: NoteKey) -> int:
    """Return when a witness cosigned a checkpoint, in seconds since the epoch.

    Raises:
        BadCheckpoint: this witness has not cosigned it, or the signature is wrong.
    """
    checkpoint, signatures = parse_note(note)
    found = signatures.get((key.name, key.id), b"")
    if len(found) != TIME_BYTES + SIGNATURE_BYTES:
        raise BadCheckpoint(f"the checkpoint is not cosigned by `{key.name}`")
    at_s = int.from_bytes(found[:TIME_BYTES], "big")
    text = _signed_text(checkpoint, at_s)
    if not is_signed(text, found[TIME_BYTES:], public=key.public):
        raise BadCheckpoint(f"the cosignature of `{key.name}` is wrong")
    return at_s


def _signed_text(checkpoint: Checkpoint, at_s: int) -> bytes:
    return f"cosignature/v1\ntime {at_s}\n{checkpoint.text}".encode()
