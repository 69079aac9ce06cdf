"""Checkpoints as C2SP writes them: a signed note over origin, size and root of the log.

    signoff.log/9f3a12bc77de0012
    1838
    CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=

    - signoff.log/9f3a12bc77de0012 Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q

The line of the signature begins with an em dash. A key is told to others as `name+hash+key`.
"""

from __future__ import annotations

import base64
import binascii
import hashlib

from msgspec import Struct

from signoff.errors import SignoffError

DASH = "\u2014"
ED25519, COSIGNATURE = b"\x01", b"\x04"  # what a key signs: a checkpoint, or time and checkpoint
KEY_ID_BYTES = 4
KEY_BYTES = 32
SIGNATURE_BYTES = 64
NOTE_LIMIT = 1_000_000
NUMBER_LIMIT = 20  # digits


class BadCheckpoint(SignoffError):
    """A checkpoint, its signature or its key is not what it must be."""


class Checkpoint(Struct, frozen=True, kw_only=True):
    """Size and root of a log at one moment."""

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
        """The four bytes that name the key in a signature."""
        return hashlib.sha256(self.name.encode() + b"\n" + self.kind + self.public).digest()[
            :KEY_ID_BYTES
        ]

    @property
    def text(self) -> str:
        """The key as it is given to others."""
        encoded = base64.b64encode(self.kind + self.public).decode()
        return f"{self.name}+{self.id.hex()}+{encoded}"

    @classmethod
    def parse(cls, text: str, kind: bytes = ED25519) -> NoteKey:
        """Read a key of this kind.

        Raises:
            BadCheckpoint: it is none.
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
    """Return a checkpoint and its signatures by name and id of their key; nothing is checked.

    Raises:
        BadCheckpoint: it is no signed checkpoint.
    """
    text, gap, signed = note.partition("\n\n")
    lines = text.split("\n")
    if len(note) > NOTE_LIMIT or not gap or len(lines) < 3:
        raise BadCheckpoint("it is no signed checkpoint")
    origin, size, root = lines[:3]
    is_number = size.isascii() and size.isdigit() and len(size) <= NUMBER_LIMIT
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
    if len(checkpoint.root) != KEY_BYTES or checkpoint.text != f"{text}\n":
        raise BadCheckpoint("the checkpoint holds more than origin, size and root")
    return checkpoint, signatures


def signature_by(note: str, key: NoteKey) -> bytes:
    """Return the signature of a key in a note; it is not checked.

    Raises:
        BadCheckpoint: the key has not signed it.
    """
    checkpoint, signatures = parse_note(note)
    found = signatures.get((key.name, key.id))
    if found is None or len(found) != SIGNATURE_BYTES or checkpoint.origin != key.name:
        raise BadCheckpoint(f"the checkpoint is not signed by `{key.name}`")
    return found


def _decoded(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        raise BadCheckpoint("the checkpoint is no base64") from error
