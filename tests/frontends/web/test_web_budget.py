"""What every page keeps to, in a real browser: no axe-core violation, 60 KB, one stylesheet.

Needs Chromium (`apt-get install chromium`) and axe-playwright-python; where they are not there
these tests say so.
"""

from __future__ import annotations

from typing import Any

import pytest
from busy_inbox import page_paths
from inbox_station import Station

pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
axe = pytest.importorskip(
    "axe_playwright_python.sync_playwright", reason="axe-core is not installed"
)
from playwright.sync_api import Browser, Page  # noqa: E402 - see above
from playwright.sync_api import Error as PageError  # noqa: E402 - see above
from test_web_chromium import browsing, chromium, pytestmark  # noqa: E402, F401 - see above

BACKTEST = "/web/lines/remote-change.pushed"  # judges the log first
PAGE_BYTES = 60_000
LOADS = 4
# What a first visit loads, as the browser counts bodies; what keeps it current comes later.
LOADED = """() => ["navigation", "resource"].flatMap((kind) => performance.getEntriesByType(kind))
  .filter((entry) => entry.initiatorType !== "fetch" && !entry.name.endsWith("/events"))
  .reduce((sum, entry) => sum + entry.encodedBodySize, 0)"""
BLOCKING = """() => performance.getEntriesByType("resource")
  .filter((entry) => entry.renderBlockingStatus === "blocking")
  .map((entry) => new URL(entry.name).pathname)"""


@pytest.fixture(scope="module")
def paths(station: Station) -> list[str]:
    """Return the address of every page, of an inbox in which something of everything happened."""
    return page_paths(station)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1_280])
def test_axe_finds_nothing(
    chromium: Browser,  # noqa: F811 - the fixture
    station: Station,
    paths: list[str],
    width: int,
    scheme: str,
) -> None:
    """On no page, with everything folded open."""
    found: list[str] = []
    with browsing(chromium, station, "ada", width=width, scheme=scheme) as page:
        for path in (*paths, BACKTEST):
            found += [
                f"{path}: {one['id']}: {one['nodes'][0]['html'][:200]}"
                for one in violations(page, f"{station.origin}{path}")
            ]

    assert [] == found


def violations(page: Page, address: str) -> list[dict[str, Any]]:
    """Return what axe finds on a page with everything folded open."""
    for left in reversed(range(LOADS)):
        try:
            page.goto("about:blank")  # where nothing loads itself again meanwhile
            page.goto(address)
            page.evaluate("document.querySelectorAll('details').forEach((one) => one.open = true)")
            return list(axe.Axe().run(page).response["violations"])
        except PageError as error:
            # A page loads itself again once its request moved on; then it is looked at anew.
            if not left or "context was destroyed" not in str(error):
                raise
    return []


def test_axe_can_fail(chromium: Browser, station: Station) -> None:  # noqa: F811 - the fixture
    """A picture without words and a field without a name are found."""
    with browsing(chromium, station, "ada") as page:
        page.goto(f"{station.origin}/web/rules")
        page.evaluate("document.querySelector('main').innerHTML = '<img src=\"\"><input>'")
        found = {one["id"] for one in axe.Axe().run(page).response["violations"]}

    assert {"image-alt", "label"} <= found


def test_a_first_visit_loads_little(
    chromium: Browser,  # noqa: F811 - the fixture
    station: Station,
    paths: list[str],
) -> None:
    """Page, stylesheet, script and mark together."""
    sizes: dict[str, int] = {}
    with browsing(chromium, station, "ada") as page:
        for path in paths:
            page.goto(f"{station.origin}{path}", wait_until="load")
            sizes[path] = page.evaluate(LOADED)

    assert {} == {path: size for path, size in sizes.items() if size > PAGE_BYTES}, sizes
    assert min(sizes.values()) > 5_000  # the files were counted


def test_the_first_paint_waits_for_one_stylesheet(
    chromium: Browser,  # noqa: F811 - the fixture
    station: Station,
    paths: list[str],
) -> None:
    """And for no script, font or second request; `bench/first_paint.py` measures the time."""
    blocking: set[tuple[str, ...]] = set()
    with browsing(chromium, station, "ada") as page:
        for path in paths:
            page.goto(f"{station.origin}{path}", wait_until="load")
            blocking.add(tuple(page.evaluate(BLOCKING)))

    assert 1 == len(blocking), blocking
    (files,) = blocking
    assert [".css"] == [file[file.rindex(".") :] for file in files]
