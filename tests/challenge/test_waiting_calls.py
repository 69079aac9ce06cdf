"""Calls that wait for people are bounded, and a session past its bound is told so."""

from __future__ import annotations

import asyncio

import pytest

from signoff.assess.verdict import Verdict
from signoff.challenge.channel import OutcomeKind
from signoff.challenge.pending import TooManyWaiting, WaitingLimits
from signoff.challenge.people.waiting_calls import WaitingCalls
from signoff.challenge.proofs.seal import CODED_CHANNEL
from signoff.challenge.terms.plan import ChannelTerms
from signoff.challenge.terms.step import Proof
from signoff.testing import InMemoryApprovals, make_request, make_response
from signoff.values import replace


def test_each_session_has_its_own_bound() -> None:
    """One that is full takes nothing from another, and who leaves makes room."""
    waiting = WaitingCalls(WaitingLimits(overall=3, per_session=1))

    with waiting.entered("codex", "a", is_held=False):
        with pytest.raises(TooManyWaiting, match="1 call of this session waits"):
            waiting.entered("codex", "a", is_held=False).__enter__()
        with waiting.entered("codex", "b", is_held=False):
            pass
    with waiting.entered("codex", "a", is_held=False):
        pass


def test_hooks_that_wait_leave_connections_to_others() -> None:
    """What holds none may wait all the same."""
    waiting = WaitingCalls(WaitingLimits(), most_held=1)

    with (
        waiting.entered("codex", "a", is_held=True),
        waiting.entered("codex", "b", is_held=False),
        pytest.raises(TooManyWaiting, match="may open no more connections"),
    ):
        waiting.entered("codex", "c", is_held=True).__enter__()


def test_a_call_without_room_is_refused_in_words() -> None:
    """Nobody is asked, and silence is no."""
    approvals = InMemoryApprovals()
    people = replace(approvals.asking(), waiting=WaitingCalls(WaitingLimits(overall=0)))

    answer = asyncio.run(people.ask(make_request()))

    assert answer is not None
    assert Verdict.DENY is answer.verdict
    assert "so nobody is asked" in answer.words
    assert [] == approvals.channel.announced


def test_wrong_codes_take_no_tries_from_the_owner_elsewhere() -> None:
    """An agent of the same user can type codes; it must not lock the owner out of a messenger."""
    approvals = InMemoryApprovals()
    terms = (ChannelTerms(name="fake"), ChannelTerms(name=CODED_CHANNEL))
    approvals.plan = replace(approvals.plan, channels=terms, coded=frozenset({CODED_CHANNEL}))

    async def steps() -> list[OutcomeKind]:
        waiting = asyncio.create_task(approvals.asking().ask(make_request()))
        while not approvals.channel.announced:
            await asyncio.sleep(0.01)
        pending = approvals.channel.announced[-1]
        guess = replace(
            make_response(pending, channel=CODED_CHANNEL), proof=Proof(code="AAAA-AAAA")
        )
        kinds = [
            (await approvals.approval_service.answer(guess)).kind
            for _ in range(approvals.plan.tries + 1)
        ]
        approvals.clock.pass_(20)
        kinds.append((await approvals.approval_service.answer(make_response(pending))).kind)
        waiting.cancel()
        return kinds[-3:]

    assert [
        OutcomeKind.WRONG_PROOF,
        OutcomeKind.NOT_ALLOWED,
        OutcomeKind.APPROVED,
    ] == asyncio.run(steps())
