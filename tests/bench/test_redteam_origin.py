"""The attack on the inbox's origin: it finds nothing, and would find everything unprotected."""

from __future__ import annotations

from pathlib import Path

import pytest
from bench.redteam import origin

pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
pytestmark = pytest.mark.skipif(origin.CHROMIUM is None, reason="there is no Chromium here")


@pytest.mark.parametrize("is_control", [False, True])
def test_no_attack_succeeds_but_where_nothing_protects(tmp_path: Path, *, is_control: bool) -> None:
    """T-42: the control shows that each of them was really tried."""
    with origin.chromium() as browser:
        found = origin.run(browser, tmp_path, is_control=is_control)

    assert (origin.expected() if is_control else frozenset()) == found
