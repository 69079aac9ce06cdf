"""What is made of values that come again."""

from __future__ import annotations

from signoff.values import KEPT_LIMIT, SHORT, IdentityMemo, is_short


def test_the_very_same_value_is_worked_out_once() -> None:
    """Again, the same comes back; an equal one is another."""
    made: list[tuple[int, ...]] = []

    def summed(value: tuple[int, ...]) -> int:
        made.append(value)
        return sum(value)

    once = IdentityMemo(summed)
    value, equal = tuple([1, 2]), tuple([1, 2])

    assert [3, 3, 3] == [once(value), once(value), once(equal)]
    assert [value, equal] == made


def test_a_value_is_never_taken_for_one_that_is_gone() -> None:
    """A new value may stand where an old one stood in memory."""
    once = IdentityMemo[list[int], int](lambda value: value[0])

    assert list(range(5_000)) == [once([number]) for number in range(5_000)]


def test_what_is_kept_is_bounded() -> None:
    """By number, and by what is small enough."""
    once = IdentityMemo[tuple[int, ...], int](len, is_kept=is_short)
    values = [(number,) for number in range(KEPT_LIMIT + 10)]
    long = tuple(range(SHORT + 1))

    assert [1] * len(values) == [once(value) for value in values]
    assert SHORT + 1 == once(long)
    assert len(once._kept) <= KEPT_LIMIT
    assert id(long) not in once._kept
