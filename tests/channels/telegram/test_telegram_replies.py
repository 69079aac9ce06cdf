"""Replies in words to a card: read for what is meant, and never taken for more."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from fake_bot_api import EVE, FakeBotApi
from station import CONFIRM, Station, build, running, until

from signoff.challenge.pending import PendingRequest, RequestState
from signoff.challenge.replies import Intent, Reply
from signoff.channels.telegram.channel import TelegramWays

Scene = Callable[[Station], Awaitable[None]]


def play(api: FakeBotApi, folder: Path, scene: Scene, *, ways: TelegramWays | None = None) -> None:
    """Run a scene on a running channel."""

    async def whole() -> None:
        async with running(build(api, folder, ways=ways)) as station:
            await scene(station)

    asyncio.run(whole())


@dataclass(slots=True)
class Reader:
    """Reads every reply the same way, or fails."""

    reply: Reply | None
    texts: list[str] = field(default_factory=list)

    async def read(self, text: str, pending: PendingRequest) -> Reply:
        """Return the reply."""
        self.texts.append(text)
        if self.reply is None:
            raise RuntimeError("no model")
        return self.reply


def test_words_that_deny_reach_the_agent(api: FakeBotApi, tmp_path: Path) -> None:
    """What stands after `deny:` is kept for the agent."""

    async def scene(station: Station) -> None:
        pending = await station.asked()
        await station.dealt_with(api.write("deny: use a branch", to=station.card(pending.id)))
        now = await station.requests.get(pending.id)

        assert now is not None
        assert (RequestState.DENIED, "use a branch") == (now.state, now.words)

    play(api, tmp_path, scene)


def test_an_approval_may_carry_words_and_a_policy(api: FakeBotApi, tmp_path: Path) -> None:
    """`add policy` keeps the policy for the tool without asking a model."""

    async def scene(station: Station) -> None:
        pending = await station.asked()
        text = "approve. add policy: pushing is fine unless forced"
        await station.dealt_with(api.write(text, to=station.card(pending.id)))
        policy = station.policies.listed()[0]

        assert RequestState.APPROVED is await station.state(pending)
        assert ("pushing is fine unless forced", "Bash", "ada") == (
            policy.text,
            policy.tool,
            policy.author,
        )

    play(api, tmp_path, scene)


@pytest.mark.parametrize(
    "text",
    ["", " ", "maybe", "yes if you must", "ja und nein", "approve" * 20_000, "\u202eyes", "👍"],
    ids=range(8),
)
def test_what_is_not_understood_leaves_it_open_and_says_so(
    api: FakeBotApi, tmp_path: Path, text: str
) -> None:
    """Empty, unclear and 100 kB replies alike."""

    async def scene(station: Station) -> None:
        pending = await station.asked()
        said = await station.told(api.write(text, to=station.card(pending.id)))

        assert RequestState.PENDING is await station.state(pending)
        assert "still waits" in said or "stays open" in said

    play(api, tmp_path, scene)


def test_a_model_reads_what_no_form_covers(api: FakeBotApi, tmp_path: Path) -> None:
    """Its reading is acted on."""
    reader = Reader(Reply(intent=Intent.FORWARD, words="go, but test first"))

    async def scene(station: Station) -> None:
        pending = await station.asked()
        await station.dealt_with(api.write("go, but test first", to=station.card(pending.id)))
        now = await station.requests.get(pending.id)

        assert now is not None
        assert (RequestState.APPROVED, "go, but test first") == (now.state, now.words)

    play(api, tmp_path, scene, ways=TelegramWays(reader=reader))


def test_a_failing_model_leaves_it_open(api: FakeBotApi, tmp_path: Path) -> None:
    """Nobody is taken at words that could not be read."""

    async def scene(station: Station) -> None:
        pending = await station.asked()
        said = await station.told(api.write("hm, fine", to=station.card(pending.id)))

        assert RequestState.PENDING is await station.state(pending)
        assert "not understood" in said

    play(api, tmp_path, scene, ways=TelegramWays(reader=Reader(None)))


def test_details_leave_the_card_open(api: FakeBotApi, tmp_path: Path) -> None:
    """They are said in a message of their own, and the card can still be answered."""

    async def scene(station: Station) -> None:
        pending = await station.asked()
        card = station.card(pending.id)
        await station.dealt_with(api.press(card, "Details"))
        await until(lambda: any("so far:" in str(m["text"]) for m in api.said("sendMessage")))
        await station.dealt_with(api.press(card, "Approve"))

        assert RequestState.APPROVED is await station.state(pending)

    play(api, tmp_path, scene)


@dataclass(frozen=True, slots=True)
class Lengthy:
    """A summary that is long and ugly."""

    async def summary(self, pending: PendingRequest) -> str:
        """Return it."""
        return "\u202e\x1b[2J😀" * 2_000


def test_details_are_safe_and_bounded(api: FakeBotApi, tmp_path: Path) -> None:
    """Whatever a summary says fits into a message, and nothing in it is hidden."""

    async def scene(station: Station) -> None:
        pending = await station.asked()
        await station.dealt_with(api.press(station.card(pending.id), "Details"))
        await until(lambda: len(api.messages) == 2)
        text = api.messages[max(api.messages)]["text"]

        assert text.replace("\n", "").isprintable()

    play(api, tmp_path, scene, ways=TelegramWays(summary=Lengthy()))


def test_a_reply_to_anything_else_is_told_so(api: FakeBotApi, tmp_path: Path) -> None:
    """An answer to a message that asks nothing counts for nothing."""

    async def scene(station: Station) -> None:
        pending = await station.asked(CONFIRM)
        said = await station.told(api.write("approve", to=station.card(pending.id) + 7))

        assert "Reply to a card" in said
        assert RequestState.PENDING is await station.state(pending)

    play(api, tmp_path, scene)


@pytest.mark.parametrize("text", ["approve", "what is this about?", "ok deny it", ""])
def test_free_text_answers_nothing_and_is_told_so(
    api: FakeBotApi, tmp_path: Path, text: str
) -> None:
    """Even a plain `approve`, with one request open: which one it means is not known."""

    async def scene(station: Station) -> None:
        pending = await station.asked()
        said = await station.told(api.write(text))

        assert RequestState.PENDING is await station.state(pending)
        assert "answers no request" in said
        assert "1 request still waits" in said
        assert "`deny: why`" in said

    play(api, tmp_path, scene)


def test_free_text_where_nothing_waits_is_answered(api: FakeBotApi, tmp_path: Path) -> None:
    """A person who greets the bot learns what it understands."""

    async def scene(station: Station) -> None:
        said = await station.told(api.write("hello"))

        assert "No request is waiting" in said
        assert "/help" in said

    play(api, tmp_path, scene)


def test_a_stranger_gets_no_reply_to_free_text(api: FakeBotApi, tmp_path: Path) -> None:
    """The bot tells people who are not listed nothing about requests."""

    async def scene(station: Station) -> None:
        await station.asked()
        before = len(api.said("sendMessage"))
        await station.dealt_with(api.write("hello", user=EVE))

        assert before == len(api.said("sendMessage"))

    play(api, tmp_path, scene)


@pytest.mark.parametrize(("text", "replies"), [("lunch?", 0), ("@signoff_bot approve", 1)])
def test_in_a_group_only_a_message_that_names_the_bot_is_answered(
    api: FakeBotApi, tmp_path: Path, text: str, replies: int
) -> None:
    """People talk to each other there."""
    group = -100_42

    async def scene(station: Station) -> None:
        pending = await station.asked()
        before = len(api.said("sendMessage"))
        await station.dealt_with(api.write(text, chat=group))

        assert replies == len(api.said("sendMessage")) - before
        assert RequestState.PENDING is await station.state(pending)

    async def whole() -> None:
        async with running(build(api, tmp_path, place=group)) as station:
            await scene(station)

    asyncio.run(whole())
