"""The ledger and the seals of a process: what a file says counts only as far as they know it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from signoff.assess.level import Challenge, Level
from signoff.challenge.channel import OutcomeKind
from signoff.challenge.pending import NewRequest, PendingRequest, RequestState
from signoff.challenge.proofs.ledger import ALARMS_KEPT, SLACK_S, Alarms, RequestLedger
from signoff.challenge.proofs.seal import USE_PREFIX, Seal
from signoff.challenge.terms.plan import ApprovalPlan, ChannelTerms
from signoff.sync import run_now
from signoff.testing import InMemoryApprovals, make_request, make_response
from signoff.values import replace

PLAN = ApprovalPlan(channels=(ChannelTerms(name="fake"),), review_s={}, proof_review_s={})
TTL_S = 300.0


@pytest.fixture
def approvals() -> InMemoryApprovals:
    """Return approvals whose answers need no time."""
    return InMemoryApprovals(plan=PLAN)


@pytest.fixture
def pending(approvals: InMemoryApprovals) -> PendingRequest:
    """Return a request that waits, as it is kept."""
    approvals.ask(make_request())
    found = run_now(approvals.store.get(approvals.channel.announced[-1].id))
    assert found is not None
    return found


@pytest.fixture
def approved(approvals: InMemoryApprovals, pending: PendingRequest) -> PendingRequest:
    """Return the same after a yes."""
    assert approvals.answer(make_response(pending)).kind is OutcomeKind.APPROVED
    found = run_now(approvals.store.get(pending.id))
    assert found is not None
    return found


def asked_again(pending: PendingRequest, **fields: Any) -> NewRequest:  # noqa: ANN401 - any field
    """Return what would be stored if the same were asked now, with other fields."""
    new = NewRequest(
        id="another",
        nonce="0" * 32,
        digest=pending.digest,
        action=pending.action,
        card=pending.card,
        level=pending.level,
        challenge=pending.challenge,
        steps=pending.steps,
        context=pending.context,
        ttl_s=TTL_S,
    )
    return replace(new, **fields)


CHANGES: dict[str, Callable[[PendingRequest], dict[str, object]]] = {
    "digest": lambda _: {"digest": "0" * 64},
    "action": lambda _: {"action": b"{}"},
    "level": lambda _: {"level": Level.LOW},
    "challenge": lambda _: {"challenge": Challenge.MULTI_PARTY},
    "steps": lambda _: {"steps": ()},
    "card": lambda one: {"card": replace(one.card, headline="something else")},
    "context": lambda one: {"context": replace(one.context, tool="Other")},
    "expiry": lambda _: {"ttl_s": TTL_S / 2},
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_row_of_nobody_is_joined_only_if_it_asks_the_same(
    approvals: InMemoryApprovals,
    pending: PendingRequest,
    change: Callable[[PendingRequest], dict[str, object]],
) -> None:
    """Each part counts by itself; what is not joined stays unknown."""
    ledger, now = RequestLedger(), approvals.clock()
    other = asked_again(pending, **change(pending))

    assert not ledger.joins(pending, other, now)
    assert not ledger.knows(pending.id)
    assert ledger.joins(pending, asked_again(pending), now)
    assert ledger.knows(pending.id)


def test_the_agents_words_may_differ(approvals: InMemoryApprovals, pending: PendingRequest) -> None:
    """So may the state of the log, and the id of the call."""
    context = replace(pending.context, call_id="another")
    card = replace(pending.card, said=("other words",), log="another head")
    new = asked_again(pending, card=card, context=context, ttl_s=TTL_S - SLACK_S)

    assert RequestLedger().joins(pending, new, approvals.clock())


def test_a_denial_is_joined_and_what_was_spoilt_is_not(
    approvals: InMemoryApprovals, pending: PendingRequest
) -> None:
    """A refusal may be somebody's own: it refuses; a row that was edited is good for nothing."""
    ledger, now = RequestLedger(), approvals.clock()
    denied = replace(pending, state=RequestState.DENIED)
    assert ledger.joins(denied, asked_again(pending, digest="0" * 64), now)

    ledger.opened(pending)
    assert ledger.joins(pending, asked_again(pending), now)
    ledger.spoil(pending.id, "was edited")
    assert not ledger.joins(pending, asked_again(pending), now)


def test_a_row_that_is_gone_is_tampering_while_it_is_open(pending: PendingRequest) -> None:
    """Once it is done, it may be cleared away."""
    ledger = RequestLedger()
    ledger.opened(pending)
    ledger.opened(replace(pending, id="done", state=RequestState.DONE))
    ledger.opened(replace(pending, id="allowed", state=RequestState.APPROVED))
    assert ledger.open_ids() == (pending.id, "allowed")

    ledger.missing("done")
    ledger.missing("unknown")
    assert (ledger.spoilt_ids(), ledger.alarms.told()) == ((), ())

    ledger.missing(pending.id)
    assert ledger.spoilt_ids() == (pending.id,)
    assert ledger.open_ids() == ("allowed",)
    (told,) = ledger.alarms.told()
    assert "was deleted from the file while it was open" in told
    assert pending.id[:8] in told


EDITS: dict[str, Callable[[PendingRequest], PendingRequest]] = {
    "another call": lambda one: replace(one, action=b"{}"),
    "another card": lambda one: replace(one, card=replace(one.card, headline="harmless")),
    "another code": lambda one: replace(one, verifier="0" * 64),
    "set back": lambda one: replace(one, state=RequestState.PENDING, answers=()),
    "without its answer": lambda one: replace(one, answers=()),
    "more time": lambda one: replace(one, ends=replace(one.ends, wall_s=one.ends.wall_s + 1)),
}


@pytest.mark.parametrize("edit", EDITS.values(), ids=EDITS)
def test_an_edited_row_is_read_as_expired_for_good(
    approved: PendingRequest, edit: Callable[[PendingRequest], PendingRequest]
) -> None:
    """One alarm, whatever is read later."""
    ledger = RequestLedger()
    ledger.opened(approved)
    assert ledger.checked(approved) == approved

    assert ledger.checked(edit(approved)).state is RequestState.EXPIRED
    assert ledger.checked(approved).state is RequestState.EXPIRED
    assert len(ledger.alarms.told()) == 1


def test_alarms_are_told_once_and_counted_beyond_a_bound() -> None:
    """Listeners hear each of them as it is told."""
    alarms, heard = Alarms(), list[str]()
    alarms.listeners.append(heard.append)
    for number in range(ALARMS_KEPT + 3):
        alarms.tell(f"request {number}", f"number {number}")
        alarms.tell(f"request {number % ALARMS_KEPT}", "again")

    assert heard == [f"TAMPERING: number {number}" for number in range(ALARMS_KEPT)]
    assert alarms.told() == (*heard, "TAMPERING: 3 more, not listed")


def test_an_approval_is_used_by_one_process_only(
    approvals: InMemoryApprovals, approved: PendingRequest
) -> None:
    """Those that do not know the key ask the daemon, which says yes once."""
    asked: list[str] = []

    def daemon(prefix: str, parts: Sequence[str], seal: str) -> bool:
        asked.append(prefix)
        return prefix == USE_PREFIX and approvals.seal.uses(parts, seal)

    first, second = Seal.fresh(daemon), Seal.fresh(daemon)
    (given,) = approved.answers
    forged = replace(approved, answers=(replace(given, seal="0" * 64),))
    moved = replace(approved, id="another")

    assert not second.claim(forged)
    assert not Seal.fresh(daemon).claim(moved)
    assert first.claim(approved)
    assert not first.claim(approved)
    assert not second.claim(approved)
    assert asked == [USE_PREFIX] * 4


def test_a_process_uses_what_it_sealed_itself_without_the_daemon(
    approvals: InMemoryApprovals, approved: PendingRequest
) -> None:
    """There may be none; what it did not seal is not used without one."""

    def nobody(*_: object) -> bool:
        raise AssertionError("the daemon was asked")

    assert Seal(approvals.seal.key, nobody).claim(approved)
    assert not Seal.fresh(lambda *_: False).claim(approved)


def test_a_forged_answer_spoils_what_was_opened_here(pending: PendingRequest) -> None:
    """Of a row that was adopted it may only be old; of an unknown one nothing is known."""
    ledger = RequestLedger()
    ledger.opened(pending)
    ledger.opened(replace(pending, id="adopted"), is_adopted=True)
    for id in ("adopted", "unknown", pending.id, pending.id):
        ledger.forged(id)

    assert ledger.spoilt_ids() == (pending.id,)
    (told,) = ledger.alarms.told()
    assert "has an answer that nobody gave" in told


def test_each_spoilt_request_is_told_by_its_first_eight_letters(pending: PendingRequest) -> None:
    """Two that begin alike are two alarms."""
    ledger = RequestLedger()
    for id in ("12345678abc", "12345678def"):
        ledger.opened(replace(pending, id=id))
        ledger.spoil(id, f"was edited ({id[8:]})")

    assert [one.partition("request ")[2].partition(";")[0] for one in ledger.alarms.told()] == [
        "12345678 was edited (abc)",
        "12345678 was edited (def)",
    ]


def test_a_change_that_could_not_be_stored_is_taken_back(pending: PendingRequest) -> None:
    """And one of a request that nobody knew leaves nothing."""
    ledger = RequestLedger()
    ledger.opened(pending)
    before = ledger.entry(pending.id)
    assert ledger.moves(pending.id, RequestState.APPROVED)
    assert ledger.entry(pending.id) != before

    ledger.take_back(pending.id, before)
    ledger.take_back("unknown", None)

    assert ledger.entry(pending.id) == before
    assert ledger.entry("unknown") is None


def test_a_request_moves_along_its_arrows_only(pending: PendingRequest) -> None:
    """A step back spoils it; expiry is always possible; of others nothing is known."""
    ledger = RequestLedger()
    ledger.opened(pending)
    assert ledger.moves("unknown", RequestState.DONE)
    ledger.opened(replace(pending, id="done", state=RequestState.DONE))
    assert ledger.moves("done", RequestState.EXPIRED)
    assert ledger.moves(pending.id, RequestState.APPROVED)
    assert ledger.moves(pending.id, RequestState.EXECUTING)

    assert not ledger.moves(pending.id, RequestState.APPROVED)
    assert ledger.spoilt_ids() == (pending.id,)
    assert not ledger.moves(pending.id, RequestState.DONE)
    assert "was set back before it was moved to approved" in ledger.alarms.told()[0]


def test_what_is_kept_may_have_had_other_words(
    approvals: InMemoryApprovals, pending: PendingRequest
) -> None:
    """Words, log and call of the row are no more looked at than those of the new one."""
    kept = replace(
        pending,
        card=replace(pending.card, said=("words",), log="head"),
        context=replace(pending.context, call_id="call"),
    )
    new = asked_again(
        pending,
        card=replace(pending.card, said=(), log=""),
        context=replace(pending.context, call_id=""),
    )

    assert RequestLedger().joins(kept, new, approvals.clock())


@pytest.mark.parametrize(
    "change", [{"step": 1}, {"verdict": "deny"}, {"proof": "quiz"}], ids=lambda one: next(iter(one))
)
def test_an_answer_holds_only_for_its_step(
    approvals: InMemoryApprovals, approved: PendingRequest, change: dict[str, Any]
) -> None:
    """However well it is sealed."""
    (given,) = approved.answers
    assert approvals.seal.holds(approved)
    other = replace(given, **change)
    sealed = approvals.seal.of_answer(approved, other, RequestState.APPROVED, approved.edited)

    assert not approvals.seal.holds(replace(approved, answers=(replace(other, seal=sealed),)))


def test_fewer_or_more_answers_than_steps_hold_nothing(
    approvals: InMemoryApprovals, approved: PendingRequest
) -> None:
    """Nor none, where none is asked for."""
    twice = (*approved.steps, *approved.steps)

    assert not approvals.seal.holds(replace(approved, answers=()))
    assert not approvals.seal.holds(replace(approved, answers=(), steps=()))
    assert not approvals.seal.holds(replace(approved, steps=twice))


def test_what_was_typed_with_a_code_is_used_by_who_knows_the_code(
    pending: PendingRequest, approved: PendingRequest
) -> None:
    """Without asking the daemon; another code is not good for it."""
    code, (given,) = "ABCDEFGH", approved.answers
    by_code = Seal.fresh().by_code(pending.id, code)
    assert by_code is not None
    sealed = by_code.of_answer(approved, given, RequestState.APPROVED, approved.edited)
    typed = replace(approved, answers=(replace(given, seal=sealed),))

    for known, is_used in ((code, True), ("HGFEDCBA", False)):
        seal = Seal.fresh(lambda *_: False)
        seal.learn(pending.id, known)
        assert seal.claim(typed) is is_used


@pytest.mark.parametrize(
    "change",
    [
        {"step": 7},
        {"approver": "eve"},
        {"channel": "terminal"},
        {"at_s": 1.0},
        {"took_s": 1_000.0},
        {"was_fast": True},
        {"words": "other words"},
    ],
    ids=lambda one: next(iter(one)),
)
def test_a_seal_is_over_everything_an_answer_says(
    approvals: InMemoryApprovals, approved: PendingRequest, change: dict[str, Any]
) -> None:
    """No part of it can be changed in the file."""
    (given,) = approved.answers
    edited = replace(approved, answers=(replace(given, **change),))

    assert approvals.seal.holds_so_far(replace(approved, answers=()))
    assert not approvals.seal.holds(edited)


def test_every_answer_of_several_is_sealed(approvals: InMemoryApprovals) -> None:
    """A forged one beside a good one is none, whichever comes first."""
    approvals.ask(make_request(level=Level.CRITICAL))
    pending = approvals.channel.announced[-1]
    for who in ("ada", "bob"):
        now = run_now(approvals.store.get(pending.id))
        assert now is not None
        approvals.answer(make_response(now, who))
    done = run_now(approvals.store.get(pending.id))
    assert done is not None
    assert approvals.seal.holds(done)

    first, second = done.answers
    for answers in (
        (replace(first, seal="0" * 64), second),
        (first, replace(second, seal="0" * 64)),
        (replace(first, seal=second.seal), second),
    ):
        assert not approvals.seal.holds(replace(done, answers=answers))
    one_code = replace(done, answers=tuple(replace(one, approver="ada") for one in done.answers))
    assert not approvals.seal.holds(one_code)


def test_a_time_that_ends_early_is_told(pending: PendingRequest) -> None:
    """T-61: who shortens a request's time takes its question away from people."""
    ledger = RequestLedger()
    ledger.opened(pending)

    ledger.ended(pending.id, pending.created)

    assert "less time" in ledger.alarms.told()[0]


def test_a_time_that_is_over_is_not_told(pending: PendingRequest) -> None:
    """The control: at its end, and after a jump of the clock."""
    ledger = RequestLedger()
    ledger.opened(pending)

    ledger.ended(pending.id, None)
    ledger.ended(pending.id, pending.ends)

    assert ledger.alarms.told() == ()
