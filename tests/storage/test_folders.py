"""Folders are made closed, whatever the umask lets others do."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from signoff.storage.text_file import make_folder

ROOT = Path(__file__).parents[2] / "src" / "signoff"
# They make folders for root, or a new one where somebody says.
OTHERS = {
    "frontends/service/steps.py",
    "frontends/auditing/backup.py",
    "frontends/auditing/bundle.py",
}


@pytest.fixture
def _open_umask() -> Iterator[None]:
    before = os.umask(0)
    yield
    os.umask(before)


def modes(folder: Path) -> list[int]:
    """Return the modes of a folder and what stands below it."""
    return [stat.S_IMODE(one.stat().st_mode) for one in (folder, *sorted(folder.rglob("*")))]


@pytest.mark.usefixtures("_open_umask")
def test_a_folder_and_those_above_it_are_closed(tmp_path: Path) -> None:
    """Whoever can write above a folder can put another one in its place."""
    make_folder(str(tmp_path / "a" / "b" / "c"))
    make_folder(str(tmp_path / "a" / "b"))
    make_folder(str(tmp_path / "host" / "hooks"), mode=0o755)

    assert [0o700] * 3 == modes(tmp_path / "a")
    assert [0o755] * 2 == modes(tmp_path / "host")


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    """And stays."""
    (tmp_path / "a").write_text("x")

    with pytest.raises(OSError, match="File exists"):
        make_folder(str(tmp_path / "a"))


def test_no_folder_is_made_another_way() -> None:
    """By the umask of whoever happens to start signoff."""
    found = {
        str(path.relative_to(ROOT))
        for path in ROOT.rglob("*.py")
        if "os.makedirs(" in (text := path.read_text("utf-8")) or "parents=True" in text
    }

    assert OTHERS == found
