"""What every page keeps to, in a real browser: no axe-core violation, 60 KB, one stylesheet.

Needs Chromium (`apt-get install chromium`) and axe-playwright-python; where they are not there
these tests say so.
"""

from __future__ import annotations

from typing import Any, Literal

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
PARTS = 4  # of the pages, so that several test processes share them
LOOKS: tuple[tuple[int, Literal["light", "dark"]], ...] = (
    (390, "light"),
    (390, "dark"),
    (1_280, "light"),
    (1_280, "dark"),
)
LOOK = """([width, dark]) => innerWidth === width &&
  matchMedia("(prefers-color-scheme: dark)").matches === dark"""
AXE = 'axe.run({resultTypes: ["violations"]}).then((found) => found.violations)'
# Words that nobody can read on a wide dark page only, beside two that are bad everywhere.
BAD = """() => {
  document.querySelector("main").innerHTML = '<img src=""><input><p>pale</p>';
  const sheet = new CSSStyleSheet();
  sheet.replaceSync("@media (min-width: 1000px) and (prefers-color-scheme: dark) {" +
    "main p { color: #777; background: #666 } }");
  document.adoptedStyleSheets = [sheet];
}"""
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


@pytest.mark.parametrize("part", range(PARTS))
def test_axe_finds_nothing(
    chromium: Browser,  # noqa: F811 - the fixture
    station: Station,
    paths: list[str],
    part: int,
) -> None:
    """On no page, with everything folded open, on a phone and a desk, in the light and the dark."""
    found: list[str] = []
    with browsing(chromium, station, "ada") as page:
        for path in (*paths, BACKTEST)[part::PARTS]:
            found += [f"{path}: {one}" for one in violations(page, f"{station.origin}{path}")]

    assert [] == found


def violations(page: Page, address: str) -> list[str]:
    """Return what axe finds on a page in every look, with everything folded open."""
    for left in reversed(range(LOADS)):
        try:
            page.goto("about:blank")  # where nothing loads itself again meanwhile
            page.goto(address)
            page.evaluate("document.querySelectorAll('details').forEach((one) => one.open = true)")
            return found_by_axe(page)
        except PageError:
            # A page loads itself again once its request moved on, in the middle of whatever is
            # asked of it; then it is looked at anew.
            if not left:
                raise
    return []


def found_by_axe(page: Page) -> list[str]:
    """Return what axe finds on the page as it stands, in every look."""
    found: list[str] = []
    page.evaluate(f"() => {{{axe.Axe().axe_script}}}")
    for width, scheme in LOOKS:
        page.set_viewport_size({"width": width, "height": 800})
        page.emulate_media(color_scheme=scheme)
        page.wait_for_function(LOOK, arg=[width, scheme == "dark"])
        violated: list[dict[str, Any]] = page.evaluate(AXE)
        found += [
            f"{width} {scheme}: {one['id']}: {one['nodes'][0]['html'][:200]}" for one in violated
        ]
    return found


def test_axe_can_fail(chromium: Browser, station: Station) -> None:  # noqa: F811 - the fixture
    """A picture without words and a field without a name are found; in one look what is there."""
    with browsing(chromium, station, "ada") as page:
        page.goto(f"{station.origin}/web/rules")
        page.evaluate(BAD)
        found = {tuple(one.split(": ")[:2]) for one in found_by_axe(page)}

    everywhere = {f"{width} {scheme}" for width, scheme in LOOKS}
    assert everywhere == {look for look, rule in found if rule == "image-alt"}
    assert everywhere == {look for look, rule in found if rule == "label"}
    assert {"1280 dark"} == {look for look, rule in found if rule == "color-contrast"}


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
