"""The real Claude Code, stopped: sent on by a person, told of errors, and not for ever."""

from __future__ import annotations

import json
import sys
import time
from contextlib import AbstractContextManager
from pathlib import Path

from claude_code import ClaudeCode
from fake_messages_api import ToolCall, fake_messages_api
from on_the_phone import OnThePhone, on_the_phone, void
from resident import TRUSTING, bash

sys.path.append(str(Path(__file__).parents[1] / "channels" / "telegram"))
from fake_bot_api import EVE

SENT_ON = "now run the tests"


def stopping(claude: ClaudeCode, stops: str) -> AbstractContextManager[OnThePhone]:
    """Give Claude Code a daemon with these settings of stops, and a bot."""
    return on_the_phone(claude, {"signoff.yaml": f"server: {{port: PORT}}\nstops: {stops}\n"})


def run(phone: OnThePhone, *calls: ToolCall) -> list[str]:
    """Run a session; return what the agent was told by hooks as its user's turns, in order."""
    with fake_messages_api(calls) as api:
        phone.claude._session(api, TRUSTING)
        told: dict[str, None] = {}
        for request in api.requests:
            for message in request.get("messages", []):
                content = message.get("content")
                blocks = content if isinstance(content, list) else [{"text": content}]
                for block in blocks:
                    text = str(block.get("text", ""))
                    if message.get("role") == "user" and "signoff: you" in text:
                        told.setdefault(text.strip())
        return list(told)


def stops_shown(phone: OnThePhone) -> list[str]:
    """Return the messages that told of a stop."""
    messages = list(phone.api.messages.values())
    return [str(m["text"]) for m in messages if "has stopped" in str(m.get("text"))]


def test_a_person_sends_an_agent_on(claude: ClaudeCode) -> None:
    """Its words reach it as the user's; it stops again, and the button lets it."""
    replies = iter([SENT_ON])

    with stopping(claude, "{mode: ask, wait_s: 30}") as phone:

        def person(card: int) -> None:
            words = next(replies, "")
            if words:
                phone.api.write(words, to=card)
            else:
                phone.api.press(card, "Let it stop")

        with phone.watched(person):
            told = run(phone, bash("touch one"))
        shown = stops_shown(phone)

    assert [True] == [SENT_ON in text and "The user" in text for text in told]
    assert 2 == len(shown)
    assert "touch one" in shown[0]


def test_silence_and_strangers_let_it_stop(claude: ClaudeCode) -> None:
    """Nobody who is listed says anything."""
    with (
        stopping(claude, "{mode: ask, wait_s: 5}") as phone,
        phone.watched(lambda card: void(phone.api.write("go on", to=card, user=EVE))),
    ):
        started = time.monotonic()
        told = run(phone, bash("touch one"))
        took_s = time.monotonic() - started

    assert [] == told
    assert took_s < 60


def test_people_send_it_on_so_often_in_a_row(claude: ClaudeCode) -> None:
    """Somebody who always answers does not keep it going for ever."""
    with (
        stopping(claude, "{mode: ask, wait_s: 30, rounds: 2}") as phone,
        phone.watched(lambda card: void(phone.api.write(f"go on {card}", to=card))),
    ):
        told = run(phone)

    assert 2 == len(told)


def test_an_agent_that_stops_on_an_error_is_told_so(claude: ClaudeCode) -> None:
    """Once for each failed call, so often and no more; nobody is asked."""
    with stopping(claude, "{mode: errors, tries: 2}") as phone:
        told = run(phone, bash("ls no-such-file"))
        shown = stops_shown(phone)

    assert [True] == ["1 of at most 2" in text for text in told]
    assert [] == shown


def test_an_agent_that_fails_for_ever_is_told_so_often_and_no_more(claude: ClaudeCode) -> None:
    """It tries another way each time it is told; each of them fails."""

    def again(count: int) -> ToolCall:
        command = {"command": f"ls no-such-file-{count}", "description": "A step"}
        return ToolCall(name="Bash", input=command, after=f"{count} of at most 2")

    with stopping(claude, "{mode: errors, tries: 2}") as phone:
        told = run(phone, bash("ls no-such-file"), again(1), again(2), again(3))

    assert [True, True] == [f"{n} of at most 2" in said for n, said in enumerate(told, 1)]


def test_an_agent_that_was_refused_is_not_sent_round_it(claude: ClaudeCode) -> None:
    """A refusal is no error."""
    with stopping(claude, "{mode: errors}") as phone:
        told = run(phone, bash("rm -rf /"))

    assert [] == told


def test_by_default_a_stop_is_a_stop(claude: ClaudeCode) -> None:
    """Whatever happened, nobody is asked and nothing is told."""
    with stopping(claude, "{}") as phone:
        told = run(phone, bash("ls no-such-file"))
        hooks = json.loads(claude.settings.read_text(encoding="utf-8"))["hooks"]["Stop"]
        shown = stops_shown(phone)

    assert ([], []) == (told, shown)
    assert [True] == [hook["async"] for group in hooks for hook in group["hooks"]]
