"""Exports of the audit log that others can check, and the proof of a single entry.

write_bundle(store, keeper, Path("export"))     entries, checkpoints, key, and what checks them
proof_of(store, keeper, 12)                      a proof of entry 12 in the form of C2SP
"""

from __future__ import annotations

import base64
from collections.abc import Iterable
from pathlib import Path

import msgspec

from signoff.effects.store import RecordEntry
from signoff.errors import StoreError
from signoff.storage.commits.retention import removed_entries
from signoff.storage.proof import offline_verifier
from signoff.storage.proof.checkpoints import CheckpointKeeper, KeptCheckpoint
from signoff.storage.proof.note import parse_note
from signoff.storage.proof.tree import inclusion_proof
from signoff.storage.reading import Record, RemovedContents
from signoff.storage.sqlite import SqliteStore

PROOF_FORMAT = "c2sp.org/tlog-proof@v1"
MOST_CHECKPOINTS = 300  # each takes the offline verifier some milliseconds


def write_bundle(store: Record, keeper: CheckpointKeeper, folder: Path) -> int:
    """Write an export of the log into a new folder; return its number of entries.

    Raises:
        StoreError: the folder is there already, or something cannot be read or written.
    """
    keeper.update()
    count = 0
    try:
        folder.mkdir(mode=0o700, parents=True)
        with (folder / "entries.jsonl").open("xb") as target:
            removed = removed_of(store)
            for entry in removed:
                target.write(removed_line(entry))
                count += 1
            for entry in store.entries():
                target.write(entry.body + b"\n")
                count += 1
        kept = b"".join(msgspec.json.encode(one) + b"\n" for one in _thinned(keeper.kept()))
        (folder / "checkpoints.jsonl").write_bytes(kept)
        (folder / "key.txt").write_text(f"{keeper.key.text}\n", encoding="utf-8")
        verifier = Path(offline_verifier.__file__).read_text(encoding="utf-8")
        (folder / "verify.py").write_text(verifier, encoding="utf-8")
    except OSError as error:
        raise StoreError(f"cannot write `{folder}`: {error.strerror or error}") from error
    return count


def removed_of(store: Record) -> Iterable[RecordEntry]:
    """Return the entries whose contents were deleted; () if the log cannot tell."""
    if isinstance(store, SqliteStore):
        return removed_entries(store.path)
    return store.removed_entries() if isinstance(store, RemovedContents) else ()


def removed_line(entry: RecordEntry) -> bytes:
    """Return the export's line for an entry whose contents were deleted."""
    hashes = {"seq": entry.seq, "prev": entry.prev.hex(), "hash": entry.hash.hex()}
    return msgspec.json.encode({"removed": {**hashes, "leaf": entry.leaf.hex()}}) + b"\n"


def proof_of(store: Record, keeper: CheckpointKeeper, seq: int) -> str:
    """Return a text that proves an entry is in the signed log (`c2sp.org/tlog-proof`).

    Args:
        seq: number of the entry.

    Raises:
        StoreError: there is no such entry.
    """
    keeper.update()
    entry = next(store.entries(first=seq, last=seq), None)
    signed = [(parse_note(one.note)[0].size, one.note) for one in keeper.kept()]
    found = next(((size, note) for size, note in signed if size >= seq), None)
    if entry is None or found is None:
        raise StoreError(f"there is no entry {seq} in the audit log")
    size, note = found
    hashes = inclusion_proof(list(store.leaves(last=size)), seq - 1)
    return "\n".join(
        [
            PROOF_FORMAT,
            f"extra {base64.b64encode(entry.body).decode()}",
            # C2SP counts entries from 0.
            f"index {seq - 1}",
            *(base64.b64encode(one).decode() for one in hashes),
            "",
            note,
        ]
    )


def _thinned(kept: tuple[KeptCheckpoint, ...]) -> tuple[KeptCheckpoint, ...]:
    """Return some of the checkpoints, the newest among them."""
    step = -(-len(kept) // MOST_CHECKPOINTS) or 1
    # Counted from the newest, which is then never left out.
    return kept[::-1][::step][::-1]
