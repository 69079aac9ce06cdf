"""What one line wrote, found by where it lies: the same for few files and for many."""

from __future__ import annotations

import pytest

from signoff.actions.paths import is_inside
from signoff.actions.shell.origins.marks import BUILT, FETCHED, WrittenFiles

PATHS = ["/w/b/c", "/w", "/w/a/", "/w/ab", "/w/a/b/c.sh", "/w/a", "/", "/w/a/b"]


def _written(padding: int) -> WrittenFiles:
    written = WrittenFiles()
    for number in range(padding):
        written.add(f"/other/{number}", FETCHED)
    for path in PATHS:
        written.add(path, FETCHED)
    return written


@pytest.mark.parametrize("padding", [0, 100])
@pytest.mark.parametrize("path", ["/w/a/b/c.sh", "/w/a", "/w/ab/c", "/w/a/b/", "/x", "w/a"])
def test_what_a_path_lies_in_is_given_in_the_order_it_was_written(path: str, padding: int) -> None:
    """A walk up the path gives what a look at every written file gives."""
    assert [one for one in PATHS if is_inside(path, one)] == list(_written(padding).around(path))


@pytest.mark.parametrize("below", ["/w/a/", "/w/", "/", "/w/a/b/c.sh/", "/x/"])
def test_fetched_files_below_a_folder_are_given_in_the_order_they_were_written(below: str) -> None:
    """The folder itself is not among them, nor one whose name only begins like it."""
    expected = [path for path in PATHS if path.startswith(below) and path != below]

    assert expected == _written(0).fetched_below(below)


def test_only_a_change_counts_as_one() -> None:
    """What is known already changes nothing; one more origin does, and keeps the first."""
    written = WrittenFiles()
    written.add("/w/a", BUILT)
    before = written.changes
    written.add("/w/a", BUILT)
    assert before == written.changes

    written.add("/w/a", FETCHED)

    assert before < written.changes
    assert FETCHED | BUILT == written["/w/a"]
    assert ["/w/a"] == written.fetched_below("/w/")
