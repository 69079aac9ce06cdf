"""Copies of the audit log: backed up while it is written, put back, old contents moved out of it.

A backup is a folder with the log, its checkpoints and the public key. A copy that is put back may
hold fewer entries than were signed. Then the log goes on under a new key: nothing that was signed
before is signed again, so checkpoints kept elsewhere still show what is gone. A rotation moves the
contents of old entries into an archive; the proofs stay.

    write_backup(store, keeper, Path("backup"))  ->  1838 entries
    plan = plan_restore(Path("backup"), settings)
    plan.lost                                     ->  number of newer entries that would be gone
    restore(plan, settings, now=datetime.now(UTC))
    plan = plan_rotation(store, keeper, before="2026-01-01T00:00:00")
    rotate(store, plan, Path("2025.jsonl"))    the archive is written and checked first
"""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path

import msgspec
from msgspec import Struct

from signoff.errors import StoreError
from signoff.settings import Settings
from signoff.storage.chain import Head, hash_of, leaf_of
from signoff.storage.commits.seen_head import SeenHead
from signoff.storage.proof.checkpoints import (
    KEY,
    LOG,
    STATE,
    CheckpointKeeper,
    TreeState,
    read_kept,
)
from signoff.storage.proof.note import NoteKey
from signoff.storage.proof.verifying import verify_checkpoints
from signoff.storage.reading import Record, content_of
from signoff.storage.sqlite import SqliteStore
from signoff.system.files import CLOEXEC

RECORD = "record.db"
BUSY_S = 60.0  # a backup rather waits for writers than fails
ENDINGS = ("", "-wal", "-shm")


class RestorePlan(Struct, frozen=True, kw_only=True):
    """What restoring a backup would change.

    Args:
        entries: number of entries in the copy.
        newest: number of the newest entry that the present log, or what was seen of it, has.
        is_same: whether the copy holds the newest entry of the present log.
        signed: number of entries that were signed here.
    """

    folder: str
    entries: int
    newest: int
    is_same: bool
    signed: int

    @property
    def lost(self) -> int:
        """Number of entries in the present log that the backup lacks."""
        return 0 if self.is_same else max(self.newest - self.entries, 1)

    @property
    def is_new_key(self) -> bool:
        """Whether the log continues under a new key, as more was signed than the backup holds."""
        return not self.is_same and self.signed > 0


def write_backup(store: SqliteStore, keeper: CheckpointKeeper, folder: Path) -> int:
    """Write a verified backup into a new folder; return its number of entries.

    Other processes may go on writing to the log.

    Raises:
        StoreError: the folder is there already, or something cannot be read or written.
    """
    keeper.update()
    target = folder / RECORD
    with _our_errors(folder):
        folder.mkdir(mode=0o700, parents=True)
        # Checkpoints first: the copy then holds at least what they sign.
        shutil.copyfile(os.path.join(keeper.folder, LOG), folder / LOG)
        (folder / KEY).write_text(f"{keeper.key.text}\n", encoding="utf-8")
        # Made with its mode first: SQLite would make it by the umask, and takes an empty file as
        # well.
        os.close(os.open(target, os.O_CREAT | os.O_EXCL | CLOEXEC, 0o600))
        with closing(sqlite3.connect(store.path, timeout=BUSY_S)) as source:
            # One snapshot, without free pages; the numbers of entries stay as they are.
            source.execute("VACUUM INTO ?", (str(target),))
        _flush(target)
    return _checked_copy(folder).seq


def plan_restore(folder: Path, settings: Settings) -> RestorePlan:
    """Verify a backup and compare it with the present log.

    Raises:
        StoreError: the copy is not whole, or something cannot be read.
    """
    head = _checked_copy(folder)
    newest = _newest_seen(settings)
    signed = _signed(settings)
    return RestorePlan(
        folder=str(folder),
        entries=head.seq,
        newest=max(newest.seq, signed),
        is_same=signed <= head.seq and _holds(folder, newest),
        signed=signed,
    )


def restore(plan: RestorePlan, settings: Settings, *, now: datetime) -> str:
    """Replace the log by a backup; return the folder with the previous files.

    The daemon must not run.

    Raises:
        StoreError: something cannot be read or written.
    """
    state = Path(settings.state_dir)
    aside = state / f"before-restore-{now:%Y%m%dT%H%M%S}"
    record, made = Path(settings.record_file), Path(settings.record_file + ".restored")
    with _our_errors(state):
        aside.mkdir(mode=0o700)
        shutil.copyfile(Path(plan.folder) / RECORD, made)
        made.chmod(0o600)
        _flush(made)
        # A write-ahead log left beside another database would damage it (SQLite, "How To
        # Corrupt").
        moved = [Path(f"{record}{ending}") for ending in ENDINGS]
        if plan.is_new_key:
            moved += [Path(settings.checkpoints_dir), Path(settings.checkpoint_key_file)]
        for one in moved:
            if one.exists():
                os.replace(one, aside / one.name)
        os.replace(made, record)
        # What was seen of the former log would refuse this one (T-62).
        shutil.rmtree(record.parent / "seen", ignore_errors=True)
    store = SqliteStore(str(record))
    SeenHead(str(record)).note(store.head())
    store.close()
    return str(aside)


def _checked_copy(folder: Path) -> Head:
    """Return the newest entry of a copy whose chain and checkpoints hold.

    Raises:
        StoreError: they do not.
    """
    path = folder / RECORD
    if not path.is_file() or not (folder / KEY).is_file():
        raise StoreError(f"`{folder}` is no backup of `signoff audit backup`")
    with _our_errors(folder):
        key = NoteKey.parse((folder / KEY).read_text(encoding="utf-8"))
    store = SqliteStore(str(path))
    try:
        result = store.verify()
        notes = [kept.note for kept in read_kept(str(folder / LOG))]
        problems = verify_checkpoints(store, notes, key).problems if result.ok else ()
    finally:
        store.close()
    if not result.ok or problems:
        raise StoreError(f"the backup `{folder}` is damaged: {result.problem or problems[0]}")
    return result.head


def _newest_seen(settings: Settings) -> Head:
    """Return the newest entry that the present log has, or was seen to have."""
    seen = SeenHead(settings.record_file).read()
    if not os.path.exists(settings.record_file):
        return seen
    store = SqliteStore(settings.record_file)
    try:
        head = store.head()
    except StoreError:
        return seen
    finally:
        store.close()
    return max(seen, head, key=lambda one: one.seq)


def _signed(settings: Settings) -> int:
    """Return how many entries were signed here."""
    try:
        with open(os.path.join(settings.checkpoints_dir, STATE), "rb") as source:
            return msgspec.json.decode(source.read(), type=TreeState).size
    except FileNotFoundError:
        return 0
    except (OSError, msgspec.DecodeError) as error:
        raise StoreError(f"cannot read `{settings.checkpoints_dir}`: {error}") from error


def _holds(folder: Path, head: Head) -> bool:
    """Tell whether a copy holds this entry."""
    if not head.seq:
        return True
    store = SqliteStore(str(folder / RECORD))
    try:
        entry = next(store.entries(first=head.seq, last=head.seq), None)
    finally:
        store.close()
    return entry is not None and entry.hash == head.hash


def _flush(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY | CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextmanager
def _our_errors(folder: Path) -> Iterator[None]:
    """Turn errors of the system and the database into ours."""
    try:
        yield
    except (OSError, sqlite3.Error) as error:
        raise StoreError(f"cannot use `{folder}`: {error}") from error


class RotationPlan(Struct, frozen=True, kw_only=True):
    """The entries whose contents are to be archived: `first` to `last`, both included."""

    first: int = 1
    last: int = 0

    @property
    def count(self) -> int:
        """Number of entries."""
        return max(0, self.last - self.first + 1)


def plan_rotation(store: Record, keeper: CheckpointKeeper, *, before: str) -> RotationPlan:
    """Find the entries older than a time (UTC, ISO 8601), and sign the log up to now.

    The newest entry stays. So does what comes after the first entry that is not older.

    Raises:
        StoreError: the log cannot be read or signed.
    """
    keeper.update()
    newest, plan = store.head().seq, RotationPlan()
    for entry in store.entries():
        if entry.seq == newest or str(content_of(entry).get("ts", "")) >= before:
            return plan
        first = plan.first if plan.last else entry.seq
        plan = RotationPlan(first=first, last=entry.seq)
    return plan


def rotate(store: Record, plan: RotationPlan, archive: Path) -> int:
    """Write the archive, check it, and delete its entries' contents from the log.

    Returns the number of entries archived.

    Raises:
        StoreError: the archive is there already, or something cannot be read or written; then
            nothing was removed.
    """
    expected = [entry.leaf for entry in store.entries(first=plan.first, last=plan.last)]
    try:
        with open(os.open(archive, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as target:
            for entry in store.entries(first=plan.first, last=plan.last):
                if entry.hash != hash_of(entry.body):
                    raise StoreError(f"entry {entry.seq} is damaged: run `signoff audit verify`")
                target.write(entry.body + b"\n")
            target.flush()
            os.fsync(target.fileno())
        with archive.open("rb") as source:
            found = [leaf_of(line.rstrip(b"\n")) for line in source]
    except OSError as error:
        raise StoreError(f"cannot write `{archive}`: {error.strerror or error}") from error
    if found != expected or len(found) != plan.count:
        raise StoreError(f"`{archive}` does not hold what the log does: nothing was removed")
    return store.remove_contents(upto=plan.last)
