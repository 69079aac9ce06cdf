"""The order of verdicts."""

from __future__ import annotations

from itertools import permutations

from signoff.assess.verdict import Verdict


def test_worst_is_the_most_severe_in_any_order() -> None:
    """The order they come in does not matter."""
    assert {Verdict.DENY} == {Verdict.worst(order) for order in permutations(Verdict)}


def test_worst_of_allow_and_ask_is_ask() -> None:
    """An ask is more severe than an allow."""
    assert Verdict.worst([Verdict.ALLOW, Verdict.ASK]) == Verdict.ASK


def test_worst_of_nothing_is_deny() -> None:
    """Empty never means allow."""
    assert Verdict.worst([]) == Verdict.DENY


def test_severity_ranks_allow_ask_deny() -> None:
    """The ranks follow the order of the members."""
    assert [verdict.severity for verdict in Verdict] == [0, 1, 2]
