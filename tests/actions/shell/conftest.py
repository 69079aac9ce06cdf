"""A reader for one line, at home in `/home/dev/project`."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from signoff.actions.shell.command import Reading
from signoff.actions.shell.reader import read_shell

CWD = "/home/dev/project"
VARIABLES = {"HOME": "/home/dev", "USER": "dev", "PWD": CWD}


@pytest.fixture
def read() -> Callable[[str], Reading]:
    """Read a line."""
    return lambda line: read_shell(line, cwd=CWD, variables=VARIABLES)


@pytest.fixture
def ran(read: Callable[[str], Reading]) -> Callable[[str], list[str]]:
    """The commands of a line as texts, carriers left out where something stands under them."""

    def texts(line: str) -> list[str]:
        commands = read(line).commands
        parents = {command.parent for command in commands}
        return [
            " ".join(word.text for word in command.words)
            for command in commands
            if command.words and command.index not in parents
        ]

    return texts
