"""Which program a value names, where a known name is to excuse it.

named_program("less -R")                  -> "less"
named_program("/usr/bin/vim")             -> "vim"
named_program("/tmp/vim")                 -> ""       a local file, whatever it is called
is_plain_value("gzip", {"gzip"})          -> True
is_plain_value("gzip ; id", {"gzip"})     -> False    a line, read as one
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from signoff.actions.programs.identity import HOME_TOOLS
from signoff.actions.programs.scripts import SYSTEM_FOLDERS
from signoff.actions.vocabulary import lazy_re

HOME = lazy_re(r"(?:~|\$HOME|\$\{HOME\}|/root|/(?:home|Users)/[^/]+)/")
OPERATORS = lazy_re(r"[;|&<>`\n\r]|\$\(")


def named_program(line: str) -> str:
    """Return the program a line starts, "" for a file outside tool folders."""
    first = line.split(maxsplit=1)[0] if line.strip() else ""
    if "/" not in first:
        return first
    return first.rpartition("/")[2] if _is_tool(first) else ""


def _is_tool(path: str) -> bool:
    # `/usr/../tmp/vim` begins like a tool and is none.
    if "/.." in path:
        return False
    home = HOME.match(path)
    return path.startswith(SYSTEM_FOLDERS) or (
        home is not None and path[home.end() :].startswith(HOME_TOOLS)
    )


def is_plain_value(value: str, names: AbstractSet[str]) -> bool:
    """Return whether a value is exactly one word naming one of these programs."""
    return len(value.split()) == 1 and named_program(value) in names


def has_operators(line: str) -> bool:
    """Return whether a shell would run more than one program for a line, or redirect it."""
    return OPERATORS.search(line) is not None
