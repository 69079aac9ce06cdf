"""Debuggers: every command in short, and commands inside others."""

from __future__ import annotations

import pytest

from signoff.actions.code.reading import understand_code
from signoff.actions.place import Place

PLACE = Place(cwd="/home/dev/project", home="/home/dev", project="/home/dev/project")


@pytest.mark.parametrize(
    "text",
    [
        "she make x",
        "!make x",
        "platform shell make x",
        "plat sh -t 5 -- make x",
        "pipe bt | make x",
        "| bt | make x",
        "with print pretty on -- shell make x",
        "thread apply all shell make x",
        "mak x",
        "py import os; os.system('make x')",
    ],
)
def test_a_line_for_the_shell_is_found(text: str) -> None:
    """However it is written."""
    assert understand_code(text, language="gdb", place=PLACE).shell == ("make x",)


@pytest.mark.parametrize(
    "text",
    ["bt", "info threads", "p x", "show version", "thread apply all bt", "set pagination off"],
)
def test_a_look_runs_nothing(text: str) -> None:
    """Neither a line nor anything that is asked about."""
    reading = understand_code(text, language="lldb", place=PLACE)

    assert (reading.shell, [op for op in reading.operations if not op.understood]) == ((), [])
