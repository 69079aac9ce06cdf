"""The page on own programs says what is so: its example is read, checked and run."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from signoff.actions.operation import ResourceType, Trait, Verb
from signoff.actions.programs.acts import On
from signoff.actions.programs.lint import lint_descriptions
from signoff.actions.programs.own import own_programs
from signoff.actions.programs.source import ENTRY, Described
from signoff.frontends.cli.programs import run_example
from signoff.storage.reloading import own_programs as limits
from signoff.storage.reloading.own_programs import read_own_file

PAGE = (Path(__file__).parents[1] / "docs" / "how-to" / "own-programs.md").read_text("utf-8")
EXAMPLE = re.findall(r"```yaml\n(.*?)```", PAGE, flags=re.DOTALL)[0]
OF_SHIPPED_FILES = {"handler", "by_options", "prelude", "service", "reads_by_name", "bare"}


@pytest.fixture
def described() -> Described:
    """Read the page's example."""
    return read_own_file(EXAMPLE, file="page")


def test_the_example_is_without_mistakes() -> None:
    """It can be copied."""
    assert lint_descriptions(EXAMPLE, file="page") == []


def test_the_examples_of_the_example_hold(described: Described) -> None:
    """As `signoff programs test` runs them."""
    own = own_programs(described.programs, (), digest="page")
    wrong = {one.line: said for one in described.examples if (said := run_example(one, own))}

    assert len(described.examples) == 5
    assert wrong == {}


def test_without_the_description_they_do_not_hold(described: Described) -> None:
    """It is the description that says what the lines do."""
    wrong = [one.line for one in described.examples if run_example(one, None)]

    assert len(wrong) >= 3


@pytest.mark.parametrize("word", [*Verb, *(set(ENTRY) - OF_SHIPPED_FILES)])
def test_every_verb_and_key_is_on_the_page(word: str) -> None:
    """Verbs in the first table, keys in the second."""
    assert f"`{word}`" in PAGE


def test_named_words_exist() -> None:
    """Traits, resource types and targets that the page names."""
    row = next(line for line in PAGE.splitlines() if line.startswith("| resource type |"))

    assert set(re.findall(r"`(\S+?)`", row)) <= set(map(str, ResourceType))
    assert set(re.findall(r"`\+([a-z-]+)`", PAGE)) <= set(map(str, Trait))
    assert set(re.findall(r"`on:(\S+?)`", PAGE)) - {"WORDS"} <= set(map(str, On))


def test_limits_are_those_of_the_code() -> None:
    """Files, their size, and names."""
    assert (limits.FILES_LIMIT, limits.NAMES_LIMIT) == (64, 5_000)
    assert (limits.FILE_LIMIT, limits.FOLDER_LIMIT) == (256 * 1024, 1024 * 1024)
