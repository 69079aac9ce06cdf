"""The examples beside signoff's own descriptions hold, and its files have no likely mistakes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pytest

from signoff.actions.programs.compiled import PRESETS
from signoff.actions.programs.compiling import read_family
from signoff.actions.programs.examples import Example
from signoff.actions.programs.families import FAMILIES
from signoff.actions.programs.lint import lint_descriptions
from signoff.actions.programs.registry import read_source
from signoff.actions.programs.source import FORM, read_programs
from signoff.documents.node import Node
from signoff.documents.reading import read_yaml
from signoff.frontends.cli.programs import run_example

WITH_EXAMPLES = 25


def unused_presets(presets: str, families: Iterable[str]) -> list[str]:
    """Name the presets that no file of descriptions uses.

    Args:
        presets: text of `presets.yaml`.
        families: texts of all other files.
    """
    listed = read_yaml(presets, file="presets.yaml", form=FORM).fields(allowed=("presets",))
    names = {key.text() for key, _ in listed["presets"].pairs()}
    used: set[str] = set()
    for text in families:
        used.update(_scalars(read_yaml(text, file="", form=FORM)))
    return sorted(names - used)


def _scalars(root: Node) -> Iterator[str]:
    """Give every scalar once, wherever aliases repeat it."""
    todo, seen = [root], set[int]()
    while todo:
        node = todo.pop()
        if node.identity in seen:
            continue
        seen.add(node.identity)
        if node.is_mapping:
            todo.extend(part for pair in node.pairs() for part in pair)
        elif node.is_list:
            todo.extend(node.items())
        else:
            yield node.written


def examples() -> list[Example]:
    """Give every example of every file."""
    return [one for family in FAMILIES for one in read_family(read_source, family).examples]


def wrong_among(given: list[Example]) -> list[str]:
    """Say which examples do not hold, and how."""
    return [
        f"{one.place}: `{one.line}`: {said}" for one in given for said in run_example(one, None)
    ]


def text_of(file: str) -> str:
    """Give the text of a shipped file."""
    return read_source(file).decode()


def test_every_example_holds() -> None:
    """In all files."""
    assert wrong_among(examples()) == []


def test_a_wrong_example_is_found() -> None:
    """Too much, too little, and an effect that is not named."""
    text = (
        "programs:\n  - names: x\n    examples:\n      git status: delete repository\n"
        "      rm -rf build: nothing\n      ls: read file\n"
    )
    given = read_programs(text, file="x", presets={}).examples
    wrong = wrong_among(list(given))

    assert [said.partition(": `")[0] for said in wrong] == ["x:4:7", "x:5:7"]
    assert "expected `delete repository`, which it does not do" in wrong[0]
    assert "it does `delete file @project" in wrong[1]


def test_many_files_have_examples() -> None:
    """At least three each, among them one that changes nothing."""
    files: dict[str, list[Example]] = {}
    for one in examples():
        files.setdefault(one.place.partition(":")[0], []).append(one)

    assert len(files) >= WITH_EXAMPLES
    assert [file for file, found in files.items() if len(found) < 3] == []
    quiet = {
        file
        for file, found in files.items()
        if any({e.verb for e in one.expected} <= {"read", "inert"} for one in found)
    }
    assert files.keys() - quiet == set()


@pytest.mark.parametrize("family", FAMILIES)
def test_no_option_has_two_roles(family: str) -> None:
    """Nobody could tell which counts."""
    file = f"{family}.yaml"

    assert lint_descriptions(text_of(file), file=file, wants_examples=False) == []


def test_an_option_in_two_roles_is_found() -> None:
    """In a sub-command of a sub-command too."""
    text = (
        "programs:\n  - names: x\n    subs:\n      a: {subs: {b: {values: -o -p, writes: -o}}}\n"
        "    commands:\n      ? {harmless: -n, flags: {-n: forced}}\n      : c\n"
    )
    notes = lint_descriptions(text, file="x", wants_examples=False)

    assert sorted(note.place for note in notes) == ["x:4:30", "x:6:20"]


def test_every_preset_is_used() -> None:
    """One that no file names is dead."""
    assert unused_presets(text_of(PRESETS), [text_of(f"{one}.yaml") for one in FAMILIES]) == []


def test_an_unused_preset_is_found() -> None:
    """Whatever comment speaks of it."""
    presets = "presets: {inspect: read nothing, look: read nothing}"

    assert unused_presets(presets, ["programs: [{names: x, does: inspect}] # look"]) == ["look"]
