"""Names that are written together: `mmdelfileset`, `rmproject`, `mkltfs`.

Programs of old trades join a short prefix, the verb and its noun. Only a deletion of something
whose noun is known is read out of such a word: `remodel` and `delta` hold no noun behind the verb.

    split_compound("mmdelfileset") == ("delete", "fileset")
    is_formatter("mkltfs")
"""

from __future__ import annotations

import re

from signoff.actions.lexicon.names import vocabulary

# What stands behind the verb; the longest is tried first.
_NOUNS = vocabulary(
    "fileset filesystem tablespace space workspace project bucket cluster database db repo"
    " repository account tenant keyspace datastore registry vault keyring realm domain zone volume"
    " vol pool catalog catalogue backup snapshot snap tape host node user group queue topic table"
    " index image vm instance container share export disk lun array dataset library record job"
    " user acct"
)
_JOINED = re.compile(
    r"[a-z]{0,3}?(?:del|delete|rm|remove|destroy|purge|wipe|erase|nuke|zap|dismantle)_?("
    + "|".join(sorted(_NOUNS, key=len, reverse=True))
    + r")s?"
)
_SHORT = {"db": "database", "vol": "volume", "snap": "snapshot", "acct": "account"}
_FORMATTER = re.compile(r"(?:mk|new|make)[a-z0-9]{0,8}fs|(?:low)?format[a-z]{0,8}|[a-z]{2,8}format")
MOST = 24  # characters: a longer word is no name of a program


def split_compound(word: str) -> tuple[str, str] | None:
    """Return verb and noun of a word that deletes something; None if it is no such word."""
    found = _JOINED.fullmatch(word) if 5 <= len(word) <= MOST else None
    if found is None:
        return None
    return "delete", _SHORT.get(found[1], found[1])


def is_formatter(word: str) -> bool:
    """Return whether a program may be named after making a file system on a device.

    `clangformat` is named so, too: what it is given tells, a device or a file.
    """
    return len(word) <= MOST and _FORMATTER.fullmatch(word) is not None
