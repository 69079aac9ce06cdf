"""Digits beyond ASCII: Python takes them for digits, programs and shells take them for letters."""

from __future__ import annotations

import pytest

from signoff.actions.action import Action
from signoff.actions.facts import Facts
from signoff.actions.operation import Verb
from signoff.actions.understand import understand

LINES = [
    "seq ²",
    "chmod ² notes.txt",
    "install -m ² a b",
    "mkdir -m ²77 made",
    "echo ${²}",
    "list=(a b); echo ${list[²]}",
    "curl http://localhost:²/",
]


@pytest.mark.parametrize("line", LINES)
def test_a_line_with_odd_digits_is_understood(line: str) -> None:
    """They are no numbers, and nothing fails over them."""
    action = Action(tool="Bash", arguments={"command": line}, cwd="/home/dev/shop")

    assert understand(action, Facts()).operations


def test_an_odd_digit_is_a_file_to_write_to() -> None:
    """Only a number after `>&` is a descriptor."""
    action = Action(tool="Bash", arguments={"command": "echo a >& ²"}, cwd="/home/dev/shop")

    written = [op.target for op in understand(action, Facts()).operations if op.verb is Verb.WRITE]

    assert ["²"] == written
