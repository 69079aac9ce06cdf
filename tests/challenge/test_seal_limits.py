"""Seals and the ledger at their limits: what is forgotten, what is told, what a seal is made of."""

from __future__ import annotations

import hashlib
import hmac

import pytest

from signoff.assess.level import Challenge, Level
from signoff.assess.verdict import Verdict
from signoff.challenge.pending import Given, NewRequest, PendingRequest, RequestState
from signoff.challenge.proofs import ledger as ledgers
from signoff.challenge.proofs import seal as seals
from signoff.challenge.proofs.ledger import RequestLedger
from signoff.challenge.proofs.seal import (
    ANSWER_PREFIX,
    CODE_LENGTH,
    Seal,
    is_code,
    plain_code,
    spaced,
    verifier_of,
)
from signoff.challenge.terms.plan import ApprovalPlan, ChannelTerms
from signoff.sync import run_now
from signoff.testing import InMemoryApprovals, make_action, make_request, make_response
from signoff.values import replace

CODE = "ABCDEFGH"
QUICK = ApprovalPlan(
    channels=(ChannelTerms(name="fake"), ChannelTerms(name="terminal")),
    review_s={},
    proof_review_s={},
)


@pytest.fixture
def approvals() -> InMemoryApprovals:
    """Give approvals whose answers need no time."""
    return InMemoryApprovals(plan=QUICK)


def asked(
    approvals: InMemoryApprovals, number: int = 0, **fields: Level | Challenge
) -> PendingRequest:
    """Ask about another call each time."""
    approvals.ask(make_request(action=make_action(number=number), **fields))  # type: ignore[arg-type]  # level, challenge
    return approvals.channel.announced[-1]


def approved(approvals: InMemoryApprovals, number: int) -> PendingRequest:
    """Return a request that was approved."""
    pending = asked(approvals, number)
    approvals.answer(make_response(pending))
    found = run_now(approvals.store.get(pending.id))
    assert found is not None
    return found


def as_new(pending: PendingRequest) -> NewRequest:
    """Return what would be asked to open the same request."""
    return NewRequest(
        id="another",
        nonce="another",
        digest=pending.digest,
        action=pending.action,
        card=pending.card,
        level=pending.level,
        challenge=pending.challenge,
        steps=pending.steps,
        context=pending.context,
    )


def test_the_ledger_forgets_the_oldest(
    approvals: InMemoryApprovals, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It remembers as many as it keeps, and no more."""
    monkeypatch.setattr(ledgers, "KEPT", 2)
    book, requests = RequestLedger(), [asked(approvals, number) for number in range(3)]
    for pending in requests[:2]:
        book.opened(pending)
    assert book.knows(requests[0].id)
    book.opened(requests[2])

    assert [False, True, True] == [book.knows(one.id) for one in requests]


def test_an_alarm_says_what_is_wrong(approvals: InMemoryApprovals) -> None:
    """Which request, and what is not as it was."""
    book, pending = RequestLedger(), asked(approvals)
    book.opened(pending)
    book.checked(replace(pending, digest="0" * 64))

    assert (
        f"TAMPERING: request {pending.id[:8]} was edited: its call, card, proofs or terms are not"
        " those it was opened with; it was not changed by signoff, and is refused",
    ) == book.alarms.told()


@pytest.mark.parametrize("is_joined", [True, False])
def test_answers_of_an_adopted_request_may_be_old(
    approvals: InMemoryApprovals, *, is_joined: bool
) -> None:
    """Its answers were sealed by a daemon that has ended: that is no tampering."""
    book, pending = RequestLedger(), asked(approvals)
    if is_joined:
        assert book.joins(pending, as_new(pending), approvals.clock())
    else:
        book.opened(pending, is_adopted=True)
    book.checked(pending)
    book.forged(pending.id)

    assert () == book.spoilt_ids()


def test_what_is_settled_moves_no_further(approvals: InMemoryApprovals) -> None:
    """That is tampering, and nothing that fails."""
    book, pending = RequestLedger(), asked(approvals)
    book.opened(replace(pending, state=RequestState.DENIED))

    assert not book.moves(pending.id, RequestState.APPROVED)
    assert (pending.id,) == book.spoilt_ids()


@pytest.mark.parametrize(
    "state", [RequestState.APPROVED, RequestState.EXECUTING, RequestState.DONE]
)
def test_what_another_process_moves_on_is_believed(
    approvals: InMemoryApprovals, state: RequestState
) -> None:
    """With the time that the new state has; only in the same state it must not change."""
    book, pending = RequestLedger(), asked(approvals)
    book.opened(pending)
    later = replace(pending.ends, wall_s=pending.ends.wall_s + 60, running_s=9.0)

    assert state is book.checked(replace(pending, state=state, ends=later)).state
    assert () == book.alarms.told()


def test_a_fresh_seal_is_of_its_key(approvals: InMemoryApprovals) -> None:
    """Not of a typed code, unless it is made for that."""
    pending, fresh = asked(approvals), Seal.fresh()
    coded = Seal.fresh(is_coded=True)

    assert fresh.for_answer(pending.id, CODE) is fresh
    assert coded.for_answer(pending.id, CODE) is not coded
    assert coded.for_answer(pending.id, "") is coded
    assert 32 == len(fresh.key)


def test_the_oldest_codes_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    """As many are known as can wait."""
    monkeypatch.setattr(seals, "MOST_WAITING", 2)
    fresh = Seal.fresh()
    fresh.learn("r1", CODE)
    fresh.learn("r2", CODE)
    assert fresh.by_code("r1") is not None
    fresh.learn("r3", CODE)

    assert [True, False, False] == [fresh.by_code(id) is None for id in ("r1", "r2", "r3")]


def test_one_code_is_another_key_for_another_request() -> None:
    """Else a code that was seen once would seal answers to other requests."""
    one, other = (Seal.fresh().by_code(id, CODE) for id in ("r1", "r2"))

    assert one is not None and other is not None
    assert one.key != other.key


def test_the_oldest_uses_are_forgotten(
    approvals: InMemoryApprovals, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each approval is used once among those that are kept."""
    monkeypatch.setattr(seals, "SEALS_KEPT", 2)
    first, second, third = (approved(approvals, number) for number in range(3))
    used = [approvals.seal.claim(one) for one in (first, second, first, third, second, third)]

    assert [True, True, False, True, False, False] == used
    assert approvals.seal.claim(first)


def test_an_answer_taken_here_costs_no_slow_hash(approvals: InMemoryApprovals) -> None:
    """Its own key proves it; the key of the code is for what was typed elsewhere."""
    before = seals._code_key.cache_info().misses
    pending = approved(approvals, 1)

    assert approvals.seal.holds(pending)
    assert approvals.seal.claim(pending)
    assert before == seals._code_key.cache_info().misses


def test_one_code_seals_one_answer_of_several() -> None:
    """Who knows the code is one person, whatever names they type."""
    daemon = InMemoryApprovals(plan=QUICK)
    elsewhere = InMemoryApprovals(
        plan=QUICK, seal=Seal.fresh(is_coded=True), database=daemon.database
    )
    pending = asked(daemon, level=Level.CRITICAL, challenge=Challenge.MULTI_PARTY)
    daemon.seal.learn(pending.id, pending.code)
    elsewhere.seal.learn(pending.id, pending.code)
    given = [
        replace(
            Given(
                step=step,
                approver=who,
                channel="terminal",
                verdict=Verdict.ALLOW.value,
                proof=pending.steps[step].kind.value,
            ),
            seal="",
        )
        for step, who in enumerate(("ada", "bob"))
    ]
    coded = daemon.seal.by_code(pending.id)
    assert coded is not None
    ends = (RequestState.PENDING, RequestState.APPROVED)
    sealed = [
        replace(one, seal=coded.of_answer(pending, one, to, b""))
        for one, to in zip(given, ends, strict=True)
    ]
    mixed = [
        replace(given[0], seal=daemon.seal.of_answer(pending, given[0], ends[0], b"")),
        sealed[1],
    ]

    assert not daemon.seal.holds(replace(pending, answers=tuple(sealed)))
    assert daemon.seal.holds(replace(pending, answers=tuple(mixed)))


def test_a_seal_is_a_keyed_hash_over_parts_with_their_lengths() -> None:
    """As written here by hand: seals of one daemon are checked by others."""
    key, parts = b"k" * 32, ("one", "é", "")
    text = b"3:one" + b"2:\xc3\xa9" + b"0:"
    expected = hmac.new(key, b"signoff-grant-v2\0" + text, hashlib.sha256).hexdigest()

    assert expected == Seal(key).of_grant(*parts)


def test_a_seal_is_of_one_step(approvals: InMemoryApprovals) -> None:
    """The same words for another step have another seal."""
    pending = asked(approvals)
    given = Given(step=0, approver="ada", channel="fake", verdict="allow", proof="confirm")
    found = {
        approvals.seal.of_answer(pending, replace(given, step=step), RequestState.APPROVED, b"")
        for step in (0, 1)
    }

    assert 2 == len(found)
    assert not approvals.seal.made(ANSWER_PREFIX, ("x",), next(iter(found)))


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("abcd-efgh", CODE),
        (" ab cd ef gh ", CODE),
        ("-" * 56 + CODE, CODE),
        ("-" * 57 + CODE, CODE[:-1]),
        ("0O1I", ""),
    ],
)
def test_a_code_is_read_from_its_first_64_characters(typed: str, expected: str) -> None:
    """Without what no code holds."""
    assert expected == plain_code(typed)


@pytest.mark.parametrize(
    ("code", "expected"), [(CODE, "ABCD-EFGH"), ("ABC", "ABC"), ("", ""), (CODE * 2, CODE * 2)]
)
def test_a_code_is_shown_in_two_halves(code: str, expected: str) -> None:
    """Anything else as it is."""
    assert expected == spaced(code)


@pytest.mark.parametrize(
    ("code", "is_right"),
    [(CODE, True), ("abcd efgh", True), ("ABCDEFGJ", False), ("ABCDEFG", False), ("", False)],
)
def test_only_the_whole_code_is_right(
    approvals: InMemoryApprovals, code: str, *, is_right: bool
) -> None:
    """And nothing is where a request takes none."""
    pending = asked(approvals)
    with_code = replace(pending, verifier=verifier_of(CODE, pending.id))

    assert CODE_LENGTH == len(CODE)
    assert is_right == is_code(code, with_code)
    assert not is_code(code, replace(pending, verifier=""))
