"""What is to be done about a threat score."""

from __future__ import annotations

import pytest

from signoff.assess.threat.resolvers import (
    DefaultResolver,
    Do,
    LenientResolver,
    MultiLevelResolver,
    Resolver,
    StrictResolver,
    Tier,
)
from signoff.assess.threat.score import ThreatScore, score_to_level


def threat(score: float) -> ThreatScore:
    return ThreatScore(score, score_to_level(score))


@pytest.mark.parametrize(
    ("resolver", "line"),
    [(DefaultResolver(), 70.0), (StrictResolver(), 40.0), (LenientResolver(), 90.0)],
)
def test_resolver_blocks_from_its_line_on(resolver: Resolver, line: float) -> None:
    """The line itself blocks, just under it proceeds."""
    answers = [Do.BLOCK in resolver.resolve(threat(score)) for score in (line - 0.01, line)]
    assert [False, True] == answers


def test_default_warns_from_forty_on() -> None:
    """Between the lines it proceeds and is logged."""
    answers = [DefaultResolver().resolve(threat(score)) for score in (39.9, 40.0, 69.9)]
    assert [("proceed",), ("proceed", "log"), ("proceed", "log")] == answers


def test_score_that_is_no_number_is_blocked() -> None:
    """What cannot be compared does not pass."""
    assert Do.BLOCK in DefaultResolver().resolve(threat(float("nan")))


def test_levels_add_up() -> None:
    """A level asks for its own things and those of the levels below it, each once."""
    resolver = MultiLevelResolver(
        [Tier(30, ("proceed",)), Tier(60, ("log", "my-own")), Tier(100, ("log", "block"))]
    )
    answers = [resolver.resolve(threat(score)) for score in (30, 31, 61)]
    assert [("proceed",), ("proceed", "log", "my-own"), ("log", "my-own", "block")] == answers


def test_levels_proceed_unless_they_block() -> None:
    """The three usual levels let everything pass that none of them blocks."""
    resolver = MultiLevelResolver(
        [Tier(40, ()), Tier(70, ("log", "notify")), Tier(100, ("block", "update_reputation"))]
    )
    answers = [resolver.resolve(threat(score)) for score in (0, 55, 90)]
    assert [
        ("proceed",),
        ("proceed", "log", "notify"),
        ("log", "notify", "block", "update_reputation"),
    ] == answers


def test_level_that_compares_with_nothing_is_blocked() -> None:
    """A score that is no number lies in no level."""
    tiers = [Tier(50, ("proceed",)), Tier(100, ("log",))]
    assert Do.PROCEED not in MultiLevelResolver(tiers).resolve(threat(float("nan")))


@pytest.mark.parametrize("tiers", [[], [Tier(80, ("proceed",))]])
def test_levels_must_cover_the_scale(tiers: list[Tier]) -> None:
    """A scale with a hole at its top is refused."""
    with pytest.raises(ValueError, match="maximum score of 100"):
        MultiLevelResolver(tiers)


def test_lines_out_of_order_are_refused() -> None:
    """The warning line lies at or under the block line."""
    with pytest.raises(ValueError, match="warn 80"):
        DefaultResolver(warn_at=80)
