"""Answers richer than yes or no: for this session, exactly this, no with its reason."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from fake_bot_api import ADA, BOB, BOT, CHAT, EVE, TOKEN, FakeBotApi, tap_of
from station import CONFIRM, CONTEXT, PLAN, Station, build, running, until

from signoff.actions.action import Json
from signoff.assess.verdict import Verdict
from signoff.challenge.channel import Response
from signoff.challenge.outbound.endpoint import OutboundEndpoint
from signoff.challenge.pending import Context, PendingRequest, RequestState
from signoff.challenge.terms.approver import Approver, Identity
from signoff.challenge.terms.plan import ApprovalPlan
from signoff.challenge.terms.step import ProofKind, ProofStep, Question
from signoff.channels.telegram.bot_api.client import BotApi, BotToken, Pace
from signoff.channels.telegram.bot_api.updates import Terms, button_data
from signoff.channels.telegram.message_store import TelegramMessageStore
from signoff.channels.telegram.reconciler import Chat, TelegramCardReconciler
from signoff.values import replace

LIKE = replace(CONTEXT, shape="Bash\n/home/dev\nrm <build/>\nDELETE")
QUIZ = ProofStep(
    kind=ProofKind.QUIZ, questions=(Question(text="What?", choices=("a", "b"), right=1),)
)
EXACT = "Exactly this, 15 min"
SESSION = "For this session"

Scene = Callable[[Station], Awaitable[None]]


def play(
    api: FakeBotApi, folder: Path, scene: Scene, *, plan: ApprovalPlan = PLAN, place: int = CHAT
) -> None:
    """Run a scene on a running channel."""

    async def whole() -> None:
        async with running(build(api, folder, plan=plan, place=place)) as station:
            await scene(station)

    asyncio.run(whole())


async def opened(
    api: FakeBotApi, station: Station, *steps: ProofStep
) -> tuple[PendingRequest, int]:
    """Ask for something there is a like of, and press More on its card."""
    pending = await station.asked(*steps, context=LIKE)
    card = station.card(pending.id)
    await station.dealt_with(api.press(card, "More"))
    await until(lambda: "Less" in api.labels(card))
    return pending, card


def test_a_calm_card_has_its_richer_answers_behind_more(api: FakeBotApi, tmp_path: Path) -> None:
    """The session is the second button, with its words on the card; More opens the others."""

    async def scene(station: Station) -> None:
        pending = await station.asked(context=LIKE)
        card = station.card(pending.id)
        assert ["Approve", SESSION, "Deny", "Details", "More"] == api.labels(card)
        covers = "for this session covers: rm <build/> in /home/dev"
        assert covers in api.messages[card]["text"]
        await station.dealt_with(api.press(card, "More"))
        await until(lambda: "Less" in api.labels(card))
        wider = ["Exactly this, 5 min", EXACT, "Exactly this, 60 min"]
        shown = ["Approve", SESSION, "Deny", *wider, "Deny, and say why", "Details", "Less"]
        assert shown == api.labels(card)
        assert covers in api.messages[card]["text"]
        await station.dealt_with(api.press(card, "Less"))
        await until(lambda: "More" in api.labels(card))
        assert RequestState.PENDING is await station.state(pending)

    play(api, tmp_path, scene)


def test_the_like_is_allowed_for_the_session(api: FakeBotApi, tmp_path: Path) -> None:
    """The grant is kept, sealed, and said in the chat; the card has no buttons any more."""

    async def scene(station: Station) -> None:
        pending, card = await opened(api, station)
        await station.dealt_with(api.press(card, SESSION))
        (grant,) = station.grants.listed()
        assert RequestState.APPROVED is await station.state(pending)
        assert (LIKE.shape, "s1", "ada", "telegram") == (
            grant.shape,
            grant.session,
            grant.author,
            grant.channel,
        )
        said = [str(call["text"]) for call in api.said("sendMessage")]
        assert f"approved; {grant.id} covers {grant.said}" in said
        assert [] == api.labels(card)

    play(api, tmp_path, scene)


def test_exactly_this_is_allowed_for_minutes(api: FakeBotApi, tmp_path: Path) -> None:
    """Bound to the digest of this one call."""

    async def scene(station: Station) -> None:
        pending, card = await opened(api, station)
        await station.dealt_with(api.press(card, EXACT))
        (grant,) = station.grants.listed()
        assert (pending.digest, "exactly this for 15 minutes") == (grant.digest, grant.said)

    play(api, tmp_path, scene)


def test_a_quiz_comes_first_and_the_reach_is_remembered(api: FakeBotApi, tmp_path: Path) -> None:
    """Nothing is granted before the proof was given."""

    async def scene(station: Station) -> None:
        pending, card = await opened(api, station, QUIZ)
        await station.dealt_with(api.press(card, EXACT))
        assert ((), RequestState.PENDING) == (station.grants.listed(), await station.state(pending))
        await station.dealt_with(api.press(max(api.messages), "B"))
        assert RequestState.APPROVED is await station.state(pending)
        assert ["exactly this for 15 minutes"] == [one.said for one in station.grants.listed()]

    play(api, tmp_path, scene)


@pytest.mark.parametrize(
    ("context", "steps"),
    [(replace(LIKE, once_only="what runs other things"), ()), (LIKE, (CONFIRM, CONFIRM))],
    ids=["once-only", "two-people"],
)
def test_what_is_approved_once_offers_no_more(
    api: FakeBotApi, tmp_path: Path, context: Context, steps: tuple[ProofStep, ...]
) -> None:
    """Not on the card, not by a button made by hand; Details says why."""

    async def scene(station: Station) -> None:
        pending = await station.asked(*steps, context=context)
        card = station.card(pending.id)
        await station.dealt_with(api.press(card, "More"))
        await until(lambda: "Less" in api.labels(card))
        assert ["Approve", "Deny", "Deny, and say why", "Details", "Less"] == api.labels(card)
        for code in ("s", "e15"):
            await station.dealt_with(api.tap(card, button_data(pending.nonce, code)))
        assert ((), RequestState.PENDING) == (station.grants.listed(), await station.state(pending))
        await station.dealt_with(api.press(card, "Details"))
        await until(lambda: "approved once only: what " in str(api.said("sendMessage")[-1]))

    play(api, tmp_path, scene)


def test_nothing_like_it_offers_the_exact_call_only(api: FakeBotApi, tmp_path: Path) -> None:
    """Also where similar calls is too long to be shown whole."""

    async def scene(station: Station) -> None:
        for shape in ("", f"Bash\n/\nrm {'x' * 300}\nDELETE"):
            pending = await station.asked(context=replace(LIKE, shape=shape))
            card = station.card(pending.id)
            await station.dealt_with(api.press(card, "More"))
            await until(lambda at=card: "Less" in api.labels(at))  # type: ignore[misc]  # bound now
            assert SESSION not in api.labels(card)
            assert EXACT in api.labels(card)

    play(api, tmp_path, scene)


def test_no_with_its_reason(api: FakeBotApi, tmp_path: Path) -> None:
    """The request waits for the words, and whatever they are they deny."""

    async def scene(station: Station) -> None:
        pending, card = await opened(api, station)
        await station.dealt_with(api.press(card, "Deny, and say why"))
        asked = max(api.messages)
        assert api.messages[asked]["reply_markup"]["force_reply"]
        assert RequestState.PENDING is await station.state(pending)
        await station.dealt_with(api.write("yes, but on a branch", to=asked))
        now = await station.requests.get(pending.id)
        assert now is not None
        assert (RequestState.DENIED, "yes, but on a branch") == (now.state, now.words)

    play(api, tmp_path, scene)


def test_a_reason_is_asked_of_one_person(api: FakeBotApi, tmp_path: Path) -> None:
    """Another's reply to it changes nothing."""

    async def scene(station: Station) -> None:
        pending, card = await opened(api, station)
        await station.dealt_with(api.press(card, "Deny, and say why", user=BOB))
        asked = max(api.messages)
        await station.dealt_with(api.write("approve", to=asked, user=ADA))
        assert RequestState.PENDING is await station.state(pending)

    play(api, tmp_path, scene)


@pytest.mark.parametrize("code", ["m", "w", "s", "e15"])
def test_strangers_are_offered_nothing(api: FakeBotApi, tmp_path: Path, code: str) -> None:
    """Whichever button they press."""

    async def scene(station: Station) -> None:
        pending = await station.asked(context=LIKE)
        card = station.card(pending.id)
        before = len(api.messages)
        await station.dealt_with(api.tap(card, button_data(pending.nonce, code), user=EVE))
        assert RequestState.PENDING is await station.state(pending)
        assert (before, (), True) == (
            len(api.messages),
            station.grants.listed(),
            "More" in api.labels(card),
        )

    play(api, tmp_path, scene)


def test_more_stays_open_over_a_restart(api: FakeBotApi, tmp_path: Path) -> None:
    """And its buttons work then."""

    async def whole() -> None:
        async with running(build(api, tmp_path)) as station:
            pending, card = await opened(api, station)
        async with running(build(api, tmp_path)) as station:
            await station.dealt_with(api.press(card, EXACT))
            assert RequestState.APPROVED is await station.state(pending)
            assert 1 == len(station.grants.listed())

    asyncio.run(whole())


def test_more_pressed_while_the_card_is_edited_is_not_forgotten(
    api: FakeBotApi, tmp_path: Path
) -> None:
    """What is kept of the edit is what it changed, and nothing else."""
    station = build(api, tmp_path)

    class Meanwhile(BotApi):
        async def edit(self, chat: int, message_id: int, text: str, **more: Json) -> None:
            card = station.store.at(message_id)
            assert card is not None
            station.store.keep(replace(card, is_wide=True))
            await super().edit(chat, message_id, text, **more)

    async def whole() -> None:
        bot = Meanwhile(OutboundEndpoint.parse(api.url), BotToken.parse(TOKEN), pace=Pace(scale=0))
        chat = Chat(
            api=bot,
            terms=Terms(chat=CHAT, users=frozenset({ADA})),
            store=station.store,
            requests=station.requests,
            approval_service=station.approval_service,
        )
        pending = await station.opened(CONFIRM, CONFIRM, context=LIKE)
        reconciler = TelegramCardReconciler(chat)
        await reconciler.show(pending.id)
        await station.approval_service.answer(
            Response(
                request_id=pending.id,
                nonce=pending.nonce,
                identity=Identity("telegram", str(ADA)),
                verdict=Verdict.ALLOW,
            )
        )
        await reconciler.show(pending.id)
        card = station.store.card_of(pending.id)
        assert card is not None
        assert card.is_wide

    asyncio.run(whole())
    station.channel.close()
    station.requests.database.close()


def test_a_policy_reply_says_what_was_kept(api: FakeBotApi, tmp_path: Path) -> None:
    """Under which id, for which tool, in which words."""

    async def scene(station: Station) -> None:
        pending = await station.asked()
        card = station.card(pending.id)
        text = "approve. add policy: pushing is fine unless forced"
        await station.dealt_with(api.write(text, to=card))
        said = api.said("sendMessage")[-1]["text"]
        assert "approved; kept as pol_0 for Bash: pushing is fine unless forced" == said

    play(api, tmp_path, scene)


def test_a_second_group_is_called_in(api: FakeBotApi, tmp_path: Path) -> None:
    """In a group chat: the first group is asked, then the second one as well, aloud and once."""
    group = -100_42
    plan = replace(PLAN, first_group="team", second_group="leads", escalate_s=1.0)

    async def scene(station: Station) -> None:
        for name, user, at in (("ada", ADA, "team"), ("bob", BOB, "leads")):
            known = (Identity("telegram", str(user)),)
            station.directory.add(Approver(id=name, groups=(at,), identities=known))
        pending = await station.asked()
        card = station.card(pending.id)
        assert "asked now: team\n" in api.messages[card]["text"]
        early = tap_of(card, api.data(card, "Approve"), user=BOB, chat=group)
        await station.dealt_with(api.push({"callback_query": early}))
        assert RequestState.PENDING is await station.state(pending)
        await until(lambda: "asked now: team, leads\n" in api.messages[card]["text"])
        rung = [one for one in api.said("sendMessage") if "asked now as well" in one["text"]]
        assert [(group, card)] == [
            (one["chat_id"], one["reply_parameters"]["message_id"]) for one in rung
        ]
        late = tap_of(card, api.data(card, "Approve"), user=BOB, chat=group)
        await station.dealt_with(api.push({"callback_query": late}))
        now = await station.requests.get(pending.id)
        assert now is not None
        assert (RequestState.APPROVED, "bob") == (now.state, now.decided_by)
        assert "asked now" not in api.messages[card]["text"]

    play(api, tmp_path, scene, plan=plan, place=group)


def test_a_book_of_the_version_before_is_brought_up(tmp_path: Path) -> None:
    """Its cards are kept."""
    path = tmp_path / "telegram.db"
    store = TelegramMessageStore(str(path), bot=BOT, chat=CHAT)
    store.want("r1")
    store.close()
    db = sqlite3.connect(path)
    db.execute("DROP TABLE pushes")
    db.execute("ALTER TABLE sheets DROP COLUMN reach")
    db.execute("ALTER TABLE sheets DROP COLUMN is_wide")
    db.execute(
        "INSERT INTO sheets (bot, chat, message_id, kind, request_id, nonce, user, face, choices,"
        " words, policy, has_all)"
        " VALUES (?, ?, 9, 'card', 'r1', 'n', 0, 'pending', '[]', '', '', 1)",
        (BOT, CHAT),
    )
    db.execute("PRAGMA user_version = 1")
    db.commit()
    db.close()
    sent_message = store.card_of("r1")

    assert sent_message is not None
    assert (9, "", False) == (
        sent_message.message_id,
        sent_message.reach.code,
        sent_message.is_wide,
    )
    store.close()
