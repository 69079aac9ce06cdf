"""Marks of what holds a secret since an earlier call: files, images, tables, ignore lists.

A mark is numbered, and the last one of a name counts: a copy that was deleted holds nothing.

    secret:1:in:/p/public/robots-old.txt     a copy of a secret, whatever it is called
    secret:2:in:image:ghcr.io/a/b:1          an image that was built with one
    secret:3:in:table:notes                  a table it was written into
    secret:4:in:lost:/p/.gitignore           an ignore list that names it no longer
    secret:5:out:/p/public/robots-old.txt    the copy is gone

    held_secrets({"secret:1:in:/p/a"})       {"/p/a"}
"""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache

from signoff.actions.facts import numbered_marks

PREFIX = "secret:"
IMAGE, CONTAINER, TABLE, LOST, RECIPE = "image:", "container:", "table:", "lost:", "recipe:"
BUNDLE = "bundle:"  # settings of a build that put every variable into a page


def held_secrets(created: Collection[str]) -> frozenset[str]:
    """Return the paths and names that hold a secret now."""
    marks = frozenset([mark for mark in created if mark.startswith(PREFIX)])
    return _last(marks) if marks else frozenset()


@lru_cache(maxsize=32)
def _last(marks: frozenset[str]) -> frozenset[str]:
    last = {name: state for state, name in numbered_marks(marks, PREFIX)}
    return frozenset([name for name, state in last.items() if state == "in"])


def has_lost_ignore(created: Collection[str], path: str) -> bool:
    """Return whether the ignore list at this path lost a line that kept a secret out."""
    return f"{LOST}{path}" in held_secrets(created)
