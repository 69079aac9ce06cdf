"""Checks an exported audit log of signoff. One file, Python 3.9 or later, no package, no network.

    python verify.py EXPORT --key KEY --checkpoint FILE ...
    python verify.py --proof FILE --key KEY

EXPORT is a folder made by `signoff audit export --format bundle`, or its `entries.jsonl`. KEY is
the public key (`name+hash+key`) or a file with it, which you kept since before: a key from the
export itself proves nothing against whoever made the export. FILE is a checkpoint that you kept: a
card, a mail or a file with the signed note, or a file of many.

Exit status: 0 the log is what was signed; 1 entries were changed, left out, put in or moved;
2 the log is shorter than what was signed; 3 a signature or key is wrong; 4 cannot be read.

It sees: a changed byte, entries removed from the middle, put in, swapped or repeated, a log made
anew with matching hashes, and one cut off or rolled back to before a checkpoint. It does not see:
entries cut off after the newest checkpoint it is given; and nothing that was never written.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import itertools
import json
import os
import sys
from collections.abc import Iterable, Iterator

OK, TAMPERED, SHORTER, BAD_SIGNATURE, UNREADABLE = range(5)
UNREAD = (OSError, ValueError, KeyError, TypeError, RecursionError)  # of what cannot be read
HASH_PREFIX = b"signoff-record-v1\0"
PROOF_FORMAT = "c2sp.org/tlog-proof@v1"
REMOVED = b'{"removed":'
DASH = "\u2014"
LINE_LIMIT = 1_000_000
NOTE_LINES = 4  # before the first signature: origin, size, root, a blank one
KEY_BYTES, SIGNATURE_BYTES = 32, 64

P = 2**255 - 19  # the field and the curve of Ed25519 (RFC 8032, 5.1)
ORDER = 2**252 + 27742317777372353535851937790883648493  # of the base point, L there
D = -121665 * pow(121666, P - 2, P) % P
ROOT_OF_MINUS_1 = pow(2, (P - 1) // 4, P)

Point = tuple[int, int, int, int]
Key = tuple[str, bytes, bytes]  # name, id, public key
Signed = tuple[int, bytes]  # size and root of a log


class CheckFailed(Exception):
    """A check failed; carries the exit status."""

    def __init__(self, status: int, said: str) -> None:
        super().__init__(said)
        self.status = status


def decompress(raw: bytes) -> Point | None:
    """Return the point of 32 bytes, None if there is none."""
    y = int.from_bytes(raw, "little")
    sign, y = y >> 255, y & (2**255 - 1)
    if y >= P:
        return None
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * ROOT_OF_MINUS_1 % P
    if (x * x - square) % P or (not x and sign):
        return None
    if x & 1 != sign:
        x = P - x
    return x, y, 1, x * y % P


def plus(one: Point, two: Point) -> Point:
    """Return the sum of two points."""
    x1, y1, z1, t1 = one
    x2, y2, z2, t2 = two
    a, b = (y1 - x1) * (y2 - x2) % P, (y1 + x1) * (y2 + x2) % P
    c, d = 2 * D * t1 * t2 % P, 2 * z1 * z2 % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def times(n: int, point: Point) -> Point:
    """Return the sum of n times a point."""
    found = (0, 1, 1, 0)
    while n:
        if n & 1:
            found = plus(found, point)
        point = plus(point, point)
        n >>= 1
    return found


def is_signed(public: bytes, signature: bytes, text: bytes) -> bool:
    """Tell whether an Ed25519 signature (64 bytes) of a text by this key (32 bytes) is right."""
    if len(public) != KEY_BYTES or len(signature) != SIGNATURE_BYTES:
        return False
    base = decompress((4 * pow(5, P - 2, P) % P).to_bytes(KEY_BYTES, "little"))
    a, r = decompress(public), decompress(signature[:KEY_BYTES])
    s = int.from_bytes(signature[KEY_BYTES:], "little")
    # RFC 8032, 5.1.7: a larger `s` would be a second signature of the same text.
    if a is None or r is None or base is None or s >= ORDER:
        return False
    hashed = hashlib.sha512(signature[:KEY_BYTES] + public + text).digest()
    x1, y1, z1, _ = times(s, base)
    x2, y2, z2, _ = plus(r, times(int.from_bytes(hashed, "little") % ORDER, a))
    return not (x1 * z2 - x2 * z1) % P and not (y1 * z2 - y2 * z1) % P


def read_key(text: str) -> Key:
    """Return the key in a text, or in a file with it."""
    if os.path.exists(text):
        with open(text, encoding="utf-8") as source:
            text = source.read()
    try:
        name, id, encoded = text.strip().split("+", 2)
        raw = base64.b64decode(encoded, validate=True)
    except ValueError:
        raise CheckFailed(BAD_SIGNATURE, "the key is none: expected name+hash+key") from None
    expected = hashlib.sha256(name.encode() + b"\n" + raw).digest()[:4]
    if raw[:1] != b"\x01" or len(raw) != KEY_BYTES + 1 or expected.hex() != id:
        raise CheckFailed(BAD_SIGNATURE, "the key is damaged")
    return name, expected, raw[1:]


def notes_in(text: str) -> Iterator[str]:
    """Yield the signed notes in a text: one, several, or one a line in JSON."""
    lines = text.splitlines()
    if lines and lines[0].startswith("{"):
        yield from (str(json.loads(line)["note"]) for line in lines if line.strip())
        return
    # Whatever stands around them.
    for at, line in enumerate(lines):
        if line.startswith(f"{DASH} ") and at >= NOTE_LINES and not lines[at - 1].strip():
            body = [one.strip() for one in lines[at - NOTE_LINES : at - 1]]
            more = itertools.takewhile(lambda one: one.startswith(f"{DASH} "), lines[at:])
            yield "\n".join([*body, "", *(one.strip() for one in more), ""])


def checked(note: str, key: Key) -> Signed:
    """Return size and root in a note that this key has signed."""
    name, id, public = key
    try:
        text, signed = note.split("\n\n", 1)
        origin, size, root = text.split("\n")
        lines = [line.split(" ") for line in signed.splitlines()]
        found = [
            base64.b64decode(encoded, validate=True)
            for mark, signer, encoded in lines
            if (mark, signer) == (DASH, name)
        ]
        result = int(size), base64.b64decode(root, validate=True)
    except ValueError:
        raise CheckFailed(BAD_SIGNATURE, "a checkpoint cannot be read") from None
    signatures = [raw[4:] for raw in found if raw[:4] == id and origin == name]
    if not signatures:
        raise CheckFailed(BAD_SIGNATURE, f"a checkpoint is not signed by {name}")
    if not is_signed(public, signatures[0], f"{text}\n".encode()):
        raise CheckFailed(BAD_SIGNATURE, f"the signature of the checkpoint of size {size} is wrong")
    return result


class RunningTree:
    """The Merkle tree of RFC 6962, by the roots of its complete parts."""

    def __init__(self) -> None:
        self.size = 0
        self._peaks: list[bytes] = []

    def append(self, leaf: bytes) -> None:
        """Add a leaf hash."""
        n = self.size
        while n & 1:
            leaf = hashlib.sha256(b"\x01" + self._peaks.pop() + leaf).digest()
            n >>= 1
        self._peaks.append(leaf)
        self.size += 1

    def root(self) -> bytes:
        """Return the root hash."""
        if not self._peaks:
            return hashlib.sha256(b"").digest()
        root = self._peaks[-1]
        for peak in reversed(self._peaks[:-1]):
            root = hashlib.sha256(b"\x01" + peak + root).digest()
        return root


def check_entry(body: bytes, seq: int, before: bytes) -> bytes:
    """Return the hash of an entry that follows another; fail at what does not."""
    try:
        content = json.loads(body)
        said = content["seq"], content["prev"]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise CheckFailed(TAMPERED, f"entry {seq}: its bytes are no entry") from None
    if said != (seq, before.hex()):
        raise CheckFailed(TAMPERED, f"entry {seq}: it does not follow the entry before it")
    return hashlib.sha256(HASH_PREFIX + body).digest()


def check_removed(body: bytes, seq: int, before: bytes) -> tuple[bytes, bytes]:
    """Return leaf and hash of an entry whose contents were removed by retention."""
    try:
        said = json.loads(body)["removed"]
        leaf, own, prev = (bytes.fromhex(said[name]) for name in ("leaf", "hash", "prev"))
    except (ValueError, KeyError, TypeError):
        raise CheckFailed(TAMPERED, f"entry {seq}: its bytes are no entry") from None
    if (said.get("seq"), prev) != (seq, before):
        raise CheckFailed(TAMPERED, f"entry {seq}: it does not follow the entry before it")
    return leaf, own


def check(entries: Iterable[bytes], signed: Iterable[Signed]) -> tuple[RunningTree, int]:
    """Check chain and tree; return the tree, and how many of its entries are signed."""
    wanted: dict[int, set[bytes]] = {}
    for size, root in signed:
        wanted.setdefault(size, set()).add(root)
    tree, head, agreed, wrong = RunningTree(), bytes(32), 0, 0
    for body in entries:
        # The contents are gone by retention: the chain goes on by the hash, the tree by the leaf.
        if body.startswith(REMOVED):
            leaf, head = check_removed(body, tree.size + 1, head)
            tree.append(leaf)
        else:
            head = check_entry(body, tree.size + 1, head)
            tree.append(hashlib.sha256(b"\0" + body).digest())
        # All checkpoints of one size must agree: two roots are two logs.
        roots = wanted.pop(tree.size, None)
        if roots == {tree.root()} and not wrong:
            agreed = tree.size
        elif roots is not None:
            wrong = wrong or tree.size
    if wrong:
        said = f"entries {agreed + 1} to {wrong} are not those that were signed"
        raise CheckFailed(TAMPERED, f"{said}: the log was made anew")
    if any(size > tree.size for size in wanted):
        said = f"the log ends at entry {tree.size}, but {max(wanted)} were signed"
        raise CheckFailed(SHORTER, f"{said}: it was cut off, or an older copy was put back")
    return tree, agreed


def root_by(leaf: bytes, hashes: list[bytes], *, index: int, size: int) -> bytes | None:
    """Return the root that the hashes of a proof lead to, None if they lead to none."""
    node, last = index, size - 1
    if not 0 <= index < size:
        return None
    for one in hashes:
        if last == 0:
            return None
        if node & 1 or node == last:
            leaf = hashlib.sha256(b"\x01" + one + leaf).digest()
            while not node & 1 and node:
                node, last = node >> 1, last >> 1
        else:
            leaf = hashlib.sha256(b"\x01" + leaf + one).digest()
        node, last = node >> 1, last >> 1
    return leaf if last == 0 else None


def check_proof(path: str, key: Key) -> list[str]:
    """Check the proof of one entry; return the entry and what signs it."""
    with open(path, encoding="utf-8") as source:
        head, _, note = source.read().partition("\n\n")
    lines = head.split("\n")
    try:
        body = base64.b64decode(lines[1].split(" ")[1], validate=True)
        index = int(lines[2].split(" ")[1])
        hashes = [base64.b64decode(one, validate=True) for one in lines[3:]]
    except (ValueError, IndexError):
        lines = [""]
    if lines[0] != PROOF_FORMAT:
        raise CheckFailed(UNREADABLE, f"{path} is no proof")
    size, root = checked(note, key)
    leaf = hashlib.sha256(b"\0" + body).digest()
    if root_by(leaf, hashes, index=index, size=size) != root:
        raise CheckFailed(TAMPERED, "the entry is not in the log that was signed")
    return [body.decode(), f"entry {index + 1} of {size} signed by {key[0]}"]


def lines_of(path: str) -> Iterator[bytes]:
    """Yield the entries of an export."""
    with open(path, "rb") as source:
        for line in source:
            if len(line) > LINE_LIMIT:
                raise CheckFailed(UNREADABLE, "a line of the export is too long")
            yield line.rstrip(b"\n")


def signed_in(files: list[str], key: Key) -> list[Signed]:
    """Return what the checkpoints in these files say; each file holds at least one."""
    signed: list[Signed] = []
    for file in files:
        with open(file, encoding="utf-8") as source:
            found = [checked(note, key) for note in notes_in(source.read())]
        if not found:
            raise CheckFailed(UNREADABLE, f"{file} holds no checkpoint")
        signed += found
    return signed


def check_export(export: str, *, key: str, checkpoints: list[str]) -> list[str]:
    """Check an export; return what can be said of it."""
    folder = export if os.path.isdir(export) else ""
    named = key or (os.path.join(folder, "key.txt") if folder else "")
    if not named:
        raise CheckFailed(BAD_SIGNATURE, "no key: give the one you kept with --key")
    known, own = read_key(named), os.path.join(folder, "checkpoints.jsonl")
    files = [*checkpoints, *([own] if folder and os.path.exists(own) else [])]
    path = os.path.join(folder, "entries.jsonl") if folder else export
    removed = sum(line.startswith(REMOVED) for line in lines_of(path))
    tree, agreed = check(lines_of(path), signed_in(files, known))
    entries, root = "entry" if tree.size == 1 else "entries", base64.b64encode(tree.root()).decode()
    said = [
        f"{tree.size} {entries}, root {root}: hash chain verified",
        f"{agreed} of them are signed by {known[0]}",
    ]
    if removed:
        said.append(f"NOTE: the contents of {removed} old entries were removed; hashes are checked")
    if not key:
        said.append("NOTE: the key is that of the export: compare it with one that you kept")
    if not checkpoints:
        said.append("NOTE: no checkpoint of your own: an older copy of the log would pass")
    if agreed < tree.size:
        said.append(f"NOTE: entries {agreed + 1} to {tree.size} are in no checkpoint")
    return said


def run(arguments: argparse.Namespace) -> list[str]:
    """Check what the arguments name; return what to say."""
    if arguments.proof and arguments.key:
        return check_proof(arguments.proof, read_key(arguments.key))
    if arguments.export:
        return check_export(
            arguments.export, key=arguments.key, checkpoints=list(arguments.checkpoint)
        )
    raise CheckFailed(UNREADABLE, "name an export, or a --proof and a --key")


def main() -> int:
    """Read the command line, check, and return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("export", nargs="?", help="the folder of an export, or its entries.jsonl")
    parser.add_argument("--key", default="", help="the public key you kept, or a file with it")
    parser.add_argument("--checkpoint", action="append", default=[], help="one that you kept")
    parser.add_argument("--proof", help="the proof of one entry, by `signoff audit prove`")
    try:
        sys.stdout.write("\n".join([*run(parser.parse_args()), ""]))
    except CheckFailed as failed:
        sys.stderr.write(f"FAILED: {failed}\n")
        return failed.status
    except UNREAD as error:
        sys.stderr.write(f"FAILED: cannot be read: {error}\n")
        return UNREADABLE
    return OK


if __name__ == "__main__":
    sys.exit(main())
