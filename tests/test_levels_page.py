"""The page of levels shows the table of bounded harm as it is in the code."""

from __future__ import annotations

from pathlib import Path

import pytest

from signoff.assess.harm.row import BoundedHarm
from signoff.assess.harm.table import TABLE

PAGE = (Path(__file__).parents[1] / "docs" / "levels.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row.name)
def test_every_row_stands_on_the_page(row: BoundedHarm) -> None:
    """With its three facts and one example of each side."""
    facts = f"| {row.name} | {row.undone} | {row.reaches} | {row.loses} "

    assert f"{facts}| `{row.bounded[0]}` | `{row.spared[0]}` |" in PAGE


def test_no_row_of_the_page_is_made_up() -> None:
    """The page has as many rows as the table."""
    rows = PAGE.partition("| bounded |")[2].partition("\n\n")[0].splitlines()[2:]

    assert len(TABLE) == len(rows)
