"""Copies of the audit log: made while it is written, put back whole, never silently older."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import threading
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from signoff.effects.store import RecordDraft
from signoff.errors import StoreError
from signoff.frontends.auditing.backup import plan_restore, restore, write_backup
from signoff.frontends.cli.audit_log import open_keeper
from signoff.settings import Settings
from signoff.storage.proof.checkpoints import CheckpointKeeper
from signoff.storage.proof.verifying import verify_checkpoints
from signoff.storage.sqlite import SqliteStore

NOW = datetime(2026, 3, 1, tzinfo=UTC)


class Machine:
    """A state folder with an audit log of ten entries, eight of them signed."""

    def __init__(self, folder: Path) -> None:
        self.settings = Settings(config_dir=str(folder / "c"), state_dir=str(folder / "s"))
        self.fill(8)
        self.keeper.update()
        self.fill(2)

    @property
    def store(self) -> SqliteStore:
        """The log as it stands."""
        return SqliteStore(self.settings.record_file)

    @property
    def keeper(self) -> CheckpointKeeper:
        """What signs it."""
        return open_keeper(self.store, self.settings)

    def fill(self, n: int, *, said: str = "") -> None:
        """Add entries."""
        store = self.store
        store.append_batch([RecordDraft(content={"n": k, "said": said}) for k in range(n)])
        store.close()

    def restored(self, folder: Path) -> str:
        """Put a copy back."""
        return restore(plan_restore(folder, self.settings), self.settings, now=NOW)


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    """Return a machine."""
    return Machine(tmp_path)


def test_a_copy_is_made_while_others_write(machine: Machine, tmp_path: Path) -> None:
    """It is a whole log at one moment, and its checkpoints hold."""
    is_over = threading.Event()

    def write() -> None:
        while not is_over.is_set():
            machine.fill(5)

    writer = threading.Thread(target=write)
    writer.start()
    try:
        counts = [write_backup(machine.store, machine.keeper, tmp_path / f"b{n}") for n in range(3)]
    finally:
        is_over.set()
        writer.join()

    assert counts == sorted(counts)
    assert counts[0] >= 10
    assert machine.store.verify().ok


def test_a_log_that_is_gone_comes_back(machine: Machine, tmp_path: Path) -> None:
    """Nothing was added since: the same log goes on under the same key."""
    write_backup(machine.store, machine.keeper, tmp_path / "b")
    key, kept = machine.keeper.key, [one.note for one in machine.keeper.kept()]
    for ending in ("", "-wal", "-shm"):
        Path(f"{machine.settings.record_file}{ending}").unlink(missing_ok=True)

    plan = plan_restore(tmp_path / "b", machine.settings)
    machine.restored(tmp_path / "b")
    machine.fill(1)

    assert (0, False) == (plan.lost, plan.is_new_key)
    assert key == machine.keeper.key
    assert () == verify_checkpoints(machine.store, kept, key).problems
    assert machine.keeper.update() is not None


def test_an_older_copy_is_told_and_cannot_pass_for_the_log(
    machine: Machine, tmp_path: Path
) -> None:
    """What was signed and is gone shows by an earlier checkpoint; the log goes on, newly named."""
    write_backup(machine.store, machine.keeper, tmp_path / "b")
    machine.fill(7)
    kept, key = machine.keeper.update() or "", machine.keeper.key

    plan = plan_restore(tmp_path / "b", machine.settings)
    aside = machine.restored(tmp_path / "b")
    machine.fill(20, said="after it")

    assert (7, True) == (plan.lost, plan.is_new_key)
    assert key != machine.keeper.key
    assert machine.keeper.update() is not None
    assert machine.store.verify().ok
    assert verify_checkpoints(machine.store, [kept], key).problems
    assert 17 == SqliteStore(str(Path(aside) / "record.db")).head().seq


def test_a_damaged_copy_is_refused(machine: Machine, tmp_path: Path) -> None:
    """Nothing is put in place, and a folder that is there is not written into."""
    copy = tmp_path / "b"
    write_backup(machine.store, machine.keeper, copy)
    with closing(sqlite3.connect(copy / "record.db")) as db, db:
        db.execute("DROP TRIGGER records_are_never_changed")
        db.execute("UPDATE records SET body = zeroblob(9) WHERE seq = 4")

    with pytest.raises(StoreError, match="damaged"):
        plan_restore(copy, machine.settings)
    with pytest.raises(StoreError, match="exists"):
        write_backup(machine.store, machine.keeper, copy)
    with pytest.raises(StoreError, match="no backup"):
        plan_restore(tmp_path, machine.settings)
    assert machine.store.verify().ok


def test_a_vacuumed_log_still_verifies(machine: Machine) -> None:
    """The numbers of entries are their own, not those of rows."""
    kept = machine.keeper.update() or ""
    with closing(sqlite3.connect(machine.settings.record_file)) as db:
        db.execute("VACUUM")

    assert machine.store.verify().ok
    assert () == verify_checkpoints(machine.store, [kept], machine.keeper.key).problems
    machine.fill(3)
    assert machine.keeper.update() is not None


def test_nothing_is_restored_without_a_person_at_a_terminal(
    machine: Machine, tmp_path: Path
) -> None:
    """An agent could roll the log back otherwise."""
    home = tmp_path / "home"
    state = home / ".local/state/signoff"
    state.parent.mkdir(parents=True)
    shutil.copytree(machine.settings.state_dir, state)
    line = [sys.executable, "-I", "-m", "signoff", "audit"]
    environment = {"PATH": os.environ["PATH"], "HOME": str(home)}

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*line, *words],
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            start_new_session=True,
            input="restore\n",
        )

    made = run("backup", str(tmp_path / "b"))
    refused = run("restore", str(tmp_path / "b"))

    assert (0, True) == (made.returncode, made.stdout.startswith("10 entries in"))
    assert refused.returncode
    assert "not confirmed on a terminal" in refused.stderr
    assert [] == list(state.glob("before-restore-*"))
