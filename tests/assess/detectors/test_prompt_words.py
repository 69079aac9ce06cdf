"""What an order to the model is called in words: no pattern's bare name reaches a reader."""

from __future__ import annotations

from signoff.assess.detectors.prompt_injection import WORDS
from signoff.assess.patterns.families.prompt import PATTERNS

# What no single pattern finds.
BY_OTHER_MEANS = {"addressed", "carried", "foreign-line", "hidden-characters", "worded-order"}


def test_each_pattern_has_words() -> None:
    """`comment` or `must` alone say nothing; a row for no pattern is a leftover."""
    names = {one.id.partition(".")[2] for one in PATTERNS} | BY_OTHER_MEANS

    assert names == set(WORDS)
