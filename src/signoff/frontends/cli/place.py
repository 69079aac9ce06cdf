"""What is known of the folder a command is typed in."""

from __future__ import annotations

from pathlib import Path

from signoff.actions.facts import Facts


def facts_of(cwd: str) -> Facts:
    """Return home and project: the nearest folder with a repository, else the folder itself."""
    folder = Path(cwd)
    roots = [parent for parent in (folder, *folder.parents) if (parent / ".git").exists()]
    return Facts(
        home=str(Path.home()),
        project=str(roots[0]) if roots else cwd,
        under_version_control=bool(roots),
    )
