"""The check of growth passes work in step with its text, and fails the square."""

from __future__ import annotations

from growth import grows_in_step

SHORT, LONG = "x" * 8_000, "x" * 32_000


def test_work_in_step_passes() -> None:
    assert grows_in_step(lambda text: [ord(one) for one in text], SHORT, LONG)


def test_the_square_fails() -> None:
    assert not grows_in_step(lambda text: [text[n:] for n in range(len(text))], SHORT, LONG)
