"""The recipe "Describe a program" in CONTRIBUTING.md works, step by step."""

from __future__ import annotations

import re
from pathlib import Path
from textwrap import dedent, indent

import pytest

from signoff.actions.programs import registry
from signoff.actions.programs.compiled import Read, load_index
from signoff.actions.programs.compiling import compile_index, read_family
from signoff.actions.programs.registry import read_source
from signoff.errors import BadProgram
from signoff.frontends.cli.programs import run_example

PAGE = (Path(__file__).parents[3] / "CONTRIBUTING.md").read_text("utf-8")
SECTION = PAGE.partition("## Describe a program\n")[2].partition("\n## ")[0]
ENTRY = dedent(SECTION[SECTION.index("       - names:") :].partition("\n\n")[0])
FAMILY = re.findall(r"For `(\w+)\.yaml`", SECTION)[0]
WRONG, RIGHT = "nothing, or so", "read cloud"


def with_entry(entry: str) -> Read:
    """Read the data as it is once the entry stands at the end of its file."""

    def read(name: str) -> bytes:
        text = read_source(name)
        return text + indent(f"{entry}\n", "  ").encode() if name == f"{FAMILY}.yaml" else text

    return read


def test_the_wrong_example_is_named_with_its_place() -> None:
    """As the recipe says."""
    with pytest.raises(
        BadProgram, match=rf"^{FAMILY}\.yaml:\d+:\d+: example: `nothing` stands alone"
    ):
        read_family(with_entry(ENTRY), FAMILY)


def test_the_entry_describes_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the example put right, one changed file is all it takes."""
    read = with_entry(ENTRY.replace(WRONG, RIGHT))
    examples = [
        one for one in read_family(read, FAMILY).examples if one.line.startswith("frobcloud")
    ]
    before = [run_example(one, None) for one in examples]
    made = load_index(compile_index(read))
    monkeypatch.setattr(registry, "index", lambda: made)

    assert ENTRY.count(WRONG) == 1
    assert len(examples) == 3
    assert any(before)
    assert [run_example(one, None) for one in examples] == [[], [], []]
