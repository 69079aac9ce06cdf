"""The real Claude Code, the daemon and a Bot API: a tap on the phone lets exactly that call run."""

from __future__ import annotations

import asyncio
import json
import socket
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from claude_code import ClaudeCode, Session
from fake_messages_api import ToolCall, fake_messages_api

sys.path.extend(
    str(Path(__file__).parents[1] / "challenge" / f) for f in ("telegram", "evaluators")
)
from fake_bot_api import ADA, CHAT, EVE, TOKEN, FakeBotApi, fake_bot_api
from model_server import ModelServer, says

TRUSTING = ("--allowedTools", "Bash,Write,Edit,Read")
RULES = """
version: 1
rules:
  - name: ask-first
    action: escalate
    tool: Bash
    match: {command: touch}
    reason: a test wants to be asked
"""


def void(_: object) -> None:
    """Take something and return nothing."""


def bash(command: str) -> ToolCall:
    """Return a call of the shell."""
    return ToolCall(name="Bash", input={"command": command, "description": "A step"})


@dataclass(frozen=True, slots=True, kw_only=True)
class OnThePhone:
    """Claude Code before a daemon that asks on Telegram."""

    claude: ClaudeCode
    api: FakeBotApi

    def run(self, *calls: ToolCall, person: Callable[[int], None]) -> Session:
        """Run a session; the person does something with each card that comes."""
        with self.watched(person):
            return self.claude.run(*calls, options=TRUSTING)

    @contextmanager
    def watched(self, person: Callable[[int], None]) -> Iterator[None]:
        """Have the person do something with each message that has buttons."""
        seen: set[int] = set()
        is_over = threading.Event()

        def watch() -> None:
            while not is_over.wait(0.05):
                for number, message in list(self.api.messages.items()):
                    if number not in seen and "callback_data" in json.dumps(message):
                        seen.add(number)
                        time.sleep(1.0)  # the bot knows its own message before anybody taps
                        person(number)

        phone = threading.Thread(target=watch)
        phone.start()
        try:
            yield
        finally:
            is_over.set()
            phone.join()

    @property
    def config(self) -> Path:
        """The configuration folder."""
        return self.claude.home / ".config" / "signoff"

    def there(self) -> list[str]:
        """Return what the calls have left behind."""
        return sorted(path.name for path in self.claude.project.iterdir() if path.name != ".git")


@pytest.fixture
def phone(claude: ClaudeCode) -> Iterator[OnThePhone]:
    """Return Claude Code with signoff, a daemon and a bot."""
    config = claude.home / ".config" / "signoff"
    config.mkdir(parents=True)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with fake_bot_api() as api:
        files = {
            "signoff.yaml": f"server: {{port: {port}}}\n"
            "limits: {min_review_s: 1, answer_timeout_s: 4}\n",
            "rules.yaml": RULES,
            "telegram.yaml": f"api: {api.url}\nchat: {CHAT}\nusers: [{ADA}]\n",
            "telegram.token": TOKEN,
            "approvers.json": json.dumps(
                {
                    "version": 1,
                    "approvers": [
                        {
                            "id": "ada",
                            "role": "approver",
                            "identities": [{"channel": "telegram", "id": str(ADA)}],
                        }
                    ],
                }
            ),
        }
        for name, text in files.items():
            (config / name).write_text(text, encoding="utf-8")
            (config / name).chmod(0o600)
        assert claude.signoff("install", "claude-code").returncode == 0
        started = claude.signoff("up")
        assert started.returncode == 0, started.stderr
        yield OnThePhone(claude=claude, api=api)
        claude.signoff("down")


def test_a_tap_lets_exactly_that_call_run(phone: OnThePhone) -> None:
    """The first call is approved, the second is denied with words; only the first runs."""

    def person(card: int) -> None:
        if "touch one" in phone.api.messages[card]["text"]:
            time.sleep(1.2)  # a card is read before it is answered
            phone.api.press(card, "Approve")
        else:
            phone.api.write("deny: use another name", to=card)

    session = phone.run(bash("touch one"), bash("touch two"), person=person)

    assert phone.there() == ["one"], session.output
    assert "use another name" in session.results[1]


def test_silence_stops_it(phone: OnThePhone) -> None:
    """Nobody answers, and a stranger's tap is nobody's."""

    def person(card: int) -> None:
        time.sleep(1.2)
        phone.api.press(card, "Approve", user=EVE)

    session = phone.run(bash("touch one"), person=person)

    assert phone.there() == [], session.output
    assert "signoff: " in session.results[0]


def test_the_status_shows_the_bot_and_no_token(phone: OnThePhone) -> None:
    """`signoff status` says how the channel is; the token stands in no file but its own."""
    phone.run(bash("touch one"), person=lambda card: phone.api.faults["getUpdates"].append(500))
    said = phone.claude.signoff("status").stdout
    state = phone.claude.home / ".local" / "state" / "signoff"
    secret = TOKEN.partition(":")[2]
    written = b"".join(path.read_bytes() for path in state.rglob("*") if path.is_file())

    assert "channel   telegram: connected as @signoff_bot" in said
    assert secret not in said
    assert secret.encode() not in written


def in_a_window(phone: OnThePhone, call: ToolCall) -> list[str]:
    """Run a session through the Agent SDK, which has prompts; nobody answers them there."""
    sdk = pytest.importorskip("claude_agent_sdk")

    async def prompted(*_: object) -> object:
        return sdk.PermissionResultDeny(message="nobody sits here")

    async def said() -> AsyncIterator[dict[str, object]]:
        yield {"type": "user", "message": {"role": "user", "content": "Go on."}}

    async def whole(url: str) -> None:
        options = sdk.ClaudeAgentOptions(
            cwd=phone.claude.project,
            cli_path=phone.claude.binary,
            env={**phone.claude.environment, "ANTHROPIC_BASE_URL": url},
            setting_sources=["user"],
            can_use_tool=prompted,
        )
        async for _ in sdk.query(prompt=said(), options=options):
            pass

    with fake_messages_api([call]) as api:
        asyncio.run(whole(api.url))
        return api.tool_results()


def test_a_question_of_the_agent_is_answered_on_the_phone(phone: OnThePhone) -> None:
    """What the agent asks its user comes to the chat, and the choice goes back to the agent."""
    options = [{"label": "Red", "description": "warm"}, {"label": "Blue", "description": "cold"}]
    question = {
        "question": "Which colour?",
        "header": "Colour",
        "options": options,
        "multiSelect": False,
    }
    ask = ToolCall(name="AskUserQuestion", input={"questions": [question]})

    with phone.watched(lambda number: void(phone.api.press(number, "Blue"))):
        results = in_a_window(phone, ask)

    assert ["Blue" in result for result in results] == [True]


def test_a_policy_given_on_the_phone_holds_for_the_next_call(phone: OnThePhone) -> None:
    """The model is unsure; the person approves and adds a policy; then the model knows."""
    unsure, sure = (
        json.dumps({"allowed": is_sure, "confident": is_sure, "confidence": 0.9, "reason": "so"})
        for is_sure in (False, True)
    )
    asked: list[int] = []

    def person(card: int) -> None:
        asked.append(card)
        time.sleep(1.2)  # a card is read before it is answered
        phone.api.write("approve. add policy: empty files may be made here", to=card)

    with ModelServer(says(unsure), says(sure)) as model:
        said = phone.config / "signoff.yaml"
        said.write_text(
            f"{said.read_text(encoding='utf-8')}evaluator: {{base_url: {model.url}}}\n",
            encoding="utf-8",
        )
        session = phone.run(bash("touch one"), bash("touch two"), person=person)
        shown = [seen.user for seen in model.seen]

    assert phone.there() == ["one", "two"], session.output
    assert ["empty files may be made here" in text for text in shown] == [False, True]
    assert 1 == len(asked)
