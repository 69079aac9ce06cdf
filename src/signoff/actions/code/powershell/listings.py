"""What a search of PowerShell gives to the command behind the pipe.

gci bin,obj -Recurse | ri      the items of both folders, with all that lies below
gci src *.cs                   files of `src` by a filter of their names
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from signoff.actions.code.powershell.cmdlets import means
from signoff.actions.code.spelling import unquoted
from signoff.actions.code.value import Value

NAMED = frozenset({"-include", "-filter", "-i"})  # of a search: which names it finds
JOINED = "\x1f"  # between the items of such a list
_LEFT_OVER = (".o", ".obj", ".pdb", ".pyc", ".log", ".tmp", ".bak", ".swp", ".orig", "~")


def selected(words: Sequence[str], values: Sequence[Value]) -> Value:
    """Return what a search finds: whether it goes down, and patterns of its names."""
    lowered = [word.lower() for word in words]
    names = ["*"]
    for parameter, given in pairwise(words):
        if parameter.lower() in NAMED:
            names = [unquoted(one) for one in given.split(JOINED)]
    is_deep = any(means(word, "-recurse") for word in lowered)
    # Every file of a kind in a whole tree is as good as the tree, unless it is made again.
    kept = [
        "*" if is_deep and "*" in name and not name.lower().endswith(_LEFT_OVER) else name
        for name in names
    ]
    folders = [one.rstrip("/\\") for one in _folders(values)] or ["."]
    found = [Value(constant=f"{folder}/{name}") for folder in folders for name in kept]
    return Value(items=(Value(constant="-recurse" if is_deep else ""), *found))


def _folders(values: Sequence[Value]) -> list[str]:
    """Return the folders of a list; behind the first, a wildcard alone is a filter of names."""
    shown = [value.shown for value in values]
    return shown[:1] + [one for one in shown[1:] if "*" not in one or "/" in one]
