"""Paths of this machine in any argument, recognised by their shape, not by the argument's name.

`read("/home/dev/.ssh/id_ed25519")` reads that file whatever its parameter is called. A route of
a web application (`/api/users`) is no path: only what begins like a place on a disk counts.

    paths_in({"0": "~/.aws/credentials"}) == ("~/.aws/credentials",)
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice

from signoff.actions.action import Json
from signoff.actions.lexicon.names import vocabulary
from signoff.actions.tools.naming.contents import strings_of

_TOP_FOLDERS = vocabulary(
    "bin boot dev etc home lib lib64 media mnt opt private proc root run sbin srv sys tmp usr var"
    " Applications Library System Users Volumes"
)
_MOST = 50
_LONGEST = 1_000


def paths_in(arguments: Mapping[str, Json]) -> tuple[str, ...]:
    """Return the arguments that look like absolute paths, in order."""
    texts = islice(strings_of(arguments), 1_000)
    return tuple(islice((_plain(text) for text in texts if _is_path(text)), _MOST))


def _plain(text: str) -> str:
    # `@/path` names a file to curl and in the prompts of agents.
    return text.removeprefix("file://").lstrip("@")


def _is_path(text: str) -> bool:
    path = _plain(text)
    if not 2 <= len(path) <= _LONGEST or "\n" in path or path[0] not in "/~":
        return False
    if path[0] == "~":
        return path[1] == "/"
    return path[1:].partition("/")[0] in _TOP_FOLDERS
