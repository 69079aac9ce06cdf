"""A new user's first minutes: from `signoff init` to a force push denied on a phone's screen.

The real Claude Code, and Chromium at the size of a phone; where one is missing these tests say so.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from claude_code import ClaudeCode
from resident import TRUSTING, bash, sign_in_link
from test_init_e2e import PUSH, guarded  # noqa: F401 - the fixture

pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
from playwright.sync_api import Locator, Page, expect, sync_playwright

sys.path.append(str(Path(__file__).parents[1] / "frontends" / "server"))
from live_daemon import LiveDaemon

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium on this machine")
WIDTH, HEIGHT = 390, 844
WITHIN_MS = 120_000.0


@pytest.fixture
def phone() -> Iterator[Page]:
    """Return a browser with a phone's screen."""
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
        page.set_default_timeout(WITHIN_MS)
        yield page
        browser.close()


def is_on_first_screen(part: Locator) -> bool:
    """Tell whether the whole of it is seen without scrolling."""
    box = part.bounding_box()
    return box is not None and box["y"] >= 0 and box["y"] + box["height"] <= HEIGHT


def test_a_force_push_is_denied_from_the_first_screen(
    guarded: tuple[ClaudeCode, LiveDaemon],  # noqa: F811 - the fixture
    phone: Page,
) -> None:
    """The title says what is lost; command and Deny need no scrolling; the plots show it."""
    claude, _ = guarded
    link = sign_in_link(claude)
    phone.goto(link)
    phone.wait_for_url("**/web/")
    with ThreadPoolExecutor(1) as pool:
        session = pool.submit(claude.run, bash(PUSH), options=TRUSTING)
        phone.locator("li.card a.headline").click()
        title, deny = phone.locator("h1"), phone.get_by_role("button", name="Deny")
        expect(title).to_contain_text("Force-pushes feature/login to origin")
        expect(title).to_contain_text("commits already there can be lost")
        command = phone.get_by_text(PUSH, exact=True).first
        seen = [is_on_first_screen(part) for part in (title, command, deny)]
        deny.click()
        results = session.result(120).results
    phone.goto(link.replace("/web/sign-in", "/web/overview").partition("#")[0])
    plot = phone.get_by_role("img", name="Decisions a day")

    assert [True, True, True] == seen
    assert ["denied by" in result for result in results] == [True]
    expect(plot.locator("rect.series-1")).to_have_count(1)
    expect(phone.get_by_role("link", name="destructive.history")).to_be_visible()
