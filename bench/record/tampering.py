"""Every way to tamper with an audit log, by force, and which check sees it.

The tamperer can write the database, and knows how entries, hashes and leaves are made. In some
rows they also have the key, and rewrite the checkpoints kept beside the log. The table stands in
docs/audit.md.

    .venv/bin/python -m bench.record tampering
"""

from __future__ import annotations

import asyncio
import json
import shutil
import socket
import sqlite3
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import uvicorn

from signoff.effects.store import RecordDraft, RecordEntry
from signoff.errors import SignoffError, StoreError
from signoff.frontends.auditing.witness_client import WitnessTarget, ask_witnesses
from signoff.frontends.auditing.witness_server import witness_app
from signoff.storage.chain import Head, make_entry
from signoff.storage.proof.checkpoints import CheckpointKeeper
from signoff.storage.proof.note import Cosigner, open_signer
from signoff.storage.proof.verifying import verify_checkpoints
from signoff.storage.proof.witness import Witness
from signoff.storage.sqlite import SqliteStore

ENTRIES, SIGNED = 24, 20  # the last checkpoint is of the first 20


class Log:
    """An audit log with checkpoints beside it, and one that was kept elsewhere."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.path = str(folder / "record.db")
        self.key_file = str(folder / "checkpoint.key")
        self.fill(ENTRIES // 2)
        self.keeper.update()
        self.old = folder / "old.db"
        shutil.copy(self.path, self.old)
        self.fill(SIGNED - ENTRIES // 2)
        self.kept_elsewhere = self.keeper.update() or ""
        self.public = self.keeper.key
        self.witness = Witness(str(folder / "witness"), Cosigner(bytes(32)), logs=(self.public,))
        self.witness.add_checkpoint(f"old 0\n\n{self.kept_elsewhere}".encode())
        self.fill(ENTRIES - SIGNED)

    @property
    def store(self) -> SqliteStore:
        """The log as it stands."""
        return SqliteStore(self.path)

    @property
    def keeper(self) -> CheckpointKeeper:
        """What signs it."""
        signer = open_signer(self.key_file)
        return CheckpointKeeper(self.store, signer, folder=str(self.folder / "checkpoints"))

    def fill(self, n: int) -> None:
        """Add entries as a daemon does, and close the file whole."""
        store = self.store
        start = store.head().seq
        store.append_batch(
            [RecordDraft(content={"tool": "Bash", "n": start + k}) for k in range(n)]
        )
        store.close()
        with closing(sqlite3.connect(self.path)) as db:
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def contents(self) -> list[dict[str, object]]:
        """Return what the entries say, without their place."""
        found = [json.loads(entry.body) for entry in self.store.entries()]
        return [{k: v for k, v in one.items() if k not in ("seq", "prev")} for one in found]

    def write(self, rows: list[RecordEntry], head: Head | None = None) -> None:
        """Write these rows in place of all, past the triggers, and forget what was seen."""
        with closing(sqlite3.connect(self.path)) as db, db:
            names = db.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall()
            for (name,) in names:
                db.execute(f"DROP TRIGGER {name}")
            db.execute("DELETE FROM records")
            for row in rows:
                values = (row.seq, row.body, row.prev, row.hash, row.leaf)
                db.execute("INSERT INTO records VALUES (?, ?, ?, ?, ?)", values)
            if head is not None:
                db.execute("UPDATE head SET seq = ?, hash = ?", (head.seq, head.hash))
        shutil.rmtree(self.folder / "seen", ignore_errors=True)

    def rechained(self, contents: list[dict[str, object]]) -> None:
        """Make the log anew with these contents, with hashes that fit."""
        head, rows = Head(), []
        for content in contents:
            entry = make_entry(content, head)  # type: ignore[arg-type]  # as it was stored
            head = Head(seq=entry.seq, hash=entry.hash)
            rows.append(entry)
        self.write(rows, head)

    def signed_anew(self) -> None:
        """Sign what stands there with the stolen key, and forget the checkpoints before."""
        shutil.rmtree(self.folder / "checkpoints")
        self.keeper.update()


def edited(log: Log) -> None:
    """Change a byte of a row."""
    rows = list(log.store.entries())
    body = rows[4].body.replace(b'"n":4', b'"n":5')
    row = RecordEntry(seq=5, body=body, prev=rows[4].prev, hash=rows[4].hash, leaf=rows[4].leaf)
    log.write([*rows[:4], row, *rows[5:]])


def tail_cut(log: Log) -> None:
    """Remove signed entries at the end, and set the head back."""
    rows = list(log.store.entries())[:-6]
    log.write(rows, Head(seq=rows[-1].seq, hash=rows[-1].hash))


def new_tail_cut(log: Log) -> None:
    """Remove only entries that no checkpoint holds."""
    rows = list(log.store.entries())[:SIGNED]
    log.write(rows, Head(seq=rows[-1].seq, hash=rows[-1].hash))


def middle_cut(log: Log) -> None:
    """Remove a row in the middle."""
    rows = list(log.store.entries())
    log.write([*rows[:9], *rows[10:]])


def reordered(log: Log) -> None:
    """Swap the contents of two rows, their numbers as they were."""
    rows = list(log.store.entries())
    one, two = rows[6], rows[7]
    rows[6] = RecordEntry(seq=7, body=two.body, prev=two.prev, hash=two.hash, leaf=two.leaf)
    rows[7] = RecordEntry(seq=8, body=one.body, prev=one.prev, hash=one.hash, leaf=one.leaf)
    log.write(rows)


def rolled_back(log: Log) -> None:
    """Put the older copy of the file back."""
    for ending in ("", "-wal", "-shm"):
        Path(f"{log.path}{ending}").unlink(missing_ok=True)
    shutil.copy(log.old, log.path)
    shutil.rmtree(log.folder / "seen", ignore_errors=True)


def rechained(log: Log) -> None:
    """Change an entry, and make all hashes anew."""
    contents = log.contents()
    contents[4]["n"] = 99
    log.rechained(contents)


def rechained_with_key(log: Log) -> None:
    """The same, and sign it with the stolen key."""
    rechained(log)
    log.signed_anew()


def forked(log: Log) -> None:
    """Go on from the middle with other entries, as long as before."""
    contents = log.contents()
    log.rechained([*contents[:10], *({"tool": "Bash", "n": -k} for k in range(ENTRIES - 10))])


def swapped(log: Log) -> None:
    """Put the log of another installation in its place, with checkpoints and key of its own."""
    other = log.folder / "other"
    other.mkdir()
    Log(other)
    log.rechained([{"tool": "Write", "n": k} for k in range(ENTRIES)])
    Path(log.key_file).unlink()
    log.signed_anew()


# What each check sees: the chain alone, the checkpoints beside the log, one kept elsewhere, a
# witness, and the exit status of the offline verifier with the one kept elsewhere.
Row = tuple[bool, bool, bool, bool, int]
TABLE: dict[Callable[[Log], None], Row] = {
    edited: (True, True, True, True, 1),
    middle_cut: (True, True, True, True, 1),
    reordered: (True, True, True, True, 1),
    tail_cut: (False, True, True, True, 2),
    rolled_back: (False, True, True, True, 2),
    rechained: (False, True, True, True, 1),
    forked: (False, True, True, True, 1),
    rechained_with_key: (False, False, True, True, 1),
    swapped: (False, False, True, True, 1),
    new_tail_cut: (False, False, False, False, 0),
}


@contextmanager
def served(witness: Witness) -> Iterator[WitnessTarget]:
    """Serve a witness on a port of loopback."""
    server = uvicorn.Server(uvicorn.Config(witness_app(witness), log_config=None, lifespan="off"))
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        try:
            yield WitnessTarget(url=f"http://127.0.0.1:{port}", key=witness.cosigner.key)
        finally:
            server.should_exit = True
            thread.join()


def seen_by_chain(log: Log) -> bool:
    """Tell whether the hash chain alone shows that something is wrong."""
    return not log.store.verify().ok


def seen_by(log: Log, notes: list[str], *, own: bool) -> bool:
    """Tell whether checkpoints show it, checked by the key that lies beside the log or the kept."""
    try:
        key = log.keeper.key if own else log.public
        return bool(verify_checkpoints(log.store, notes, key).problems)
    except StoreError:
        return True


def seen_by_witness(log: Log) -> bool:
    """Tell whether a witness contradicts the log, or nothing can be signed that it could see."""
    with served(log.witness) as target:
        try:
            keeper = log.keeper
            keeper.update()
            asked = ask_witnesses(log.store, keeper.newest_note(), keeper.key, (target,))
            (report,) = asyncio.run(asked)
        except SignoffError:
            return True
    return report.is_contradiction


def checks(log: Log) -> tuple[bool, bool, bool, bool]:
    """Return what sees something: chain, checkpoints beside, one kept elsewhere, a witness."""
    notes = [one.note for one in log.keeper.kept()]
    chain = seen_by_chain(log)
    beside = chain or seen_by(log, notes, own=True)
    elsewhere = chain or seen_by(log, [log.kept_elsewhere], own=False)
    return chain, beside, elsewhere, chain or seen_by_witness(log)


def untouched(_: Log) -> None:
    """Change nothing: no check may see anything."""


def run(*, is_control: bool) -> int:
    """Do every row and print it; exit status 1 if one is not as the table says."""
    wrong = 0
    print(f"{'':20}{'chain':>8}{'beside':>8}{'kept':>8}{'witness':>9}")
    rows = {untouched: (False,) * 4, **{one: row[:4] for one, row in TABLE.items()}}
    for tamper, expected in rows.items():
        with tempfile.TemporaryDirectory() as folder:
            log = Log(Path(folder))
            if not is_control:
                tamper(log)
            found = checks(log)
        wrong += found != expected
        said = [("seen" if one else "-") for one in found]
        print(f"{tamper.__name__:20}{said[0]:>8}{said[1]:>8}{said[2]:>8}{said[3]:>9}")
    print(f"{len(rows)} rows, {wrong} not as promised")
    return 1 if wrong else 0
