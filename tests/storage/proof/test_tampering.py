"""Every row of the table in docs/audit.md, by force: what each check sees of it, and what not.

The tamperer can write the database, and knows how entries, hashes and leaves are made. In the last
rows they also have the key, and rewrite the checkpoints kept beside the log.
"""

from __future__ import annotations

import base64
import json
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from signoff.effects.store import RecordDraft, RecordEntry
from signoff.errors import StoreError, TamperedRecord
from signoff.frontends.auditing.bundle import write_bundle
from signoff.storage.chain import Head, make_entry
from signoff.storage.proof import offline_verifier
from signoff.storage.proof.checkpoints import CheckpointKeeper
from signoff.storage.proof.signing import CheckpointSigner, open_signer
from signoff.storage.proof.verifying import verify_checkpoints
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


# What each check says: the chain alone, with the checkpoints beside the log, with one kept
# elsewhere, and the exit status of the offline verifier with that one.
TABLE: dict[Callable[[Log], None], tuple[bool, bool, bool, int]] = {
    edited: (True, True, True, 1),
    middle_cut: (True, True, True, 1),
    reordered: (True, True, True, 1),
    tail_cut: (False, True, True, 2),
    rolled_back: (False, True, True, 2),
    rechained: (False, True, True, 1),
    forked: (False, True, True, 1),
    rechained_with_key: (False, False, True, 1),
    swapped: (False, False, True, 1),
    new_tail_cut: (False, False, False, 0),
}


@pytest.fixture
def log(tmp_path: Path) -> Log:
    """Return a log of 24 entries, 20 of them signed."""
    return Log(tmp_path)


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


def offline(log: Log, *arguments: str) -> int:
    """Export what stands there and check it by the single file, with nothing else."""
    folder = log.folder / "export"
    folder.mkdir()
    with (folder / "entries.jsonl").open("wb") as target:
        for entry in log.store.entries():
            target.write(entry.body + b"\n")
    (folder / "verify.py").write_text(Path(offline_verifier.__file__).read_text())
    kept = log.folder / "kept.txt"
    kept.write_text(f"a card of mine\n\n{log.kept_elsewhere}\nand more\n")
    line = [str(folder / "verify.py"), str(folder), "--checkpoint", str(kept), *arguments]
    return subprocess.run(
        [sys.executable, "-I", "-S", *line], check=False, capture_output=True
    ).returncode


def test_an_untouched_log_verifies(log: Log) -> None:
    """By all four, and the daemon goes on signing it."""
    notes = [one.note for one in log.keeper.kept()]

    assert not seen_by_chain(log)
    assert not seen_by(log, notes, own=True)
    assert not seen_by(log, [log.kept_elsewhere], own=False)
    assert 0 == offline(log, "--key", log.public.text)
    assert f"\n{ENTRIES}\n" in (log.keeper.update() or "")


@pytest.mark.parametrize("tamper", TABLE, ids=lambda one: one.__name__)
def test_tampering(log: Log, tamper: Callable[[Log], None]) -> None:
    """What is promised is seen, and what is not promised is not seen."""
    chain, beside, elsewhere, status = TABLE[tamper]
    tamper(log)

    notes = [one.note for one in log.keeper.kept()]
    assert chain is seen_by_chain(log)
    assert (chain or beside) is (seen_by_chain(log) or seen_by(log, notes, own=True))
    assert elsewhere is (seen_by_chain(log) or seen_by(log, [log.kept_elsewhere], own=False))
    # Of another installation the key differs, and the entries too.
    assert status == offline(log, "--key", log.public.text)


@pytest.mark.parametrize("tamper", [tail_cut, rolled_back, rechained, forked])
def test_nothing_is_signed_over_a_tampered_log(log: Log, tamper: Callable[[Log], None]) -> None:
    """The keeper refuses, or signs a root that still shows it."""
    tamper(log)
    try:
        log.keeper.update()
    except TamperedRecord as error:
        assert "signed" in str(error)
    assert seen_by(log, [log.kept_elsewhere], own=False)


def test_another_key_is_refused(log: Log) -> None:
    """A checkpoint of somebody else's key proves nothing."""
    forged = CheckpointSigner(bytes(32)).sign(size=3, root=bytes(32))

    assert seen_by(log, [forged], own=False)
    (log.folder / "kept.txt").write_text(forged)
    log.kept_elsewhere = forged
    assert 3 == offline(log, "--key", log.public.text)


def test_a_changed_checkpoint_is_refused(log: Log) -> None:
    """Each character of a checkpoint counts, for both verifiers."""
    note, key = log.kept_elsewhere, offline_verifier.read_key(log.public.text)
    signature = base64.b64decode(note.split()[-1])
    for at in range(len(signature)):
        changed = bytearray(signature)
        changed[at] ^= 1
        line = note.replace(note.split()[-1], base64.b64encode(bytes(changed)).decode())
        with pytest.raises(offline_verifier.CheckFailed):
            offline_verifier.checked(line, key)
        assert seen_by(log, [line], own=False)


def test_every_bit_of_an_entry_counts(log: Log) -> None:
    """A single flipped bit of any stored byte of an entry is seen by the chain."""
    rows = list(log.store.entries())
    bodies = [rows[k].body for k in range(3)]
    for number, body in enumerate(bodies):
        for at in range(0, len(body), 7):
            changed = bytes([*body[:at], body[at] ^ 1, *body[at + 1 :]])
            lines = [*bodies[:number], changed, *bodies[number + 1 :]]
            with pytest.raises(offline_verifier.CheckFailed):
                offline_verifier.check([*lines, rows[3].body], [])


def test_a_bundle_checks_itself(log: Log, tmp_path: Path) -> None:
    """The export holds all that is needed, and says what it cannot show."""
    folder = tmp_path / "bundle"
    assert ENTRIES == write_bundle(log.store, log.keeper, folder)

    done = subprocess.run(
        [sys.executable, "-I", "-S", str(folder / "verify.py"), str(folder)],
        check=False,
        capture_output=True,
        text=True,
    )

    assert (0, "") == (done.returncode, done.stderr)
    assert f"{ENTRIES} of them are signed" in done.stdout
    assert "compare it with one that you kept" in done.stdout


def test_what_is_nested_too_deep_is_unreadable_or_no_entry(log: Log) -> None:
    """Hostile files end the verifier with a status of its own, with no trace of its code."""
    deep = '{"a":' * 100_000
    kept = log.folder / "deep.txt"
    kept.write_text(deep)

    assert 4 == offline(log, "--key", log.public.text, "--checkpoint", str(kept))
    with pytest.raises(offline_verifier.CheckFailed, match="entry 1: its bytes are no entry"):
        offline_verifier.check([deep.encode()], [])
