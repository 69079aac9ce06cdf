"""The check of growth passes work in step with its text, and fails the square."""

from __future__ import annotations

from growth import grows_in_step

SHORT, LONG = "x" * 500, "x" * 2_000


def test_work_in_step_passes() -> None:
    assert grows_in_step(lambda text: [ord(one) for one in text * 20], SHORT, LONG)


def test_the_square_fails() -> None:
    assert not grows_in_step(
        lambda text: sum(one == two for one in text for two in text), SHORT, LONG
    )
