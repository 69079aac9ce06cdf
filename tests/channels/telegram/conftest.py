"""A Bot API for each test of the Telegram channel."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from fake_bot_api import FakeBotApi, fake_bot_api


@pytest.fixture
def api() -> Iterator[FakeBotApi]:
    """Give a running Bot API."""
    with fake_bot_api() as running:
        yield running
