"""Pieces of code between brackets."""

from __future__ import annotations

import pytest

from signoff.actions.contents.erasing.brackets import inner, parts, statement


def test_arguments_end_at_the_bracket_that_closes_them() -> None:
    """Brackets and commas in literals are text."""
    assert "a, g(b, ')')" == inner("f(a, g(b, ')')) + 2", 2)


def test_parts_stand_between_commas_of_no_bracket() -> None:
    """A comma within a call or a literal parts nothing."""
    assert ("a", "g(b, 1)", "'c, d'") == parts("a, g(b, 1), 'c, d'")


@pytest.mark.parametrize("text", ["a.b()\n    .c()\nnext", "[1,\n 2]\nnext"])
def test_a_statement_goes_on_over_lines(text: str) -> None:
    """A line that is not complete ends no statement."""
    assert not statement(text, 0).endswith("next")
    assert "\n" in statement(text, 0)
