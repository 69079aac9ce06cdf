"""One bot for many nodes: one of them polls and shows the requests of all; another takes over."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from inbox_caller import answer_until_taken
from live_daemon import LiveDaemon, served, wait_until
from shared_nodes import home_of

from postgres_server import shared_server

sys.path.append(str(Path(__file__).parents[2] / "channels" / "telegram"))
from fake_bot_api import ADA, CHAT, TOKEN, FakeBotApi, fake_bot_api

CALL = "git reset --hard"
TAKEN_OVER_S = 10.0
ADA_ANSWERS = (
    '{"version": 1, "approvers": [{"id": "ada", "role": "admin",'
    f' "identities": [{{"channel": "telegram", "id": "{ADA}"}}]}}]}}'
)


@pytest.fixture
def bot() -> Iterator[FakeBotApi]:
    """Give the bot that all nodes have."""
    with fake_bot_api() as found:
        yield found


@pytest.fixture
def nodes(tmp_path: Path, bot: FakeBotApi) -> Iterator[tuple[LiveDaemon, ...]]:
    """Give two nodes with one bot; the first one polls."""
    server = shared_server()
    url = server.url(server.address().database)
    with ExitStack() as stack:
        found = []
        for name in "ab":
            home = home_of(tmp_path, name, url)
            config = home / ".config" / "signoff"
            asks = (config / "signoff.yaml").read_text("utf-8").replace("[web]", "[web, telegram]")
            files = {
                "signoff.yaml": asks,
                "telegram.yaml": f"api: {bot.url}\nchat: {CHAT}\nusers: [{ADA}]\n",
                "telegram.token": TOKEN,
                "approvers.json": ADA_ANSWERS,
            }
            for file, text in files.items():
                (config / file).write_text(text, encoding="utf-8")
                (config / file).chmod(0o600)
            daemon = stack.enter_context(served(home))
            found.append(daemon)
            wait_until(lambda: bool(bot.said("getMe")))
        yield tuple(found)


def state(daemon: LiveDaemon) -> str:
    """Return how the bot is on a node."""
    return str(daemon.request("GET", "/v1/status").said["channels"]["telegram"])


def cards(bot: FakeBotApi) -> list[int]:
    """Return the messages that have buttons."""
    return [id for id, one in list(bot.messages.items()) if one.get("reply_markup")]


def approve(bot: FakeBotApi, card: int) -> None:
    """Press the button of a card."""
    answer_until_taken(lambda: bot.press(card, "Approve"), lambda: not bot.data(card, "Approve"))


def test_one_node_polls_and_shows_the_requests_of_all(
    nodes: tuple[LiveDaemon, ...], bot: FakeBotApi
) -> None:
    """What is asked on the one that waits is shown and answered by the one that polls."""
    _, second = nodes
    assert "standby" == state(second)
    waiting = second.act(CALL, session_id="s1", request_id="r1", cwd="/")
    wait_until(lambda: len(cards(bot)) == 1)
    approve(bot, cards(bot)[0])

    said = second.request("GET", f"{waiting.headers['location']}?wait=30").said
    assert ("allow", "telegram") == (said["verdict"], said["decided_by"])
    assert 1 == bot.most_polling


def test_another_node_takes_over_within_ten_seconds(
    nodes: tuple[LiveDaemon, ...], bot: FakeBotApi
) -> None:
    """Killed without a word; its open request is shown anew, and answered there."""
    first, second = nodes
    first.act(CALL, session_id="s1", request_id="r1", cwd="/")
    wait_until(lambda: len(cards(bot)) == 1)
    os.kill(first.pid, signal.SIGKILL)
    start_s = time.monotonic()
    wait_until(lambda: state(second) != "standby")
    wait_until(lambda: len(cards(bot)) == 2)

    assert time.monotonic() - start_s <= TAKEN_OVER_S

    approve(bot, cards(bot)[1])
    said = second.act(CALL, session_id="s1", request_id="r1", cwd="/").said
    assert "allow" == said.get("verdict"), said
