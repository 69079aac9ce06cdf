"""The settings page names every setting there is, with its bounds."""

from __future__ import annotations

from pathlib import Path

import pytest

from signoff.settings import (
    KNOWN_VARIABLES,
    LIMIT_RANGES,
    PROJECT_KEYS,
    USER_KEYS,
    ChannelName,
    HostsAllow,
    Limits,
    PackName,
    WithoutDaemon,
)

PAGE = (Path(__file__).parents[1] / "docs" / "reference" / "settings.md").read_text()
WORDS = {
    *USER_KEYS,
    *PROJECT_KEYS,
    *KNOWN_VARIABLES,
    *PackName,
    *HostsAllow,
    *ChannelName,
    *WithoutDaemon,
}


@pytest.mark.parametrize("word", sorted(WORDS))
def test_every_setting_is_on_the_page(word: str) -> None:
    """Keys, values and variables."""
    assert f"`{word}`" in PAGE or f"`{word}." in PAGE


@pytest.mark.parametrize("name", LIMIT_RANGES)
def test_every_limit_is_on_the_page_with_default_and_bounds(name: str) -> None:
    """As they are in the code."""
    low, high = LIMIT_RANGES[name]

    assert f"| `{name}` | {getattr(Limits(), name):g} | {low:g} | {high:.0f} |" in PAGE
