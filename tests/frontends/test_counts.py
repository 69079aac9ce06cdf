"""Numbers of things read as people write them: `1 call`, `2 calls`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import signoff
from signoff.values import Json, count_of

NOUNS = (
    "answers approvals attempts calls checkpoints days decisions entries examples hosts incidents"
    " nodes notes questions requests rules sessions times"
)
PLURAL = re.compile(rf" (more |new |of the )?({NOUNS.replace(' ', '|')})\b(?! per | and )")
# Not `2.41 questions per 100 calls`, which is a rate. A page shows 7, 30 or 90 days.
IN_PAGE = re.compile(rf"\{{\{{ (?!(most_)?(count|days) )[^}}|]+ \}}\}}{PLURAL.pattern}")
SHOWN = ("challenge", "channels", "effects", "frontends", "storage")


@pytest.mark.parametrize(
    ("number", "expected"),
    [
        (0, "0 entries"),
        (1, "1 entry"),
        (1.0, "1 entry"),
        (2, "2 entries"),
        (12_000, "12,000 entries"),
    ],
)
def test_a_number_of_things_in_words(number: Json, expected: str) -> None:
    """One thing has no plural."""
    assert expected == count_of(number, "entry", "entries")


def test_the_plural_is_an_s_by_itself() -> None:
    """Most nouns need no second word."""
    assert ["1 call", "3 calls"] == [count_of(1, "call"), count_of(3, "call")]


def fixed_plurals(source: str) -> Iterator[str]:
    """Yield the places of a number that always has a plural behind it: `1 calls`."""
    tree = ast.parse(source)
    errors = [
        part for one in ast.walk(tree) if isinstance(one, ast.Raise) for part in ast.walk(one)
    ]
    for text in ast.walk(tree):
        if isinstance(text, ast.JoinedStr) and text not in errors:
            for value, behind in zip(text.values, text.values[1:], strict=False):
                if _is_computed(value) and PLURAL.match(_literal(behind)):
                    yield f"{text.lineno}: {ast.unparse(text)}"


def _is_computed(value: ast.expr) -> bool:
    return isinstance(value, ast.FormattedValue) and not ast.unparse(value.value).isupper()


def _literal(part: ast.expr) -> str:
    return str(part.value) if isinstance(part, ast.Constant) else ""


def test_a_fixed_plural_is_found() -> None:
    """The check below sees what it is there for, and what it must let pass."""
    assert ["1: f'{n:,} calls'"] == list(fixed_plurals('f"{n:,} calls"'))
    assert [] == list(fixed_plurals('f"{MOST} calls"; f"{n} lines"; raise X(f"{n} calls")'))


def test_every_count_goes_through_the_helper() -> None:
    """No output of ours can say `1 calls`."""
    root = Path(signoff.__file__).parent
    found = [
        f"{file.relative_to(root)}:{place}"
        for folder in SHOWN
        for file in sorted((root / folder).rglob("*.py"))
        for place in fixed_plurals(file.read_text())
    ]
    templates = [
        f"{file.name}: {line.strip()}"
        for file in sorted(root.rglob("*.html"))
        for line in file.read_text().splitlines()
        if IN_PAGE.search(line)
    ]

    assert [] == found
    assert [] == templates
