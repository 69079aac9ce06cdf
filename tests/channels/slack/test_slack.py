"""Slack over its real protocols on loopback: cards, taps, dialogs, and all that is refused."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import pytest

from signoff.values import replace

pytest.importorskip("websockets")

from slack_server import Slack, submission, tap

from signoff.actions.action import Action
from signoff.assess.level import Challenge, Level
from signoff.challenge.outbound.endpoint import CallFailed, OutboundEndpoint
from signoff.challenge.outbound.patience import RetryPolicy
from signoff.challenge.pending import PendingRequest, RequestState
from signoff.challenge.replies import ReplyReader
from signoff.challenge.terms.approver import Approver
from signoff.challenge.terms.plan import ApprovalPlan, ChannelTerms
from signoff.channels.context import ChannelContext
from signoff.channels.message_database import IN_MEMORY
from signoff.channels.slack.cards import APPROVE, DENY, DETAILS
from signoff.channels.slack.channel import SlackChannel
from signoff.channels.slack.client import SlackClient
from signoff.channels.slack.socket_mode import check_socket
from signoff.channels.slack.web_api import SlackApi, SlackError
from signoff.channels.threads.message_store import ThreadStore
from signoff.channels.threads.reconciler import ThreadPlace
from signoff.redaction.redact import Redactor
from signoff.testing import (
    FakePushChannel,
    InMemoryApprovals,
    good_proof,
    make_action,
    make_request,
)

PATIENT = RetryPolicy(timeout_s=20, retries=1, pause_s=0.01)
SECRET = "ghp_" + "a1B2" * 9


def approvals() -> InMemoryApprovals:
    """Return approvals that asks on Slack."""
    terms = ChannelTerms(name="slack", settles_up_to=Level.CRITICAL)
    return InMemoryApprovals(
        plan=ApprovalPlan(channels=(terms,)), channel=FakePushChannel(name="slack")
    )


def asked(
    where: InMemoryApprovals,
    *,
    level: Level = Level.MEDIUM,
    challenge: Challenge | None = None,
    action: Action | None = None,
) -> PendingRequest:
    """Return a request that waits."""
    where.ask(make_request(level=level, challenge=challenge, action=action))
    return where.channel.announced[-1]


@dataclass(frozen=True, slots=True)
class Line:
    """A channel that is connected."""

    slack: Slack
    channel: SlackChannel
    approvals: InMemoryApprovals

    async def stands(self, pending: PendingRequest) -> RequestState:
        """Return the state of a request."""
        now = await self.approvals.store.get(pending.id)
        return now.state if now else RequestState.WITHDRAWN

    async def send(self, payload: dict[str, Any], *, kind: str = "interactive") -> dict[str, Any]:
        """Send an envelope; return its acknowledgement once all that follows it is done."""
        ack = await self.slack.send(payload, kind=kind)
        await self.until(lambda: self.channel.is_idle)
        return ack

    async def until(self, holds: Callable[[], bool]) -> None:
        """Wait until something holds."""
        async with asyncio.timeout(40):
            while not holds():
                await asyncio.sleep(0.005)

    def told(self) -> list[str]:
        """Return what people were told."""
        return [body["text"] for body in self.slack.bodies("chat.postEphemeral")]


@contextlib.asynccontextmanager
async def connected(
    where: InMemoryApprovals,
    slack: Slack | None = None,
    *,
    store: ThreadStore | None = None,
    reader: ReplyReader | None = None,
) -> AsyncIterator[Line]:
    """Run a channel against a fake Slack."""
    async with slack or Slack() as server:
        api = SlackApi(
            bot_token="xoxb-test",
            app_token="xapp-test",
            endpoint=OutboundEndpoint.parse(server.api_url),
            patience=PATIENT,
        )
        context = ChannelContext(
            state_dir="",
            requests=where.store,
            approval_service=where.approval_service,
            reader=reader,
            groups=lambda pending: where.plan.groups_at(
                where.store.moment().since(pending.created)
            ),
        )
        client = SlackClient(api=api, conversation="C1", mask=Redactor(b"tests").text)
        place = ThreadPlace(
            channel="slack",
            client=client,
            store=store or ThreadStore(IN_MEMORY, conversation="C1"),
            context=context,
            users=("ada", "bob"),
            pause_s=0.01,
            look_every_s=0.05,
        )
        channel = SlackChannel(place, client)
        task = asyncio.create_task(channel.run())
        try:
            async with asyncio.timeout(60):
                while channel.problem:
                    await asyncio.sleep(0.005)
            yield Line(server, channel, where)
        finally:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task


def run(where: InMemoryApprovals, talk: Callable[[Line], Awaitable[None]]) -> None:
    """Run a talk with a connected channel."""

    async def whole() -> None:
        async with connected(where) as line:
            await talk(line)

    asyncio.run(whole())


def test_a_tap_on_approve_approves() -> None:
    """The request is approved by that person, the card edited, the person told."""
    where = approvals()
    pending = asked(where)

    async def talk(line: Line) -> None:
        await line.channel.announce(pending)
        where.clock.pass_(5)
        await line.send(tap(pending.nonce, APPROVE))

        assert RequestState.APPROVED is await line.stands(pending)
        assert ["approved"] == line.told()
        edit = line.slack.bodies("chat.update")[-1]
        assert "1700000000.000001" == edit["ts"]
        assert APPROVE not in json.dumps(edit)

    run(where, talk)


def test_a_tap_on_deny_denies() -> None:
    """At once: a refusal needs no time."""
    where = approvals()
    pending = asked(where)

    async def talk(line: Line) -> None:
        await line.channel.announce(pending)
        await line.send(tap(pending.nonce, DENY))

        assert RequestState.DENIED is await line.stands(pending)

    run(where, talk)


def test_a_tap_that_comes_too_fast_leaves_it_pending() -> None:
    """The card must be read first."""
    where = approvals()
    pending = asked(where)

    async def talk(line: Line) -> None:
        await line.channel.announce(pending)
        await line.send(tap(pending.nonce, APPROVE))

        assert RequestState.PENDING is await line.stands(pending)
        assert "too fast" in line.told()[0]

    run(where, talk)


def forged(request_id: str, nonce: str) -> str:
    """Return what a dialog would carry."""
    return json.dumps({"request_id": request_id, "nonce": nonce, "kind": "confirm"})


STRANGE: dict[str, Callable[[str], dict[str, Any]]] = {
    "stranger": lambda nonce: tap(nonce, APPROVE, user="mallory"),
    "viewer": lambda nonce: tap(nonce, APPROVE, user="vic"),
    "other-conversation": lambda nonce: tap(nonce, APPROVE, channel="C2"),
    "other-message": lambda nonce: tap(nonce, APPROVE, message="1700000000.999999"),
    "other-nonce": lambda nonce: tap("0" * 32, APPROVE),
    "no-nonce": lambda nonce: tap("", APPROVE),
    "other-action": lambda nonce: tap(nonce, "approve"),
    "two-actions": lambda nonce: {
        **tap(nonce, APPROVE),
        "actions": [*tap(nonce, APPROVE)["actions"], *tap(nonce, APPROVE)["actions"]],
    },
    "no-user": lambda nonce: {**tap(nonce, APPROVE), "user": None},
    "user-as-text": lambda nonce: {**tap(nonce, APPROVE), "user": "ada"},
    "no-container": lambda nonce: {**tap(nonce, APPROVE), "container": {}},
    "value-number": lambda nonce: {
        **tap(nonce, APPROVE),
        "actions": [{"action_id": APPROVE, "value": 1}],
    },
    "shortcut": lambda nonce: {**tap(nonce, APPROVE), "type": "shortcut"},
    "empty": lambda nonce: {},
    "forged-dialog": lambda nonce: submission(
        {"callback_id": "signoff_proof", "private_metadata": forged("other", nonce)}, {}
    ),
    "dialog-of-another": lambda nonce: submission(
        {"callback_id": "other", "private_metadata": forged("x", nonce)}, {}
    ),
}


@pytest.mark.parametrize("name", STRANGE)
def test_what_is_no_answer_of_an_approver_leaves_it_pending(name: str) -> None:
    """Wrong person, place, card or form: acknowledged, and nothing changes."""
    where = approvals()
    pending = asked(where)

    async def talk(line: Line) -> None:
        await line.channel.announce(pending)
        where.clock.pass_(60)
        await line.send(STRANGE[name](pending.nonce))

        assert RequestState.PENDING is await line.stands(pending)

    run(where, talk)


@pytest.mark.parametrize("kind", ["events_api", "slash_commands", "other"])
def test_another_kind_of_envelope_is_acknowledged_only(kind: str) -> None:
    """Taps come as `interactive`, and in no other way."""
    where = approvals()
    pending = asked(where)

    async def talk(line: Line) -> None:
        await line.channel.announce(pending)
        where.clock.pass_(60)
        await line.send(tap(pending.nonce, APPROVE), kind=kind)

        assert RequestState.PENDING is await line.stands(pending)

    run(where, talk)


def test_a_second_tap_is_told_it_is_late() -> None:
    """And changes nothing."""
    where = approvals()
    pending = asked(where)

    async def talk(line: Line) -> None:
        await line.channel.announce(pending)
        where.clock.pass_(60)
        await line.send(tap(pending.nonce, DENY))
        await line.send(tap(pending.nonce, APPROVE, user="bob"))

        assert RequestState.DENIED is await line.stands(pending)
        assert "Too late: denied." == line.told()[-1]

    run(where, talk)


def test_a_quiz_is_taken_in_a_dialog() -> None:
    """Wrong answers are said in it; right ones approve."""
    where = approvals()
    action = make_action("delete_user", user_id="usr_123", table="accounts")
    pending = asked(where, level=Level.HIGH, challenge=Challenge.QUIZ, action=action)
    step = pending.next_step
    assert step is not None
    right = good_proof(step).choices
    wrong = tuple(
        (choice + 1) % len(q.choices) for choice, q in zip(right, step.questions, strict=True)
    )

    def chosen(choices: tuple[int, ...]) -> dict[str, Any]:
        return {
            f"q{at}": {"answer": {"type": "radio_buttons", "selected_option": {"value": str(one)}}}
            for at, one in enumerate(choices)
        }

    async def talk(line: Line) -> None:
        await line.channel.announce(pending)
        where.clock.pass_(60)
        await line.send(tap(pending.nonce, APPROVE))
        opened = line.slack.bodies("views.open")[0]
        assert "t.1" == opened["trigger_id"]
        assert RequestState.PENDING is await line.stands(pending)

        refused = await line.send(submission(opened["view"], chosen(wrong)))
        assert "errors" == refused["payload"]["response_action"]
        assert RequestState.PENDING is await line.stands(pending)

        taken = await line.send(submission(opened["view"], chosen(right)))
        assert "payload" not in taken
        assert RequestState.APPROVED is await line.stands(pending)

    run(where, talk)


def test_two_people_give_an_explanation_and_a_quiz() -> None:
    """What is critical takes both, and not from one person."""
    where = approvals()
    action = make_action("delete_user", user_id="usr_123", table="accounts")
    pending = asked(where, level=Level.CRITICAL, challenge=Challenge.MULTI_PARTY, action=action)
    first = pending.steps[0]
    words = {"text": {"answer": {"type": "plain_text_input", "value": good_proof(first).text}}}

    async def talk(line: Line) -> None:
        await line.channel.announce(pending)
        where.clock.pass_(100)
        await line.send(tap(pending.nonce, APPROVE))
        view = line.slack.bodies("views.open")[0]["view"]
        short = {"text": {"answer": {"type": "plain_text_input", "value": "fine by me"}}}
        refused = await line.send(submission(view, short))
        assert "text" in refused["payload"]["errors"]
        await line.send(submission(view, words))
        assert "your part is done" in line.told()[-1]
        await line.send(tap(pending.nonce, APPROVE))

        now = await where.store.get(pending.id)
        assert now is not None
        assert (RequestState.PENDING, 1) == (now.state, len(now.answers))
        assert "ada on slack" in json.dumps(line.slack.bodies("chat.update")[-1])

    run(where, talk)


def test_the_dialog_of_another_request_proves_nothing() -> None:
    """Its nonce is bound to its request."""
    where = approvals()
    one = asked(where, action=make_action("delete_user", user_id="1"))
    two = asked(where, action=make_action("delete_user", user_id="2"))
    dialog = {"callback_id": "signoff_proof", "private_metadata": forged(one.id, two.nonce)}

    async def talk(line: Line) -> None:
        where.clock.pass_(60)
        refused = await line.send(submission(dialog, {}))

        assert "errors" == refused["payload"]["response_action"]
        assert RequestState.PENDING is await line.stands(one)
        assert RequestState.PENDING is await line.stands(two)

    run(where, talk)


def test_details_leave_the_card_open() -> None:
    """And say what is known."""
    where = approvals()
    pending = asked(where)

    async def talk(line: Line) -> None:
        await line.channel.announce(pending)
        await line.send(tap(pending.nonce, DETAILS))

        assert RequestState.PENDING is await line.stands(pending)
        assert 1 == len(line.told())

    run(where, talk)


def test_a_card_that_does_not_fit_is_denied_only() -> None:
    """Nobody approves what they could not read; a forged tap does not either."""
    where = approvals()
    pending = asked(where, action=make_action("run", command="x" * 5_000 + "; rm -rf ~"))

    async def talk(line: Line) -> None:
        await line.channel.announce(pending)
        where.clock.pass_(60)
        card = json.dumps(line.slack.bodies("chat.postMessage")[0])
        assert (False, True) == (APPROVE in card, DENY in card)
        await line.send(tap(pending.nonce, APPROVE))
        assert RequestState.PENDING is await line.stands(pending)
        await line.send(tap(pending.nonce, DENY))
        assert RequestState.DENIED is await line.stands(pending)

    run(where, talk)


def test_a_card_hides_nothing_and_is_parsed_by_nobody() -> None:
    """No secret, nothing invisible, no link, no mention."""
    where = approvals()
    text = f"echo {SECRET} \u202e <!channel> <https://evil.example|safe> *b* :tada:"
    pending = asked(where, action=make_action("run", command=text))

    async def talk(line: Line) -> None:
        await line.channel.announce(pending)
        body = line.slack.bodies("chat.postMessage")[0]
        raw = json.dumps(body, ensure_ascii=False)

        assert SECRET not in raw
        assert "\u202e" not in raw
        assert "<!channel>" not in body["text"]
        kinds = {block["type"] for block in body["blocks"]}
        assert {"section", "rich_text", "actions"} == kinds
        assert "mrkdwn" not in raw

    run(where, talk)


def test_a_lost_connection_is_found_again() -> None:
    """A tap over the new one counts."""
    where = approvals()
    pending = asked(where)

    async def talk(line: Line) -> None:
        await line.channel.announce(pending)
        where.clock.pass_(60)
        await line.slack.connections[0].send(
            json.dumps({"type": "disconnect", "reason": "warning"})
        )
        async with asyncio.timeout(60):
            while len(line.slack.connections) < 2:
                await asyncio.sleep(0.005)
        await line.slack.connections[1].close()
        async with asyncio.timeout(60):
            while len(line.slack.connections) < 3:
                await asyncio.sleep(0.005)
        await line.send(tap(pending.nonce, APPROVE))

        assert RequestState.APPROVED is await line.stands(pending)

    run(where, talk)


def test_odd_messages_do_not_end_it() -> None:
    """No JSON, no envelope, bytes."""
    where = approvals()
    pending = asked(where)

    async def talk(line: Line) -> None:
        await line.channel.announce(pending)
        where.clock.pass_(60)
        for odd in ("", "{", "[]", "null", "[" * 50_000, b"\xff", '{"type": 1, "envelope_id": 2}'):
            await line.slack.connections[-1].send(odd)
        await line.send(tap(pending.nonce, APPROVE))

        assert RequestState.APPROVED is await line.stands(pending)
        assert 1 == len(line.slack.connections)

    run(where, talk)


def test_tokens_are_for_what_they_are_for() -> None:
    """The app's opens the socket, the bot's does the rest; neither is shown."""
    where = approvals()
    pending = asked(where)

    async def talk(line: Line) -> None:
        await line.channel.announce(pending)
        tokens = {(call.method, call.token) for call in line.slack.calls}

        assert {
            ("apps.connections.open", "xapp-test"),
            ("chat.postMessage", "xoxb-test"),
        } == tokens
        assert "test" not in repr(SlackApi(bot_token="xoxb-test", app_token="xapp-test"))

    run(where, talk)


def test_slack_saying_no_is_an_error() -> None:
    """With its word."""
    where = approvals()
    pending = asked(where)

    async def talk(line: Line) -> None:
        line.slack.errors["chat.postMessage"] = "channel_not_found"
        with pytest.raises(SlackError, match="`channel_not_found`"):
            await line.channel.announce(pending)

    run(where, talk)


def test_a_person_who_cannot_be_told_has_answered_all_the_same() -> None:
    """What was decided stands."""
    where = approvals()
    pending = asked(where)

    async def talk(line: Line) -> None:
        await line.channel.announce(pending)
        where.clock.pass_(60)
        line.slack.errors["chat.postEphemeral"] = "user_not_in_channel"
        line.slack.errors["chat.update"] = "message_not_found"
        await line.send(tap(pending.nonce, APPROVE))

        assert RequestState.APPROVED is await line.stands(pending)

    run(where, talk)


def test_a_new_process_takes_taps_on_old_cards() -> None:
    """Which message shows a request is learnt from the tap."""
    where = approvals()
    pending = asked(where)

    async def talk(line: Line) -> None:
        where.clock.pass_(60)
        await line.send(tap(pending.nonce, APPROVE, message="1600000000.000007"))

        assert RequestState.APPROVED is await line.stands(pending)
        assert "1600000000.000007" == line.slack.bodies("chat.update")[-1]["ts"]

    run(where, talk)


def test_the_confirmation_code_stays_on_an_open_card() -> None:
    """It is known in the process that asks only, and gone when it is over."""
    plan = replace(approvals().plan, first_group="team", second_group="leads", escalate_s=5.0)
    where = replace(approvals(), plan=plan)
    pending = replace(asked(where), code="4711")

    async def talk(line: Line) -> None:
        await line.channel.announce(pending)
        where.clock.pass_(5)
        await line.channel.update(replace(pending, code=""))
        shown = [line.slack.bodies("chat.postMessage")[0], *line.slack.bodies("chat.update")]
        assert [True, True] == ["4711" in json.dumps(body) for body in shown]
        await line.send(tap(pending.nonce, DENY))
        assert "4711" not in json.dumps(line.slack.bodies("chat.update")[-1])

    run(where, talk)


def test_a_second_group_is_called_in() -> None:
    """The card names who is asked; a reply in its thread rings, once."""
    plan = replace(approvals().plan, first_group="team", second_group="leads", escalate_s=5.0)
    people = (Approver(id="ada", groups=("team",)), Approver(id="bob", groups=("leads",)))
    where = replace(approvals(), plan=plan, people=people)
    pending = asked(where)

    async def talk(line: Line) -> None:
        await line.channel.announce(pending)
        where.clock.pass_(4)
        await line.send(tap(pending.nonce, APPROVE, user="bob"))
        assert RequestState.PENDING is await line.stands(pending)
        where.clock.pass_(10)
        await line.until(lambda: "team, leads" in json.dumps(line.slack.bodies("chat.update")))
        card, rung = line.slack.bodies("chat.postMessage")
        assert "asked now: team" in json.dumps(card)
        assert ("1700000000.000001", True) == (rung["thread_ts"], rung["reply_broadcast"])
        await line.send(tap(pending.nonce, APPROVE, user="bob"))
        assert RequestState.APPROVED is await line.stands(pending)

    run(where, talk)


PUBLIC, LOCAL = (
    OutboundEndpoint.parse("https://slack.com/api"),
    OutboundEndpoint.parse("http://127.0.0.1:1/api"),
)


@pytest.mark.parametrize(
    ("api", "url"),
    [
        (PUBLIC, "wss://wss-primary.slack.com/link/?ticket=1"),
        (PUBLIC, "wss://slack.com/link"),
        (LOCAL, "ws://127.0.0.1:5000/link"),
    ],
)
def test_a_socket_of_slacks_own_is_connected_to(api: OutboundEndpoint, url: str) -> None:
    """Encrypted, on its hosts; or where the settings put the API."""
    assert check_socket(api, url).host


@pytest.mark.parametrize(
    ("api", "url"),
    [
        (PUBLIC, "ws://wss-primary.slack.com/link"),
        (PUBLIC, "wss://evil.example/link"),
        (PUBLIC, "wss://slack.com.evil.example/link"),
        (PUBLIC, "wss://evilslack.com/link"),
        (PUBLIC, "wss://slack.com@evil.example/link"),
        (PUBLIC, "wss://169.254.169.254/link"),
        (PUBLIC, "ws://127.0.0.1:5000/link"),
        (PUBLIC, "https://slack.com/link"),
        (PUBLIC, "slack.com"),
        (PUBLIC, ""),
        (PUBLIC, "wss://"),
        (LOCAL, "ws://10.0.0.1/link"),
        (OutboundEndpoint.parse("https://localhost/api"), "ws://localhost/link"),
        (LOCAL, "ws://localhost.example/link"),
    ],
)
def test_another_socket_is_not(api: OutboundEndpoint, url: str) -> None:
    """Wherever the answer of the API would lead (T-28)."""
    with pytest.raises(CallFailed):
        check_socket(api, url)
