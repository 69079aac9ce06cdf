"""Two processes append to one log at once: no entry is lost, and the chain never forks.

A control lets writers read the newest entry outside of the transaction that writes: it must fail.

    .venv/bin/python -m bench.record two-writers --count 10000
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from signoff.effects.store import RecordDraft
from signoff.errors import StoreError
from signoff.storage import sqlite
from signoff.storage.sqlite import SqliteStore

COUNT, CONTROL_COUNT = 10_000, 4_000
WRITERS = 2
BATCH = 10
BUSY_S = 60.0


def run(*, is_control: bool, count: int = COUNT) -> int:
    """Append so many entries by each; exit status 1 if one is missing or the chain is broken."""
    if is_control:
        count = max(count, CONTROL_COUNT)  # so many that they meet
        sqlite._transaction = _no_transaction  # type: ignore[assignment]  # broken on purpose
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "record.db")
        SqliteStore(path).close()
        waiting, start = os.pipe()
        writers = [_forked(path, number, count, (waiting, start)) for number in range(WRITERS)]
        os.close(waiting)
        os.close(start)  # the last end: now all of them begin
        failed = sum(os.waitpid(pid, 0)[1] != 0 for pid in writers)
        store = SqliteStore(path, busy_timeout_s=BUSY_S)
        result = store.verify()
        store.close()
    made = count // BATCH * BATCH * WRITERS
    print(f"{made} appended by {WRITERS} processes, {result.count} verified, {failed} failed")
    return 1 if failed or not result.ok or result.count != made else 0


def _forked(path: str, number: int, count: int, pipe: tuple[int, int]) -> int:
    """Start a writer that begins once the pipe is closed; return its process id."""
    pid = os.fork()
    if pid:
        return pid
    status = 1
    try:
        os.close(pipe[1])
        os.read(pipe[0], 1)
        store = SqliteStore(path, busy_timeout_s=BUSY_S)
        for nth in range(count // BATCH):
            drafts = [RecordDraft(content={"w": number, "n": nth, "k": k}) for k in range(BATCH)]
            store.append_batch(drafts)
        store.close()
        status = 0
    except StoreError:
        status = 1
    finally:
        os._exit(status)


@contextmanager
def _no_transaction(_: object) -> Iterator[None]:
    """Let every statement commit by itself."""
    yield
