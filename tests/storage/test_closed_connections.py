"""No connection to an SQLite file is left open: not by `close`, not by who is dropped without."""

from __future__ import annotations

import gc
import os
import sqlite3
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from signoff.channels.message_database import MessageDatabase
from signoff.storage.approvals.database import Database
from signoff.storage.connection import OwnConnection

LEAVES_ALL_OPEN = """
import sys
from signoff.storage.approvals.database import Database
from signoff.storage.sqlite import SqliteStore

folder = sys.argv[1]
kept = [Database(folder + "/a.db"), SqliteStore(folder + "/record.db")]
with kept[0].reading():
    kept[1].head()
"""


def is_closed(db: sqlite3.Connection) -> bool:
    """Whether a connection takes no statement any more."""
    try:
        db.execute("SELECT 1")
    except sqlite3.ProgrammingError:
        return True
    return False


def test_a_database_that_is_dropped_is_closed(tmp_path: Path) -> None:
    """The file of approvals is closed with the last who refers to it."""
    database = Database(str(tmp_path / "a.db"))
    with database.reading() as db:
        pass

    del database
    gc.collect()

    assert is_closed(db)


def test_a_book_that_is_dropped_is_closed(tmp_path: Path) -> None:
    """The file of a channel's messages is closed with the last who refers to it."""
    book = MessageDatabase(str(tmp_path / "b.db"), version=1, steps={0: ()})
    with book.writing() as db:
        pass

    del book
    gc.collect()

    assert is_closed(db)


def test_a_closed_connection_is_opened_again_at_the_next_use(tmp_path: Path) -> None:
    """After `close` a use opens the file again."""
    own = OwnConnection(partial(sqlite3.connect, tmp_path / "c.db"))
    first = own.opened()

    own.close()

    assert (is_closed(first), own.is_open, is_closed(own.opened())) == (True, False, False)
    own.close()


def test_a_forked_process_leaves_the_connection_of_its_parent_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Closing a file in a child would drop the locks that its parent holds on it."""
    own = OwnConnection(partial(sqlite3.connect, tmp_path / "d.db"))
    parents = own.opened()

    with monkeypatch.context() as forked:
        forked.setattr(os, "getpid", lambda: -1)
        childs = own.opened()
        own.close()

    assert (is_closed(parents), is_closed(childs)) == (False, True)
    parents.close()


def test_the_end_of_a_process_closes_what_it_left_open(tmp_path: Path) -> None:
    """A program that never closes warns of nothing when it ends."""
    command = [sys.executable, "-W", "error", "-c", LEAVES_ALL_OPEN, str(tmp_path)]

    run = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)

    assert (run.returncode, run.stderr) == (0, "")
