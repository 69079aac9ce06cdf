"""Tests of which `tr` hides letters, and which substitutions tell a tool's own folder."""

from __future__ import annotations

import pytest

from signoff.actions.operation import Trait
from signoff.actions.place import Place
from signoff.actions.shell.machine.decoders import hides_letters
from signoff.actions.shell.meaning import understand_shell

PLACE = Place(cwd="/home/dev/project", home="/home/dev", project="/home/dev/project")


@pytest.mark.parametrize(
    "words",
    ["-d \\r", "-s a", "A-Z a-z", "[:upper:] [:lower:]", "\\n \\040", "/ -", "-dc a-z", ", \\t",
     "_ -", "-cd [:print:]"],
)  # fmt: skip
def test_cleaning_hides_nothing(words: str) -> None:
    """Deleting, squeezing, case and single separators are no decoding."""
    assert not hides_letters(tuple(words.split(" ")))


@pytest.mark.parametrize(
    "words",
    ["a-z n-za-m", "A-Za-z N-ZA-Mn-za-m", "zyx abc", "!-~ P-~!-O", "[:lower:] n-za-m", "1 r"],
)
def test_other_letters_hide(words: str) -> None:
    """A map of letters is a cipher, however short."""
    assert hides_letters(tuple(words.split(" ")))


@pytest.mark.parametrize(
    "value",
    ["$(npm root -g)", "`npm root -g`", "$(go env GOPATH)/bin:$PATH", "$(dirname $(which node))",
     "$(find lib -name '*.jar' | tr '\\n' ':')", "$(brew --prefix)/lib:$(npm bin):$PATH"],
)  # fmt: skip
def test_a_folder_a_tool_tells_of_itself_is_ordinary(value: str) -> None:
    """A search path may be filled by asking an installed tool."""
    assert not _poisons(f'PATH="{value}" make')


@pytest.mark.parametrize(
    "value",
    ["$(cat where.txt)", "$(curl -s https://files.example.net/p)", "$(npm root -g; cat x)",
     "$(npm root -g)/../../../tmp/x", "$(npm root -g):/tmp/x", "$(ls -d /tmp/*/bin)",
     "$(mktemp -d)",
     "$(base64 -d p)", "x$(npm root -g)", "$(dirname $(cat x))", "$(python3 -c 'print(\"/tmp\")')",
     "$(find / -name bin)", "$(npm root $X)"],
)  # fmt: skip
def test_a_folder_somebody_else_tells_is_not(value: str) -> None:
    """Files, the network, temporary folders and detours say what nobody knows."""
    assert _poisons(f"PATH={value}:$PATH make")


def _poisons(line: str) -> bool:
    operations = understand_shell(line, PLACE).operations
    return any(Trait.ENVIRONMENT in op.traits for op in operations)
