"""Where files really are, told by fewer looks than one for each folder on the way."""

from __future__ import annotations

import itertools
import os
from pathlib import Path

import pytest

from signoff.storage.fs_probe import files
from signoff.storage.fs_probe.files import look_at

NAMES = ("folder", "file", "to-folder", "to-file", "to-nothing", "to-link", "loop", "shut", "none")


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Make folders with every kind of name in them, behind a link."""
    real = tmp_path / "real"
    for folder in (real, real / "folder"):
        (folder / "folder").mkdir(parents=True)
        (folder / "shut").mkdir()
        (folder / "file").write_text("x")
        (folder / "to-folder").symlink_to(real / "folder")
        (folder / "to-file").symlink_to("file")
        (folder / "to-nothing").symlink_to("none/there")
        (folder / "to-link").symlink_to("to-nothing")
        (folder / "loop").symlink_to("loop")
        (folder / "shut").chmod(0)
    (tmp_path / "tree").symlink_to(real)
    return tmp_path / "tree"


def paths(tree: Path) -> list[str]:
    """Return every way of up to three names through the tree."""
    return [
        os.path.join(tree, *names)
        for length in (1, 2, 3)
        for names in itertools.product(NAMES, repeat=length)
    ]


def test_a_real_path_is_that_of_the_careful_way(tree: Path) -> None:
    """Be it there or not, behind links that lead somewhere, nowhere or in circles."""
    expected = {path: (os.path.realpath(path), os.path.exists(path)) for path in paths(tree)}
    seen = {path: look_at(path, text_limit=9) for path in paths(tree)}

    assert expected == {path: (fact.real_path, fact.exists) for path, fact in seen.items()}


def test_without_handles_on_names_it_is_the_same(
    tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On systems that cannot open a name alone."""
    expected = {path: look_at(path, text_limit=9) for path in paths(tree)}
    monkeypatch.setattr(files, "O_PATH", None)

    assert expected == {path: look_at(path, text_limit=9) for path in paths(tree)}


@pytest.mark.parametrize("path", ["/", "/none-of-this-name", "/none/of/this"])
def test_the_root_has_no_folder_above(path: str) -> None:
    """Nothing is doubled and nothing lost."""
    assert path == look_at(path, text_limit=9).real_path


@pytest.mark.parametrize("name", ["x" * 300, "d/" * 2_200 + "x", "\ud800"])
def test_names_no_system_has_are_not_there(tmp_path: Path, name: str) -> None:
    """Too long, or no name at all."""
    assert not look_at(f"{tmp_path}/{name}", text_limit=9).exists


def test_a_folder_that_is_called_deleted_is_no_deleted_one(tmp_path: Path) -> None:
    """The system marks what is gone by the same word."""
    folder = tmp_path / "x (deleted)"
    folder.mkdir()

    assert str(folder / "y") == look_at(str(folder / "y"), text_limit=9).real_path
