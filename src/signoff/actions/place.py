"""Where a call happens: the folders against which every path and URL is read."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct, field

from signoff.actions.facts import Facts, FileFact


def is_on_drive(folder: str) -> bool:
    """Tell whether a folder lies on a drive of Windows."""
    return folder[1:2] == ":" and folder[0].isalpha()


class Place(Struct, frozen=True, kw_only=True, gc=False):
    """The folders in force for one call. All are absolute and normalised.

    Args:
        cwd: the folder that relative paths start from; "" once it is unknown.
        cwd_pattern: the pattern that an unknown cwd matches, absolute: `cd ~/.ss*`; "" = none.
        guard_paths: signoff's own files and folders, beyond those with well-known names.
        files: file facts gathered before the judgement (links, contents), by path; may be
            empty.
        variables: variables of the environment that the call itself sets, by name.
        home: the user's home folder, never "".
        project: the root of the project, never "".
    """

    cwd: str
    home: str
    project: str
    under_version_control: bool = True
    cwd_pattern: str = ""
    guard_paths: tuple[str, ...] = ()
    files: Mapping[str, FileFact] = field(default_factory=dict)
    variables: Mapping[str, str] = field(default_factory=dict)
    facts: Facts = field(default_factory=Facts)

    @property
    def is_on_windows(self) -> bool:
        """The project or the home lies on a drive: a path is read as Windows reads it."""
        return is_on_drive(self.project) or is_on_drive(self.home)
