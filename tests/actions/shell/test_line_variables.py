"""Which values a variable has for a command, as far as its line says so."""

from __future__ import annotations

import pytest

from signoff.actions.shell.owned.line_variables import LineVariables, has_subshell
from signoff.actions.shell.reader import read_shell


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("A=1 tool x", ["1"]),
        ("export A=1; tool x", ["1"]),
        ("env A=1 tool x", ["1"]),
        ("export A=1; A=2; tool x", ["1", "2"]),
        ("export A=1; A=$(cat f); tool x", ["1", ""]),
        ("export A=1; . ./env; tool x", []),
        ("(export A=1); tool x", []),
        ("A=1; tool x", []),
        ("tool x; export A=1", []),
    ],
)
def test_a_variable_has_what_the_line_says(line: str, expected: list[str]) -> None:
    """What a line leaves open is no value, or one that is not known."""
    commands = read_shell(line, cwd="/p", variables={}, files={}).commands
    tool = next(one for one in commands if one.program == "tool")
    variables = LineVariables(commands, has_subshell=has_subshell(line))

    assert variables.values("A", tool) == expected
