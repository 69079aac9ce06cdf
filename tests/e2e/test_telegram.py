"""The real Claude Code, the daemon and a Bot API: a tap on the phone lets exactly that call run."""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from claude_code import ClaudeCode
from fake_messages_api import ToolCall, fake_messages_api
from on_the_phone import OnThePhone, on_the_phone, void
from resident import ASK_FIRST, bash

sys.path.extend(
    str(Path(__file__).parents[1] / f) for f in ("channels/telegram", "challenge/evaluators")
)
from fake_bot_api import ADA, EVE, TOKEN
from model_server import ModelServer, says


@pytest.fixture
def phone(claude: ClaudeCode) -> Iterator[OnThePhone]:
    """Return Claude Code with signoff, a daemon and a bot."""
    ada = {
        "id": "ada",
        "role": "approver",
        "identities": [{"channel": "telegram", "id": str(ADA)}],
    }
    files = {
        "signoff.yaml": "server: {port: PORT}\nlimits: {min_review_s: 1, answer_timeout_s: 12}\n",
        "rules.yaml": ASK_FIRST,
        "approvers.json": json.dumps({"version": 1, "approvers": [ada]}),
    }
    with on_the_phone(claude, files) as ready:
        yield ready


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
