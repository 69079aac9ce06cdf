"""What stands on the first screen, in a real browser, on a desk and on a phone.

Needs Chromium (`apt-get install chromium`); where there is none these tests say so.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from inbox_station import CRITICAL, HIGH, Station

pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
from playwright.sync_api import Browser, expect
from test_web_chromium import browsing, chromium, open_request, pytestmark  # noqa: F401 - see above

SCREENS = [(1_280, 800), (390, 844)]
LONG = "set -e\n" + "\n".join(f"echo step {n} >> log.txt" for n in range(60)) + f"\n{HIGH}"
EDIT = {
    "tool_name": "Edit",
    "tool_input": {"file_path": "/home/dev/.bashrc", "old_string": "a\nb", "new_string": "a\nc"},
}
CALLS: Mapping[str, str | Mapping[str, Any]] = {
    "high": HIGH,
    "long": LONG,
    "edit": EDIT,
    "critical": CRITICAL,
}
IN_VIEW = """(selector) => {
  const shown = document.querySelector(selector), box = shown.getBoundingClientRect();
  const height = Math.min(box.height, 20);
  const at = document.elementFromPoint(box.left + box.width / 2, box.top + height / 2);
  return box.top >= 0 && box.top + height <= innerHeight && shown.contains(at);
}"""
WATCH = """() => {
  window.changes = [];
  const watch = new MutationObserver((seen) => window.changes.push(...seen));
  for (const one of document.querySelectorAll("[role=status], [role=alert], [aria-live]"))
    watch.observe(one, { childList: true, characterData: true, subtree: true });
}"""


@pytest.mark.parametrize(("width", "height"), SCREENS)
@pytest.mark.parametrize("name", CALLS)
def test_the_call_and_deny_stand_on_the_first_screen(
    chromium: Browser,  # noqa: F811 - the fixture
    station: Station,
    name: str,
    width: int,
    height: int,
) -> None:
    """Without scrolling, and nothing lies over them."""
    wanted = CALLS[name]
    tagged = wanted if name != "high" else f"{HIGH} --tag w{width}"
    call = station.ask(tagged, session_id=f"{name}{width}")
    with browsing(chromium, station, "ada", width=width) as page:
        page.set_viewport_size({"width": width, "height": height})
        page.goto(f"{station.origin}{call.page}")
        call_shown = ".bytes .line" if name != "critical" else ".arguments code"

        assert [True, True, True] == [
            page.evaluate(IN_VIEW, one) for one in ("h1", call_shown, "button.deny")
        ]
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def test_an_option_is_not_broken_at_its_hyphens(
    chromium: Browser,  # noqa: F811 - the fixture
    empty: Station,
) -> None:
    """`--` at the end of a line reads as a word of its own; a longer one stays on the screen."""
    call = empty.ask(f"npm version minor && {HIGH} --access public --note={'x-' * 60}")
    with browsing(chromium, empty, "ada", width=390) as page:
        page.goto(f"{empty.origin}{call.page}")
        lines = page.evaluate(
            "[...document.querySelectorAll('.c-flag')].map((one) => one.getClientRects().length)"
        )

        assert [1, 1] == lines
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def test_what_is_folded_must_be_opened_before_it_is_approved(
    chromium: Browser,  # noqa: F811 - the fixture
    empty: Station,
) -> None:
    """Denying takes nothing."""
    call = empty.ask(LONG)
    with browsing(chromium, empty, "ada") as page:
        page.goto(f"{empty.origin}{call.page}")
        expect(page.locator("#review")).to_contain_text("Open the folded lines first")
        before = [page.locator(one).is_enabled() for one in ("button.approve", "button.deny")]
        page.click("details.fold summary")
        expect(page.locator("button.approve")).to_be_enabled()

        assert [False, True] == before


def test_nothing_is_said_aloud_every_second(
    chromium: Browser,  # noqa: F811 - the fixture
    empty: Station,
) -> None:
    """Live regions change once, when the time to read is over."""
    call = empty.ask(HIGH)
    with browsing(chromium, empty, "ada") as page:
        page.goto(f"{empty.origin}{call.page}", wait_until="commit")
        page.wait_for_selector("#review-over", state="attached")
        page.evaluate(WATCH)
        expect(page.locator("button.approve")).to_be_enabled()
        page.wait_for_timeout(2_500)

        assert page.evaluate("window.changes.length") <= 1


def test_the_second_button_approves_for_the_session(
    chromium: Browser,  # noqa: F811 - the fixture
    empty: Station,
) -> None:
    """It stands between the other two, outside of the form it sends."""
    call = empty.ask("git push --force origin feature/login")
    with browsing(chromium, empty, "ada") as page:
        open_request(page, empty, call)
        names = page.locator(".buttons button").all_inner_texts()
        for name, value in call.right_choices().items():
            page.check(f'input[name="{name}"][value="{value}"]')
        page.click("button.for-session")
        expect(page.locator("#notice")).to_contain_text("approved")

        assert ["Approve", "For this session", "Deny"] == names
        assert 1 == len(empty.parts.grants.listed())


STAND_IN = """() => {
  window.told = [];
  window.beeps = 0;
  window.Notification = class {
    static permission = "granted";
    static requestPermission = async () => "granted";
    constructor(title, { body }) { window.told.push(`${title}: ${body}`); }
  };
  const real = window.AudioContext;
  window.AudioContext = class extends real { constructor() { super(); window.beeps += 1; } };
  Object.defineProperty(document, "visibilityState", { get: () => "hidden" });
}"""


@pytest.mark.parametrize("is_wanted", [True, False])
def test_a_browser_tells_of_requests_if_it_is_asked_to(
    chromium: Browser,  # noqa: F811 - the fixture
    empty: Station,
    is_wanted: object,
) -> None:
    """By a notice and a sound, each switched on by a press; not of what was there before."""
    empty.ask(CRITICAL)
    with browsing(chromium, empty, "ada") as page:
        page.evaluate(STAND_IN)
        expect(page.locator("#link")).to_have_text("live")
        if is_wanted:
            page.click("#notify")
            page.click("#sound")
            expect(page.locator("#sound")).to_have_attribute("aria-pressed", "true")
        before = page.evaluate("window.beeps")
        empty.ask(HIGH)
        expect(page.locator("#news")).to_contain_text("New: high Publishes ")
        told = page.evaluate("window.told")
        beeps = page.evaluate("window.beeps") - before

    assert (int(bool(is_wanted)), int(bool(is_wanted))) == (len(told), beeps)
    assert all(text.startswith("signoff needs your answer: high Publishes") for text in told)


LISTENED = """() => {
  window.shown = [];
  const real = window.Notification;
  window.Notification = class extends real {
    constructor(title, options) {
      super(title, options);
      this.addEventListener("show", () => window.shown.push(this.body));
      this.addEventListener("error", () => window.shown.push("error"));
    }
  };
  Object.defineProperty(document, "visibilityState", { get: () => "hidden" });
}"""
SECRET = "hunter2hunter2"  # what the notice of a request must not show


def test_the_browsers_own_notices_work_at_this_address(chromium: Browser, empty: Station) -> None:  # noqa: F811 - the fixture
    """Nothing stands in for it here: a random name below `localhost` may show notices."""
    with browsing(chromium, empty, "ada") as page:
        page.context.grant_permissions(["notifications"], origin=empty.origin)
        page.reload()
        page.evaluate(LISTENED)
        expect(page.locator("#link")).to_have_text("live")
        page.click("#notify")
        expect(page.locator("#notify")).to_have_attribute("aria-pressed", "true")
        empty.ask(f"git push --force https://ada:{SECRET}@git.example.org/a/b topic")
        page.wait_for_function("window.shown.length")
        (shown,) = page.evaluate("window.shown")

    assert "Force-pushes" in shown
    assert "example.org" in shown
    assert SECRET not in shown


@pytest.mark.parametrize(("width", "rows"), [(1_280, 1), (1_265, 1), (1_000, 2)])
def test_the_menu_and_the_visitor_share_a_row_on_a_desk(
    chromium: Browser,  # noqa: F811 - the fixture
    empty: Station,
    width: int,
    rows: int,
) -> None:
    """On every page the same, whichever is marked; with less room the menu has a row."""
    tops: set[int] = set()
    with browsing(chromium, empty, "ada", width=width) as page:
        for name in ("", "oversight", "locks"):
            page.goto(f"{empty.origin}/web/{name}")
            boxes = [page.locator(one).bounding_box() for one in (".brand", ".top nav", ".who")]
            middles = {round((box["y"] + box["height"] / 2) / 12) for box in boxes if box}
            tops.add(len(middles))

    assert {rows} == tops


@pytest.mark.parametrize("name", ["oversight", "history", "sessions", "timeline?session=s1"])
def test_a_table_on_a_phone_is_not_cut(
    chromium: Browser,  # noqa: F811 - the fixture
    empty: Station,
    name: str,
) -> None:
    """Nothing lies beyond the edge, no text ends in dots, and every figure says what it is."""
    empty.signed_in("ada").answer_at_once(empty.ask(HIGH), "deny", words="not before Monday")
    with browsing(chromium, empty, "ada", width=390) as page:
        page.goto(f"{empty.origin}/web/{name}")
        cut = page.evaluate(CUT)
        labels = page.evaluate(LABELS)

    assert ([], []) == (cut, labels)


CUT = """() => [...document.querySelectorAll("main :is(.quiet, td, th[scope=row], table)")]
  .filter((one) => one.getBoundingClientRect().right > innerWidth ||
    one.scrollWidth > one.clientWidth + 1 && one.clientWidth ||
    one.matches(".quiet") && one.scrollHeight > one.clientHeight + 1 && one.clientHeight)
  .map((one) => one.outerHTML.slice(0, 120))"""
LABELS = """() => [...document.querySelectorAll("main td.number, main td:nth-child(n + 4)")]
  .filter((one) => one.textContent.trim() && !one.matches(".time, [data-label]"))
  .map((one) => one.outerHTML.slice(0, 120))"""


def test_a_narrow_screen_shows_where_one_is(chromium: Browser, empty: Station) -> None:  # noqa: F811 - the fixture
    """The present page in the list of pages; and what the cells of a table without its head are."""
    call = empty.ask(HIGH)
    empty.signed_in("ada").answer_at_once(call, "deny")
    with browsing(chromium, empty, "ada", width=390) as page:
        page.goto(f"{empty.origin}/web/locks")
        box = page.locator("nav [aria-current]").bounding_box()
        page.goto(f"{empty.origin}/web/history")
        cell = page.locator("td[data-label=by]").first
        label = cell.evaluate("(cell) => getComputedStyle(cell, '::before').content")

    assert box
    assert 0 <= box["x"]
    assert box["x"] + box["width"] <= 390
    assert "by" in label
