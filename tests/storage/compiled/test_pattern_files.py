"""Compiled patterns are kept in files that only this installation can have made."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from signoff.assess.patterns.engines import HyperscanEngine
from signoff.assess.patterns.pattern import Pattern
from signoff.assess.patterns.pattern_set import PatternSet
from signoff.storage.compiled import FILES_KEPT, PatternFiles

PATTERNS = (
    Pattern("sql.drop", r"\bdrop\s+table\b"),
    Pattern("path.up", r"\.\./\.\./"),
    Pattern("secret.key", r"\bAKIA[A-Z0-9]{16}\b", ""),
)
TEXTS = ("drop  TABLE users", "../../etc", "AKIAABCDEFGHIJKLMNOP", "nothing", "", "é drop table")


@pytest.fixture
def shelf(tmp_path: Path) -> PatternFiles:
    """A folder that does not exist yet."""
    return PatternFiles(str(tmp_path / "kept"), key_file=str(tmp_path / "key"))


def only_file(tmp_path: Path) -> Path:
    """The one file that is kept."""
    (file,) = (tmp_path / "kept").iterdir()
    return file


def test_what_was_put_is_taken(shelf: PatternFiles) -> None:
    """The same bytes come back."""
    shelf.put("a", b"compiled")

    assert b"compiled" == shelf.take("a")


def test_nothing_is_there_before(shelf: PatternFiles) -> None:
    """A first start finds nothing, and that is no error."""
    assert b"" == shelf.take("a")


def test_kept_patterns_find_what_fresh_ones_find(shelf: PatternFiles) -> None:
    """A set taken from the shelf answers as one that was just compiled."""
    PatternSet(PATTERNS, shelf=shelf).scan("")
    quick = PatternSet(PATTERNS, is_quick=True, shelf=shelf)
    fresh = PatternSet(PATTERNS, HyperscanEngine(quick.patterns))

    assert [fresh.scan(text) for text in TEXTS] == [quick.scan(text) for text in TEXTS]


def test_a_set_takes_its_engine_from_the_shelf(shelf: PatternFiles) -> None:
    """What answers is what was kept: here an engine of other patterns under this name."""
    PatternSet(PATTERNS, shelf=shelf).scan("")

    class RecordingFiles:
        """Says which names were asked for."""

        names: list[str]

        def take(self, name: str) -> bytes:
            self.names.append(name)
            return shelf.take(name)

        def put(self, name: str, compiled: bytes) -> None:
            raise AssertionError(f"compiled again: {name}, {len(compiled)} bytes")

    told = RecordingFiles()
    told.names = []
    PatternSet(PATTERNS, shelf=told).scan("x")

    assert 1 == len(told.names)


def test_other_patterns_have_another_name(shelf: PatternFiles, tmp_path: Path) -> None:
    """A changed pattern is compiled again, whatever is kept of the old one."""
    PatternSet(PATTERNS, shelf=shelf).scan("")
    changed = PatternSet((*PATTERNS, Pattern("x.new", "new")), shelf=shelf)

    assert frozenset({"x.new"}) == changed.scan("a new one")
    assert 2 == len(list((tmp_path / "kept").iterdir()))


@pytest.mark.parametrize("at", [0, 31, 32, 40, -1])
def test_a_tampered_file_is_ignored(shelf: PatternFiles, tmp_path: Path, at: int) -> None:
    """One changed bit, in the seal or behind it, and the file is as if it were not there."""
    shelf.put("a", b"compiled" * 100)
    content = bytearray(only_file(tmp_path).read_bytes())
    content[at] ^= 1
    only_file(tmp_path).write_bytes(content)

    assert b"" == shelf.take("a")


def test_a_cut_file_is_ignored(shelf: PatternFiles, tmp_path: Path) -> None:
    """What was written half is not used."""
    shelf.put("a", b"compiled" * 100)
    only_file(tmp_path).write_bytes(only_file(tmp_path).read_bytes()[:50])

    assert b"" == shelf.take("a")


def test_a_file_under_another_name_is_ignored(shelf: PatternFiles, tmp_path: Path) -> None:
    """A file of ours that was renamed does not stand for other patterns."""
    shelf.put("a", b"compiled")
    file = only_file(tmp_path)
    file.rename(file.with_name(file.name.replace("a.", "b.", 1)))

    assert b"" == shelf.take("b")


def test_a_file_of_another_installation_is_ignored(shelf: PatternFiles, tmp_path: Path) -> None:
    """Only what carries the seal of this installation's key counts."""
    PatternFiles(str(tmp_path / "kept"), key_file=str(tmp_path / "other")).put("a", b"compiled")

    assert b"" == shelf.take("a")


def test_a_file_others_can_write_is_ignored(shelf: PatternFiles, tmp_path: Path) -> None:
    """A file that the group may write is not trusted."""
    shelf.put("a", b"compiled")
    only_file(tmp_path).chmod(0o660)

    assert b"" == shelf.take("a")


def test_a_link_is_ignored(shelf: PatternFiles, tmp_path: Path) -> None:
    """Nobody leads us to a file elsewhere."""
    shelf.put("a", b"compiled")
    file = only_file(tmp_path)
    file.rename(tmp_path / "elsewhere")
    file.symlink_to(tmp_path / "elsewhere")

    assert b"" == shelf.take("a")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_a_file_of_another_user_is_ignored(shelf: PatternFiles, tmp_path: Path) -> None:
    """What belongs to somebody else is not trusted, whatever is in it."""
    shelf.put("a", b"compiled")
    os.chown(only_file(tmp_path), 65534, 65534)

    assert b"" == shelf.take("a")


def test_files_are_for_their_owner_only(shelf: PatternFiles, tmp_path: Path) -> None:
    """The folder is 0700 and the file 0600."""
    shelf.put("a", b"compiled")

    modes = [path.stat().st_mode & 0o777 for path in (tmp_path / "kept", only_file(tmp_path))]

    assert [0o700, 0o600] == modes


def test_a_folder_that_cannot_be_made_is_no_failure(tmp_path: Path) -> None:
    """Where nothing can be kept, patterns are compiled as before."""
    (tmp_path / "kept").write_text("a file in the way")
    shelf = PatternFiles(str(tmp_path / "kept"), key_file=str(tmp_path / "key"))

    assert frozenset({"sql.drop"}) == PatternSet(PATTERNS, shelf=shelf).scan("drop table a")


def test_old_files_are_taken_away(shelf: PatternFiles, tmp_path: Path) -> None:
    """The folder does not grow with every version."""
    for number in range(FILES_KEPT + 3):
        shelf.put(f"name{number}", b"compiled")
        os.utime(tmp_path / "kept" / only_new(tmp_path, number), (number, number))

    assert FILES_KEPT == len(list((tmp_path / "kept").iterdir()))
    assert b"" == shelf.take("name0")


def only_new(tmp_path: Path, number: int) -> str:
    """The name of the file made last."""
    (name,) = (one.name for one in (tmp_path / "kept").glob(f"name{number}.*"))
    return name
