"""Which paths code may erase."""

from __future__ import annotations

import pytest

from signoff.actions.contents.erasing.targets import project_of, target_of

PLACE = project_of("/home/ada/arbeit/loom/src/clean.py", 2)


@pytest.mark.parametrize(
    ("path", "target"),
    [
        ("~", "a home folder"),
        ("~/Bilder/*", "a broad part of a home folder"),
        ("~/arbeit", "a broad part of a home folder"),
        ("/home/*/data", "folders of all users"),
        ("..", "a broad part of a home folder"),
        ("../..", "a home folder"),
        (".git", "the history of the repository"),
        ("/srv/sicherung/kunden", "backups"),
        ("/etc", "a folder of the system"),
    ],
)
def test_a_path_of_others_is_named(path: str, target: str) -> None:
    """Homes, their broad parts, history, backups and the system are not the project's."""
    assert target == target_of(path, PLACE)


@pytest.mark.parametrize(
    "path",
    ["~/.cache/loom", "~/arbeit/loom/build", "?/Documents", "build", "/srv/backup/tmp/a", ""],
)
def test_a_path_of_the_project_is_not(path: str) -> None:
    """Caches, build output and what nobody can tell are left alone."""
    assert "" == target_of(path, PLACE)
