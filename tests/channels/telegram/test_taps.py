"""Taps on cards: who may, on which card, once; it is committed before anybody is told."""

from __future__ import annotations

import asyncio
import string
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from fake_bot_api import ADA, BOB, BOT, CHAT, EVE, FakeBotApi, person, tap_of, written_of
from station import CONFIRM, Station, build, running, until

from signoff.challenge.pending import PendingRequest, RequestState
from signoff.channels.telegram.bot_api.updates import button_data

Scene = Callable[[Station], Awaitable[None]]


def play(api: FakeBotApi, folder: Path, scene: Scene) -> None:
    """Run a scene on a running channel."""

    async def whole() -> None:
        async with running(build(api, folder)) as station:
            await scene(station)

    asyncio.run(whole())


def test_a_tap_on_approve_approves(api: FakeBotApi, tmp_path: Path) -> None:
    """The request is approved by the person who tapped, on this channel."""

    async def scene(station: Station) -> None:
        pending = await station.asked()
        await station.dealt_with(api.press(station.card(pending.id), "Approve"))
        now = await station.requests.get(pending.id)

        assert now is not None
        assert (RequestState.APPROVED, "ada", "telegram") == (
            now.state,
            now.decided_by,
            now.channel,
        )

    play(api, tmp_path, scene)


def test_a_tap_on_deny_denies(api: FakeBotApi, tmp_path: Path) -> None:
    """One refusal ends it."""

    async def scene(station: Station) -> None:
        pending = await station.asked()
        await station.dealt_with(api.press(station.card(pending.id), "Deny", user=BOB))

        assert RequestState.DENIED is await station.state(pending)

    play(api, tmp_path, scene)


def test_the_order_is_commit_tell_edit_confirm(api: FakeBotApi, tmp_path: Path) -> None:
    """Who tapped hears of it after the commit, then the card changes, then the tap is confirmed."""

    async def scene(station: Station) -> None:
        pending = await station.asked()
        before = len(api.calls)
        number = api.press(station.card(pending.id), "Approve")
        await station.dealt_with(number)
        calls = api.calls[before:]
        after = [c.method for c in calls if c.method not in ("getUpdates", "getMe")]
        confirmed = next(c for c in calls if c.params.get("offset", 0) > number)

        assert ["answerCallbackQuery", "editMessageText"] == after[:2]
        assert calls.index(confirmed) > [c.method for c in calls].index("editMessageText")

    play(api, tmp_path, scene)


def test_a_settled_card_shows_its_end_and_has_no_buttons(api: FakeBotApi, tmp_path: Path) -> None:
    """What was a question is a statement afterwards."""

    async def scene(station: Station) -> None:
        pending = await station.asked()
        card = station.card(pending.id)
        await station.dealt_with(api.press(card, "Deny"))

        assert [] == api.labels(card)
        assert api.messages[card]["text"].startswith("signoff: DENIED")

    play(api, tmp_path, scene)


def test_a_second_tap_is_told_it_is_late(api: FakeBotApi, tmp_path: Path) -> None:
    """Approve, then deny: the first one stands."""

    async def scene(station: Station) -> None:
        pending = await station.asked()
        card = station.card(pending.id)
        deny = api.data(card, "Deny")
        await station.dealt_with(api.press(card, "Approve"))
        said = await station.told(api.tap(card, deny, user=BOB))

        assert "Too late: APPROVED." == said
        assert RequestState.APPROVED is await station.state(pending)

    play(api, tmp_path, scene)


def test_a_double_tap_counts_once(api: FakeBotApi, tmp_path: Path) -> None:
    """Two taps in one batch are one answer."""

    async def scene(station: Station) -> None:
        pending = await station.asked(CONFIRM, CONFIRM)
        card = station.card(pending.id)
        approve = api.data(card, "Approve")
        api.tap(card, approve)
        await station.dealt_with(api.tap(card, approve))
        now = await station.requests.get(pending.id)

        assert now is not None
        assert (RequestState.PENDING, 1) == (now.state, len(now.answers))

    play(api, tmp_path, scene)


def test_two_people_approve_what_takes_two(api: FakeBotApi, tmp_path: Path) -> None:
    """The second, different person settles it."""

    async def scene(station: Station) -> None:
        pending = await station.asked(CONFIRM, CONFIRM)
        card = station.card(pending.id)
        await station.dealt_with(api.press(card, "Approve"))
        await station.dealt_with(api.press(card, "Approve", user=BOB))

        assert RequestState.APPROVED is await station.state(pending)

    play(api, tmp_path, scene)


def test_a_late_tap_changes_nothing(api: FakeBotApi, tmp_path: Path) -> None:
    """After its time a request is expired, whatever is pressed."""

    async def scene(station: Station) -> None:
        pending = await station.opened(ttl_s=0.4)
        await station.channel.announce(pending)
        await until(lambda: station.card(pending.id) != 0)
        card = station.card(pending.id)
        approve = api.data(card, "Approve")
        await asyncio.sleep(0.5)
        said = await station.told(api.tap(card, approve))

        assert said.startswith("Too late")
        assert RequestState.EXPIRED is await station.state(pending)

    play(api, tmp_path, scene)


def test_a_replayed_update_is_dealt_with_once(api: FakeBotApi, tmp_path: Path) -> None:
    """The same number again is passed over, whatever it says now."""

    async def scene(station: Station) -> None:
        pending = await station.asked()
        card = station.card(pending.id)
        deny = tap_of(card, api.data(card, "Deny"))
        number = api.write("hello")
        await station.dealt_with(number)
        api.push({"update_id": number, "callback_query": deny})
        await station.dealt_with(api.write("hello again"))

        assert RequestState.PENDING is await station.state(pending)

    play(api, tmp_path, scene)


def test_a_gap_in_the_numbers_loses_nothing(api: FakeBotApi, tmp_path: Path) -> None:
    """Numbers may leap ahead."""

    async def scene(station: Station) -> None:
        pending = await station.asked()
        card = station.card(pending.id)
        deny = tap_of(card, api.data(card, "Deny"))
        await station.dealt_with(api.push({"update_id": 9_000, "callback_query": deny}))

        assert RequestState.DENIED is await station.state(pending)

    play(api, tmp_path, scene)


def shapes(card: int, good: str, pending: PendingRequest) -> dict[str, dict[str, object]]:
    """Return updates that look like an approval and are none."""
    tap = tap_of(card, good)
    message = tap["message"]
    reply = written_of("approve", to=card)
    other = button_data("00" * 16, "a")
    place = {"id": CHAT, "type": "private"}
    alphabet = string.ascii_uppercase + string.ascii_lowercase + string.digits + "-_"
    spelt = f"{good[:23]}{alphabet[alphabet.index(good[23]) + 1]}{good[24:]}"
    answered = reply["reply_to_message"]
    return {
        "a stranger": {"callback_query": tap_of(card, good, user=EVE)},
        "a stranger's reply": {"message": written_of("approve", to=card, user=EVE)},
        "another chat": {"callback_query": tap_of(card, good, chat=CHAT + 1)},
        "the group's shadow": {"callback_query": tap_of(card, good, chat=-CHAT)},
        "a reply in another chat": {"message": written_of("approve", to=card, chat=CHAT + 1)},
        "a copied card": {"callback_query": tap_of(card + 1, good)},
        "an old card": {"callback_query": tap_of(card - 1, good)},
        "another nonce": {"callback_query": tap_of(card, other)},
        "another version": {"callback_query": tap_of(card, "2" + good[1:])},
        "no version": {"callback_query": tap_of(card, good[2:])},
        "a padded nonce": {"callback_query": tap_of(card, good.replace(":a", "==:a"))},
        "a nonce spelt otherwise": {"callback_query": tap_of(card, spelt)},
        "the nonce in hex": {"callback_query": tap_of(card, f"1:{pending.nonce}:a")},
        "an unknown button": {"callback_query": tap_of(card, good[:-1] + "z")},
        "two buttons": {"callback_query": tap_of(card, good + "d")},
        "empty data": {"callback_query": tap_of(card, "")},
        "long data": {"callback_query": tap_of(card, good * 50)},
        "data of another kind": {"callback_query": {**tap, "data": 1}},
        "no data": {"callback_query": {k: v for k, v in tap.items() if k != "data"}},
        "no message": {"callback_query": {k: v for k, v in tap.items() if k != "message"}},
        "an inline message": {"callback_query": {**tap, "inline_message_id": "1"}},
        "a card out of reach": {"callback_query": {**tap, "message": {**message, "date": 0}}},
        "nobody": {"callback_query": {k: v for k, v in tap.items() if k != "from"}},
        "a bot": {"callback_query": {**tap, "from": {**person(ADA), "is_bot": True}}},
        "an id as text": {"callback_query": {**tap, "from": {**person(ADA), "id": str(ADA)}}},
        "a truth as id": {"callback_query": {**tap, "from": {**person(ADA), "id": True}}},
        "a chat as text": {
            "callback_query": {**tap, "message": {**message, "chat": {"id": str(CHAT)}}}
        },
        "no callback id": {"callback_query": {k: v for k, v in tap.items() if k != "id"}},
        "two in one": {"callback_query": tap, "message": written_of("hello")},
        "a forwarded reply": {"message": {**reply, "forward_origin": {"type": "user"}}},
        "an old forward": {"message": {**reply, "forward_date": 1}},
        "a channel's post": {"message": {**reply, "sender_chat": place}},
        "by way of a bot": {"message": {**reply, "via_bot": person(EVE)}},
        "an edited reply": {"edited_message": reply},
        "a post": {"channel_post": reply},
        "a reply to another bot": {
            "message": {**reply, "reply_to_message": {**answered, "from": person(BOT + 1)}}
        },
        "a reply from elsewhere": {
            "message": {**reply, "reply_to_message": {**answered, "chat": {"id": CHAT + 1}}}
        },
        "a reply to nothing": {"message": written_of("approve")},
    }


def test_what_is_no_approval_leaves_the_request_open(api: FakeBotApi, tmp_path: Path) -> None:
    """T-38: none of these shapes changes anything, and the right one still does afterwards."""

    async def scene(station: Station) -> None:
        pending = await station.asked()
        card = station.card(pending.id)
        good = api.data(card, "Approve")
        changed = []
        for name, update in shapes(card, good, pending).items():
            await station.dealt_with(api.push(update))
            if await station.state(pending) is not RequestState.PENDING:
                changed.append(name)
        await station.dealt_with(api.tap(card, good))

        assert [] == changed
        assert RequestState.APPROVED is await station.state(pending)

    play(api, tmp_path, scene)


@pytest.mark.parametrize("update", [None, 7, "x", [], {}, {"update_id": "1"}, {"update_id": True}])
def test_an_update_out_of_shape_stops_nothing(
    api: FakeBotApi, tmp_path: Path, update: object
) -> None:
    """What is not even an update is left out, and those after it are read."""

    async def scene(station: Station) -> None:
        pending = await station.asked()
        card = station.card(pending.id)
        api.push({"message": update, "callback_query": update})
        await station.dealt_with(api.press(card, "Deny"))

        assert RequestState.DENIED is await station.state(pending)

    play(api, tmp_path, scene)
