"""The real Claude Code, the daemon and the inbox in a real browser: what is clicked is what runs.

Needs Chromium (`apt-get install chromium`); where there is none these tests say so.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest
from claude_code import ClaudeCode, Session
from fake_messages_api import ToolCall
from on_the_phone import bot_files
from resident import ASK_FIRST, TRUSTING, WITHIN_S, bash, left_in, resident, sign_in_link

from signoff.challenge.pending import PendingRequest, RequestState
from signoff.challenge.terms.step import Question
from signoff.storage.approvals.database import Database
from signoff.storage.approvals.requests import SqliteRequests

sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
from playwright.sync_api import Page, expect, sync_playwright  # noqa: E402 - see above

sys.path.append(str(Path(__file__).parents[1] / "channels" / "telegram"))
from fake_bot_api import ADA, FakeBotApi, fake_bot_api  # noqa: E402 - see above

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium on this machine")

SETTINGS = """
server: {port: PORT}
channels: [web]
limits: {min_review_s: 1, answer_timeout_s: 120}
approval: {review_s: {medium: 1, high: 1, critical: 1}}
lines: {destructive: ask, production-impact: ask}
"""
# What needs two people; the program is not there, what comes after it leaves a trace.
GRAVE = "kubectl delete namespace production; touch gone"
EXPLAINED = (
    "This deletes the whole namespace production from the cluster with kubectl, and everything"
    " that runs in it is gone for good; then it makes an empty file gone"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class InboxSetup:
    """Claude Code before a daemon, somebody at the inbox, somebody else at the phone."""

    claude: ClaudeCode
    api: FakeBotApi
    pool: ThreadPoolExecutor

    def start(self, *calls: ToolCall) -> Future[Session]:
        """Let a session run while people answer."""
        return self.pool.submit(self.claude.run, *calls, options=TRUSTING)

    def there(self) -> list[str]:
        """Return what the calls have left behind."""
        return left_in(self.claude)

    def questions(self) -> Sequence[Question]:
        """Return the quiz that is asked now, with its right answers."""
        waiting = self.pool.submit(asyncio.run, self._waiting()).result(WITHIN_S)
        assert waiting.next_step is not None
        return waiting.next_step.questions

    async def _waiting(self) -> PendingRequest:
        state = self.claude.home / ".local" / "state" / "signoff"
        database = Database(str(state / "approvals.db"))
        try:
            (waiting,) = await SqliteRequests(database).listed(RequestState.PENDING)
            return waiting
        finally:
            database.close()

    def message(self, fits: Callable[[int], bool]) -> int:
        """Return the first message in the chat that fits, once it is there."""
        deadline = time.monotonic() + WITHIN_S
        while time.monotonic() < deadline:
            found = next((number for number in sorted(self.api.messages) if fits(number)), None)
            if found is not None:
                time.sleep(0.5)  # the bot knows its own message before anybody taps
                return found
            time.sleep(0.05)
        raise AssertionError(f"no such message in {self.api.messages}")


@pytest.fixture
def setup(claude: ClaudeCode) -> Iterator[InboxSetup]:
    """Return Claude Code with signoff, a daemon, a bot and two people."""
    people = [
        {
            "id": name,
            "role": role,
            "identities": [{"channel": channel, "id": number}],
        }
        for name, role, channel, number in (
            ("owner", "admin", "terminal", f"uid:{os.getuid()}"),
            ("ada", "approver", "telegram", str(ADA)),
        )
    ]
    with fake_bot_api() as api, ThreadPoolExecutor(2) as pool:
        files = {
            "signoff.yaml": SETTINGS,
            "rules.yaml": ASK_FIRST,
            **bot_files(api),
            "approvers.json": json.dumps({"version": 1, "approvers": people}),
        }
        with resident(claude, files):
            yield InboxSetup(claude=claude, api=api, pool=pool)


@pytest.fixture
def page(setup: InboxSetup) -> Iterator[Page]:
    """Return a browser that is signed in by a link from the terminal."""
    with sync_playwright() as play:
        browser = play.chromium.launch(
            executable_path=CHROMIUM,
            args=["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
        )
        shown = browser.new_page()
        shown.set_default_timeout(WITHIN_S * 1_000)
        expect.set_options(timeout=WITHIN_S * 1_000)
        shown.goto(sign_in_link(setup.claude))
        shown.wait_for_url("**/web/")
        yield shown
        browser.close()


def test_what_is_clicked_is_what_runs(setup: InboxSetup, page: Page) -> None:
    """The first call is approved, the second denied with words; only the first runs."""
    session = setup.start(bash("touch one"), bash("touch two"))

    page.locator(".cards .headline").first.click()
    page.locator("button.approve").click()
    expect(page.locator("#notice, #final").first).to_contain_text("approved")
    page.goto(page.url.partition("/web/")[0] + "/web/")
    page.locator(".cards .headline").first.click()
    page.locator("#words-deny").fill("use another name")
    page.locator("button.deny").click()

    ended = session.result(WITHIN_S)
    assert setup.there() == ["one"], ended.output
    assert "use another name" in ended.results[1]


def test_what_is_critical_takes_two_people_and_two_proofs(setup: InboxSetup, page: Page) -> None:
    """One explains it in the browser, the other passes a quiz on the phone; then it runs."""
    session = setup.start(bash(GRAVE))

    page.locator(".cards .headline").first.click()
    page.locator("#explanation").fill(EXPLAINED)
    page.locator("button.approve").click(timeout=60_000)
    expect(page.locator("#notice")).to_contain_text("somebody else")
    before = setup.there()
    card = setup.message(lambda number: "Approve (quiz)" in setup.api.labels(number))
    setup.api.press(card, "Approve (quiz)")
    quiz = setup.message(lambda number: "question 1 of" in setup.api.messages[number]["text"])
    time.sleep(10.5)  # a quiz takes ten seconds of reading
    questions = setup.questions()
    for at, question in enumerate(questions):
        head = f"question {at + 1} of {len(questions)}"
        setup.message(
            lambda number, head=head: head in setup.api.messages[number]["text"]  # type: ignore[misc]  # mypy cannot infer a lambda with a default
        )
        setup.api.press(quiz, "ABCD"[question.right])

    ended = session.result(WITHIN_S)
    assert before == []
    assert setup.there() == ["gone"], ended.output
