"""The key that signs checkpoints of the audit log: Ed25519, made once, for its owner only.

`cryptography` is loaded where something is signed or checked, and nowhere else.

    signer = open_signer("/home/dev/.local/state/signoff/checkpoint.key")
    note = signer.sign(size=12, root=root)
"""

from __future__ import annotations

import hashlib
from functools import cached_property
from typing import Protocol

from signoff.storage.installation import installation_key
from signoff.storage.proof.note import (
    BadCheckpoint,
    Checkpoint,
    NoteKey,
    note_of,
    parse_note,
    signature_by,
)

ORIGIN = "signoff.log/"
NAME_CHARS = 16


class _PublicKey(Protocol):
    """A public key of `cryptography`."""

    def public_bytes_raw(self) -> bytes:
        """Return its 32 bytes."""


class _PrivateKey(Protocol):
    """A private key of `cryptography`."""

    def sign(self, data: bytes, /) -> bytes:
        """Return the signature of some bytes."""

    def public_key(self) -> _PublicKey:
        """Return the public key."""


class SigningKey:
    """An Ed25519 key, by its seed of 32 bytes."""

    def __init__(self, seed: bytes) -> None:
        self._seed = seed

    @cached_property
    def _private(self) -> _PrivateKey:
        # 20 ms that only who signs pays.
        from cryptography.hazmat.primitives.asymmetric.ed25519 import (  # noqa: PLC0415 - see above
            Ed25519PrivateKey,
        )

        return Ed25519PrivateKey.from_private_bytes(self._seed)

    @property
    def public(self) -> bytes:
        """The public key, 32 bytes."""
        return self._private.public_key().public_bytes_raw()

    def sign(self, text: bytes) -> bytes:
        """Return the signature of a text, 64 bytes."""
        return self._private.sign(text)

    def name(self, prefix: str) -> str:
        """Return a name made of the public key."""
        return prefix + hashlib.sha256(self.public).hexdigest()[:NAME_CHARS]


def is_signed(text: bytes, signature: bytes, *, public: bytes) -> bool:
    """Tell whether a signature of a text is right."""
    from cryptography.exceptions import InvalidSignature  # noqa: PLC0415 - see above
    from cryptography.hazmat.primitives.asymmetric.ed25519 import (  # noqa: PLC0415 - see above
        Ed25519PublicKey,
    )

    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, text)
    except (InvalidSignature, ValueError):
        return False
    return True


class CheckpointSigner:
    """Signs checkpoints of one log; the log is named after the key."""

    def __init__(self, seed: bytes) -> None:
        self._own = SigningKey(seed)

    @cached_property
    def key(self) -> NoteKey:
        """The public key, to be given to everybody who checks."""
        return NoteKey(name=self._own.name(ORIGIN), public=self._own.public)

    def sign(self, *, size: int, root: bytes) -> str:
        """Return the signed note of a log's size and root."""
        checkpoint = Checkpoint(origin=self.key.name, size=size, root=root)
        return note_of(checkpoint, self.key, self._own.sign(checkpoint.text.encode()))


def open_signer(path: str) -> CheckpointSigner:
    """Return the signer of this installation; its key is made if there is none.

    Raises:
        StoreError: the key cannot be made or read.
    """
    return CheckpointSigner(installation_key(path))


def checked_note(note: str, key: NoteKey) -> Checkpoint:
    """Return the checkpoint in a note that this key has signed.

    Raises:
        BadCheckpoint: it is none, or this key has not signed it.
    """
    checkpoint, _ = parse_note(note)
    if not is_signed(checkpoint.text.encode(), signature_by(note, key), public=key.public):
        raise BadCheckpoint(f"the signature of `{key.name}` is wrong")
    return checkpoint
