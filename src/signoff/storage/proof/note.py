"""Checkpoints and cosignatures as C2SP writes them, and the key that signs them.

A checkpoint is a signed note over origin, size and root of the log. The line of the signature
begins with an em dash. A key is told to others as `name+hash+key`. A witness signs a checkpoint
together with the time: `cosignature/v1`, a line with the time, and the text of the checkpoint.

The key is Ed25519, made once, for its owner only. `cryptography` is loaded where something is
signed or checked, and nowhere else.

    signoff.log/9f3a12bc77de0012
    1838
    CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=
    - signoff.log/9f3a12bc77de0012 Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q

    note = open_signer("/home/dev/.local/state/signoff/checkpoint.key").sign(size=12, root=root)
    line = Cosigner(seed).sign(checkpoint, at_s=1_760_000_000)
    cosigned_at(note + line, witness_key)  ->  1760000000
"""

from __future__ import annotations

import base64
import binascii
import hashlib
from functools import cached_property
from typing import Protocol

from msgspec import Struct

from signoff.errors import SignoffError
from signoff.storage.installation import installation_key

DASH = "\u2014"
ED25519, COSIGNATURE = b"\x01", b"\x04"  # what a key signs: a checkpoint, or time and checkpoint
KEY_ID_BYTES = 4  # as C2SP signed notes have it
KEY_BYTES = 32
SIGNATURE_BYTES = 64  # of Ed25519 (RFC 8032)
NOTE_LIMIT = 1_000_000
NUMBER_LIMIT = 20  # digits

WITNESS = "signoff.witness/"
TIME_BYTES = 8  # of a cosignature: seconds as 64 bits, as C2SP has it

ORIGIN = "signoff.log/"
NAME_CHARS = 16


class BadCheckpoint(SignoffError):
    """A checkpoint, its signature or its key is not valid."""


class Checkpoint(Struct, frozen=True, kw_only=True):
    """Size and root hash of a log at one moment."""

    origin: str
    size: int
    root: bytes

    @property
    def text(self) -> str:
        """The text that is signed."""
        return f"{self.origin}\n{self.size}\n{base64.b64encode(self.root).decode()}\n"

    @property
    def short(self) -> str:
        """Size and the first 16 characters of the root, for people to keep."""
        return f"{self.size} {base64.b64encode(self.root).decode()[:16]}"


class NoteKey(Struct, frozen=True, kw_only=True):
    """A public key with its name.

    Args:
        kind: `ED25519` of a log, `COSIGNATURE` of a witness.
    """

    name: str
    public: bytes
    kind: bytes = ED25519

    @property
    def id(self) -> bytes:
        """The four-byte key id used in a signature line."""
        return hashlib.sha256(self.name.encode() + b"\n" + self.kind + self.public).digest()[
            :KEY_ID_BYTES
        ]

    @property
    def text(self) -> str:
        """The key in the text form `name+hash+key`."""
        encoded = base64.b64encode(self.kind + self.public).decode()
        return f"{self.name}+{self.id.hex()}+{encoded}"

    @classmethod
    def parse(cls, text: str, kind: bytes = ED25519) -> NoteKey:
        """Parse a key of this kind.

        Raises:
            BadCheckpoint: it is not valid.
        """
        name, _, rest = text.strip().partition("+")
        id, _, encoded = rest.partition("+")
        raw = _decoded(encoded)
        key = cls(name=name, public=raw[1:], kind=kind)
        if not name or raw[:1] != kind or len(raw) != KEY_BYTES + 1 or key.id.hex() != id:
            whose = "a log" if kind == ED25519 else "a witness"
            raise BadCheckpoint(
                f"`{text.strip()[:80]}` is no key of {whose}: expected `name+hash+key`"
            )
        return key


def note_of(checkpoint: Checkpoint, key: NoteKey, signature: bytes) -> str:
    """Return the signed note of a checkpoint."""
    line = base64.b64encode(key.id + signature).decode()
    return f"{checkpoint.text}\n{DASH} {key.name} {line}\n"


def parse_note(note: str) -> tuple[Checkpoint, dict[tuple[str, bytes], bytes]]:
    """Parse a signed note; return its checkpoint and the signatures, unchecked.

    Signatures are keyed by name and id of their key.

    Raises:
        BadCheckpoint: it is not a signed checkpoint.
    """
    text, gap, signed = note.partition("\n\n")
    lines = text.split("\n")
    if len(note) > NOTE_LIMIT or not gap or len(lines) < 3:
        raise BadCheckpoint("it is no signed checkpoint")
    origin, size, root = lines[:3]
    is_number = size.isascii() and size.isdigit() and len(size) <= NUMBER_LIMIT
    # `012` and `12` would be two texts of one size, and a signature is over the text.
    if not origin or not is_number or size != str(int(size)):
        raise BadCheckpoint("the checkpoint has no origin or no size")
    signatures: dict[tuple[str, bytes], bytes] = {}
    for line in signed.splitlines():
        mark, _, rest = line.partition(" ")
        name, _, encoded = rest.partition(" ")
        raw = _decoded(encoded)
        if mark != DASH or not name or len(raw) <= KEY_ID_BYTES:
            raise BadCheckpoint("a line of the checkpoint is no signature")
        signatures[name, raw[:KEY_ID_BYTES]] = raw[KEY_ID_BYTES:]
    checkpoint = Checkpoint(origin=origin, size=int(size), root=_decoded(root))
    # Written again and compared: what a reader would pass over must not be signed along.
    if len(checkpoint.root) != KEY_BYTES or checkpoint.text != f"{text}\n":
        raise BadCheckpoint("the checkpoint holds more than origin, size and root")
    return checkpoint, signatures


def signature_by(note: str, key: NoteKey) -> bytes:
    """Return the unchecked signature of a key in a note.

    Raises:
        BadCheckpoint: the key has not signed it.
    """
    checkpoint, signatures = parse_note(note)
    found = signatures.get((key.name, key.id))
    # A log signs its own checkpoints only: else one log's key could vouch for another's.
    if found is None or len(found) != SIGNATURE_BYTES or checkpoint.origin != key.name:
        raise BadCheckpoint(f"the checkpoint is not signed by `{key.name}`")
    return found


def _decoded(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        raise BadCheckpoint("the checkpoint is no base64") from error


class Cosigner:
    """Signs checkpoints that a witness has checked; named after its key."""

    def __init__(self, seed: bytes) -> None:
        self._own = SigningKey(seed)

    @cached_property
    def key(self) -> NoteKey:
        """The public key, for verification."""
        name = self._own.name(WITNESS)
        return NoteKey(name=name, public=self._own.public, kind=COSIGNATURE)

    def sign(self, checkpoint: Checkpoint, *, at_s: int) -> str:
        """Return the signature line of a checkpoint; `at_s` is in seconds since the epoch."""
        signature = self._own.sign(_signed_text(checkpoint, at_s))
        encoded = base64.b64encode(self.key.id + at_s.to_bytes(TIME_BYTES, "big") + signature)
        return f"{DASH} {self.key.name} {encoded.decode()}\n"


def open_cosigner(path: str) -> Cosigner:
    """Return the cosigner of a witness; its key is created if missing.

    Args:
        path: of the key file.

    Raises:
        StoreError: the key cannot be created or read.
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


class _PublicKey(Protocol):
    """Port: a public key of `cryptography`."""

    def public_bytes_raw(self) -> bytes:
        """Return the 32 raw bytes."""


class _PrivateKey(Protocol):
    """Port: a private key of `cryptography`."""

    def sign(self, data: bytes, /) -> bytes:
        """Return the signature of these bytes."""

    def public_key(self) -> _PublicKey:
        """Return the public key."""


class SigningKey:
    """An Ed25519 private key, from a seed of 32 bytes."""

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
        """Return a name derived from the public key.

        Args:
            prefix: start of the name.
        """
        return prefix + hashlib.sha256(self.public).hexdigest()[:NAME_CHARS]


def is_signed(text: bytes, signature: bytes, *, public: bytes) -> bool:
    """Return whether an Ed25519 signature of a text is valid.

    Args:
        public: the public key, 32 bytes.
    """
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
    """Signs checkpoints of one log, which is named after the key."""

    def __init__(self, seed: bytes) -> None:
        self._own = SigningKey(seed)

    @cached_property
    def key(self) -> NoteKey:
        """The public key, for everybody who verifies."""
        return NoteKey(name=self._own.name(ORIGIN), public=self._own.public)

    def sign(self, *, size: int, root: bytes) -> str:
        """Return the signed note of a log's size and root."""
        checkpoint = Checkpoint(origin=self.key.name, size=size, root=root)
        return note_of(checkpoint, self.key, self._own.sign(checkpoint.text.encode()))


def open_signer(path: str) -> CheckpointSigner:
    """Return the signer of this installation; its key is created if missing.

    Args:
        path: of the key file.

    Raises:
        StoreError: the key cannot be created or read.
    """
    return CheckpointSigner(installation_key(path))


def checked_note(note: str, key: NoteKey) -> Checkpoint:
    """Return the checkpoint in a note after verifying this key's signature.

    Raises:
        BadCheckpoint: it is not valid, or this key has not signed it.
    """
    checkpoint, _ = parse_note(note)
    if not is_signed(checkpoint.text.encode(), signature_by(note, key), public=key.public):
        raise BadCheckpoint(f"the signature of `{key.name}` is wrong")
    return checkpoint
