"""Names of programs that are written together: verb and noun, or a file system that is made."""

from __future__ import annotations

import pytest

from signoff.actions.lexicon.compound_names import is_formatter, split_compound


@pytest.mark.parametrize(
    ("word", "noun"),
    [
        ("mmdelfileset", "fileset"),
        ("rmproject", "project"),
        ("delbuckets", "bucket"),
        ("dropdb", None),
        ("remodel", None),
        ("delta", None),
        ("rmdir", None),
        ("x" * 500 + "delbucket", None),
    ],
)
def test_a_deletion_is_read_where_a_noun_stands_behind_its_verb(
    word: str, noun: str | None
) -> None:
    """Other words that begin like a verb are none."""
    assert (noun and ("delete", noun)) == split_compound(word)


@pytest.mark.parametrize(
    ("word", "is_one"), [("mkltfs", True), ("newfs", True), ("fdformat", True), ("mkdir", False)]
)
def test_a_formatter_is_named_after_what_it_makes(word: str, *, is_one: bool) -> None:
    """`mk...fs` and `...format` may empty a device."""
    assert is_formatter(word) is is_one
