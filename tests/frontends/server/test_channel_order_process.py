"""A real daemon before an inbox and a Bot API: the channels are asked in the order of the list."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from inbox_caller import ASKS_ON_THE_WEB, answer_until_taken
from live_daemon import LiveDaemon, served, wait_until

sys.path.append(str(Path(__file__).parents[2] / "channels" / "telegram"))
from fake_bot_api import ADA, CHAT, TOKEN, FakeBotApi, fake_bot_api

WEB_S = 3.0
SAID = ASKS_ON_THE_WEB.replace("[web]", "[web, telegram, slack]").replace(
    "approval: {", f"approval: {{channels: {{web: {{timeout_s: {WEB_S:g}}}}}, "
)
CALL = "docker system prune -af"


@pytest.fixture(scope="module")
def phone() -> Iterator[FakeBotApi]:
    """Return a Bot API."""
    with fake_bot_api() as api:
        yield api


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory, phone: FakeBotApi) -> Iterator[LiveDaemon]:
    """Return a daemon that asks in its inbox first, then on Telegram, and knows no Slack."""
    home = tmp_path_factory.mktemp("home")
    config = home / ".config" / "signoff"
    config.mkdir(parents=True)
    ada = {"id": "ada", "role": "approver"}
    identity = {"channel": "telegram", "id": str(ADA)}
    files = {
        "signoff.yaml": SAID,
        "telegram.yaml": f"api: {phone.url}\nchat: {CHAT}\nusers: [{ADA}]\n",
        "telegram.token": TOKEN,
        "approvers.json": json.dumps(
            {"version": 1, "approvers": [{**ada, "identities": [identity]}]}
        ),
    }
    for name, text in files.items():
        (config / name).write_text(text, encoding="utf-8")
        (config / name).chmod(0o600)
    with served(home) as running:
        yield running


def test_telegram_is_asked_after_the_inbox(daemon: LiveDaemon, phone: FakeBotApi) -> None:
    """Nothing is sent before the inbox has had its time; then a tap counts."""

    def cards() -> list[int]:
        return [number for number in list(phone.messages) if phone.data(number, "Approve")]

    began_s = time.monotonic()
    waiting = daemon.act(CALL)
    assert 202 == waiting.status
    wait_until(lambda: bool(cards()))
    took_s = time.monotonic() - began_s
    card = cards()[-1]
    answer_until_taken(lambda: phone.press(card, "Approve"), lambda: card not in cards())
    said = daemon.request("GET", f"{waiting.headers['location']}?wait=10").said

    assert WEB_S - 0.5 <= took_s
    assert ("allow", "telegram") == (said["verdict"], said["decided_by"])


def test_the_status_names_who_is_not_set_up(daemon: LiveDaemon) -> None:
    """The daemon runs all the same, and asks the others."""
    connected = "channel   telegram: connected as @signoff_bot"
    wait_until(lambda: connected in daemon.signoff("status").stdout)
    done = daemon.signoff("status")

    assert 1 == done.returncode
    assert "channel   slack: not set up" in done.stdout
    assert "PROBLEM   slack: `channels` names it, but there is no slack.yaml" in done.stdout


def test_the_doctor_names_them_with_what_mends_it(daemon: LiveDaemon) -> None:
    """Whether the daemon runs or not."""
    said = json.loads(daemon.signoff("doctor", "--json").stdout)
    bad = [check for check in said["checks"] if check["about"] == "channels"]

    assert ["slack"] == [check["said"].split(":")[0] for check in bad]
    assert "take it out of `channels`" in bad[0]["fix"]
