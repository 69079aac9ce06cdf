"""What people are told about their answers, and what exactly is kept of them."""

from __future__ import annotations

import asyncio

import pytest

from signoff.assess.level import Challenge, Level
from signoff.assess.verdict import Verdict
from signoff.challenge.channel import AnswerOutcome, ApprovalScope, OutcomeKind
from signoff.challenge.pending import PendingRequest, RequestState
from signoff.challenge.proofs.seal import Seal
from signoff.challenge.terms.approver import Approver, Identity
from signoff.challenge.terms.plan import ApprovalPlan, ChannelTerms, TooFast
from signoff.challenge.terms.step import NO_PROOF, Proof, ProofStep
from signoff.sync import run_now
from signoff.testing import InMemoryApprovals, make_request, make_response
from signoff.values import replace

FAKE = ChannelTerms(name="fake")
QUICK = ApprovalPlan(channels=(FAKE,), review_s={}, proof_review_s={})
TWO = Challenge.MULTI_PARTY
ADA = Identity("fake", "ada")


def asked(
    approvals: InMemoryApprovals,
    challenge: Challenge = Challenge.CONFIRM,
    level: Level = Level.MEDIUM,
) -> PendingRequest:
    """Ask; return the request as its card shows it."""
    approvals.ask(make_request(level=level, challenge=challenge))
    return approvals.channel.announced[-1]


def now(approvals: InMemoryApprovals, pending: PendingRequest) -> PendingRequest:
    """Return a request as it stands now."""
    found = run_now(approvals.store.get(pending.id))
    assert found is not None
    return found


def told(outcome: AnswerOutcome) -> tuple[OutcomeKind, str]:
    """Return what somebody is told."""
    return outcome.kind, outcome.words


def opened(approvals: InMemoryApprovals, id: str, who: str = "ada") -> AnswerOutcome:
    """Open a card."""
    return run_now(approvals.approval_service.open(id, Identity("fake", who)))


@pytest.fixture
def approvals() -> InMemoryApprovals:
    """Give approvals whose answers need no time."""
    return InMemoryApprovals(plan=QUICK)


def test_who_opens_a_card_is_told_what_it_takes(approvals: InMemoryApprovals) -> None:
    """The proof that is next, and nothing where there is none."""
    pending = asked(approvals, Challenge.QUIZ)
    wanted = opened(approvals, pending.id)
    stranger = opened(approvals, pending.id, "eve")
    nothing = opened(approvals, "another")
    approvals.answer(make_response(pending, verdict=Verdict.DENY))
    late = opened(approvals, pending.id)

    assert (OutcomeKind.PROOF_WANTED, "this needs a proof: quiz") == told(wanted)
    assert (pending.id, pending.next_step) == (wanted.pending and wanted.pending.id, wanted.step)
    assert (OutcomeKind.NOT_ALLOWED, "`fake:eve` is no approver") == told(stranger)
    assert stranger.pending is not None
    assert (OutcomeKind.UNKNOWN, "there is no such request") == told(nothing)
    assert (OutcomeKind.ALREADY, "already denied by ada on fake") == told(late)
    assert (None, RequestState.DENIED) == (late.step, late.pending and late.pending.state)


def test_who_may_not_answer_is_told_why(approvals: InMemoryApprovals) -> None:
    """An unknown card, an unknown person, a withdrawn request."""
    pending = asked(approvals)
    copied = approvals.answer(replace(make_response(pending), nonce="0" * 32))
    stranger = approvals.answer(make_response(pending, "eve"))
    run_now(approvals.store.move(pending.id, RequestState.WITHDRAWN, start=RequestState.PENDING))
    gone = approvals.answer(make_response(pending))

    assert "this card is not known here: it is old, or a copy" == copied.words
    assert "`fake:eve` may not answer; `signoff approvers list` shows who may" == stranger.words
    assert (OutcomeKind.TOO_LATE, "too late: it is not asked any more") == told(gone)
    assert gone.pending is not None and gone.step is None


def test_who_is_late_is_told_so(approvals: InMemoryApprovals) -> None:
    """After the end of the request."""
    pending = asked(approvals)
    approvals.clock.pass_(301)

    assert "too late: the request has expired" == approvals.answer(make_response(pending)).words


def test_a_refusal_is_confirmed_and_keeps_no_proof(approvals: InMemoryApprovals) -> None:
    """With its words and how long it took; saying no proves nothing."""
    pending = asked(approvals, Challenge.QUIZ)
    approvals.clock.pass_(0.5)
    said = approvals.answer(
        replace(make_response(pending, verdict=Verdict.DENY), words="not today")
    )
    (given,) = now(approvals, pending).answers

    assert "denied; the agent is told" == said.words
    assert said.pending is not None and said.step is None
    assert ("", "not today", 0.5) == (given.proof, given.words, given.took_s)


def test_the_parts_of_several_people_are_told(approvals: InMemoryApprovals) -> None:
    """Who did theirs, who must go on, and that one person is one."""
    pending = asked(approvals, TWO, Level.CRITICAL)
    first = approvals.answer(make_response(pending))
    second = now(approvals, pending)
    again = approvals.answer(make_response(second))

    assert "your part is done; next somebody else must give: quiz" == first.words
    assert "you gave your part; 1 more must come from somebody else" == again.words
    assert OutcomeKind.NOT_ALLOWED is again.kind


@pytest.mark.parametrize(
    ("challenge", "expected"),
    [
        (
            TWO,
            "`bob` signed you in: what takes several people takes a sign-in of your own,"
            " or another channel",
        ),
        (Challenge.CONFIRM, "approved"),
    ],
)
def test_a_sign_in_by_another_does_not_count_among_several(
    approvals: InMemoryApprovals, challenge: Challenge, expected: str
) -> None:
    """Else one person could be two; where one is enough, it counts, and is noted."""
    pending = asked(approvals, challenge, Level.HIGH)
    said = approvals.answer(replace(make_response(pending), let_in_by="bob"))
    noted = [given.words for given in now(approvals, pending).answers]

    assert expected == said.words
    assert noted == ([] if challenge is TWO else ["[signed in by bob]"])


def test_forged_answers_are_told(approvals: InMemoryApprovals) -> None:
    """What stands in the file and was not sealed here ends in a refusal, with advice."""
    pending = asked(approvals, TWO, Level.CRITICAL)
    approvals.answer(make_response(pending))
    with approvals.database.writing() as db:
        db.execute("UPDATE given SET seal = 'x' WHERE request_id = ?", (pending.id,))
    said = approvals.answer(make_response(now(approvals, pending), "bob"))

    assert "the answers so far were not given to this daemon: deny it and ask again" == said.words


def test_wrong_proofs_are_told_and_end(approvals: InMemoryApprovals) -> None:
    """Three of one person; after that somebody else must answer."""
    pending = asked(approvals, Challenge.QUIZ)
    wrong = replace(make_response(pending), proof=Proof(choices=(9,) * 3))
    empty = approvals.answer(replace(wrong, proof=NO_PROOF))
    approvals.clock.pass_(7)
    seen_s = run_now(approvals.store.seen_s(pending.id, "ada"))
    said = [approvals.answer(wrong).words for _ in range(4)]

    assert (OutcomeKind.PROOF_WANTED, "this needs a proof: quiz") == told(empty)
    assert 7 == seen_s
    assert "too many wrong answers: somebody else must answer this one" == said[-1]
    assert said[-1] not in said[:-1]


def test_a_wrong_code_is_told_and_counts_for_its_channel_only() -> None:
    """An agent that types codes in its owner's name takes no tries away elsewhere."""
    plan = replace(QUICK, channels=(FAKE, ChannelTerms(name="terminal")))
    approvals = InMemoryApprovals(plan=plan)
    pending = asked(approvals)
    bad = make_response(pending, channel="terminal", proof=Proof(code="ABCD-EFGH"))
    said = [approvals.answer(bad).words for _ in range(4)]
    tried = [run_now(approvals.store.misses(pending.id, one)) for one in ("terminal:ada", "ada")]

    assert said[0].startswith(
        "wrong confirmation code: enter the one shown where you were asked, or on the"
    )
    assert pending.card.code in said[0]
    assert "too many wrong answers: somebody else must answer this one" == said[3]
    assert [3, 0] == tried
    assert OutcomeKind.APPROVED is approvals.answer(make_response(pending)).kind


@pytest.mark.parametrize(
    ("plan", "who", "expected"),
    [
        (
            replace(QUICK, first_group="team"),
            "ada",
            "others are asked first; you may only refuse",
        ),
        (
            replace(QUICK, channels=(replace(FAKE, timeout_s=5), ChannelTerms(name="web"))),
            "ada",
            "`fake` may not approve it any more: others are asked now",
        ),
        (
            replace(QUICK, channels=(replace(FAKE, settles_up_to=Level.LOW),)),
            "ada",
            "`fake` may not settle what is medium alone",
        ),
    ],
)
def test_where_and_who_is_told(plan: ApprovalPlan, who: str, expected: str) -> None:
    """Another group first, another channel by now, a channel that settles less."""
    approvals = InMemoryApprovals(plan=plan)
    pending = asked(approvals)
    approvals.clock.pass_(60)

    assert (OutcomeKind.NOT_ALLOWED, expected) == told(
        approvals.answer(make_response(pending, who))
    )


@pytest.mark.parametrize(
    ("challenge", "edits", "is_taken"),
    [
        (Challenge.CONFIRM, frozenset({""}), True),
        (Challenge.CONFIRM, frozenset[str](), False),
        (TWO, frozenset({""}), False),
    ],
)
def test_edited_arguments_are_kept_or_refused(
    challenge: Challenge, edits: frozenset[str], *, is_taken: bool
) -> None:
    """Where the caller runs what was edited, and one person answers for all of it."""
    approvals = InMemoryApprovals(plan=replace(QUICK, edits=edits))
    pending = asked(approvals, challenge, Level.HIGH)
    said = approvals.answer(replace(make_response(pending), edited={"user_id": "usr_124"}))
    refused = "the arguments cannot be changed here: refuse it, and say what is wanted"

    assert ("approved" if is_taken else refused) == said.words
    assert (b'{"user_id":"usr_124"}' if is_taken else b"") == now(approvals, pending).edited


@pytest.mark.parametrize(("waited_s", "is_fast"), [(2.5, True), (3.0, False)])
def test_too_fast_is_told_with_the_time(waited_s: float, *, is_fast: bool) -> None:
    """In seconds from the card; at the least time it counts."""
    approvals = InMemoryApprovals()
    pending = asked(approvals)
    approvals.clock.pass_(waited_s)
    expected = "too fast: read it for 3 seconds first" if is_fast else "approved"

    assert expected == approvals.answer(make_response(pending)).words


@pytest.mark.parametrize(("verdict", "was_fast"), [(Verdict.ALLOW, True), (Verdict.DENY, False)])
def test_only_an_approval_can_be_too_fast(verdict: Verdict, *, was_fast: bool) -> None:
    """Where fast ones are marked; nobody must read long to say no."""
    approvals = InMemoryApprovals(
        plan=replace(ApprovalPlan(channels=(FAKE,)), too_fast=TooFast.MARK)
    )
    pending = asked(approvals)
    approvals.answer(make_response(pending, verdict=verdict))

    assert [was_fast] == [given.was_fast for given in now(approvals, pending).answers]


def test_an_approval_is_kept_as_it_was_given() -> None:
    """Words, proof, time, and how long it can be used, as the plan says."""
    approvals = InMemoryApprovals(plan=replace(QUICK, use_s=7.0))
    pending = asked(approvals, Challenge.QUIZ)
    approvals.clock.pass_(0.25)
    approvals.answer(replace(make_response(pending), words="go on"))
    found = now(approvals, pending)
    (given,) = found.answers

    assert ("quiz", "go on", 0.25) == (given.proof, given.words, given.took_s)
    assert 7.0 == found.ends.since(approvals.clock())


def test_a_grant_ends_after_its_minutes(approvals: InMemoryApprovals) -> None:
    """Counted from the answer, by the clock of the store, and sealed by this daemon."""
    pending = asked(approvals)
    approvals.clock.pass_(100)
    approvals.answer(replace(make_response(pending), scope=ApprovalScope.EXACT, minutes=2))
    (grant,) = approvals.grants.listed()

    assert 120 == grant.expires_s - approvals.clock().wall_s
    assert approvals.seal.of_grant(*grant.sealed) == grant.seal


def test_an_answer_in_a_terminal_is_sealed_with_its_code() -> None:
    """The daemon, which knows the code, takes it; a code of another request seals nothing."""
    plan = replace(QUICK, channels=(FAKE, ChannelTerms(name="terminal")))
    daemon = InMemoryApprovals(plan=plan)
    elsewhere = InMemoryApprovals(
        plan=plan, seal=Seal.fresh(is_coded=True), database=daemon.database
    )
    pending = asked(daemon)
    daemon.seal.learn(pending.id, pending.code)
    wide = replace(make_response(pending, channel="terminal"), scope=ApprovalScope.EXACT, minutes=5)
    elsewhere.answer(wide)
    coded = daemon.seal.by_code(pending.id)
    (grant,) = daemon.grants.listed()

    assert daemon.seal.holds(now(daemon, pending))
    assert coded is not None
    assert coded.of_grant(*grant.sealed) == grant.seal


def test_who_loses_to_a_refusal_is_told_by_whom() -> None:
    """Settled while an explanation was read."""
    validator = SlowValidator()
    approvals = InMemoryApprovals(plan=QUICK, validator=validator)
    pending = asked(approvals, Challenge.TEACH_BACK)
    answers = (
        make_response(pending),
        make_response(pending, "bob", verdict=Verdict.DENY),
    )

    async def both() -> list[AnswerOutcome]:
        return list(await asyncio.gather(*map(approvals.approval_service.answer, answers)))

    late, first = run_now(both())

    assert OutcomeKind.DENIED is first.kind
    assert (OutcomeKind.ALREADY, "already denied by bob on fake") == told(late)


class SlowValidator:
    """Reads explanations, and lets others answer meanwhile."""

    def __init__(self) -> None:
        self.read: list[tuple[str, ProofStep, str]] = []

    async def validate(self, text: str, step: ProofStep, headline: str) -> str:
        """Return ""."""
        self.read.append((text, step, headline))
        await asyncio.sleep(0)
        return ""


def test_of_two_answers_to_one_step_one_counts() -> None:
    """The other person is told to look again, as the request is still open."""
    validator = SlowValidator()
    approvals = InMemoryApprovals(plan=QUICK, validator=validator)
    pending = asked(approvals, TWO, Level.CRITICAL)

    async def both() -> list[AnswerOutcome]:
        answers = (make_response(pending, who) for who in ("ada", "bob"))
        return list(await asyncio.gather(*map(approvals.approval_service.answer, answers)))

    first, second = run_now(both())
    texts = make_response(pending).proof.text

    assert OutcomeKind.STEP is first.kind
    assert (
        OutcomeKind.ALREADY,
        "somebody else answered in this moment; look at the request again",
    ) == told(second)
    assert second.pending is not None and 1 == len(second.pending.answers)
    assert [(texts, pending.steps[0], pending.card.headline)] * 2 == validator.read


def test_a_settled_request_has_no_next_step(approvals: InMemoryApprovals) -> None:
    """Whoever approved it last is told what became of it, with the request as it is now."""
    pending = asked(approvals)
    said = approvals.answer(make_response(pending))

    assert (RequestState.APPROVED, None) == (said.pending and said.pending.state, said.step)


def test_a_refused_request_of_several_has_no_next_step(approvals: InMemoryApprovals) -> None:
    """Though a proof is missing, nobody is asked for it any more."""
    pending = asked(approvals, TWO, Level.CRITICAL)
    said = approvals.answer(make_response(pending, verdict=Verdict.DENY))

    assert (OutcomeKind.DENIED, None) == (said.kind, said.step)


def test_who_is_no_approver_any_more_may_not_answer(approvals: InMemoryApprovals) -> None:
    """Though they were one when they were asked."""
    pending = asked(approvals)
    approvals.people = (Approver(id="bob"),)

    assert OutcomeKind.NOT_ALLOWED is approvals.answer(make_response(pending)).kind
