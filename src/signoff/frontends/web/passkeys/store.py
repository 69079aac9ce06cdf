"""Passkeys and recovery codes of approvers, in one file that is read once.

The file is written by the daemon alone. What another process changes in it counts only after a
restart; a file that is damaged refuses whatever takes a passkey. No secret is in it: public
keys, and hashes of recovery codes of 80 random bits.

    file = PasskeyFile("/home/dev/.config/signoff/passkeys.json")
    file.of("ada")
"""

from __future__ import annotations

import hashlib
import os
import secrets
import threading

import msgspec

from signoff.errors import StoreError
from signoff.ids import is_same_secret
from signoff.storage.text_file import make_folder, read_text, write_whole
from signoff.values import replace

FILE = "passkeys.json"
SIZE_LIMIT = 1 << 20
PASSKEYS_LIMIT = 20  # of one approver
CODES = 8
CODE_BYTES = 10


class Passkey(msgspec.Struct, frozen=True, kw_only=True):
    """One passkey of one approver.

    Args:
        id, public_key: base64url, as browsers write them.
        uses: the authenticator's own counter; 0 where it has none.
        realm: the public name it is good under; "" = the name of this installation.
        added_s, used_s: seconds since the epoch; `used_s` 0 before its first use.
    """

    id: str
    approver: str
    name: str
    public_key: str
    uses: int = 0
    realm: str = ""
    added_s: float = 0.0
    used_s: float = 0.0


class PasskeyDocument(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The file. `codes`: hashes of the unused recovery codes of each approver."""

    version: int = 1
    passkeys: tuple[Passkey, ...] = ()
    codes: dict[str, tuple[str, ...]] = {}


class PasskeyFile:
    """Stores passkeys and recovery codes."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._kept: PasskeyDocument | None = None

    def all(self) -> tuple[Passkey, ...]:
        """Return every passkey.

        Raises:
            StoreError: the file is damaged; `BadSettings`: it cannot be read.
        """
        with self._lock:
            return self._document().passkeys

    def of(self, approver: str) -> tuple[Passkey, ...]:
        """Return the passkeys of an approver, oldest first."""
        return tuple(one for one in self.all() if one.approver == approver)

    def find(self, id: str) -> Passkey | None:
        """Return the passkey of this id, None if there is none."""
        return next((one for one in self.all() if is_same_secret(one.id, id)), None)

    def add(self, passkey: Passkey) -> None:
        """Store a new passkey.

        Raises:
            StoreError: its id is taken, the approver has too many, or it cannot be written.
        """
        with self._lock:
            kept = self._document()
            if any(one.id == passkey.id for one in kept.passkeys):
                raise StoreError("this passkey is known already")
            if sum(one.approver == passkey.approver for one in kept.passkeys) >= PASSKEYS_LIMIT:
                raise StoreError(f"you have {PASSKEYS_LIMIT} passkeys: remove one first")
            self._write(replace(kept, passkeys=(*kept.passkeys, passkey)))

    def used(self, id: str, *, uses: int, at_s: float) -> None:
        """Store that a passkey was used."""
        with self._lock:
            kept = self._document()
            changed = tuple(
                replace(one, uses=uses, used_s=at_s) if one.id == id else one
                for one in kept.passkeys
            )
            self._write(replace(kept, passkeys=changed))

    def remove(self, approver: str, id: str) -> bool:
        """Delete an approver's passkey, with the last one their codes; False if there was none."""
        with self._lock:
            kept = self._document()
            left = tuple(one for one in kept.passkeys if (one.approver, one.id) != (approver, id))
            if len(left) == len(kept.passkeys):
                return False
            codes = dict(kept.codes)
            if all(one.approver != approver for one in left):
                codes.pop(approver, None)
            self._write(replace(kept, passkeys=left, codes=codes))
            return True

    def make_codes(self, approver: str) -> tuple[str, ...]:
        """Create and return new recovery codes; older ones become invalid."""
        made = tuple(secrets.token_hex(CODE_BYTES) for _ in range(CODES))
        with self._lock:
            kept = self._document()
            codes = {**kept.codes, approver: tuple(_hash(code) for code in made)}
            self._write(replace(kept, codes=codes))
        return tuple("-".join(code[at : at + 5] for at in range(0, 20, 5)) for code in made)

    def take_code(self, approver: str, code: str) -> bool:
        """Use up a recovery code; return False if it is not one of this approver."""
        # Dashes, blanks and capital letters do not count when people type it.
        wanted = _hash("".join(char for char in code.lower() if char.isalnum())[:100])
        with self._lock:
            kept = self._document()
            own = kept.codes.get(approver, ())
            left = tuple(one for one in own if not is_same_secret(one, wanted))
            if len(left) == len(own):
                return False
            self._write(replace(kept, codes={**kept.codes, approver: left}))
            return True

    def codes_left(self, approver: str) -> int:
        """Return how many recovery codes are unused."""
        with self._lock:
            return len(self._document().codes.get(approver, ()))

    def _document(self) -> PasskeyDocument:
        if self._kept is None:
            text = read_text(self._path, limit=SIZE_LIMIT)
            try:
                self._kept = (
                    PasskeyDocument()
                    if text is None
                    else msgspec.json.decode(text, type=PasskeyDocument)
                )
            except (msgspec.DecodeError, RecursionError) as error:
                raise StoreError(f"{self._path}: no passkeys in it: {error}") from error
        return self._kept

    def _write(self, document: PasskeyDocument) -> None:
        try:
            make_folder(os.path.dirname(self._path))
            write_whole(self._path, msgspec.json.format(msgspec.json.encode(document)))
        except OSError as error:
            raise StoreError(f"{self._path}: cannot be written: {error.strerror}") from error
        # Only now: what could not be written does not hold in memory either.
        self._kept = document


def _hash(code: str) -> str:
    return hashlib.sha256(b"signoff-recovery-v1\0" + code.encode("utf-8", "replace")).hexdigest()
