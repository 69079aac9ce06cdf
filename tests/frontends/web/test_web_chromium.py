"""The inbox in a real browser: what people see, press and type, and what agents are told then.

Needs Chromium (`apt-get install chromium`); where there is none these tests say so.
"""

from __future__ import annotations

import asyncio
import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from inbox_station import CRITICAL, HIGH, MEDIUM, REVIEW_S, Call, Station
from test_web_questions import ABOUT, COLOUR
from test_web_questions import asked as begun

from signoff.frontends.web.link import Claim

sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
from playwright.sync_api import Browser, Page, Route, expect, sync_playwright  # noqa: E402 - see above

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium on this machine")

FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
]
PAGES = [
    "",
    "passkeys",
    "overview",
    "oversight",
    "history",
    "sessions",
    "rules",
    "policies",
    "costs",
    "audit?verify=1",
    "locks",
]
EXPLAINED = (
    "This deletes all of the accounts with delete_all_users in the production database,"
    " every row of the table users, and nobody can bring * back afterwards"
)


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """Return a running browser."""
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@contextmanager
def browsing(
    chromium: Browser, station: Station, person: str, *, width: int = 1_100, scheme: str = "light"
) -> Iterator[Page]:
    """Sign somebody in by a link; nothing may go wrong in their console."""
    context = chromium.new_context(
        viewport={"width": width, "height": 800},
        color_scheme="dark" if scheme == "dark" else "light",
    )
    context.set_default_timeout(15_000)
    page, wrong = context.new_page(), list[str]()
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
    page.on("dialog", lambda dialog: wrong.append(dialog.message))
    page.goto(station.link(person))
    page.wait_for_url("**/web/")
    yield page
    context.close()
    # What the server refuses on purpose is told by its page, and by the browser here.
    assert [] == [said for said in wrong if "Failed to load resource" not in said]


def open_request(page: Page, station: Station, call: Call) -> None:
    """Open a request and read it for as long as it takes."""
    page.goto(f"{station.origin}{call.page}")
    expect(page.locator("button.approve")).to_be_enabled()


def choose(page: Page, call: Call) -> None:
    """Choose the right answers of the quiz."""
    for name, value in call.right_choices().items():
        page.check(f'input[name="{name}"][value="{value}"]')


def test_a_request_appears_and_goes_by_itself(chromium: Browser, empty: Station) -> None:
    """The page is not loaded again, and says aloud what is new."""
    with browsing(chromium, empty, "ada") as page:
        expect(page.locator(".empty").first).to_contain_text("Nothing waits")
        page.evaluate("window.same = true")
        call = empty.ask(HIGH)
        expect(page.locator(".cards .headline")).to_contain_text("Publishes ")
        expect(page.locator("#news")).to_contain_text("New: high Publishes ")
        expect(page).to_have_title("(1) Inbox - signoff")
        empty.signed_in("bob").answer_at_once(call, "deny")
        expect(page.locator(".cards .headline")).to_have_count(0)

        assert page.evaluate("window.same")


def test_a_press_ends_where_it_began(chromium: Browser, empty: Station) -> None:
    """The list waits for it: what comes meanwhile takes no press away."""
    call = empty.ask(MEDIUM)
    with browsing(chromium, empty, "ada") as page:
        expect(page.locator("#link")).to_have_text("live")
        page.locator(".cards .headline").hover()
        page.mouse.down()
        with page.expect_response("**/web/inbox/list"):
            empty.ask(HIGH)
        page.wait_for_timeout(300)
        page.mouse.up()

        page.wait_for_url(f"**{call.page}")


def test_age_and_time_left_go_on_counting(chromium: Browser, empty: Station) -> None:
    """Second by second."""
    empty.ask(MEDIUM)
    with browsing(chromium, empty, "vic") as page:
        before = page.locator("time[data-ends]").inner_text()
        page.wait_for_timeout(2_100)

        assert before != page.locator("time[data-ends]").inner_text()


def test_the_quiz_must_be_answered_before_the_call_goes_on(
    chromium: Browser, empty: Station
) -> None:
    """And then exactly that call does."""
    call, other = empty.ask(HIGH), empty.ask(f"{HIGH} --tag next")
    with browsing(chromium, empty, "ada") as page:
        open_request(page, empty, call)
        page.click("button.approve")
        unanswered = call.request.state.value
        choose(page, call)
        page.click("button.approve")
        expect(page.locator("#notice")).to_contain_text("approved")

        assert ("pending", "allow") == (unanswered, call.result()["verdict"])
        assert "pending" == other.request.state.value


def test_the_code_for_a_terminal_is_shown_with_its_command(
    chromium: Browser, empty: Station
) -> None:
    """Once the page is in view; it stands in no page the server sends."""
    call = empty.ask(MEDIUM)
    with browsing(chromium, empty, "bob") as page:
        open_request(page, empty, call)
        line, sent = page.locator("#by-terminal"), empty.signed_in("bob").get(call.page).text
        expect(line).to_contain_text(f"signoff approve {call.request_id[:8]}")
        code = page.locator("#terminal-code").inner_text()

        assert 9 == len(code)
        assert code not in sent


def test_a_request_whose_code_is_gone_is_answered_on_its_page(
    chromium: Browser, empty: Station
) -> None:
    """A restart forgets codes: the page says so, and names no command that cannot succeed."""
    call = empty.ask(MEDIUM)
    empty.parts.codes.drop(call.request_id)
    with browsing(chromium, empty, "bob") as page:
        open_request(page, empty, call)

        expect(page.locator("#not-by-terminal")).to_contain_text("Answer here")
        expect(page.locator("#by-terminal")).to_be_hidden()


def test_a_denial_takes_its_words_along(chromium: Browser, empty: Station) -> None:
    """To the agent."""
    call = empty.ask(HIGH)
    with browsing(chromium, empty, "bob") as page:
        page.click(".cards .headline")
        page.fill("#words-deny", "not before Monday")
        page.click("button.deny")
        expect(page.locator("#final")).to_contain_text("denied by Bob on web: not before Monday")

    said = call.result()
    assert "deny" == said["verdict"]
    assert "not before Monday" in said["reason"]


def test_who_is_too_fast_is_refused(chromium: Browser, empty: Station) -> None:
    """The button waits; who gets around it meets the server."""
    call = empty.ask(MEDIUM)
    with browsing(chromium, empty, "ada") as page:
        # The server never hears that the page was in view, however slow the machine is.
        page.route("**/seen", lambda route: route.abort())
        page.goto(f"{empty.origin}{call.page}")
        urls: list[str] = []
        page.on("response", lambda sent: urls.append(sent.url))
        # The page of the refusal catches up with its request, and stays what it is.
        with page.expect_response(
            lambda sent: (
                sent.url.endswith(call.page) and any(url.endswith("/answer") for url in urls)
            )
        ):
            # Once this has returned: what leaves its own page may never be answered.
            page.evaluate(
                "document.querySelector('#approve input[name=token]').value"
                " = localStorage.getItem('signoff-token');"
                "setTimeout(() => document.querySelector('#approve').submit())"
            )
        page.wait_for_load_state("networkidle")
        expect(page.locator("#outcome")).to_contain_text("too fast")

    assert "pending" == call.request.state.value


def test_the_button_opens_after_the_time_to_read(chromium: Browser, empty: Station) -> None:
    """As the server keeps it."""
    call = empty.ask(MEDIUM)
    with browsing(chromium, empty, "ada") as page:
        page.goto(f"{empty.origin}{call.page}", wait_until="commit")
        expect(page.locator("button.approve")).to_be_disabled()
        expect(page.locator("button.approve")).to_be_enabled(timeout=REVIEW_S * 1_000 + 5_000)
        page.click("button.approve")
        expect(page.locator("#notice")).to_contain_text("approved")


def test_what_is_critical_takes_two_people(chromium: Browser, empty: Station) -> None:
    """One explains; the other's page comes up by itself, and they take the quiz."""
    call = empty.ask(CRITICAL)
    with browsing(chromium, empty, "ada") as ada, browsing(chromium, empty, "bob") as bob:
        bob.goto(f"{empty.origin}{call.page}")
        expect(bob.locator("#explanation")).to_be_visible()
        open_request(ada, empty, call)
        ada.fill("#explanation", EXPLAINED)
        ada.click("button.approve")
        expect(ada.locator("#notice")).to_contain_text("somebody else must give: quiz")
        expect(ada.locator("#approve")).to_have_count(0)
        expect(bob.locator("#approve fieldset").first).to_be_visible()
        waiting = call.request.state.value
        expect(bob.locator("button.approve")).to_be_enabled()
        choose(bob, call)
        bob.click("button.approve")
        expect(bob.locator("#final")).to_contain_text("by Bob on web")
        expect(ada.locator("#final")).to_contain_text("by Bob on web")

    assert ("pending", "allow") == (waiting, call.result()["verdict"])


def test_what_was_begun_is_not_lost_when_a_request_moves_on(
    chromium: Browser, empty: Station
) -> None:
    """The page says so instead of loading again."""
    call = empty.ask(CRITICAL)
    with browsing(chromium, empty, "bob") as page:
        page.goto(f"{empty.origin}{call.page}")
        page.fill("#explanation", "half a sentence")
        empty.signed_in("ada").answer(call, "approve", explanation=EXPLAINED)
        expect(page.locator("#changed")).to_be_visible()

        assert "half a sentence" == page.input_value("#explanation")


def test_a_link_is_good_once(chromium: Browser, station: Station) -> None:
    """Who follows it second is told how to get one."""
    link = station.link("ada")
    first, second = chromium.new_context().new_page(), chromium.new_context().new_page()
    first.goto(link)
    first.wait_for_url("**/web/")
    second.goto(link)
    expect(second.locator("#sign-in-words")).to_contain_text("signoff open")

    assert "#" not in second.url
    first.context.close()
    second.context.close()


def test_a_link_works_where_the_page_is_open_already(chromium: Browser, station: Station) -> None:
    """As when somebody looks first, and then runs the command."""
    page = chromium.new_context().new_page()
    page.goto(f"{station.origin}/web/sign-in")
    page.goto(station.link("ada"))
    page.wait_for_url("**/web/")
    page.context.close()


def test_the_short_code_is_typed_into_the_page(chromium: Browser, station: Station) -> None:
    """A wrong one is told; a key of an earlier start does not keep the page from signing in."""
    page = chromium.new_context().new_page()
    page.goto(f"{station.origin}/web/sign-in")
    page.evaluate("localStorage.setItem('signoff-key', 'ab'.repeat(32))")
    page.reload()
    page.fill("#code", "AAAA-AAAA")
    page.press("#code", "Enter")
    expect(page.locator("#sign-in-words")).to_contain_text("signoff open")
    page.fill("#code", station.parts.links.make(Claim(approver="ada", made_by="ada")).typed)
    page.press("#code", "Enter")
    page.wait_for_url("**/web/")
    page.context.close()


def test_a_browser_that_is_signed_in_is_led_in(
    chromium: Browser, station: Station, tmp_path: Path
) -> None:
    """By a page of this machine, as `signoff open` writes it, which shows no cookie."""
    leading = tmp_path / "open.html"
    address = f"{station.origin}/web/sign-in"
    leading.write_text(f'<meta http-equiv="refresh" content="0; url={address}">')
    with browsing(chromium, station, "ada") as page:
        page.goto(leading.as_uri())
        page.wait_for_url("**/web/")
        expect(page.locator("h1").first).to_be_visible()


def test_a_stolen_cookie_reads_and_does_not_answer(chromium: Browser, empty: Station) -> None:
    """The token is kept for one port; cookies go to all of them."""
    call = empty.ask(MEDIUM)
    context = chromium.new_context()
    cookie = empty.signed_in("ada").cookie
    domain = empty.parts.origin.host.partition(":")[0]
    context.add_cookies(
        [{"name": empty.cookie_name, "value": cookie, "domain": domain, "path": "/web"}]
    )
    page = context.new_page()
    page.goto(f"{empty.origin}{call.page}")
    expect(page.locator("#no-token")).to_be_visible()
    page.click("button.deny")
    expect(page.locator("main [role=alert]")).to_contain_text("no token")
    context.close()

    assert "pending" == call.request.state.value


def test_signing_out_leaves_nothing(chromium: Browser, station: Station) -> None:
    """Neither page nor token."""
    with browsing(chromium, station, "vic") as page:
        page.click("text=Sign out")
        page.wait_for_url("**/web/sign-in")
        left = page.evaluate("localStorage.length")
        page.goto(f"{station.origin}/web/")

        assert (0, True) == (left, page.url.endswith("/web/sign-in"))


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1_100])
def test_every_page_fits(chromium: Browser, station: Station, width: int, scheme: str) -> None:
    """Nothing sticks out on a phone, in either colours, and no console says anything."""
    call = station.ask(
        f"{HIGH} --tag {'x' * 300} --registry https://{'y' * 200}.example/{scheme}{width}"
    )
    with browsing(chromium, station, "ada", width=width, scheme=scheme) as page:
        wide = []
        for path in [*(f"/web/{name}" for name in PAGES), call.page]:
            page.goto(f"{station.origin}{path}")
            if page.evaluate("document.documentElement.scrollWidth > window.innerWidth"):
                wide.append(path)

        assert [] == wide


BROKEN_WORDS = """
() => [...document.querySelectorAll("th, td")].flatMap((cell) => {
  const broken = [], walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    for (const word of walker.currentNode.data.matchAll(/[^\\s-]+/g)) {
      const range = document.createRange();
      range.setStart(walker.currentNode, word.index);
      range.setEnd(walker.currentNode, word.index + word[0].length);
      const lines = new Set([...range.getClientRects()].map((box) => Math.round(box.top)));
      if (word[0].length <= 12 && lines.size > 1) broken.push(word[0]);
    }
  }
  return broken;
})
"""


@pytest.mark.parametrize("width", [1_280, 900, 390])
@pytest.mark.parametrize("path", ["history", "sessions", "rules"])
def test_no_short_word_of_a_table_is_broken(
    chromium: Browser, empty: Station, path: str, width: int
) -> None:
    """However long the command beside it is: columns keep room for their own words."""
    line = f"find . -name '*.pyc' -print0 | xargs -0 rm -f && echo {'word ' * 60} {'x' * 90}"
    for command in (line, "rm -rf /", "ls"):
        call = {"tool_name": "Bash", "tool_input": {"command": command}, "session_id": "s" * 40}
        empty.request("POST", "/v1/actions", json.dumps(call).encode(), headers=empty.program)
    with browsing(chromium, empty, "ada", width=width) as page:
        page.goto(f"{empty.origin}/web/{path}")

        assert [] == page.evaluate(BROKEN_WORDS)
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_text_of_an_agent_runs_nothing(chromium: Browser, station: Station) -> None:
    """No dialog, no error, no element of its making."""
    evil = "<img src=x onerror=alert(1)><script>alert(2)</script>"
    call = station.ask(
        {"tool_name": "Bash", "tool_input": {"command": f"{HIGH} '{evil}'", "description": evil}}
    )
    with browsing(chromium, station, "ada") as page:
        page.goto(f"{station.origin}{call.page}")
        expect(page.locator("blockquote")).to_contain_text("<script>alert(2)</script>")

        assert 0 == page.locator("main img, main script").count()


def test_the_keyboard_is_enough(chromium: Browser, empty: Station) -> None:
    """The way past the menu comes first; keys move and open, and none of them answers."""
    for command in (MEDIUM, HIGH):
        empty.ask(command)
    with browsing(chromium, empty, "ada") as page:
        expect(page.locator("#link")).to_have_text("live")
        page.keyboard.press("Tab")
        expect(page.locator(".skip")).to_be_focused()
        page.keyboard.press("j")
        page.keyboard.press("j")
        page.keyboard.press("Enter")
        expect(page.locator("h1")).to_contain_text("Deletes unused containers")
        page.keyboard.press("i")
        page.wait_for_url("**/web/")


def test_the_present_page_is_in_view_on_a_phone(chromium: Browser, empty: Station) -> None:
    """The list of pages scrolls sideways by itself, and the Tab key still starts at the top."""
    with browsing(chromium, empty, "ada", width=390) as page:
        page.goto(f"{empty.origin}/web/locks")
        present = page.locator("nav [aria-current]")
        expect(present).to_be_in_viewport(ratio=1)
        page.keyboard.press("Tab")
        expect(page.locator(".skip")).to_be_focused()


def test_every_field_and_button_has_a_name(chromium: Browser, station: Station) -> None:
    """As a screen reader says it."""
    nameless = """[...document.querySelectorAll('input, textarea, select, button')]
        .filter(e => e.type !== 'hidden')
        .filter(e => !e.hidden && !(e.labels?.length || e.ariaLabel || e.textContent.trim()))
        .map(e => e.outerHTML)"""
    call = station.ask(f"{HIGH} --tag named")
    with browsing(chromium, station, "ada") as page:
        found = []
        for path in ["/web/history", "/web/policies", "/web/locks", call.page]:
            page.goto(f"{station.origin}{path}")
            found += page.evaluate(nameless)

        assert [] == found


def test_a_question_of_an_agent_comes_and_goes_by_itself(chromium: Browser, empty: Station) -> None:
    """In the list, on its page, and off both once it is answered elsewhere."""
    coming, waiting = begun(empty, COLOUR)
    with browsing(chromium, empty, "ada") as page:
        page.click(".cards .headline")
        expect(page.locator("h1")).to_contain_text("claude in shop, session s1 asks")
        empty.parts.questions.answer(waiting.id, "Red")
        expect(page.locator("main")).to_contain_text("Nobody waits for this answer any more")
        page.goto(f"{empty.origin}/web/")
        expect(page.locator(".cards .headline")).to_have_count(0)

        assert ("Red",) == coming.result(10)


def test_a_page_catches_up_with_what_came_before_it_listened(
    chromium: Browser, empty: Station
) -> None:
    """A question that was answered between the page and its stream of events."""
    coming, waiting = begun(empty, COLOUR)
    with browsing(chromium, empty, "ada") as page:

        def answer_first(route: Route) -> None:
            empty.parts.questions.answer(waiting.id, "Red")
            route.continue_()

        page.route("**/web/events", answer_first)
        page.goto(f"{empty.origin}/web/questions/{waiting.id}")
        expect(page.locator("main")).to_contain_text("Nobody waits for this answer any more")

        assert ("Red",) == coming.result(10)


def test_an_option_is_one_press(chromium: Browser, empty: Station) -> None:
    """The agent hears its label."""
    coming, waiting = begun(empty, COLOUR)
    with browsing(chromium, empty, "bob") as page:
        page.goto(f"{empty.origin}/web/questions/{waiting.id}")
        page.click("text=Blue")
        expect(page.locator("#notice")).to_contain_text("The agent is told")

        assert ("Blue",) == coming.result(10)


@pytest.mark.parametrize("width", [360, 1_100])
def test_words_send_an_agent_on(chromium: Browser, empty: Station, width: int) -> None:
    """On a phone as on a desk; whatever the summary holds, the page fits."""
    asked = empty.parts.questions.ask_next(f"{'x' * 900}\nall done", about=ABOUT, timeout_s=20)
    coming = asyncio.run_coroutine_threadsafe(asked, empty.loop)
    with browsing(chromium, empty, "bob", width=width) as page:
        page.click(".cards .headline")
        expect(page.locator("#words")).to_be_visible()
        fits = page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        page.fill("#words", "now run the tests")
        page.click("text=Send")
        expect(page.locator("#notice")).to_contain_text("The agent is told")

        assert (True, "now run the tests") == (fits, coming.result(10))
