"""The inbox's origin: new at each start, and pages that load nothing from anybody else.

The whole attack, with a service worker that stays, is `bench/redteam/origin.py`.
"""

from __future__ import annotations

import hashlib
import hmac
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from inbox_station import MEDIUM, Station, running

from signoff.frontends.web.origin import WebOrigin, label_of

sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
from playwright.sync_api import Page, expect, sync_playwright  # noqa: E402 - see above

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here")
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
UNDER_A_WORKER = """
Object.defineProperty(navigator.serviceWorker, "controller", {get: () => ({})});
"""


@pytest.fixture
def page() -> Iterator[Page]:
    """Return a page of a new browser."""
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = browser.new_page()
        page.set_default_timeout(15_000)
        yield page
        browser.close()


def signed_in(page: Page, station: Station) -> None:
    """Follow a link until the inbox is live."""
    page.goto(station.link("ada"))
    page.wait_for_url("**/web/")
    expect(page.locator("#link")).to_have_text("live")


def test_no_start_has_the_name_of_another() -> None:
    """Nor its cookie or key: 128 bits at random."""
    origins = [WebOrigin(4440) for _ in range(50)]

    for values in zip(*((one.host, one.cookie, one.key) for one in origins), strict=True):
        assert 50 == len(set(values))
    assert all(len(one.host) == len(f"{'0' * 32}.localhost:4440") for one in origins)


def test_the_plain_name_is_let_in_when_it_is_asked_for() -> None:
    """Beside the other."""
    origin = WebOrigin(4440)
    before = origin.hosts
    address = origin.address(is_plain=True)

    assert "http://localhost:4440" == address
    assert {origin.host.encode()} == before
    assert {origin.host.encode(), b"localhost:4440"} == origin.hosts


def test_a_proof_takes_the_key() -> None:
    """Another start proves nothing to a page of this one."""
    origin, text = WebOrigin(4440), b"signoff-inbox-v1\nabc"
    good = hmac.new(bytes.fromhex(origin.key), text, hashlib.sha256).hexdigest()

    assert good == origin.prove("abc")
    assert good != WebOrigin(4440).prove("abc")


@needs_chromium
def test_an_open_page_says_that_signoff_was_started_again(page: Page, tmp_path: Path) -> None:
    """And loads nothing from whoever is there now, not even where it is pressed."""
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    with running(tmp_path / "a") as first:
        call = first.ask(MEDIUM)
        signed_in(page, first)
        page.click(".cards .headline")
        page.wait_for_url(f"**{call.page}")
        port = first.port
    with running(tmp_path / "b", port=port):
        expect(page.locator("#stopped")).to_contain_text("run `signoff open`", timeout=15_000)
        page.click("text=History")
        page.keyboard.press("i")
        page.wait_for_timeout(500)

        assert page.url.endswith(call.page)
        assert page.locator("main").evaluate("(main) => main.inert")


@needs_chromium
@pytest.mark.parametrize("proof", ["0" * 64, "", 7, None])
def test_a_wrong_proof_stops_the_page(page: Page, empty: Station, proof: object) -> None:
    """Whatever is pressed: what would be sent stays here."""
    signed_in(page, empty)
    page.route("**/web/proof", lambda route: route.fulfill(json={"proof": proof}))
    page.click("text=Sign out")

    expect(page.locator("#stopped")).to_be_visible()
    assert page.url.endswith("/web/")


@needs_chromium
def test_a_page_without_the_key_loads_nothing_by_itself(page: Page, empty: Station) -> None:
    """It cannot tell who answers."""
    signed_in(page, empty)
    page.evaluate("localStorage.removeItem('signoff-key')")
    page.reload()
    call = empty.ask(MEDIUM)
    page.wait_for_timeout(1_500)

    assert 0 == page.locator(f'[data-id="{call.request_id}"]').count()


@needs_chromium
def test_a_page_under_a_worker_does_nothing(page: Page, empty: Station) -> None:
    """Not even sign in: the link is still good afterwards."""
    page.add_init_script(UNDER_A_WORKER)
    link = empty.link("ada")
    page.goto(link)
    expect(page.locator("#stopped")).to_contain_text("service worker")
    code = link.partition("#")[2]

    assert 200 == empty.post("/web/sign-in", {"code": code}, {}).status


@needs_chromium
def test_signing_in_ends_workers_and_storage_of_the_origin(page: Page, empty: Station) -> None:
    """What was kept there is gone, but for what signing in leaves."""
    page.goto(f"{empty.origin}/web/sign-in")
    page.evaluate("localStorage.setItem('left', 'behind')")
    signed_in(page, empty)

    assert ["signoff-key", "signoff-token"] == sorted(page.evaluate("Object.keys(localStorage)"))


def test_below_a_label_the_name_is_as_random_as_without() -> None:
    """Passkeys are bound to the label, which is the same at each start of an installation."""
    label = label_of(b"k" * 32)
    origins = [WebOrigin(4440, label=label) for _ in range(50)]

    assert 50 == len({one.host for one in origins})
    assert {f"{label}.localhost"} == {one.relying_party for one in origins}
    assert all(one.host.endswith(f".{label}.localhost:4440") for one in origins)
    assert "" == WebOrigin(4440).relying_party


def test_a_label_belongs_to_one_installation() -> None:
    """It tells nothing of the key it is made of."""
    labels = {label_of(bytes([at]) * 32) for at in range(50)}

    assert 50 == len(labels)
    assert not any("00000000" in label for label in labels)
