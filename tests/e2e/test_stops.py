"""The real Claude Code, stopped: sent on by a person, told of errors, and not for ever."""

from __future__ import annotations

import json
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from claude_code import ClaudeCode
from fake_messages_api import ToolCall, fake_messages_api
from test_telegram import OnThePhone, bash, void

sys.path.append(str(Path(__file__).parents[1] / "challenge" / "telegram"))
from fake_bot_api import ADA, CHAT, EVE, TOKEN, fake_bot_api

OPTIONS = ("--allowedTools", "Bash,Write,Edit,Read")
SENT_ON = "now run the tests"


@contextmanager
def on_the_phone(claude: ClaudeCode, stops: str) -> Iterator[OnThePhone]:
    """Give Claude Code a daemon with these settings of stops, and a bot."""
    config = claude.home / ".config" / "signoff"
    config.mkdir(parents=True)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with fake_bot_api() as api:
        files = {
            "signoff.yaml": f"server: {{port: {port}}}\nstops: {stops}\n",
            "telegram.yaml": f"api: {api.url}\nchat: {CHAT}\nusers: [{ADA}]\n",
            "telegram.token": TOKEN,
        }
        for name, text in files.items():
            (config / name).write_text(text, encoding="utf-8")
            (config / name).chmod(0o600)
        assert claude.signoff("install", "claude-code").returncode == 0
        started = claude.signoff("up")
        assert started.returncode == 0, started.stderr
        yield OnThePhone(claude=claude, api=api)
        claude.signoff("down")


def run(phone: OnThePhone, *calls: ToolCall) -> list[str]:
    """Run a session; return what the agent was told by hooks as its user's turns, in order."""
    with fake_messages_api(calls) as api:
        phone.claude._session(api, OPTIONS)
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

    with on_the_phone(claude, "{mode: ask, wait_s: 30}") as phone:

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
        on_the_phone(claude, "{mode: ask, wait_s: 5}") as phone,
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
        on_the_phone(claude, "{mode: ask, wait_s: 30, rounds: 2}") as phone,
        phone.watched(lambda card: void(phone.api.write(f"go on {card}", to=card))),
    ):
        told = run(phone)

    assert 2 == len(told)


def test_an_agent_that_stops_on_an_error_is_told_so(claude: ClaudeCode) -> None:
    """Once for each failed call, so often and no more; nobody is asked."""
    with on_the_phone(claude, "{mode: errors, tries: 2}") as phone:
        told = run(phone, bash("ls no-such-file"))
        shown = stops_shown(phone)

    assert [True] == ["1 of at most 2" in text for text in told]
    assert [] == shown


def test_an_agent_that_fails_for_ever_is_told_so_often_and_no_more(claude: ClaudeCode) -> None:
    """It tries another way each time it is told; each of them fails."""

    def again(count: int) -> ToolCall:
        command = {"command": f"ls no-such-file-{count}", "description": "A step"}
        return ToolCall(name="Bash", input=command, after=f"{count} of at most 2")

    with on_the_phone(claude, "{mode: errors, tries: 2}") as phone:
        told = run(phone, bash("ls no-such-file"), again(1), again(2), again(3))

    assert [True, True] == [f"{n} of at most 2" in said for n, said in enumerate(told, 1)]


def test_an_agent_that_was_refused_is_not_sent_round_it(claude: ClaudeCode) -> None:
    """A refusal is no error."""
    with on_the_phone(claude, "{mode: errors}") as phone:
        told = run(phone, bash("rm -rf /"))

    assert [] == told


def test_by_default_a_stop_is_a_stop(claude: ClaudeCode) -> None:
    """Whatever happened, nobody is asked and nothing is told."""
    with on_the_phone(claude, "{}") as phone:
        told = run(phone, bash("ls no-such-file"))
        hooks = json.loads(claude.settings.read_text(encoding="utf-8"))["hooks"]["Stop"]
        shown = stops_shown(phone)

    assert ([], []) == (told, shown)
    assert [True] == [hook["async"] for group in hooks for hook in group["hooks"]]
