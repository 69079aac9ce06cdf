"""The card in the chat: everything to be seen, nothing to break out of, nothing cut off."""

from __future__ import annotations

import asyncio
import secrets
import sys
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from fake_bot_api import ADA, BOB, FakeBotApi
from station import CONFIRM, Station, build, running, until

from signoff.actions.action import Action
from signoff.assess.level import Challenge, Level
from signoff.challenge.card import make_card
from signoff.challenge.pending import ClockReading, Context, PendingRequest, RequestState
from signoff.challenge.request import Request
from signoff.challenge.visible import restore
from signoff.channels.telegram.bot_api.updates import button_data, read_data
from signoff.channels.telegram.cards import (
    FILE_LIMIT,
    CardView,
    Drawn,
    Fit,
    draw,
    escape_invisible,
    units,
)
from signoff.testing import FakeAssessment
from signoff.values import replace

Scene = Callable[[Station], Awaitable[None]]
NOW = datetime(2026, 1, 1, tzinfo=UTC)
MESSAGE_LIMIT = 4_096


def play(api: FakeBotApi, folder: Path, scene: Scene) -> None:
    """Run a scene on a running channel."""

    async def whole() -> None:
        async with running(build(api, folder)) as station:
            await scene(station)

    asyncio.run(whole())


def pending_of(command: str) -> PendingRequest:
    """Return a request about a shell line."""
    action = Action(tool="Bash", arguments={"command": command}, agent="a", session="s")
    return PendingRequest(
        id="r1",
        nonce="ab" * 16,
        digest="0" * 64,
        action=b"{}",
        card=make_card(Request(action=action, assessment=FakeAssessment(action=action))),
        level=Level.HIGH,
        challenge=Challenge.CONFIRM,
        steps=(CONFIRM,),
        context=Context(),
        state=RequestState.PENDING,
        created_at=NOW,
        expires_at=NOW,
        created=ClockReading(wall_s=0.0),
    )


def entity(card: Drawn) -> str:
    """Return the text under the one entity, cut out as Telegram counts."""
    (found,) = card.entities
    assert isinstance(found, dict)
    raw = card.text.encode("utf-16-le")
    offset, length = int(str(found["offset"])), int(str(found["length"]))
    return raw[2 * offset : 2 * (offset + length)].decode("utf-16-le")


def test_the_call_stands_whole_under_one_entity() -> None:
    """Offsets count as Telegram does, whatever characters stand before."""
    card = draw(pending_of("echo 😀\nrm -rf *"), CardView())

    assert "  | echo 😀\n  | rm -rf *" in entity(card)


def test_no_text_is_parsed(api: FakeBotApi, tmp_path: Path) -> None:
    """No message asks the other side to read Markdown or HTML."""

    async def scene(station: Station) -> None:
        pending = await station.asked(command="echo '*b* <b>x</b> [l](http://e.org)'")
        await station.dealt_with(api.press(station.card(pending.id), "Details"))
        await until(lambda: len(api.messages) == 2)

        assert all("parse_mode" not in call.params for call in api.calls)

    play(api, tmp_path, scene)


@pytest.mark.parametrize("plane", range(17))
def test_no_character_hides_or_moves_anything(plane: int) -> None:
    """Every code point there is, through the whole card: what is left can all be seen."""
    first = plane << 16
    for start in range(first, min(first + 0x10000, sys.maxunicode + 1), 0x4000):
        points = range(start, start + 0x4000)
        # Lone surrogates have no canonical form: such a call is refused and never gets a card.
        text = "".join(chr(point) for point in points if not 0xD800 <= point <= 0xDFFF)
        card = draw(pending_of(text), CardView())
        shown = card.text + card.file.decode()

        assert shown.replace("\n", "").isprintable()
        assert len(shown) > 0x4000 - 0x800


def test_what_is_shown_is_what_would_run() -> None:
    """The line can be read back from the card, byte for byte."""
    command = "rm\u202e -rf\x1b[2J \u200b/ \\u{202E}"
    shown = next(
        line for line in entity(draw(pending_of(command), CardView())).split("\n") if "  | " in line
    )

    assert command == restore(shown.removeprefix("  | "))


@pytest.mark.parametrize("size", [0, 1, 3_000, 3_400, 3_600, 20_000, 100_000, 199_000, 300_000])
@pytest.mark.parametrize("char", ["a", "é", "😀", "\n", " "])
def test_a_card_is_whole_or_is_not_approved_as_it_is(size: int, char: str) -> None:
    """Whatever its length: a message fits, and approve is offered only where all of it stands."""
    pending = pending_of(char * size)
    card = draw(pending, CardView())
    labels = [b["text"] for row in _rows(card) for b in row]

    assert units(card.text) <= MESSAGE_LIMIT
    assert ("Approve" in labels) == (card.fit is Fit.WHOLE)
    assert "Deny" in labels
    assert bool(card.file) == (card.fit is Fit.FILE)
    assert len(card.file) <= FILE_LIMIT


def _rows(card: Drawn) -> list[list[dict[str, str]]]:
    assert isinstance(card.keyboard, dict)
    rows = card.keyboard["inline_keyboard"]
    assert isinstance(rows, list)
    return rows


def test_what_is_opened_can_be_approved() -> None:
    """After Open the button is there."""
    card = draw(pending_of("a" * 9_000), CardView(opened=frozenset({ADA})))

    shown = [b["text"] for row in _rows(card) for b in row]

    assert ["Approve", "Open", "Deny", "Details", "More"] == shown


def test_a_witness_and_the_code_stand_on_the_card() -> None:
    """The record's newest checkpoint, and the digest to compare channels by."""
    pending = pending_of("ls")
    card = draw(pending, CardView(witness="7 entries, abcd"))

    assert "record: 7 entries, abcd" in card.text
    assert f"digest: {pending.card.code}" in card.text


def test_secrets_are_masked_once_more() -> None:
    """What the mask takes out is nowhere in message or file."""
    view = CardView(mask=lambda text: text.replace("hunter2", "<masked>"))

    assert "hunter2" not in draw(pending_of("login hunter2"), view).text
    assert b"hunter2" not in draw(pending_of("login hunter2" + "a" * 9_000), view).file


def test_escaping_shows_what_a_mask_let_in() -> None:
    """Whatever comes after `visible` is looked at as well, surrogates among it."""
    assert "\\u{202E}\\u{D800}" == escape_invisible("\u202e\ud800")


def test_what_a_mask_lets_in_is_shown() -> None:
    """Nothing after the card was made can hide anything in it again."""
    view = CardView(mask=lambda text: text.replace("ls", "l\u202es"))

    assert draw(pending_of("ls"), view).text.replace("\n", "").isprintable()


def test_escaping_leaves_good_text_alone() -> None:
    """It runs after everything else and must not change what is fine."""
    assert "é 😀\nx" == escape_invisible("é 😀\nx")


@pytest.mark.parametrize("code", ["a", "d", "i", "o", "q01"])
def test_a_button_says_little_and_can_be_read_back(code: str) -> None:
    """Version, nonce, code: at most 64 bytes."""
    nonce = secrets.token_hex(16)
    data = button_data(nonce, code)
    pressed = read_data(data)

    assert len(data.encode()) <= 64
    assert pressed is not None and (nonce, code) == (pressed.nonce, pressed.code)


def test_words_of_a_decision_are_shown_safely() -> None:
    """What a person or an agent wrote cannot forge lines of the card."""
    pending = replace(
        pending_of("ls"),
        state=RequestState.DENIED,
        words="no\nsignoff: APPROVED\u202e",
        decided_by="ada",
    )

    assert "signoff: APPROVED" not in draw(pending, CardView()).text.split("\n")


def test_a_long_card_is_approved_only_by_who_opened_it(api: FakeBotApi, tmp_path: Path) -> None:
    """The file holds every byte; Ada opens and approves, Bob cannot without opening."""
    command = "echo " + "x" * 50_000 + " the end"

    async def scene(station: Station) -> None:
        pending = await station.asked(command=command)
        card = station.card(pending.id)
        await until(lambda: bool(api.files))
        await station.dealt_with(api.press(card, "Open"))
        refused = await station.told(api.press(card, "Approve", user=BOB))
        before = await station.state(pending)
        await station.dealt_with(api.press(card, "Approve"))

        assert command.encode() in next(iter(api.files.values()))
        assert ("Open" in refused, RequestState.PENDING) == (True, before)
        assert RequestState.APPROVED is await station.state(pending)

    play(api, tmp_path, scene)


@pytest.mark.parametrize("size", [50_000, 250_000])
def test_no_way_around_opening(api: FakeBotApi, tmp_path: Path, size: int) -> None:
    """Neither a made-up button nor a reply approves what was not opened; what is huge never is."""

    async def scene(station: Station) -> None:
        pending = await station.asked(command="echo " + "x" * size)
        card = station.card(pending.id)
        await station.dealt_with(api.tap(card, button_data(pending.nonce, "a")))
        await station.dealt_with(api.write("approve", to=card))
        before = await station.state(pending)
        await station.dealt_with(api.press(card, "Deny"))

        assert RequestState.PENDING is before
        assert RequestState.DENIED is await station.state(pending)

    play(api, tmp_path, scene)


def test_the_file_is_sent_again_until_it_is_there(api: FakeBotApi, tmp_path: Path) -> None:
    """A file that failed leaves the card waiting, not approvable."""
    api.faults["sendDocument"].extend([500, "cut"])

    async def scene(station: Station) -> None:
        pending = await station.asked(command="echo " + "x" * 9_000)
        await until(lambda: bool(api.files))
        sent_message = station.store.card_of(pending.id)
        await until(lambda: bool(sent_message))

        assert 1 == len([m for m in api.messages.values() if "text" in m])

    play(api, tmp_path, scene)
