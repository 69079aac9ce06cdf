"""Slack: words in a thread, the richer answers, and what a restart finds again."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from signoff.values import replace

pytest.importorskip("websockets")

from slack_server import Slack, submission, tap, written
from test_slack import Line, approvals, asked, connected

from signoff.assess.level import Challenge, Level
from signoff.challenge.card import make_card
from signoff.challenge.pending import Context, NewRequest, PendingRequest, RequestState
from signoff.challenge.replies import Intent, Reply
from signoff.challenge.terms.step import ProofKind, ProofStep, Question
from signoff.channels.slack.cards import APPROVE, DENY, DETAILS, FOR_SESSION, MORE
from signoff.channels.threads.message_store import ThreadStore
from signoff.errors import StoreError
from signoff.storage.approvals.requests import SqliteRequests
from signoff.testing import InMemoryApprovals, make_action, make_request

CONTEXT = Context(
    agent="claude", session="s1", tool="Bash", shape="Bash\n/home/dev\nrm <build/>\nDELETE"
)
QUIZ = ProofStep(
    kind=ProofKind.QUIZ, questions=(Question(text="What?", choices=("a", "b"), right=1),)
)
CONFIRM = ProofStep(kind=ProofKind.CONFIRM)

Talk = Callable[[Line], Awaitable[None]]


def run(where: InMemoryApprovals, talk: Talk) -> None:
    """Run a talk with a connected channel."""

    async def whole() -> None:
        async with connected(where) as line:
            await talk(line)

    asyncio.run(whole())


async def shown(
    line: Line, *steps: ProofStep, context: Context = CONTEXT, command: str = "rm build/a"
) -> PendingRequest:
    """Ask for something there is a like of, show it, and let time pass."""
    request = make_request(action=make_action("Bash", command=command))
    new = NewRequest(
        id=secrets.token_hex(4),
        nonce=secrets.token_hex(16),
        digest=secrets.token_hex(32),
        action=request.action.canonical_bytes,
        card=make_card(request),
        level=Level.MEDIUM,
        challenge=Challenge.CONFIRM,
        steps=steps or (CONFIRM,),
        context=context,
    )
    pending = await line.approvals.store.open(new)
    await line.channel.announce(pending)
    line.approvals.clock.pass_(60)
    return pending


async def reply(line: Line, text: str, **more: str) -> list[str]:
    """Write in the thread of the card; return what people were told once it was read."""
    before = len(line.told())
    await line.send(written(text, **more), kind="events_api")
    await line.until(lambda: len(line.told()) > before)
    return line.told()


def chosen(answer: str, words: str = "") -> dict[str, Any]:
    """Return the fields of the dialog of richer answers."""
    return {
        "answer": {"answer": {"type": "radio_buttons", "selected_option": {"value": answer}}},
        "words": {"answer": {"type": "plain_text_input", "value": words or None}},
    }


async def more(line: Line, pending: PendingRequest) -> dict[str, Any]:
    """Press More; return the dialog that opens."""
    await line.send(tap(pending.nonce, MORE))
    view: dict[str, Any] = line.slack.bodies("views.open")[-1]["view"]
    return view


@pytest.mark.parametrize(
    ("text", "state", "words", "said"),
    [
        ("approve", RequestState.APPROVED, "", "approved"),
        ("deny: use a branch", RequestState.DENIED, "use a branch", "denied; the agent is told"),
        ("deny: read <https://a.example|this> &amp; stop", RequestState.DENIED, "", "denied"),
        ("approve. tell the agent: test first", RequestState.APPROVED, "test first", "approved"),
        (
            "approve. add policy: fine here",
            RequestState.APPROVED,
            "",
            "kept as pol_0 for Bash: fine here",
        ),
        ("maybe later", RequestState.PENDING, "", "That is not understood"),
        ("yes but not on main", RequestState.PENDING, "", "That is not understood"),
        ("x" * 5_000, RequestState.PENDING, "", "too long"),
    ],
)
def test_words_in_the_thread_are_read_for_what_is_meant(
    text: str, state: RequestState, words: str, said: str
) -> None:
    """Like replies on Telegram; whoever wrote is told in the thread."""
    where = approvals()

    async def talk(line: Line) -> None:
        pending = await shown(line)
        told = await reply(line, text)
        now = await where.store.get(pending.id)
        assert now is not None
        assert state is now.state
        assert words in now.words
        assert said in told[-1]
        assert "1700000000.000001" == line.slack.bodies("chat.postEphemeral")[-1]["thread_ts"]

    run(where, talk)


def test_links_stand_for_themselves() -> None:
    """What the agent is told is what was typed."""
    where = approvals()

    async def talk(line: Line) -> None:
        pending = await shown(line)
        await reply(line, "deny: see <https://a.example/x?a=1&amp;b=2|there> &lt;now&gt;")
        now = await where.store.get(pending.id)
        assert now is not None
        assert "see https://a.example/x?a=1&b=2 <now>" == now.words

    run(where, talk)


@pytest.mark.parametrize(
    "more",
    [
        {"bot_id": "B1"},
        {"app_id": "A1"},
        {"subtype": "bot_message"},
        {"subtype": "message_changed"},
        {"subtype": "me_message"},
        {"edited": {"user": "ada", "ts": "1"}},
        {"hidden": True},
        {"channel": "C2"},
        {"thread_ts": "1600000000.000001"},
        {"thread_ts": "1700000500.000001"},
        {"user": None},
        {"text": None},
        {"type": "app_mention"},
        {"type": "reaction_added"},
    ],
    ids=str,
)
def test_what_no_person_wrote_by_hand_in_its_thread_is_left_out(more: dict[str, Any]) -> None:
    """Acknowledged, and neither read nor answered."""
    where = approvals()

    async def talk(line: Line) -> None:
        pending = await shown(line)
        payload = written(
            "approve", **{k: v for k, v in more.items() if k in ("channel", "thread")}
        )
        payload["event"].update({k: v for k, v in more.items() if k not in ("channel", "thread")})
        await line.send(payload, kind="events_api")
        await asyncio.sleep(0.1)
        assert (RequestState.PENDING, []) == (await line.stands(pending), line.told())

    run(where, talk)


@pytest.mark.parametrize("user", ["mallory", "vic"])
def test_who_may_not_answer_is_not_listened_to(user: str) -> None:
    """A stranger's words do not even reach a model."""
    where = approvals()
    read: list[str] = []

    class Reader:
        async def read(self, text: str, pending: PendingRequest) -> Reply:
            read.append(text)
            return Reply(intent=Intent.APPROVE)

    async def whole() -> None:
        async with connected(where, reader=Reader()) as line:
            pending = await shown(line)
            await reply(line, "approve", user=user)
            await reply(line, "go for it", user="mallory", message="1700000500.000002")
            assert (RequestState.PENDING, []) == (await line.stands(pending), read)
            await reply(line, "go for it", message="1700000500.000003")
            assert (RequestState.APPROVED, ["go for it"]) == (await line.stands(pending), read)

    asyncio.run(whole())


def test_an_event_that_comes_twice_is_read_once() -> None:
    """Slack sends again what it heard no acknowledgement of."""
    where = approvals()

    async def talk(line: Line) -> None:
        await shown(line)
        await reply(line, "approve. add policy: fine here")
        await line.send(written("approve. add policy: fine here"), kind="events_api")
        await asyncio.sleep(0.1)
        assert (1, 1) == (len(where.policies.listed()), len(line.told()))

    run(where, talk)


def test_an_approval_in_words_that_needs_a_proof_is_sent_to_the_button() -> None:
    """A dialog opens on a tap only."""
    where = approvals()

    async def talk(line: Line) -> None:
        pending = await shown(line, QUIZ)
        told = await reply(line, "approve")
        assert "press Approve" in told[-1]
        assert RequestState.PENDING is await line.stands(pending)

    run(where, talk)


def test_words_do_not_approve_what_is_not_whole() -> None:
    """Neither do they in the thread of a card that is too long."""
    where = approvals()

    async def talk(line: Line) -> None:
        pending = await shown(line, command="x" * 5_000)
        assert "too long to be shown" in (await reply(line, "approve"))[-1]
        assert RequestState.PENDING is await line.stands(pending)
        await reply(line, "deny: no", message="1700000500.000002")
        assert RequestState.DENIED is await line.stands(pending)

    run(where, talk)


@pytest.mark.parametrize(
    ("answer", "said"), [("s", "rm <build/> in /home/dev"), ("e15", "exactly this for 15 minutes")]
)
def test_a_richer_answer_is_given_in_a_dialog(answer: str, said: str) -> None:
    """The dialog says what the session's would cover, and chooses nothing beforehand."""
    where = approvals()

    async def talk(line: Line) -> None:
        pending = await shown(line)
        view = await more(line, pending)
        assert (
            "for this session covers:\nrm <build/> in /home/dev"
            in json.loads(json.dumps(view))["blocks"][0]["elements"][0]["elements"][0]["text"]
        )
        assert "initial_option" not in json.dumps(view)
        await line.send(submission(view, chosen(answer, "mind the tests")))
        now = await where.store.get(pending.id)
        (grant,) = where.grants.listed()
        assert now is not None
        assert (RequestState.APPROVED, "mind the tests") == (now.state, now.words)
        assert said in grant.said
        assert f"{grant.id} covers" in line.told()[-1]

    run(where, talk)


def test_the_second_button_approves_for_the_session() -> None:
    """The card says what that covers; the grant is sealed, and told."""
    where = approvals()

    async def talk(line: Line) -> None:
        pending = await shown(line)
        await line.send(tap(pending.nonce, FOR_SESSION))
        (grant,) = where.grants.listed()
        assert RequestState.APPROVED is await line.stands(pending)
        assert "rm <build/> in /home/dev" in grant.said

    run(where, talk)


def test_no_with_its_reason() -> None:
    """In the same dialog."""
    where = approvals()

    async def talk(line: Line) -> None:
        pending = await shown(line)
        await line.send(submission(await more(line, pending), chosen("deny", "use a branch")))
        now = await where.store.get(pending.id)
        assert now is not None
        assert (RequestState.DENIED, "use a branch") == (now.state, now.words)

    run(where, talk)


def test_a_proof_comes_in_place_of_the_dialog_and_nothing_is_forgotten() -> None:
    """Reach and words wait in it until the proof is right."""
    where = approvals()

    async def talk(line: Line) -> None:
        pending = await shown(line, QUIZ)
        ack = await line.send(submission(await more(line, pending), chosen("e5", "gently")))
        assert "update" == ack["payload"]["response_action"]
        assert ((), RequestState.PENDING) == (where.grants.listed(), await line.stands(pending))
        right = {"q0": {"answer": {"type": "radio_buttons", "selected_option": {"value": "1"}}}}
        await line.send(submission(ack["payload"]["view"], right))
        now = await where.store.get(pending.id)
        assert now is not None
        assert (RequestState.APPROVED, "gently") == (now.state, now.words)
        assert ["exactly this for 5 minutes"] == [one.said for one in where.grants.listed()]

    run(where, talk)


@pytest.mark.parametrize(
    ("context", "steps"),
    [(replace(CONTEXT, once_only="what runs other things"), ()), (CONTEXT, (CONFIRM, CONFIRM))],
    ids=["once-only", "two-people"],
)
def test_what_is_approved_once_offers_no_more(
    context: Context, steps: tuple[ProofStep, ...]
) -> None:
    """Neither in the dialog nor by one made by hand; Details says why."""
    where = approvals()

    async def talk(line: Line) -> None:
        pending = await shown(line, *steps, context=context)
        view = await more(line, pending)
        assert ["once", "deny"] == [one["value"] for one in view["blocks"][1]["element"]["options"]]
        ack = await line.send(submission(view, chosen("e15")))
        assert "cannot be granted: what " in ack["payload"]["errors"]["answer"]
        assert ((), RequestState.PENDING) == (where.grants.listed(), await line.stands(pending))
        await line.send(tap(pending.nonce, DETAILS))
        assert "approved once only: what " in line.told()[-1]

    run(where, talk)


@pytest.mark.parametrize("action", [DETAILS, MORE])
def test_strangers_are_shown_nothing(action: str) -> None:
    """Not what the session did, not the richer answers."""
    where = approvals()

    async def talk(line: Line) -> None:
        pending = await shown(line)
        await line.send(tap(pending.nonce, action, user="mallory"))
        assert [] == line.slack.bodies("views.open")
        assert "no approver" in line.told()[-1]

    run(where, talk)


def test_a_card_is_brought_to_its_end_after_a_restart(tmp_path: Path) -> None:
    """Settled elsewhere while nobody ran here: the new process knows which message it is."""
    where = approvals()
    slack = Slack()

    async def whole() -> None:
        store = ThreadStore(str(tmp_path / "slack.db"), conversation="C1")
        async with connected(where, slack, store=store) as line:
            pending = await shown(line)
        store.close()
        assert await where.store.move(
            pending.id, RequestState.WITHDRAWN, start=RequestState.PENDING
        )
        store = ThreadStore(str(tmp_path / "slack.db"), conversation="C1")
        async with connected(where, slack, store=store) as line:
            await line.until(lambda: bool(slack.bodies("chat.update")))
            edit = slack.bodies("chat.update")[-1]
            assert "1700000000.000001" == edit["ts"]
            assert "withdrawn" in edit["text"]
            await asyncio.sleep(0.2)
            assert 1 == len(slack.bodies("chat.update"))
        store.close()

    asyncio.run(whole())


def test_a_card_that_could_not_be_sent_is_sent_later(tmp_path: Path) -> None:
    """By the same process or the next one, and once."""
    where = approvals()
    slack = Slack()

    async def whole() -> None:
        store = ThreadStore(str(tmp_path / "slack.db"), conversation="C1")
        async with connected(where, slack, store=store) as line:
            slack.errors["chat.postMessage"] = "internal_error"
            with pytest.raises(Exception, match="internal_error"):
                await shown(line)
            await line.until(lambda: "internal_error" in line.channel.problem)
        before = len(slack.bodies("chat.postMessage"))
        del slack.errors["chat.postMessage"]
        async with connected(where, slack, store=store) as line:
            await line.until(lambda: len(slack.bodies("chat.postMessage")) > before)
            await asyncio.sleep(0.2)
            assert before + 1 == len(slack.bodies("chat.postMessage"))
            assert "" == line.channel.problem
        store.close()

    asyncio.run(whole())


def test_what_was_written_is_read_after_a_crash(tmp_path: Path) -> None:
    """It was kept before Slack was told that it arrived."""
    where = approvals()
    slack = Slack()

    class Slow:
        async def read(self, text: str, pending: PendingRequest) -> Reply:
            await asyncio.sleep(60)
            return Reply(intent=Intent.UNCLEAR)

    class Sure:
        async def read(self, text: str, pending: PendingRequest) -> Reply:
            return Reply(intent=Intent.DENY, words=text)

    async def whole() -> None:
        store = ThreadStore(str(tmp_path / "slack.db"), conversation="C1")
        async with connected(where, slack, store=store, reader=Slow()) as line:
            pending = await shown(line)
            await line.send(written("rather not"), kind="events_api")
            other = await shown(line)  # a slow model holds up no tap
            await line.send(tap(other.nonce, DENY, message="1700000000.000002"))
            assert RequestState.DENIED is await line.stands(other)
            assert RequestState.PENDING is await line.stands(pending)
        async with connected(where, slack, store=store, reader=Sure()) as line:
            await line.until(lambda: bool(store.unread() == ()))
            assert RequestState.DENIED is await line.stands(pending)
        store.close()

    asyncio.run(whole())


def test_what_cannot_be_kept_is_not_acknowledged(monkeypatch: pytest.MonkeyPatch) -> None:
    """Slack sends it again; then it counts."""
    where = approvals()

    async def talk(line: Line) -> None:
        pending = await shown(line)

        async def broken(*_: object) -> PendingRequest | None:
            raise StoreError("the disk is full")

        with monkeypatch.context() as patched:
            patched.setattr(SqliteRequests, "by_nonce", broken)
            number = await line.slack.hand(tap(pending.nonce, APPROVE))
            await asyncio.sleep(0.2)
            assert number not in [ack["envelope_id"] for ack in line.slack.acks]
            assert RequestState.PENDING is await line.stands(pending)
        await line.send(tap(pending.nonce, APPROVE))
        assert RequestState.APPROVED is await line.stands(pending)

    run(where, talk)


def test_a_reply_that_keeps_failing_is_passed_over_loudly(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Three tries; the request still waits, and those behind it are read."""
    where = approvals()

    async def talk(line: Line) -> None:
        pending = await shown(line)

        async def broken(*_: object) -> PendingRequest | None:
            raise StoreError("the disk is full")

        with monkeypatch.context() as patched:
            patched.setattr(SqliteRequests, "get", broken)
            await line.slack.hand(written("approve"), kind="events_api")
            await line.until(lambda: "1 passed over" in line.channel.status)
        assert RequestState.PENDING is await line.stands(pending)
        await reply(line, "deny: no", message="1700000500.000002")
        assert RequestState.DENIED is await line.stands(pending)

    run(where, talk)
    assert "a reply is passed over" in caplog.text


def more_than(slack: Slack, count: int) -> bool:
    """Tell whether there were more connections."""
    return len(slack.connections) > count


def test_a_restart_waits_no_longer_than_the_first_time() -> None:
    """A connection that stood begins with the shortest pause again, however many were lost."""
    where = approvals()
    slack = Slack()

    async def whole() -> None:
        async with connected(where, slack) as line:
            begun = asyncio.get_running_loop().time()
            for count in range(1, 9):
                await slack.connections[-1].close(code=1011)
                await line.until(partial(more_than, slack, count))
            # Doubled each time, the eight pauses would be 2.55 seconds at this scale.
            assert asyncio.get_running_loop().time() - begun < 2.0
            assert asked(where) is not None

    asyncio.run(whole())


@pytest.mark.parametrize("failing", ["chat.update", "chat.postEphemeral", "both"])
def test_a_crash_between_the_commit_and_the_card_costs_nothing(
    tmp_path: Path, failing: str
) -> None:
    """The answer stands once; the next process edits the card, and the tap sent again is late."""
    where = approvals()
    slack = Slack()

    async def whole() -> None:
        store = ThreadStore(str(tmp_path / "slack.db"), conversation="C1")
        async with connected(where, slack, store=store) as line:
            pending = await shown(line)
            for method in ("chat.update", "chat.postEphemeral"):
                if failing in (method, "both"):
                    slack.errors[method] = "internal_error"
            await slack.hand(tap(pending.nonce, APPROVE))
            async with asyncio.timeout(60):
                while await line.stands(pending) is not RequestState.APPROVED:
                    await asyncio.sleep(0.005)
        slack.errors.clear()
        before = len(line.told())
        async with connected(where, slack, store=store) as line:
            await line.until(lambda: store.standing() == ())
            assert APPROVE not in json.dumps(slack.bodies("chat.update")[-1])
            await line.send(tap(pending.nonce, APPROVE))
            now = await where.store.get(pending.id)
            assert now is not None
            assert (RequestState.APPROVED, 1) == (now.state, len(now.answers))
            told = line.told()
            assert ["Too late: approved."] == [one for one in told[before:] if one != "approved"]
            assert told.count("approved") <= 1  # the first process may have said so, late
        store.close()

    asyncio.run(whole())
