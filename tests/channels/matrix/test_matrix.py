"""Matrix over its real API on loopback: replies, reactions, prompts, and all that is left out."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

pytest.importorskip("websockets")
sys.path.append(str(Path(__file__).parents[1]))

from asking import People, asking, written
from homeserver import ADA, BOB, EVE, ROOM, TOKEN, Homeserver, homeserver
from sides import MatrixSide, until

from signoff.assess.level import Challenge, Level
from signoff.assess.verdict import Verdict
from signoff.challenge.outbound.endpoint import OutboundEndpoint
from signoff.challenge.terms import plan as plan_file
from signoff.challenge.terms.step import ProofKind
from signoff.challenge.words.asking import About, AgentQuestion, AnswerOption
from signoff.channels.matrix.api import MatrixApi, MatrixError
from signoff.channels.matrix.line import MatrixReply, read_event
from signoff.channels.matrix.settings import read_matrix
from signoff.errors import BadSettings
from signoff.testing import good_proof

ABOUT = About(host="claude-code", agent="claude", session="s1", cwd="/home/dev/project")
Scene = Callable[[People, Homeserver], Awaitable[None]]


def play(folder: Path, scene: Scene) -> None:
    """Run a scene before a homeserver."""

    async def whole(server: Homeserver) -> None:
        side = MatrixSide(server)
        async with asking(side, written(side, "matrix", folder)) as people:
            await until(lambda: people.manager.states()["matrix"] == "connected")
            await scene(people, server)

    with homeserver() as server:
        asyncio.run(whole(server))


def said_by_bot(server: Homeserver, words: str) -> bool:
    """Tell whether the bot said these words."""
    return any(words in text for text in server.texts().values())


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("approve", Verdict.ALLOW),
        ("> <@signoff:test> signoff asks\n> [low] delete_user\n\nYes", Verdict.ALLOW),
        ("deny: use a branch", Verdict.DENY),
        ("> a long card\n" * 500 + "\ndeny: use a branch", Verdict.DENY),
    ],
    ids=["yes", "with a quote", "no", "with the quote of a long card"],
)
def test_a_reply_in_words_counts(tmp_path: Path, text: str, verdict: Verdict) -> None:
    """Also where an older client quotes the card before it."""

    async def scene(people: People, server: Homeserver) -> None:
        asked = people.ask()
        card = await people.readable()
        server.say(ADA, text, reply_to=card)
        answer = await asked

        assert answer is not None
        assert verdict is answer.verdict

    play(tmp_path, scene)


def test_a_reply_in_the_thread_of_a_card_counts(tmp_path: Path) -> None:
    """What clients add as a fallback is not what is answered."""

    async def scene(people: People, server: Homeserver) -> None:
        asked = people.ask()
        card = await people.readable()
        relation = {
            "rel_type": "m.thread",
            "event_id": card,
            "is_falling_back": True,
            "m.in_reply_to": {"event_id": "$something-else"},
        }
        server.say(BOB, "approve", relates_to=relation)
        answer = await asked

        assert answer is not None
        assert (Verdict.ALLOW, "bob") == (answer.verdict, answer.who)

    play(tmp_path, scene)


def test_what_is_no_answer_leaves_it_waiting(tmp_path: Path) -> None:
    """No reply, a reply to something else, an edit, a notice, another emoji, the bot's own."""

    async def scene(people: People, server: Homeserver) -> None:
        asked = people.ask()
        card = await people.readable()
        server.say(ADA, "approve")
        server.say(ADA, "approve", reply_to="$unknown")
        edit = {"rel_type": "m.replace", "event_id": card}
        server.say(ADA, "approve", relates_to=edit)
        server.say(ADA, "approve", reply_to=card, msgtype="m.notice")
        server.react(ADA, "\N{PARTY POPPER}", card)
        server.react("@signoff:test", "\N{THUMBS UP SIGN}", card)
        server.add(ADA, "m.room.message", {"m.relates_to": "nonsense"})
        await asyncio.sleep(0.5)
        assert not asked.done()
        server.react(ADA, "\N{THUMBS DOWN SIGN}\ufe0f", card)
        answer = await asked

        assert answer is not None
        assert Verdict.DENY is answer.verdict

    play(tmp_path, scene)


def test_a_stranger_is_counted_and_told_nothing(tmp_path: Path) -> None:
    """A room may be public: nobody makes the bot talk."""

    async def scene(people: People, server: Homeserver) -> None:
        asked = people.ask()
        card = await people.readable()
        before = len(server.texts())
        server.say(EVE, "approve", reply_to=card)
        await until(lambda: "1 refused" in people.manager.status()["matrix"])

        assert not asked.done()
        assert before == len(server.texts())
        asked.cancel()

    play(tmp_path, scene)


def test_the_card_says_its_code_and_mentions_nobody(tmp_path: Path) -> None:
    """The digest stands on it, HTML is escaped, and names in it ring no phone."""

    async def scene(people: People, server: Homeserver) -> None:
        asked = people.ask()
        card = await people.side.card()
        pending = await people.pending()
        content = next(one["content"] for one in server.events if one["event_id"] == card)

        assert pending.card.code in content["body"]
        assert content["formatted_body"].startswith("<pre><code>")
        assert "<" not in content["formatted_body"].removeprefix("<pre><code>")[:-13]
        assert {} == content["m.mentions"]
        asked.cancel()

    play(tmp_path, scene)


def test_a_card_is_sent_once_whatever_the_homeserver_asks_to_wait(tmp_path: Path) -> None:
    """The same transaction, tried again."""

    async def scene(people: People, server: Homeserver) -> None:
        server.limits = 2
        asked = people.ask()
        await people.side.card()
        await asyncio.sleep(0.3)

        assert 1 == len(people.side.cards())
        asked.cancel()

    play(tmp_path, scene)


def test_an_answer_given_while_no_daemon_runs_counts(tmp_path: Path) -> None:
    """The room is read from where the last daemon stopped."""

    async def whole(server: Homeserver) -> None:
        side = MatrixSide(server)
        settings = written(side, "matrix", tmp_path)
        async with asking(side, settings) as first:
            await until(lambda: first.manager.states()["matrix"] == "connected")
            asked = first.ask()
            card = await first.readable()
        server.say(ADA, "deny: not today", reply_to=card)
        asked.cancel()
        async with asking(side, settings):
            await until(lambda: "denied" in side.text_of(card))
            assert "not today" in side.text_of(card)

    with homeserver() as server:
        asyncio.run(whole(server))


def test_only_who_was_asked_gives_the_proof(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another approver is told so; what is no answer asks again."""
    monkeypatch.setattr(plan_file, "PROOF_REVIEW_S", dict.fromkeys(ProofKind, 0.0))

    async def scene(people: People, server: Homeserver) -> None:
        asked = people.ask(Level.HIGH, Challenge.QUIZ)
        card = await people.readable()
        step = (await people.pending()).steps[0]
        server.react(ADA, "\N{WHITE HEAVY CHECK MARK}", card)
        await until(lambda: said_by_bot(server, "Reply to this message with one letter"))
        prompt = next(at for at, text in server.texts().items() if "question 1 of" in text)
        right = " ".join("ABCDEFGH"[choice] for choice in good_proof(step).choices)
        server.say(BOB, right, reply_to=prompt)
        await until(lambda: said_by_bot(server, "asked of somebody else"))
        server.say(ADA, "whatever", reply_to=prompt)
        await until(lambda: said_by_bot(server, "no answer to the question"))
        assert not asked.done()
        server.say(ADA, right, reply_to=prompt)
        answer = await asked

        assert answer is not None
        assert (Verdict.ALLOW, "ada") == (answer.verdict, answer.who)

    play(tmp_path, scene)


def test_an_agents_question_is_answered_by_letter_or_in_words(tmp_path: Path) -> None:
    """The first answer is the answer, and one after it is told so."""
    options = (AnswerOption(label="main"), AnswerOption(label="a branch"))
    question = AgentQuestion(text="Where to?", options=options)

    async def scene(people: People, server: Homeserver) -> None:
        words = people.manager.in_words()
        assert words is not None
        for reply, expected in (("b", "a branch"), ("a tag, please", "a tag, please")):
            before = set(server.texts())
            asked = asyncio.ensure_future(words.ask((question,), about=ABOUT, timeout_s=60))
            await until(lambda before=before: bool(set(server.texts()) - before))  # type: ignore[misc]  # the loop's own set
            (message,) = set(server.texts()) - before
            server.say(EVE, "A", reply_to=message)
            server.say(ADA, reply, reply_to=message)
            assert (expected,) == await asked
            await until(lambda message=message: "[answered]" in server.texts()[message])  # type: ignore[misc]  # the same
        server.say(BOB, "A", reply_to=message)
        await until(lambda: said_by_bot(server, "Too late"))

    play(tmp_path, scene)


@pytest.mark.parametrize(("reply", "expected"), [("stop", ""), ("run the tests", "run the tests")])
def test_an_agent_that_stopped_is_told_what_is_next(
    tmp_path: Path, reply: str, expected: str
) -> None:
    """Or is left to stop."""

    async def scene(people: People, server: Homeserver) -> None:
        words = people.manager.in_words()
        assert words is not None
        asked = asyncio.ensure_future(words.ask_next("all done", about=ABOUT, timeout_s=60))
        await until(lambda: said_by_bot(server, "has stopped"))
        message = next(at for at, text in server.texts().items() if "has stopped" in text)
        server.say(ADA, reply, reply_to=message)

        assert expected == await asked

    play(tmp_path, scene)


def test_an_encrypted_room_is_a_problem(tmp_path: Path) -> None:
    """signoff cannot read it, and says so."""

    async def whole(server: Homeserver) -> None:
        server.is_encrypted = True
        side = MatrixSide(server)
        async with asking(side, written(side, "matrix", tmp_path)) as people:
            await until(lambda: "encrypted" in "".join(people.manager.problems))

    with homeserver() as server:
        asyncio.run(whole(server))


def test_a_bad_token_is_a_problem_that_does_not_show_it(tmp_path: Path) -> None:
    """The homeserver's own code is enough."""

    async def whole(server: Homeserver) -> None:
        api = MatrixApi(OutboundEndpoint.parse(server.url), f"{TOKEN}x", room=ROOM)
        with pytest.raises(MatrixError) as caught:
            await api.whoami()
        assert "the homeserver says `M_UNKNOWN_TOKEN`" == str(caught.value)

    with homeserver() as server:
        asyncio.run(whole(server))


GOOD = "homeserver: https://m.example\nroom: '!r:m.example'\nusers: ['@ada:m.example']\n"
BAD = {
    "plain http": (GOOD.replace("https", "http"), "1:13: homeserver: "),
    "a room's name": (GOOD.replace("!r", "#r"), "2:7: room: "),
    "a bare name": (GOOD.replace("@ada:m.example", "ada"), "3:9: user: "),
    "nobody": (GOOD.replace("['@ada:m.example']", "[]"), "3:8: "),
    "unknown key": (f"{GOOD}token: x\n", "4:1: "),
    "no room": (GOOD.replace("room", "rooms"), "2:1: "),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_file_is_refused_with_its_place(tmp_path: Path, name: str) -> None:
    """File, line and column."""
    text, place = BAD[name]
    (tmp_path / "matrix.yaml").write_text(text, encoding="utf-8")
    (tmp_path / "matrix.token").write_text(TOKEN, encoding="utf-8")
    (tmp_path / "matrix.token").chmod(0o600)

    with pytest.raises(BadSettings) as caught:
        read_matrix(str(tmp_path))
    assert f"matrix.yaml:{place}" in str(caught.value)


def test_a_variable_that_is_not_set_is_refused(tmp_path: Path) -> None:
    """By its name."""
    text = f"{GOOD}token_env: NOT_SET_ANYWHERE\n"
    (tmp_path / "matrix.yaml").write_text(text, encoding="utf-8")

    with pytest.raises(BadSettings, match="`NOT_SET_ANYWHERE` is not set"):
        read_matrix(str(tmp_path))


def test_the_token_may_stand_in_a_variable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And is shown by no representation."""
    (tmp_path / "matrix.yaml").write_text(f"{GOOD}token_env: ROOM_TOKEN\n", encoding="utf-8")
    monkeypatch.setenv("ROOM_TOKEN", TOKEN)
    found = read_matrix(str(tmp_path))

    assert found is not None
    assert TOKEN == found.token
    assert TOKEN not in repr(found)


def test_a_reply_is_read_strictly() -> None:
    """What has another form is nothing, and raises nothing."""
    relation = {"m.in_reply_to": {"event_id": "$c"}}
    content = {"msgtype": "m.text", "body": "yes", "m.relates_to": relation}
    event = {"type": "m.room.message", "event_id": "$1", "sender": ADA, "content": content}

    assert MatrixReply(event_id="$1", sender=ADA, targets=("$c",), text="yes") == read_event(event)
    for broken in ({}, {**event, "sender": 7}, {**event, "content": []}, {**event, "type": "x"}):
        assert read_event(broken) is None


def test_for_this_session_is_no_answer_where_the_card_does_not_offer_it(tmp_path: Path) -> None:
    """The call has nothing that another one could be like."""

    async def scene(people: People, server: Homeserver) -> None:
        asked = people.ask()
        card = await people.readable()
        assert "for this session" not in people.side.text_of(card)
        server.react(ADA, "\N{CLOCKWISE RIGHTWARDS AND LEFTWARDS OPEN CIRCLE ARROWS}", card)
        await until(lambda: said_by_bot(server, "not understood"))

        assert not asked.done()
        asked.cancel()

    play(tmp_path, scene)
