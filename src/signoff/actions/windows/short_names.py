"""Short names of NTFS: `GIT~1` may be `.git`, `PROGRA~1` is `Program Files`.

A short name keeps six letters of the long one, without dots and blanks at its start. Which file it
stands for only the disk knows: every long name with a meaning that it may stand for is a reading.

    long_paths("C:/PROGRA~1/x")  ->  ("c:/program files/x", ...)
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import islice, product

from signoff.actions.known.file_names import AT_ROOT, IN_FOLDER, IN_HOME, NAMED

_SHORT = re.compile(r"(?P<stem>[^~/]{1,6})~[0-9]{1,6}(?:\.(?P<ending>[^./]{1,3}))?")
_STEM = 6
_ENDING = 3
_MAX_READINGS = 64
# Folders with a reach of their own.
_FOLDERS = (
    *("windows", "program files", "program files (x86)", "programdata", "documents", "downloads"),
    *("desktop", "pictures", "appdata", "local", "roaming", "users", "recovery", "system32"),
)


def long_paths(path: str) -> Iterator[str]:
    """Yield the paths that a path with short names may stand for; none where it has none."""
    if "~" not in path:
        return
    choices = [_long_names(part) or (part,) for part in path.split("/")]
    for parts in islice(product(*choices), _MAX_READINGS):
        read = "/".join(parts)
        if read != path:
            yield read


def _long_names(part: str) -> tuple[str, ...]:
    match = _SHORT.fullmatch(part)
    if match is None:
        return ()
    return _known().get((match["stem"].lower(), (match["ending"] or "").lower()), ())


@cache
def _known() -> Mapping[tuple[str, str], tuple[str, ...]]:
    names = dict.fromkeys(_FOLDERS)
    for table in (IN_FOLDER, AT_ROOT, IN_HOME, NAMED):
        for key in table:
            names.update(dict.fromkeys(key.replace("+", " ").strip("/").split("/")))
    found: dict[tuple[str, str], list[str]] = {}
    for name in names:
        stem, dot, ending = name.lstrip(".").rpartition(".")
        base = stem if dot else name.lstrip(".")
        letters = base.replace(" ", "").replace(".", "")[:_STEM]
        found.setdefault((letters, ending[:_ENDING] if dot else ""), []).append(name)
    return {short: tuple(long) for short, long in found.items()}
