"""Where a shell finds a program, and what starts a script: by folders and first lines.

found_on("/usr/local/bin:/usr/bin", "env", cwd="/w")                  -> "/usr/bin/env"
interpreter_words(b"#!/usr/bin/env -S python3 -I\\n")      -> ("/usr/bin/env", "python3")
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence

from signoff.storage.bindings.invoked import UNKNOWN

FOLDERS_LIMIT = 256
ENV = "env"


def expanded(path: str, cwd: str) -> str:
    """Return the absolute path as written, "" where it is unknown."""
    whole = os.path.expanduser(path) if path.startswith("~") else path
    if not whole.startswith("/"):
        whole = os.path.join(cwd, whole) if cwd.startswith("/") else ""
    return whole


def path_lists(search_paths: Sequence[str], start: str) -> Iterator[str]:
    """Yield values of PATH, what is not known of one replaced by the PATH at the start."""
    for search_path in search_paths:
        yield start if not search_path else search_path.replace(UNKNOWN, start)


def found_on(search_path: str, name: str, cwd: str) -> str:
    """Return where a program is found first, "" if nowhere; an empty folder is the current one."""
    for folder in search_path.split(":")[:FOLDERS_LIMIT]:
        place = expanded(os.path.join(folder or ".", name), cwd)
        if place and _can_start(place):
            return os.path.normpath(place)
    return ""


def interpreter_words(first_line: bytes) -> tuple[str, ...]:
    """Return the interpreter a script names, and the program `env` would start for it."""
    if not first_line.startswith(b"#!"):
        return ()
    line = first_line[2:].partition(b"\n")[0].decode("utf-8", "replace")
    words = line.split()
    if not words:
        return ()
    interpreter, *rest = words
    if os.path.basename(interpreter) != ENV:
        return (interpreter,)
    program = next((w for w in rest if not w.startswith("-") and "=" not in w), "")
    return (interpreter, program) if program else (interpreter,)


def _can_start(place: str) -> bool:
    """Tell whether a shell would take the file at this place for a program."""
    try:
        found = os.stat(place)
    except (OSError, ValueError):
        return False
    return stat.S_ISREG(found.st_mode) and os.access(place, os.X_OK)
