"""Where a call happens: the folders against which every path and URL is read."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct, field

from signoff.actions.facts import Facts, FileFact


class Place(Struct, frozen=True, kw_only=True, gc=False):
    """Folders in force for one call. All absolute and normal; `home` and `project` never empty.

    Args:
        cwd: the folder relative paths are read against; "" once it is unknown.
        guard_paths: signoff's own files and folders beyond the well-known ones.
        files: looks at files gathered beforehand (links, contents); may be empty.
    """

    cwd: str
    home: str
    project: str
    under_version_control: bool = True
    guard_paths: tuple[str, ...] = ()
    files: Mapping[str, FileFact] = field(default_factory=dict)
    facts: Facts = field(default_factory=Facts)
