"""Flip single bits of a stored log: none may change what it says without being seen.

First every bit of every byte of the exported entries, checked by the offline verifier. Then one
bit of bytes all over the database, checked by `verify`: a flip is seen, or changes no entry (free
space, the tables beside the log). A control checks without hashes: it must miss some.

    .venv/bin/python -m bench.record bit-flips --count 20000
"""

from __future__ import annotations

import os
import random
import shutil
import tempfile
from pathlib import Path

from bench.record.tampering import Log
from signoff.effects.store import RecordDraft
from signoff.errors import SignoffError
from signoff.storage import sqlite
from signoff.storage.chain import Head, VerifyResult
from signoff.storage.proof import offline_verifier
from signoff.storage.sqlite import SqliteStore

COUNT = 20_000
ENTRIES, TEXT_MOST = 200, 2_500  # so that entries fill most of the database


def run(*, is_control: bool, count: int = COUNT) -> int:
    """Flip bits; exit status 1 if one was missed. `count` is of bytes of the database."""
    if is_control:
        sqlite.verify_chain = _trusting  # type: ignore[attr-defined, assignment]  # broken on purpose
        offline_verifier.check_entry = lambda *_: b""
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as at:
        log = Log(Path(at))
        missed = _flipped_exports(log)
        texts = ["x" * (97 * n % TEXT_MOST) for n in range(ENTRIES)]
        log.store.append_batch([RecordDraft(content={"text": text}) for text in texts])
        missed += _flipped_database(log, count)
    return 1 if missed else 0


def _flipped_exports(log: Log) -> int:
    """Flip every bit of every exported entry but the last; return how many flips were missed."""
    bodies = [entry.body for entry in log.store.entries()]
    missed = tried = 0
    for number, body in enumerate(bodies[:-1]):
        for at in range(len(body) * 8):
            changed = bytearray(body)
            changed[at // 8] ^= 1 << at % 8
            tried += 1
            try:
                offline_verifier.check([bytes(changed)] if not number else [], [])
                lines = [*bodies[:number], bytes(changed), *bodies[number + 1 :]]
                offline_verifier.check(lines, [])
                missed += 1
            except offline_verifier.CheckFailed:
                continue
    print(f"exported entries: {tried} bits flipped, {missed} missed")
    return missed


def _flipped_database(log: Log, count: int) -> int:
    """Flip one bit of bytes of the database; return how many flips were missed."""
    said = [entry.body for entry in log.store.entries()]
    log.store.close()
    raw, dice = Path(log.path).read_bytes(), random.Random(1)
    places = dice.sample(range(len(raw)), min(count, len(raw)))
    seen = harmless = missed = 0
    for at in places:
        shutil.rmtree(log.folder / "seen", ignore_errors=True)
        for ending in ("-wal", "-shm"):
            Path(f"{log.path}{ending}").unlink(missing_ok=True)
        changed = bytes([raw[at] ^ 1 << dice.randrange(8)])
        Path(log.path).write_bytes(raw[:at] + changed + raw[at + 1 :])
        found = _found(log.path)
        seen += found is None
        harmless += found == said
        missed += found is not None and found != said
    share = f"{len(places)} of {len(raw)} bytes of the database"
    print(f"{share}: {seen} flips seen, {harmless} changed no entry, {missed} missed")
    return missed


def _found(path: str) -> list[bytes] | None:
    """Return the entries of a log that verifies, None if it does not."""
    store = SqliteStore(path)
    try:
        return [entry.body for entry in store.entries()] if store.verify().ok else None
    except SignoffError:
        return None
    finally:
        store.close()


def _trusting(_: object, kept_head: Head, *, removed_upto: int = 0) -> VerifyResult:
    """Verify nothing."""
    return VerifyResult(ok=True, count=kept_head.seq, head=kept_head)
