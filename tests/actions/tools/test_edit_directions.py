"""Edits that turn a guard, told by their direction."""

from __future__ import annotations

import pytest

from signoff.actions.contents.edits.directions import flipped_guard, turned_by_edit
from signoff.actions.contents.text import NewText
from signoff.actions.operation import FileKind


@pytest.mark.parametrize(
    ("old", "new", "key"),
    [
        ("requireMfa: true", "requireMfa: false", "requireMfa"),
        ("requireMfa: false", "requireMfa: true", ""),
        ("allowInsecureLoads=false", "allowInsecureLoads=true", "allowInsecureLoads"),
        ("allowInsecureLoads=true", "allowInsecureLoads=false", ""),
        ("required: true", "required: false", ""),
        ("dark: true", "dark: false", ""),
    ],
)
def test_only_one_direction_weakens(old: str, new: str, key: str) -> None:
    assert flipped_guard(old, new) == key


def test_a_command_that_stood_in_the_hook_is_not_new() -> None:
    old = '"post-install-cmd": ["a b"]'

    assert not tuple(turned_by_edit(FileKind.MANIFEST, NewText(new=old, old=old)))
    assert tuple(
        turned_by_edit(FileKind.MANIFEST, NewText(new='"post-install-cmd": "c d"', old=old))
    )
