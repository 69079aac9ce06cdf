"""What is known of the folder a command is typed in."""

from __future__ import annotations

from pathlib import Path

from signoff.actions.facts import Facts
from signoff.storage.project import find_project


def facts_of(cwd: str) -> Facts:
    """Return home and project."""
    home = str(Path.home())
    project = find_project(cwd, home=home)
    return Facts(
        home=home,
        project=project.root,
        under_version_control=project.is_under_version_control,
    )
