"""Setting up: who the bot is, who is on the other side, and the files for their owner only."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from bench.warm_home import give_patterns

sys.path.append(str(Path(__file__).parents[1]))
from fake_bot_api import ADA, BOB, CHAT, EVE, TOKEN, FakeBotApi
from setup_terminal import set_up

from signoff.challenge.outbound.endpoint import OutboundEndpoint
from signoff.challenge.terms.approver import Approver
from signoff.channels.setting_up import pairing_code
from signoff.channels.telegram.bot_api.client import BotApi, BotToken, Pace
from signoff.channels.telegram.bot_api.updates import Terms
from signoff.channels.telegram.settings import read_telegram, write_telegram
from signoff.channels.telegram.setup import TRIES_LIMIT, Paired, bot_name, pair
from signoff.errors import BadSettings
from signoff.storage.approvals.approver_file import FILE, ApproverFile

SECRET = TOKEN.partition(":")[2]
GROUP = -100_42


def bot(api: FakeBotApi, token: str = TOKEN) -> BotApi:
    """Return a client."""
    return BotApi(OutboundEndpoint.parse(api.url), BotToken.parse(token), pace=Pace(scale=0))


def test_the_bot_says_its_name(api: FakeBotApi) -> None:
    """The token is good."""
    assert "signoff_bot" == asyncio.run(bot_name(bot(api)))


def test_a_bad_token_is_told_and_not_shown(api: FakeBotApi) -> None:
    """Telegram does not know it."""
    with pytest.raises(BadSettings, match="401") as caught:
        asyncio.run(bot_name(bot(api, "4711:" + "x" * 35)))

    assert "x" * 35 not in str(caught.value)


@pytest.mark.parametrize(
    "text", ["", "4711", ":abc", "x:" + "a" * 35, "4711:" + "a/../" * 9, "4711:\u202e" + "a" * 35]
)
def test_what_is_no_token_is_refused(text: str) -> None:
    """It never becomes part of an address, nor of a message."""
    with pytest.raises(BadSettings) as caught:
        BotToken.parse(text)

    assert not text or text not in str(caught.value)


def test_whoever_sends_the_code_is_paired(api: FakeBotApi) -> None:
    """Others write before, with codes of their own; theirs is not taken."""
    for text in ("hello", "/start", "/start 00000000"):
        api.write(text, user=EVE)
    api.write("/start 12345678", user=ADA)

    assert Paired(user=ADA, chat=CHAT) == asyncio.run(pair(bot(api), code="12345678", timeout_s=5))
    assert [] == api.updates


def test_codes_cannot_be_tried_out(api: FakeBotApi) -> None:
    """After so many wrong ones it is over."""
    for number in range(TRIES_LIMIT):
        api.write(f"/start {number:08}", user=EVE)

    with pytest.raises(BadSettings, match="too many"):
        asyncio.run(pair(bot(api), code="99999999", timeout_s=5))


def test_nobody_comes(api: FakeBotApi) -> None:
    """There is a time limit."""
    with pytest.raises(BadSettings, match="nobody"):
        asyncio.run(pair(bot(api), code=pairing_code(), timeout_s=0.3))


def test_a_second_listener_is_named(api: FakeBotApi) -> None:
    """A daemon that runs takes the messages away."""
    api.is_contested = True
    with pytest.raises(BadSettings, match="polls"):
        asyncio.run(pair(bot(api), code=pairing_code(), timeout_s=5))


TERMS = Terms(chat=CHAT, users=frozenset({ADA, BOB}))


def test_what_is_written_is_read_and_private(tmp_path: Path) -> None:
    """Token and settings are for their owner only."""
    write_telegram(str(tmp_path), BotToken.parse(TOKEN), TERMS)
    found = read_telegram(str(tmp_path))
    modes = {stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()}

    assert found is not None
    assert (TERMS, TOKEN, {0o600}) == (found.terms, found.token.value, modes)
    assert SECRET not in repr(found)


def test_no_file_is_no_telegram(tmp_path: Path) -> None:
    """Nothing configured is nothing wrong."""
    assert read_telegram(str(tmp_path)) is None


BAD = {
    "no chat": "users: [1]",
    "no users": "chat: 1",
    "nobody": "chat: 1\nusers: []",
    "a name for a user": 'chat: 1\nusers: ["@ada"]',
    "a name for a chat": 'chat: "@group"\nusers: [1]',
    "a group as a user": "chat: 1\nusers: [-5]",
    "an unknown field": "chat: 1\nusers: [1]\nuser: 2",
    "another version": "version: 2\nchat: 1\nusers: [1]",
    "plain http elsewhere": "chat: 1\nusers: [1]\napi: http://example.org",
    "a webhook without secret": "chat: 1\nusers: [1]\nwebhook: {url: https://e.org/t, port: 8443}",
    "a webhook in the clear": "chat: 1\nusers: [1]\n"
    "webhook: {url: http://e.org/t, port: 8443, secret_file: telegram.token}",
    "the token itself": f"chat: 1\nusers: [1]\ntoken: {TOKEN}",
    "not yaml": "chat: [",
}


@pytest.mark.parametrize("text", BAD.values(), ids=BAD.keys())
def test_a_bad_file_is_refused(tmp_path: Path, text: str) -> None:
    """With its place, and without the token."""
    write_telegram(str(tmp_path), BotToken.parse(TOKEN), TERMS)
    (tmp_path / "telegram.yaml").write_text(text, encoding="utf-8")

    with pytest.raises(BadSettings) as caught:
        read_telegram(str(tmp_path))
    assert SECRET not in str(caught.value)


@pytest.mark.parametrize("fault", ["others may read it", "a link", "gone", "no text", "long"])
def test_a_token_others_may_read_is_refused(tmp_path: Path, fault: str) -> None:
    """Its file must be its owner's alone."""
    write_telegram(str(tmp_path), BotToken.parse(TOKEN), TERMS)
    token = tmp_path / "telegram.token"
    match fault:
        case "others may read it":
            token.chmod(0o640)
        case "a link":
            token.rename(tmp_path / "elsewhere")
            token.symlink_to(tmp_path / "elsewhere")
        case "gone":
            token.unlink()
        case "long":
            # Cut, it would be the same token: what is beyond the limit must not be lost.
            token.write_text(TOKEN + " " * 10_000 + "x", encoding="ascii")
        case _:
            token.write_bytes(b"\xff\xfe")

    with pytest.raises(BadSettings):
        read_telegram(str(tmp_path))


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Return a home with a token."""
    (tmp_path / "token").write_text(TOKEN, encoding="ascii")
    (tmp_path / "token").chmod(0o600)
    return tmp_path


def converse(
    api: FakeBotApi, home: Path, *words: str, typed: str, user: int = ADA, chat: int = CHAT
) -> int:
    """Run a command on a terminal; send the bot the code it shows, and type a word at the end."""

    def send(code: str) -> None:
        api.write(f"/start {code}", user=user, chat=chat)

    return set_up(home, "telegram", *words, before_code="/start ", send=send, typed=typed)


def test_setup_writes_what_was_confirmed(api: FakeBotApi, home: Path) -> None:
    """Bot, chat and person; then one more person in the same chat."""
    config = home / ".config" / "signoff"
    words = ("setup", "--api", api.url, "--token-file", str(home / "token"))
    first = converse(api, home, *words, typed="owner", chat=GROUP)
    said = (config / "telegram.yaml").read_text(encoding="utf-8")
    (config / "telegram.secret").write_text("a-good-secret-for-tests-only", encoding="ascii")
    (config / "telegram.secret").chmod(0o600)
    hook = "{url: 'https://example.org/t', port: 8443, secret_file: telegram.secret}"
    (config / "telegram.yaml").write_text(f"{said}webhook: {hook}\n", encoding="utf-8")
    invite = ("invite", "bob", "--group", "leads")
    second = converse(api, home, *invite, typed="bob", user=BOB, chat=GROUP)
    found = read_telegram(str(config))
    people = {one.id: str(one.identities[-1]) for one in listed(config)}

    assert (0, 0) == (first, second)
    assert found is not None
    assert Terms(chat=GROUP, users=frozenset({ADA, BOB})) == found.terms
    assert found.pushed_to is not None
    assert 8443 == found.pushed_to.port
    assert [("leads",)] == [one.groups for one in listed(config) if one.id == "bob"]
    assert {"owner": f"telegram:{ADA}", "bob": f"telegram:{BOB}"} == people
    assert ["signoff asks here from now on.", "bob may answer here from now on."] == [
        message["text"] for message in api.messages.values()
    ]


def listed(config: Path) -> tuple[Approver, ...]:
    """Return the approvers of a configuration folder."""
    return ApproverFile(str(config / FILE)).listed()


def test_nobody_is_invited_into_a_private_chat(api: FakeBotApi, home: Path) -> None:
    """There is nobody else there; it is said before a code is shown."""
    config = home / ".config" / "signoff"
    write_telegram(str(config), BotToken.parse(TOKEN), TERMS, api=api.url)
    done = subprocess.run(
        [sys.executable, "-I", "-m", "signoff", "telegram", "invite", "bob"],
        env={"PATH": os.environ["PATH"], "HOME": str(home)},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )

    assert (2, True) == (done.returncode, "make a group" in done.stderr)


def test_setup_without_confirmation_writes_nothing(api: FakeBotApi, home: Path) -> None:
    """Whoever sits at the terminal has the last word, and the chat is told nothing before it."""
    words = ("setup", "--api", api.url, "--token-file", str(home / "token"))

    assert 2 == converse(api, home, *words, typed="yes")
    assert read_telegram(str(home / ".config" / "signoff")) is None
    assert {} == api.messages


def test_a_running_daemon_is_to_be_ended_first(home: Path, api: FakeBotApi) -> None:
    """Two listeners would take each other's messages."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    config = home / ".config" / "signoff"
    config.mkdir(parents=True)
    (config / "signoff.yaml").write_text(f"server: {{port: {port}}}\n", encoding="utf-8")
    environment = {"PATH": os.environ["PATH"], "HOME": str(home)}
    give_patterns(home)
    run = [sys.executable, "-I", "-m", "signoff"]
    subprocess.run([*run, "up"], env=environment, check=True, timeout=60, capture_output=True)
    try:
        done = subprocess.run(
            [*run, "telegram", "setup", "--api", api.url, "--token-file", str(home / "token")],
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
    finally:
        subprocess.run([*run, "down"], env=environment, check=True, timeout=60, capture_output=True)

    assert (2, True) == (done.returncode, "signoff down" in done.stderr)
    assert json.dumps(api.updates) == "[]"
