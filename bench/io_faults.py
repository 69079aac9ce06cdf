"""Make every system call that touches the disk fail once, and count allows without a record.

For each call and each n: three decisions are made while strace makes the n-th such call fail. An
allow counts as lost if its record is not there afterwards; whatever happened, the record must add
up and the next start must work. Needs strace; exit status 1 if an allow was lost. A control allows
whether or not the record could be written: it must lose some.

    .venv/bin/python -m bench.record io-faults
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from itertools import product

from signoff.effects.store import RecordDraft, RecordEntry
from signoff.errors import StoreError
from signoff.gate import Gate
from signoff.storage.sqlite import SqliteStore
from signoff.testing import make_action, make_gate

CALLS = ("fdatasync", "fsync", "pwrite64", "write", "ftruncate", "openat", "fallocate", "unlink")
ERRORS = ("EIO", "ENOSPC", "EDQUOT", "EROFS")
DECISIONS = 3


def store_in(folder: str) -> SqliteStore:
    """Return the store in the folder."""
    return SqliteStore(f"{folder}/state/record.db")


def gate_in(folder: str) -> Gate:
    """Return a gate that would allow everything."""
    return make_gate(store=store_in(folder))


def decide_some(folder: str, *, is_control: bool) -> None:
    """Decide, and say the ids of what was allowed."""
    if is_control:
        durable = SqliteStore.append_batch

        def believed(store: SqliteStore, drafts: Sequence[RecordDraft]) -> object:
            try:
                return durable(store, drafts)
            except StoreError:
                return [RecordEntry(seq=1, body=b"", prev=b"", hash=b"", leaf=b"")] * len(drafts)

        SqliteStore.append_batch = believed  # type: ignore[method-assign, assignment]  # on purpose
    gate = gate_in(folder)
    decisions = [gate.check_now(make_action()) for _ in range(DECISIONS)]
    print(json.dumps([decision.id for decision in decisions if decision.allowed]))


def allowed_under(folder: str, fault: str, *, is_control: bool) -> list[str] | None:
    """Return the ids of what was allowed under a fault, None if nothing was decided at all."""
    state = f"{folder}/state"
    files = [f"{state}/record.db{ending}" for ending in ("", "-wal", "-shm")]
    only = [part for file in [*files, state] for part in ("-P", file)]
    strace = ["strace", "-f", "-qq", "-o", "/dev/null", *only, "-e", f"inject={fault}"]
    done = subprocess.run(
        [*strace, sys.executable, __file__, "--folder", folder, *["--control"] * is_control],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    if done.returncode:
        return None
    found: list[str] = json.loads(done.stdout)
    return found


def lost_under(fault: str, *, is_control: bool) -> tuple[int, int]:
    """Return how many were allowed under a fault, and how many of those are not on record."""
    with tempfile.TemporaryDirectory() as folder:
        gate_in(folder).check_now(make_action())
        allowed = allowed_under(folder, fault, is_control=is_control) or []
        store = store_in(folder)
        if not store.verify().ok:
            raise StoreError(f"after {fault} the record fails verification")
        kept = {json.loads(entry.body)["id"] for entry in store.entries()}
        store.close()
    return len(allowed), len(set(allowed) - kept)


def run(*, is_control: bool, count: int = 8) -> int:
    """Let the first to n-th of each call fail by each error; return the exit status."""
    cells = allowed = lost = untouched = 0
    for call, error, nth in product(CALLS, ERRORS, range(1, count + 1)):
        fault = f"{call}:error={error}:when={nth}"
        now_allowed, now_lost = lost_under(fault, is_control=is_control)
        cells, allowed, lost = cells + 1, allowed + now_allowed, lost + now_lost
        untouched += now_allowed == DECISIONS
    print(f"{cells} faults, {untouched} without effect, {allowed} allowed, {lost} without a record")
    return 1 if lost or untouched == cells else 0


def main() -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--upto", type=int, default=8, help="fail the 1st to n-th call")
    parser.add_argument("--control", action="store_true", help="allow without a record")
    parser.add_argument("--folder", default="", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.folder:
        decide_some(chosen.folder, is_control=chosen.control)
        return 0
    return run(is_control=chosen.control, count=chosen.upto)


if __name__ == "__main__":
    sys.exit(main())
