"""The hash chain: how entries of the record are made, linked and checked.

    body  RFC 8785 bytes of the content, with `seq` and with `prev` in hex
    hash  SHA-256 of a fixed prefix and the body; the next entry's `prev`
    leaf  SHA-256 of a zero byte and the body: the leaf of a Merkle tree over the record

The first entry's `prev` is 32 zero bytes. Anything changed, left out, put in or moved breaks a
link; what is cut off at the end is seen against the head that is kept apart.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping

from msgspec import Struct

from signoff.actions.canonical import RawJsonTree, canonical, encode
from signoff.effects.store import RecordEntry
from signoff.errors import StoreError

GENESIS = bytes(32)
HASH_PREFIX = b"signoff-record-v1\0"
BODY_LIMIT = 262_144  # one entry must not fill the log; what is too large denies the call
PIECE = 2_000  # bytes: `hashlib` gives the interpreter away from 2,048 on
SMALL_BODY = 16_384


class Head(Struct, frozen=True, kw_only=True, gc=False):
    """The newest entry of the audit log: its number and hash; 0 and `GENESIS` if it is empty."""

    seq: int = 0
    hash: bytes = GENESIS


class VerifyResult(Struct, frozen=True, kw_only=True):
    """The result of checking the hash chain of the audit log.

    Args:
        count: number of entries checked and found good.
        bad_seq: number of the first bad entry, 0 if there is none.
        problem: what is wrong with it, "" if nothing is.
        removed: number of the oldest entries whose contents were removed; their hashes are linked,
            and what they were is shown by the signed tree alone.
    """

    ok: bool
    count: int
    head: Head
    bad_seq: int = 0
    problem: str = ""
    removed: int = 0


def make_entry(content: Mapping[str, RawJsonTree], head: Head) -> RecordEntry:
    """Build the audit log entry that follows the head.

    Raises:
        StoreError: the content has no canonical form or is too large.
    """
    seq = head.seq + 1
    try:
        body = encode({**content, "seq": seq, "prev": head.hash.hex()})
    except (ValueError, TypeError, RecursionError) as error:
        raise StoreError(f"the record has no canonical form: {error}") from error
    if len(body) > BODY_LIMIT:
        raise StoreError(f"the record has {len(body)} bytes, at most {BODY_LIMIT} are stored")
    return RecordEntry(seq=seq, body=body, prev=head.hash, hash=hash_of(body), leaf=leaf_of(body))


def link_entries(
    contents: Iterable[Mapping[str, RawJsonTree]], head: Head
) -> tuple[list[RecordEntry | StoreError], Head]:
    """Build the entries that follow the head; one that cannot be stored fails alone.

    Returns one entry or one StoreError for each content, in order, and the new head.
    """
    made: list[RecordEntry | StoreError] = []
    for content in contents:
        try:
            entry = make_entry(content, head)
        except StoreError as error:
            made.append(error)
            continue
        head = Head(seq=entry.seq, hash=entry.hash)
        made.append(entry)
    return made, head


def hash_of(body: bytes) -> bytes:
    """Return the entry hash of a body, which the next entry names as `prev`."""
    return _sha256(HASH_PREFIX, body)


def leaf_of(body: bytes) -> bytes:
    """Return the Merkle leaf hash of a body (RFC 6962)."""
    return _sha256(b"\0", body)


def _sha256(prefix: bytes, body: bytes) -> bytes:
    """Hash by pieces so small that the interpreter is not given away at each of them.

    Where others want it, a short body would wait longer to get it back than its hash takes.
    """
    if len(body) < PIECE:
        return hashlib.sha256(prefix + body).digest()
    made = hashlib.sha256(prefix)
    piece = PIECE if len(body) <= SMALL_BODY else len(body)
    for start in range(0, len(body), piece):
        made.update(body[start : start + piece])
    return made.digest()


def verify_chain(
    entries: Iterable[RecordEntry], kept_head: Head, *, removed_upto: int = 0
) -> VerifyResult:
    """Check every entry and link, and the end against the head that was kept.

    Args:
        removed_upto: up to this number contents may have been removed.
    """
    head, removed = Head(), 0
    for entry in entries:
        # Only up to the number retention has noted: an emptied entry above it was tampered with.
        is_removed = entry.body == b"" and entry.seq <= removed_upto
        problem = _problem(entry, head, is_removed=is_removed)
        removed += is_removed
        if problem:
            return VerifyResult(
                ok=False, count=head.seq, head=head, bad_seq=head.seq + 1, problem=problem
            )
        head = Head(seq=entry.seq, hash=entry.hash)
    if head != kept_head:
        problem = f"the record ends at {head.seq}, the head that was kept says {kept_head.seq}"
        return VerifyResult(
            ok=False, count=head.seq, head=head, bad_seq=head.seq + 1, problem=problem
        )
    # The hash of an entry without contents is not checked, so the end of the chain would prove
    # nothing.
    if head.seq and removed_upto >= head.seq:
        problem = "the contents of the newest entry are gone"
        return VerifyResult(ok=False, count=0, head=head, bad_seq=head.seq, problem=problem)
    return VerifyResult(ok=True, count=head.seq, head=head, removed=removed)


def _problem(entry: RecordEntry, head: Head, *, is_removed: bool) -> str:
    """Say what is wrong with the entry that should follow the head, "" if nothing is."""
    # SQLite gives what a damaged file says, whatever the columns were declared as.
    if not all(isinstance(one, bytes) for one in (entry.body, entry.hash, entry.leaf)):
        return "it holds something else than bytes"
    checks = (
        (entry.seq == head.seq + 1, f"number {head.seq + 1} expected, {entry.seq} found"),
        (entry.prev == head.hash, "it does not follow the entry before it"),
        (is_removed or entry.hash == hash_of(entry.body), "its hash is not that of its bytes"),
        (is_removed or entry.leaf == leaf_of(entry.body), "its leaf hash is not that of its bytes"),
    )
    found = next((problem for is_fine, problem in checks if not is_fine), "")
    return found if found or is_removed else _body_problem(entry, head)


def _body_problem(entry: RecordEntry, head: Head) -> str:
    """Say what is wrong with the bytes of an entry, "" if nothing is."""
    try:
        content = json.loads(entry.body)
        # Else two texts could mean one entry, and a reader could see another one than was hashed.
        is_canonical = isinstance(content, dict) and canonical(content) == entry.body
    except (ValueError, TypeError, RecursionError):
        return "its bytes are no JSON"
    if not is_canonical:
        return "its bytes are not in canonical form"
    if content.get("seq") != entry.seq or content.get("prev") != head.hash.hex():
        return "its bytes name another place in the record"
    return ""
