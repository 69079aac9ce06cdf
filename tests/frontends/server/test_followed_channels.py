"""Channels of the daemon follow their files: people, chat, token, webhook.

What is bad changes nothing, and is told.
"""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import json
import socket
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

import pytest
from bench.ports import free_port

pytest.importorskip("websockets")

sys.path.extend(str(Path(__file__).parents[2] / "channels" / f) for f in ("telegram", "slack"))
from fake_bot_api import ADA, BOB, CHAT, TOKEN, FakeBotApi, fake_bot_api, tap_of
from slack_server import Slack

from signoff.assess.level import Level
from signoff.assess.verdict import Verdict
from signoff.challenge.answer import Answer
from signoff.challenge.terms.approver import Approver, Identity
from signoff.channels.followed import Followed
from signoff.channels.telegram.settings import TelegramSettings, read_telegram
from signoff.frontends.server.people.channel_manager import ChannelManager
from signoff.settings import load_settings
from signoff.storage.approvals.approver_file import ApproverFile
from signoff.storage.sqlite import SqliteStore
from signoff.testing import FakeAssessment, make_action

SECRET = "a-good-secret-for-tests-only"
OTHER_CHAT = 2_000
PLAIN: Mapping[str, str] = MappingProxyType({})
WITHIN_S = 40.0
Scene = Callable[["Daemon"], Awaitable[None]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Daemon:
    """What the daemon asks people with, running."""

    config: Path
    remote: ChannelManager
    api: FakeBotApi

    def write(self, name: str, text: str) -> None:
        """Write a file of the configuration whole, as editors do."""
        aside = self.config / f".{name}"
        aside.write_text(text, encoding="utf-8")
        aside.chmod(0o600)
        aside.rename(self.config / name)

    def telegram(self, *users: int, chat: int = CHAT, more: str = "") -> None:
        """Write `telegram.yaml`."""
        said = f"api: {self.api.url}\nchat: {chat}\nusers: {list(users)}\n{more}"
        self.write("telegram.yaml", said)

    def ask(self, name: str = "delete_user") -> asyncio.Task[Answer | None]:
        """Ask people about a call."""
        call = make_action(name, user_id="u1")
        ladder = self.remote.ladder(load_settings(environment=self.environment), can_ask=False)
        assessment = FakeAssessment(action=call, level=Level.LOW)
        return asyncio.ensure_future(ladder.escalate(call, assessment))

    @property
    def environment(self) -> dict[str, str]:
        """What names the folders."""
        return folders(self.config)

    async def card(self, *, chat: int = CHAT) -> int:
        """Wait for a card with buttons in a chat; return its message."""

        def cards() -> list[int]:
            return [
                number
                for number, message in list(self.api.messages.items())
                if message["chat_id"] == chat and self.api.data(number, "Approve")
            ]

        await until(lambda: bool(cards()))
        await asyncio.sleep(1.1)  # the least time to read a card here
        return cards()[-1]


def folders(config: Path) -> dict[str, str]:
    """Return an environment with these folders."""
    state = str(config.parent / "state")
    return {"SIGNOFF_CONFIG_DIR": str(config), "SIGNOFF_STATE_DIR": state}


async def until(holds: Callable[[], bool]) -> None:
    """Wait until something holds."""
    async with asyncio.timeout(WITHIN_S):
        while not holds():
            await asyncio.sleep(0.01)


@contextlib.asynccontextmanager
async def daemon(folder: Path, api: FakeBotApi, *files: tuple[str, str]) -> AsyncIterator[Daemon]:
    """Run what a daemon asks people with; Ada and Bob may answer."""
    config = folder / "config"
    config.mkdir(exist_ok=True)
    (config / "signoff.yaml").write_text("limits: {min_review_s: 1}\n", encoding="utf-8")
    (config / "telegram.token").write_text(TOKEN, encoding="ascii")
    (config / "telegram.token").chmod(0o600)
    for name, text in files:
        (config / name).write_text(text, encoding="utf-8")
        (config / name).chmod(0o600)
    people = ApproverFile(str(config / "approvers.json"))
    for name, user in (("ada", ADA), ("bob", BOB)):
        people.add(Approver(id=name, identities=(Identity("telegram", str(user)),)))
    settings = load_settings(environment=folders(config))
    record = SqliteStore(settings.record_file)
    remote = ChannelManager(settings, record=record, status=tuple)
    running = asyncio.ensure_future(remote.run())
    try:
        yield Daemon(config=config, remote=remote, api=api)
    finally:
        running.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await running
        remote.close()
        record.close()


def play(folder: Path, scene: Scene, *, users: tuple[int, ...] = (ADA,), more: str = "") -> None:
    """Run a scene with Telegram configured."""

    async def whole(api: FakeBotApi) -> None:
        said = f"api: {api.url}\nchat: {CHAT}\nusers: {list(users)}\n{more}"
        async with daemon(folder, api, ("telegram.yaml", said)) as running:
            await scene(running)

    with fake_bot_api() as api:
        asyncio.run(whole(api))


def test_somebody_added_may_answer_within_a_second(tmp_path: Path) -> None:
    """And somebody taken off may not; the card stands where it stood."""

    async def scene(line: Daemon) -> None:
        asked = line.ask()
        card = await line.card()
        line.api.press(card, "Approve", user=BOB)
        await asyncio.sleep(0.3)
        assert not asked.done()
        line.telegram(BOB)
        await asyncio.sleep(1.0)
        line.api.press(card, "Approve", user=ADA)
        await asyncio.sleep(0.3)
        assert not asked.done()
        line.api.press(card, "Approve", user=BOB)
        answer = await asyncio.wait_for(asked, WITHIN_S)
        assert answer is not None
        assert (Verdict.ALLOW, "bob") == (answer.verdict, answer.who)
        assert [card] == [n for n, m in line.api.messages.items() if "signoff: " in m["text"]]

    play(tmp_path, scene)


def test_another_chat_gets_the_cards_that_are_open(tmp_path: Path) -> None:
    """The old chat's card answers nothing any more."""

    async def scene(line: Daemon) -> None:
        asked = line.ask()
        card = await line.card()
        line.telegram(ADA, chat=OTHER_CHAT)
        moved = await line.card(chat=OTHER_CHAT)
        line.api.press(card, "Approve")
        await asyncio.sleep(0.3)
        assert not asked.done()
        line.api.tap(moved, line.api.data(moved, "Approve"), chat=OTHER_CHAT)
        answer = await asyncio.wait_for(asked, WITHIN_S)
        assert answer is not None
        assert Verdict.ALLOW is answer.verdict

    play(tmp_path, scene)


def test_a_token_that_was_changed_is_taken_up(tmp_path: Path) -> None:
    """The file of the token alone changes; a token that is not good is red, and fixed again."""

    async def scene(line: Daemon) -> None:
        await until(lambda: line.remote.status()["telegram"].startswith("connected"))
        line.write("telegram.token", f"4711:{'B' * 30}")
        await until(lambda: line.remote.status()["telegram"].startswith("refused"))
        line.write("telegram.token", TOKEN)
        await until(lambda: line.remote.status()["telegram"].startswith("connected"))
        assert () == line.remote.problems

    play(tmp_path, scene)


@pytest.mark.parametrize(
    ("name", "text", "mode"),
    [
        ("telegram.yaml", "chat: [", 0o600),
        ("telegram.yaml", "chat: '@ada'\nusers: [7]\n", 0o600),
        ("telegram.yaml", "", 0o600),
        ("telegram.token", "no token", 0o600),
        ("telegram.token", TOKEN, 0o644),
    ],
)
def test_a_broken_file_keeps_the_last_good(tmp_path: Path, name: str, text: str, mode: int) -> None:
    """It is a problem in the status, and goes away when it is fixed."""

    async def scene(line: Daemon) -> None:
        asked = line.ask()
        card = await line.card()
        good = (line.config / name).read_text(encoding="utf-8")
        line.write(name, text)
        (line.config / name).chmod(mode)
        await until(lambda: bool(line.remote.problems))
        assert line.remote.problems[0].startswith("telegram: ")
        assert TOKEN not in line.remote.problems[0]
        line.api.press(card, "Approve")
        answer = await asyncio.wait_for(asked, WITHIN_S)
        assert answer is not None
        assert Verdict.ALLOW is answer.verdict
        line.write(name, good)
        await until(lambda: line.remote.problems == ())

    play(tmp_path, scene)


def test_a_file_that_was_bad_from_the_start_is_taken_up_when_mended(tmp_path: Path) -> None:
    """What was asked meanwhile is shown then."""

    async def scene(line: Daemon) -> None:
        assert {"telegram": "refused"} == line.remote.status()
        asked = line.ask()
        await asyncio.sleep(0.2)
        assert not asked.done()
        line.telegram(ADA)
        line.api.press(await line.card(), "Deny")
        answer = await asyncio.wait_for(asked, WITHIN_S)
        assert answer is not None
        assert Verdict.DENY is answer.verdict

    play(tmp_path, scene, more="nonsense: 1\n")


def test_a_file_that_is_taken_away_takes_the_channel_with_it(tmp_path: Path) -> None:
    """Nobody answers there any more, and nothing is let through for it."""

    async def scene(line: Daemon) -> None:
        asked = line.ask()
        card = await line.card()
        (line.config / "telegram.yaml").unlink()
        await until(lambda: "telegram" not in line.remote.status())
        line.api.press(card, "Approve")
        await asyncio.sleep(0.5)
        assert not asked.done()
        asked.cancel()

    play(tmp_path, scene)


def test_a_first_file_waits_for_the_next_daemon(tmp_path: Path) -> None:
    """It is told, and nothing looks connected that nobody is asked on."""

    async def whole(api: FakeBotApi) -> None:
        async with daemon(tmp_path, api) as line:
            assert ({}, ()) == (line.remote.status(), line.remote.problems)
            line.telegram(ADA)
            await until(lambda: bool(line.remote.problems))
            assert "`signoff up`" in line.remote.problems[0]
            await asyncio.sleep(0.6)
            assert ({"telegram": "refused"}, []) == (line.remote.status(), api.calls)

    with fake_bot_api() as api:
        asyncio.run(whole(api))


def posted(port: int, body: bytes, **headers: str) -> int:
    """Post to the webhook over a real socket; return the status."""
    path = headers.pop("path", "/telegram")
    method = headers.pop("method", "POST")
    sent = {
        "Content-Type": "application/json",
        "X-Telegram-Bot-Api-Secret-Token": SECRET,
        **{name.replace("_", "-"): value for name, value in headers.items()},
    }
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=WITHIN_S)
    try:
        connection.request(method, path, body, {n: v for n, v in sent.items() if v})
        return connection.getresponse().status
    finally:
        connection.close()


def listens(port: int) -> bool:
    """Tell whether somebody listens on a port."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def webhook(config: Path, port: int) -> str:
    """Return the section of a webhook, and write its secret."""
    (config / "telegram.secret").write_text(SECRET, encoding="ascii")
    (config / "telegram.secret").chmod(0o600)
    said = "url: https://example.org/telegram"
    return f"webhook: {{{said}, port: {port}, secret_file: telegram.secret}}\n"


REFUSED: Mapping[str, tuple[int, Mapping[str, str]]] = {
    "the-files-secret": (401, {"X_Telegram_Bot_Api_Secret_Token": SECRET}),
    "no-secret": (401, {"X_Telegram_Bot_Api_Secret_Token": ""}),
    "wrong-secret": (401, {"X_Telegram_Bot_Api_Secret_Token": f"{SECRET}x"}),
    "secret-cut": (401, {"X_Telegram_Bot_Api_Secret_Token": SECRET[:-1]}),
    "no-type": (415, {"Content_Type": ""}),
    "form": (415, {"Content_Type": "application/x-www-form-urlencoded"}),
    "text": (415, {"Content_Type": "text/plain"}),
    "get": (405, {"method": "GET"}),
    "path": (404, {"path": "/api/v1/status"}),
}


def test_pushes_come_in_over_a_real_socket(tmp_path: Path) -> None:
    """200 once it counts; a second time nothing; what is not Telegram's is turned away."""
    config = tmp_path / "config"
    config.mkdir()
    port = free_port()

    async def scene(line: Daemon) -> None:
        await until(lambda: bool(line.api.webhook) and listens(port))
        asked = line.ask()
        card = await line.card()
        tap = tap_of(card, line.api.data(card, "Approve"))
        body = json.dumps({"update_id": 1, "callback_query": tap}).encode()

        async def push(
            said: bytes = body, headers: Mapping[str, str] = MappingProxyType({})
        ) -> int:
            told = {"X_Telegram_Bot_Api_Secret_Token": line.api.webhook["secret_token"]}
            return await asyncio.to_thread(lambda: posted(port, said, **{**told, **headers}))

        for name, (status, headers) in REFUSED.items():
            assert (name, status) == (name, await push(headers=headers))
        assert 413 == await push(b" " * ((1 << 20) + 1))
        assert [400, 400] == [await push(odd) for odd in (b"{", b"[]")]
        assert not asked.done()
        assert 200 == await push()
        answer = await asyncio.wait_for(asked, WITHIN_S)
        assert answer is not None
        assert Verdict.ALLOW is answer.verdict
        before = len(line.api.said("answerCallbackQuery"))
        assert [200, 200] == [await push(), await push(headers={"path": "/"})]
        assert before == len(line.api.said("answerCallbackQuery"))
        assert [] == line.api.offsets

    play(tmp_path, scene, more=webhook(config, port))


def test_from_polling_to_a_webhook_and_back(tmp_path: Path) -> None:
    """While it runs; what this program has set at Telegram it takes back."""
    port = free_port()

    async def scene(line: Daemon) -> None:
        await until(lambda: bool(line.api.offsets))
        assert not line.api.said("deleteWebhook")
        line.telegram(ADA, more=webhook(line.config, port))
        await until(lambda: bool(line.api.webhook) and listens(port))
        line.api.offsets.clear()
        line.telegram(ADA)
        await until(lambda: bool(line.api.offsets))
        assert (1, False) == (len(line.api.said("deleteWebhook")), listens(port))

    play(tmp_path, scene)


@pytest.mark.parametrize("secret", ["", "short"])
def test_no_webhook_without_a_secret(tmp_path: Path, secret: str) -> None:
    """Nothing listens, nothing is polled in its place, and the status says why."""
    config = tmp_path / "config"
    config.mkdir()
    port = free_port()
    more = webhook(config, port)
    (config / "telegram.secret").write_text(secret, encoding="ascii")

    async def scene(line: Daemon) -> None:
        await asyncio.sleep(0.5)
        assert "secret" in line.remote.problems[0]
        assert (False, [], {}) == (listens(port), line.api.offsets, line.api.webhook)
        assert {"telegram": "refused"} == line.remote.status()

    play(tmp_path, scene, more=more)


def test_slack_follows_its_file(tmp_path: Path) -> None:
    """Another conversation gets the open card; a broken file keeps the last good."""

    async def whole(api: FakeBotApi) -> None:
        async with Slack() as slack:
            files = (
                ("slack.yaml", f"conversation: C1\nusers: [U0ADA]\napi: {slack.api_url}\n"),
                ("slack.bot-token", "xoxb-1"),
                ("slack.app-token", "xapp-1"),
            )
            async with daemon(tmp_path, api, *files) as line:
                asked = line.ask()
                await until(lambda: len(slack.bodies("chat.postMessage")) == 1)
                line.write("slack.yaml", "conversation: [")
                await until(lambda: bool(line.remote.problems))
                assert "down" not in line.remote.status()["slack"]
                said = f"conversation: C2\nusers: [U0ADA]\napi: {slack.api_url}\n"
                line.write("slack.yaml", said)
                await until(lambda: len(slack.bodies("chat.postMessage")) == 2)
                shown = [body["channel"] for body in slack.bodies("chat.postMessage")]
                assert ["C1", "C2"] == shown
                line.write("slack.bot-token", "xoxb-2")
                await until(lambda: len(slack.connections) == 3)
                asked.cancel()

    with fake_bot_api() as api:
        asyncio.run(whole(api))


def test_chats_are_told_of_a_session_that_is_refused_often(tmp_path: Path) -> None:
    """In the chat and in the conversation, with nothing hidden and no secret in it."""
    secret = "ghp_" + "a1B2" * 9

    async def whole(api: FakeBotApi) -> None:
        async with Slack() as slack:
            files = (
                ("telegram.yaml", f"api: {api.url}\nchat: {CHAT}\nusers: [{ADA}]\n"),
                ("slack.yaml", f"conversation: C1\nusers: [U0ADA]\napi: {slack.api_url}\n"),
                ("slack.bot-token", "xoxb-1"),
                ("slack.app-token", "xapp-1"),
            )
            async with daemon(tmp_path, api, *files) as line:
                session = f"s-{secret}\u202e<!channel>"
                line.remote.alert_denials(
                    session=session, agent="claude", denials=5, last_tool="Bash"
                )
                await until(lambda: bool(api.messages and slack.bodies("chat.postMessage")))
        (told,) = api.messages.values()
        (said,) = slack.bodies("chat.postMessage")
        for text in (str(told["text"]), str(said["text"])):
            assert "of claude was denied 5 times; last tool Bash" in text
            assert (False, False) == (secret in text, "\u202e" in text)
        assert "<!channel>" not in said["text"]

    with fake_bot_api() as api:
        asyncio.run(whole(api))


def test_nothing_is_read_while_nothing_changes(tmp_path: Path) -> None:
    """And what changed is read once."""
    path = tmp_path / "telegram.yaml"
    path.write_text(f"chat: {CHAT}\nusers: [{ADA}]\n", encoding="utf-8")
    (tmp_path / "telegram.token").write_text(TOKEN, encoding="ascii")
    (tmp_path / "telegram.token").chmod(0o600)
    reads: list[int] = []

    def read() -> TelegramSettings | None:
        reads.append(1)
        return read_telegram(str(tmp_path))

    followed = Followed(read, str(path))
    looked = [followed.look() for _ in range(10)]
    path.write_text(f"chat: {CHAT}\nusers: [{BOB}]\n", encoding="utf-8")
    at_once = followed.look()  # it may be half written yet
    time.sleep(0.15)
    later = [followed.look() for _ in range(10)]

    assert ([False] * 10, False, [True] + [False] * 9, 2) == (looked, at_once, later, len(reads))
