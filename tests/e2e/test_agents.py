"""Agents of four frameworks before one daemon, a person at the inbox, and the same at the phone.

Each makes a call that is allowed, one that is denied, and one that is approved in the browser.
Then it is killed while a call waits, the call is approved on Telegram, and a new process resumes.
`scripts/try-agents` installs the frameworks and runs this.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from resident import sign_in_link

sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
from playwright.sync_api import Page, expect, sync_playwright  # noqa: E402 - see above

TESTS = Path(__file__).parents[1]
sys.path.extend(str(TESTS / folder) for folder in ("channels/telegram", "frontends/server"))
from fake_bot_api import ADA, FakeBotApi, fake_bot_api  # noqa: E402 - see above
from live_daemon import LiveDaemon, served, wait_until  # noqa: E402 - see above
from on_the_phone import bot_files  # noqa: E402 - see above

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
FRAMEWORKS = Path(os.environ.get("TRY_AGENTS_FOLDER", "/nowhere"))
# Program, the environment it runs in, and whether the framework has a pause of its own.
AGENTS = {
    "langgraph_agent": ("langchain", True),
    "openai_agent": ("openai-agents", True),
    "pydantic_agent": ("pydantic-ai", True),
    "crewai_agent": ("crewai", False),
}
PATIENCE_S = 60.0
SETTINGS = """
channels: [web]
python: {decides: daemon}
limits: {min_review_s: 1, answer_timeout_s: 300}
approval: {review_s: {low: 1, medium: 1, high: 1, critical: 1}}
"""
RULES = """
version: 1
rules:
  - {name: orders-may-be-read, action: allow, tool: look_up}
  - {name: tables-stay, action: deny, tool: drop_table, reason: tables are never dropped}
  - {name: comments-are-asked, action: escalate, tool: post_comment, reason: people read it}
"""
pytestmark = [
    pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium on this machine"),
    pytest.mark.skipif(not FRAMEWORKS.is_dir(), reason="they come by scripts/try-agents only"),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentSetup:
    """One daemon, the bot it asks at, and a browser that is signed in."""

    daemon: LiveDaemon
    api: FakeBotApi
    page: Page

    @property
    def home(self) -> Path:
        """The home of all."""
        return self.daemon.home

    project = home

    @property
    def environment(self) -> dict[str, str]:
        """The environment of all."""
        return self.daemon.environment

    def signoff(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Run our command line."""
        return self.daemon.signoff(*words)

    def card(self, subject: str) -> int:
        """Return the message that asks about a comment, once it is there."""
        found: list[int] = []

        def is_there() -> bool:
            found[:] = [
                number
                for number, message in list(self.api.messages.items())
                if subject in json.dumps(message) and "Approve" in self.api.labels(number)
            ]
            return bool(found)

        wait_until(is_there, PATIENCE_S)
        return found[0]

    def approve(self, card: int) -> None:
        """Tap until it counts: a tap before the least time of reading does not."""

        def is_approved() -> bool:
            if "Approve" in self.api.labels(card):
                self.api.press(card, "Approve")
                time.sleep(0.5)
            return "Approve" not in self.api.labels(card)

        wait_until(is_approved, PATIENCE_S)

    def record(self, session: str) -> list[tuple[str, str, str]]:
        """Return tool, verdict and who decided of each call of a session, in order."""
        said = self.signoff("audit", "tail", "-n", "100", "--json").stdout
        entries = [json.loads(line) for line in said.splitlines()]
        return [
            (one["tool"], one["verdict"], one["decided_by"])
            for one in entries
            if one["session"] == session
        ]


@pytest.fixture(scope="module")
def setup(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AgentSetup]:
    """Return the daemon, the bot and the browser, the same for all agents."""
    home = tmp_path_factory.mktemp("home")
    ada = {
        "id": "owner",
        "role": "admin",
        "identities": [
            {"channel": "terminal", "id": f"uid:{os.getuid()}"},
            {"channel": "telegram", "id": str(ADA)},
        ],
    }
    config = home / ".config" / "signoff"
    config.mkdir(parents=True)
    with fake_bot_api() as api:
        files = {
            "signoff.yaml": SETTINGS,
            "rules.yaml": RULES,
            "approvers.json": json.dumps({"version": 1, "approvers": [ada]}),
            **bot_files(api),
        }
        for name, text in files.items():
            (config / name).write_text(text, encoding="utf-8")
            (config / name).chmod(0o600)
        with served(home) as daemon, sync_playwright() as play:
            wait_until(daemon.socket.exists, PATIENCE_S)
            browser = play.chromium.launch(
                executable_path=CHROMIUM,
                args=["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
            )
            page = browser.new_page()
            page.set_default_timeout(PATIENCE_S * 1_000)
            expect.set_options(timeout=PATIENCE_S * 1_000)
            made = AgentSetup(daemon=daemon, api=api, page=page)
            page.goto(sign_in_link(made))
            page.wait_for_url("**/web/")
            yield made
            browser.close()


@dataclass(frozen=True, slots=True, kw_only=True)
class Agent:
    """One program of a framework, in a folder and a session of its own."""

    name: str
    setup: AgentSetup
    session: str

    @property
    def can_pause(self) -> bool:
        """Whether its framework has a pause."""
        return AGENTS[self.name][1]

    @property
    def folder(self) -> Path:
        """Where it leaves its state, and a line for each tool that ran."""
        folder = self.setup.home / self.session
        folder.mkdir(exist_ok=True)
        return folder

    def ran(self) -> list[str]:
        """Return which tools ran, in order."""
        file = self.folder / "ran.txt"
        return file.read_text(encoding="utf-8").splitlines() if file.exists() else []

    def started(self, mode: str, *calls: str) -> subprocess.Popen[str]:
        """Start the program."""
        python = FRAMEWORKS / AGENTS[self.name][0] / "bin" / "python"
        if not python.exists():
            pytest.skip(f"its framework is not there: scripts/try-agents {AGENTS[self.name][0]}")
        code = TESTS / "frameworks" / "programs" / f"{self.name}.py"
        return subprocess.Popen(
            [str(python), str(code), mode, str(self.folder), self.session, *calls],
            env=self.setup.environment,
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )


@pytest.fixture(params=AGENTS)
def agent(request: pytest.FixtureRequest, setup: AgentSetup) -> Agent:
    """Return each agent."""
    return Agent(name=request.param, setup=setup, session=uuid4().hex)


def ended(process: subprocess.Popen[str]) -> Any:  # noqa: ANN401 - any JSON value
    """Return what a program says last."""
    out, words = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 0, words[-4_000:]
    return json.loads(out.splitlines()[-1])


def test_one_is_allowed_one_denied_one_approved_in_the_browser(agent: Agent) -> None:
    """All in one turn; the model reads why the second did not run."""
    page = agent.setup.page
    process = agent.started("start", "look_up:A1", "drop_table:orders", "post_comment:A1")
    page.goto(f"{page.url.partition('/web/')[0]}/web/")
    page.locator(".cards .headline").first.click()
    page.locator("button.approve").click()
    expect(page.locator("#notice, #final").first).to_contain_text("approved")

    heard = ended(process)["heard"]

    assert ["look_up A1", "post_comment A1"] == sorted(agent.ran())
    assert ["look_up A1: done", "post_comment A1: done"] == [heard[0], heard[2]]
    assert "tables are never dropped" in heard[1]
    assert {
        ("look_up", "allow", "rule"),
        ("drop_table", "deny", "rule"),
        ("post_comment", "allow", "web"),
    } == set(agent.setup.record(agent.session))


def test_a_killed_agent_resumes_after_a_tap_on_the_phone(agent: Agent) -> None:
    """It is killed while the call waits; the tap counts for a new process, once."""
    call = f"post_comment:{agent.session}"
    process = agent.started("start-with-pause" if agent.can_pause else "start", call)
    card = agent.setup.card(agent.session)
    if agent.can_pause:
        assert process.stdout is not None
        assert {"paused": True} == json.loads(process.stdout.readline())
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=PATIENCE_S)
    assert [] == agent.ran()

    agent.setup.approve(card)
    heard = ended(agent.started("resume", *(() if agent.can_pause else (call,))))["heard"]
    ran = [f"post_comment {agent.session}"]

    assert ([f"{ran[0]}: done"], ran) == (heard, agent.ran())
    assert ("post_comment", "allow", "telegram") == agent.setup.record(agent.session)[-1]
