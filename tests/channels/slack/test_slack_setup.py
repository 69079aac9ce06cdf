"""`signoff slack setup` and `invite` on a real terminal, before Slack's Web API."""

from __future__ import annotations

import asyncio
import json
import stat
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[1]))
from setup_terminal import set_up
from slack_server import Slack

from signoff.channels.slack.settings import read_slack

BOT, APP = "xoxb-1-test", "xapp-1-test"
PLACE = "C0123456789"


@contextmanager
def slack() -> Iterator[Slack]:
    """Run Slack in a thread of its own."""
    loop, server = asyncio.new_event_loop(), Slack()
    loop.run_until_complete(server.__aenter__())
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    try:
        yield server
    finally:
        asyncio.run_coroutine_threadsafe(server.__aexit__(), loop).result(10)
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Return a home with both tokens."""
    for name, token in (("bot", BOT), ("app", APP)):
        (tmp_path / name).write_text(token, encoding="ascii")
        (tmp_path / name).chmod(0o600)
    return tmp_path


def converse(server: Slack, home: Path, *words: str, typed: str, user: str) -> int:
    """Run a command; write the code it shows into the conversation, and type a word at the end."""

    def send(code: str) -> None:
        wrong = {"user": "U0EVE", "ts": "1.0", "text": "signoff 00000000"}
        by_a_bot = {"user": "U0BOT", "bot_id": "B1", "ts": "2.0", "text": f"signoff {code}"}
        server.messages = [by_a_bot, wrong, {"user": user, "ts": "3.0", "text": f"signoff {code}"}]

    return set_up(
        home, "slack", *words, before_code="conversation:  signoff ", send=send, typed=typed
    )


def setup_words(server: Slack, home: Path) -> tuple[str, ...]:
    """Return the words of `setup`."""
    tokens = ("--bot-token-file", str(home / "bot"), "--app-token-file", str(home / "app"))
    return ("setup", "--conversation", PLACE, *tokens, "--api", server.api_url)


def test_setup_writes_what_was_confirmed(home: Path) -> None:
    """Tokens, conversation and person; then one more person in the same conversation."""
    config = home / ".config" / "signoff"
    with slack() as server:
        first = converse(server, home, *setup_words(server, home), typed="owner", user="U0ADA")
        second = converse(server, home, "invite", "bob", typed="bob", user="U0BOB")
        said = [body["text"] for body in server.bodies("chat.postMessage")]
    found = read_slack(str(config))
    people = json.loads((config / "approvers.json").read_text("utf-8"))["approvers"]

    assert (0, 0) == (first, second)
    assert found is not None
    assert (PLACE, ("U0ADA", "U0BOB")) == (found.conversation, found.users)
    assert (BOT, APP) == (found.bot_token, found.app_token)
    assert {"owner": "U0ADA", "bob": "U0BOB"} == {
        one["id"]: one["identities"][-1]["id"] for one in people
    }
    assert ["signoff asks here from now on.", "bob may answer here from now on."] == said
    names = ("slack.yaml", "slack.bot-token", "slack.app-token")
    assert {0o600} == {stat.S_IMODE((config / name).stat().st_mode) for name in names}


def test_what_is_not_confirmed_is_not_written(home: Path) -> None:
    """Another word than the name is no."""
    with slack() as server:
        status = converse(server, home, *setup_words(server, home), typed="no", user="U0ADA")

    assert 2 == status
    assert not (home / ".config" / "signoff").exists()
