"""The line `channels` in somebody's settings: put in, and nothing else touched."""

from __future__ import annotations

import pytest

from signoff.errors import BadSettings
from signoff.frontends.onboarding.channel_setting import with_channel

CASES = [
    ("", "channels: [web]\n"),
    ("pack: strict", "pack: strict\nchannels: [web]\n"),
    ("# mine\npack: strict\n", "# mine\npack: strict\nchannels: [web]\n"),
    ("channels: [terminal]\npack: strict\n", "channels: [web]\npack: strict\n"),
    ("channels: web\n", "channels: web\n"),
    ("channels: []\n", "channels: [web]\n"),
    ("channels: [telegram, web]  # both\n", "channels: [telegram, web]  # both\n"),
    ("channels: [telegram]  # phone\n", "channels: [telegram, web]  # phone\n"),
    ("channels:\n  - telegram\n  - terminal\npack: strict\n", None),
]


@pytest.mark.parametrize(("before", "after"), CASES)
def test_the_channel_is_listed(before: str, after: str | None) -> None:
    """Once, beside those that are there; a list of lines becomes one line."""
    new = with_channel(before, "web")

    assert after is None or after == new
    assert new == with_channel(new, "web")
    assert ("pack: strict" in before) == ("pack: strict" in new)


def test_broken_settings_are_left_alone() -> None:
    """What cannot be read is not written into."""
    with pytest.raises(BadSettings):
        with_channel("channels: [telegram\n", "web")
