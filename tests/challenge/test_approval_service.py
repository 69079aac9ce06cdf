"""The approval service: who may answer, with which proof and time, and what they are told."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from datetime import date, time

import pytest

from signoff.assess.level import Challenge, Level
from signoff.assess.verdict import Verdict
from signoff.challenge.channel import ApprovalScope, OutcomeKind, Response
from signoff.challenge.on_call.rota import Rota
from signoff.challenge.pending import SEVERAL, PendingRequest, RequestState
from signoff.challenge.terms.approver import Approver, Identity
from signoff.challenge.terms.plan import ApprovalPlan, ChannelTerms, TooFast
from signoff.challenge.terms.step import NO_PROOF, Proof
from signoff.errors import StoreError
from signoff.sync import run_now
from signoff.testing import InMemoryApprovals, make_request, make_response
from signoff.values import replace

FAKE = ChannelTerms(name="fake")


@pytest.fixture
def approvals() -> InMemoryApprovals:
    """Give everything people are asked with."""
    return InMemoryApprovals()


def asked(
    approvals: InMemoryApprovals, *, level: Level = Level.MEDIUM, challenge: Challenge | None = None
) -> PendingRequest:
    """Ask about a call and let the card be read."""
    approvals.ask(make_request(level=level, challenge=challenge))
    approvals.clock.pass_(60)
    return now(approvals)


def now(approvals: InMemoryApprovals) -> PendingRequest:
    """Return the request that was announced last as it stands now."""
    announced = approvals.channel.announced[-1]
    found = run_now(approvals.store.get(announced.id))
    assert found is not None
    return replace(found, code=announced.code)


def said(approvals: InMemoryApprovals, response: Response) -> tuple[OutcomeKind, RequestState]:
    """Answer; return what came of it and where the request stands."""
    return approvals.answer(response).kind, now(approvals).state


@pytest.mark.parametrize(
    ("verdict", "expected"),
    [
        (Verdict.ALLOW, (OutcomeKind.APPROVED, RequestState.APPROVED)),
        (Verdict.DENY, (OutcomeKind.DENIED, RequestState.DENIED)),
        (Verdict.ASK, (OutcomeKind.DENIED, RequestState.DENIED)),
    ],
)
def test_an_answer_settles_it(
    approvals: InMemoryApprovals, verdict: Verdict, expected: tuple[OutcomeKind, RequestState]
) -> None:
    """Whatever is no approval is a refusal."""
    assert said(approvals, make_response(asked(approvals), verdict=verdict)) == expected


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (Verdict.ALLOW, Verdict.DENY),
        (Verdict.DENY, Verdict.ALLOW),
        (Verdict.ALLOW, Verdict.ALLOW),
    ],
)
def test_who_comes_second_is_told_so(
    approvals: InMemoryApprovals, first: Verdict, second: Verdict
) -> None:
    """T-32: on whatever channel, with the name of the first."""
    pending = asked(approvals)
    approvals.answer(make_response(pending, verdict=first))
    state = now(approvals).state

    outcome = approvals.answer(make_response(pending, "bob", verdict=second, channel="web"))

    assert (outcome.kind, now(approvals).state) == (OutcomeKind.ALREADY, state)
    assert "by ada on fake" in outcome.words


@pytest.mark.parametrize(
    ("offset_s", "expected"),
    [
        (-0.001, (OutcomeKind.APPROVED, RequestState.APPROVED)),
        (0.0, (OutcomeKind.TOO_LATE, RequestState.EXPIRED)),
        (0.001, (OutcomeKind.TOO_LATE, RequestState.EXPIRED)),
    ],
)
def test_a_late_answer_is_told_so(
    approvals: InMemoryApprovals, offset_s: float, expected: tuple[OutcomeKind, RequestState]
) -> None:
    """T-31: one millisecond before the end, at it, after it."""
    approvals.ask(make_request())
    approvals.clock.pass_(300 + offset_s)

    assert said(approvals, make_response(now(approvals))) == expected


@pytest.mark.parametrize(
    "change",
    [
        {"nonce": "0" * 32},
        {"nonce": ""},
        {"nonce": "é"},
        {"request_id": "another"},
    ],
)
def test_an_old_or_copied_card_is_not_known(
    approvals: InMemoryApprovals, change: dict[str, str]
) -> None:
    """T-38: nothing is said about whether there is such a request."""
    response = replace(make_response(asked(approvals)), **change)  # type: ignore[arg-type]  # texts

    assert said(approvals, response) == (OutcomeKind.UNKNOWN, RequestState.PENDING)


@pytest.mark.parametrize("who", ["vic", "eve", ""])
@pytest.mark.parametrize("verdict", [Verdict.ALLOW, Verdict.DENY])
def test_only_approvers_answer(approvals: InMemoryApprovals, who: str, verdict: Verdict) -> None:
    """Neither strangers nor viewers, nor with a refusal."""
    response = make_response(asked(approvals), who, verdict=verdict)

    assert said(approvals, response) == (OutcomeKind.NOT_ALLOWED, RequestState.PENDING)


@pytest.mark.parametrize(
    ("level", "challenge", "least_s"),
    [
        (Level.LOW, Challenge.CONFIRM, 3),
        (Level.MEDIUM, Challenge.CONFIRM, 3),
        (Level.HIGH, Challenge.CONFIRM, 10),
        (Level.HIGH, Challenge.QUIZ, 10),
        (Level.MEDIUM, Challenge.TEACH_BACK, 30),
        (Level.CRITICAL, Challenge.CONFIRM, 30),
    ],
)
def test_an_approval_takes_time(
    approvals: InMemoryApprovals, level: Level, challenge: Challenge, least_s: float
) -> None:
    """The longer of what the level and the proof ask for; a moment less does not count."""
    approvals.ask(make_request(level=level, challenge=challenge))
    approvals.clock.pass_(least_s - 0.001)
    early = said(approvals, make_response(now(approvals)))
    approvals.clock.pass_(0.001)

    assert early == (OutcomeKind.TOO_FAST, RequestState.PENDING)
    assert said(approvals, make_response(now(approvals)))[0] is OutcomeKind.APPROVED


def test_time_counts_from_when_somebody_sees_the_card(approvals: InMemoryApprovals) -> None:
    """However long it lay there before."""
    pending = asked(approvals)
    run_now(approvals.approval_service.open(pending.id, Identity("fake", "ada")))
    approvals.clock.pass_(1)

    assert approvals.answer(make_response(pending)).kind is OutcomeKind.TOO_FAST
    assert approvals.answer(make_response(pending, "bob")).kind is OutcomeKind.APPROVED


def test_a_fast_answer_may_be_marked_instead(approvals: InMemoryApprovals) -> None:
    """If it is configured so; then the answer says it."""
    approvals.plan = ApprovalPlan(channels=(FAKE,), too_fast=TooFast.MARK)
    approvals.ask(make_request())

    assert approvals.answer(make_response(now(approvals))).kind is OutcomeKind.APPROVED
    assert [given.was_fast for given in now(approvals).answers] == [True]


def test_a_refusal_needs_no_time_and_no_proof(approvals: InMemoryApprovals) -> None:
    """One word is enough."""
    approvals.ask(make_request(level=Level.CRITICAL))
    response = make_response(now(approvals), verdict=Verdict.DENY, proof=NO_PROOF)

    assert said(approvals, response) == (OutcomeKind.DENIED, RequestState.DENIED)


def test_a_quiz_is_wanted_before_it_is_judged(approvals: InMemoryApprovals) -> None:
    """A tap without answers is no wrong answer: it is told what is wanted."""
    pending = asked(approvals, level=Level.HIGH)

    outcome = approvals.answer(make_response(pending, proof=NO_PROOF))

    assert (outcome.kind, outcome.step) == (OutcomeKind.PROOF_WANTED, pending.steps[0])
    assert run_now(approvals.store.misses(pending.id, "ada")) == 0


def test_wrong_answers_are_counted_and_end(approvals: InMemoryApprovals) -> None:
    """After three of them somebody else must answer."""
    pending = asked(approvals, level=Level.HIGH)
    wrong = Proof(choices=tuple(-1 for _ in pending.steps[0].questions))

    kinds = [approvals.answer(make_response(pending, proof=wrong)).kind for _ in range(4)]

    assert kinds == [OutcomeKind.WRONG_PROOF] * 3 + [OutcomeKind.NOT_ALLOWED]
    assert approvals.answer(make_response(pending)).kind is OutcomeKind.NOT_ALLOWED
    assert approvals.answer(make_response(pending, "bob")).kind is OutcomeKind.APPROVED


def test_what_is_critical_takes_two_people_and_two_proofs(approvals: InMemoryApprovals) -> None:
    """In turn teach-back and quiz."""
    asked(approvals, level=Level.CRITICAL)
    kinds = [step.kind.value for step in now(approvals).steps]

    outcomes = [said(approvals, make_response(now(approvals), who)) for who in ("ada", "bob")]

    assert kinds == ["teach-back", "quiz"]
    assert outcomes == [
        (OutcomeKind.STEP, RequestState.PENDING),
        (OutcomeKind.APPROVED, RequestState.APPROVED),
    ]


@pytest.mark.parametrize("scope", [ApprovalScope.EXACT, ApprovalScope.SESSION])
def test_what_several_people_approve_is_granted_to_nobody(
    approvals: InMemoryApprovals, scope: ApprovalScope
) -> None:
    """Whichever channel names a scope: the last of them does not decide alone for later calls."""
    asked(approvals, challenge=Challenge.MULTI_PARTY)
    told = ""
    for who in ("ada", "bob"):
        response = replace(make_response(now(approvals), who), scope=scope, minutes=5)
        told = approvals.answer(response).words

    assert told == f"approved; once only: {SEVERAL}"
    assert approvals.grants.listed() == ()


def test_three_people_give_three_proofs(approvals: InMemoryApprovals) -> None:
    """If it is configured so."""
    approvals.plan = ApprovalPlan(channels=(FAKE,), parties=3)
    asked(approvals, level=Level.CRITICAL)

    for who in ("ada", "bob", "cyd"):
        assert now(approvals).state is RequestState.PENDING
        approvals.answer(make_response(now(approvals), who))
    assert [given.proof for given in now(approvals).answers] == ["teach-back", "quiz", "confirm"]


def test_one_person_is_enough_where_the_user_says_so(approvals: InMemoryApprovals) -> None:
    """By an explanation and the full time of reading, and for this one call."""
    approvals.plan = ApprovalPlan(channels=(FAKE,), parties=1)
    approvals.ask(make_request(level=Level.CRITICAL))
    approvals.clock.pass_(29)
    early = said(approvals, make_response(now(approvals)))
    approvals.clock.pass_(1)

    assert ["teach-back"] == [step.kind.value for step in now(approvals).steps]
    assert (OutcomeKind.TOO_FAST, RequestState.PENDING) == early
    assert (OutcomeKind.WRONG_PROOF, RequestState.PENDING) == said(
        approvals, make_response(now(approvals), proof=Proof(text="yes, do it"))
    )
    assert (OutcomeKind.APPROVED, RequestState.APPROVED) == said(
        approvals, make_response(now(approvals))
    )
    assert now(approvals).context.once_only


def test_one_person_is_not_two(approvals: InMemoryApprovals) -> None:
    """Not on another channel either."""
    asked(approvals, level=Level.CRITICAL)
    approvals.answer(make_response(now(approvals)))

    second = make_response(now(approvals), channel="web")

    assert said(approvals, second) == (OutcomeKind.NOT_ALLOWED, RequestState.PENDING)


def test_one_refusal_ends_it_for_all(approvals: InMemoryApprovals) -> None:
    """Also of somebody who is not next, and of who approved before."""
    asked(approvals, level=Level.CRITICAL)
    approvals.answer(make_response(now(approvals)))

    refusal = make_response(now(approvals), verdict=Verdict.DENY)

    assert said(approvals, refusal) == (OutcomeKind.DENIED, RequestState.DENIED)


def test_a_channel_settles_only_so_much_alone(approvals: InMemoryApprovals) -> None:
    """But it may refuse, and give one part of two."""
    terms = (ChannelTerms(name="fake", settles_up_to=Level.MEDIUM), ChannelTerms(name="web"))
    approvals.plan = ApprovalPlan(channels=terms)
    high = asked(approvals, level=Level.HIGH)

    assert approvals.answer(make_response(high)).kind is OutcomeKind.NOT_ALLOWED
    assert approvals.answer(make_response(high, channel="web")).kind is OutcomeKind.APPROVED
    approvals.clock.pass_(300)
    asked(approvals, level=Level.CRITICAL)
    steps = [
        approvals.answer(make_response(now(approvals), who, channel=channel)).kind
        for who, channel in (("ada", "fake"), ("bob", "fake"), ("bob", "web"))
    ]
    assert steps == [OutcomeKind.STEP, OutcomeKind.NOT_ALLOWED, OutcomeKind.APPROVED]


def test_a_channel_whose_time_is_over_only_refuses(approvals: InMemoryApprovals) -> None:
    """The next one is asked then."""
    approvals.plan = ApprovalPlan(channels=(replace(FAKE, timeout_s=30), ChannelTerms(name="web")))
    pending = asked(approvals)

    assert approvals.answer(make_response(pending)).kind is OutcomeKind.NOT_ALLOWED
    assert approvals.answer(make_response(pending, channel="web")).kind is OutcomeKind.APPROVED


def test_a_second_group_answers_later(approvals: InMemoryApprovals) -> None:
    """Until then its members may only refuse."""
    approvals.people = (
        Approver(id="ada", groups=("team",)),
        Approver(id="bob", groups=("leads",)),
    )
    approvals.plan = ApprovalPlan(
        channels=(FAKE,), first_group="team", second_group="leads", escalate_s=120
    )
    pending = asked(approvals)

    early = approvals.answer(make_response(pending, "bob")).kind
    approvals.clock.pass_(61)

    assert early is OutcomeKind.NOT_ALLOWED
    assert approvals.answer(make_response(pending, "bob")).kind is OutcomeKind.APPROVED


def test_who_is_not_on_call_may_only_refuse(approvals: InMemoryApprovals) -> None:
    """Where the rota says so; after a while the second line may approve as well."""
    approvals.people = tuple(Approver(id=id, groups=("ops",)) for id in ("ada", "bob"))
    # The clock of the approvals stands in the turn of the first one.
    rota = Rota(
        people=("ada", "bob"),
        first_day=date(2027, 1, 11),
        at=time(9),
        zone="UTC",
        second_after_s=90,
        others_may_approve=False,
    )
    approvals.plan = ApprovalPlan(channels=(FAKE,), first_group="ops", rotas={"ops": rota})
    pending = asked(approvals)

    early = approvals.answer(make_response(pending, "bob"))
    approvals.clock.pass_(61)

    assert early.kind is OutcomeKind.NOT_ALLOWED
    assert "`ada` is on call for `ops` until 2027-01-18 09:00 UTC" in early.words
    assert approvals.answer(make_response(pending, "bob")).kind is OutcomeKind.APPROVED


@pytest.mark.parametrize("code", ["", "AAAAAAAA", "x" * 10_000])
@pytest.mark.parametrize("channel", ["terminal", "api"])
def test_the_terminal_needs_the_code_of_the_card(
    approvals: InMemoryApprovals, channel: str, code: str
) -> None:
    """T-43: what an agent can type is not enough; the code stands only on the card."""
    pending = asked(approvals)
    response = make_response(pending, channel=channel, proof=Proof(code=code))

    assert said(approvals, response) == (OutcomeKind.WRONG_PROOF, RequestState.PENDING)
    good = make_response(pending, channel=channel)
    assert said(approvals, good) == (OutcomeKind.APPROVED, RequestState.APPROVED)


def test_the_code_is_kept_nowhere(approvals: InMemoryApprovals) -> None:
    """T-43: neither in the store nor in anything that is read from it."""
    pending = asked(approvals)
    with approvals.database.reading() as db:
        dump = "\n".join(db.iterdump())

    assert len(pending.code) == 8
    assert pending.code not in dump
    kept = run_now(approvals.store.get(pending.id))
    assert kept is not None
    assert kept.code == ""


def test_codes_cannot_be_tried_out(approvals: InMemoryApprovals) -> None:
    """T-43: three wrong ones, and that person is done with this request."""
    pending = asked(approvals)
    for _ in range(3):
        approvals.answer(make_response(pending, channel="terminal", proof=Proof(code="AAAAAAAA")))

    good = make_response(pending, channel="terminal")

    assert said(approvals, good) == (OutcomeKind.NOT_ALLOWED, RequestState.PENDING)


def test_words_reach_the_agent(approvals: InMemoryApprovals) -> None:
    """With a refusal and with an approval."""
    for verdict in (Verdict.DENY, Verdict.ALLOW):
        pending = asked(approvals)
        approvals.answer(
            replace(make_response(pending, verdict=verdict), words="use a branch " * 1_000)
        )
        assert now(approvals).words == ("use a branch " * 1_000)[:2_000]
        approvals.clock.pass_(300)


def test_a_policy_is_kept_with_its_author_and_tool(approvals: InMemoryApprovals) -> None:
    """And the answer says under which id."""
    outcome = approvals.answer(
        replace(make_response(asked(approvals)), policy="fine unless forced")
    )
    (policy,) = approvals.policies.listed()

    assert outcome.words == f"approved; kept as pol_0 for {policy.tool}: fine unless forced"
    assert (policy.text, policy.tool, policy.author) == (
        "fine unless forced",
        "delete_user",
        "ada",
    )


def test_a_refusal_keeps_no_policy(approvals: InMemoryApprovals) -> None:
    """Nor a grant."""
    response = make_response(asked(approvals), verdict=Verdict.DENY)
    approvals.answer(replace(response, policy="fine", scope=ApprovalScope.EXACT, minutes=5))

    assert (approvals.policies.listed(), approvals.grants.listed()) == ((), ())


def test_arguments_are_changed_only_where_the_host_takes_them(approvals: InMemoryApprovals) -> None:
    """Elsewhere the original would run."""
    pending = asked(approvals)
    edited = replace(make_response(pending), edited={"user_id": "usr_4"})

    assert said(approvals, edited) == (OutcomeKind.NOT_ALLOWED, RequestState.PENDING)


def test_an_answer_that_is_cut_off_counts_wholly_or_not_at_all(
    approvals: InMemoryApprovals,
) -> None:
    """T-41: at whichever instruction of the database it ends; tried again, it counts once."""
    pending = asked(approvals)
    cut_off = 0
    for instructions in range(5, 2_000, 5):
        with approvals.database.reading() as db:
            db.set_progress_handler(_ends_after(instructions), 1)
            try:
                approvals.answer(make_response(pending))
            except StoreError:
                cut_off += 1
            finally:
                db.set_progress_handler(None, 1)
        found = now(approvals)
        assert (found.state, len(found.answers)) in (
            (RequestState.PENDING, 0),
            (RequestState.APPROVED, 1),
        )
        if found.state is RequestState.APPROVED:
            break

    assert cut_off > 20
    assert approvals.answer(make_response(pending)).kind is OutcomeKind.ALREADY


def _ends_after(instructions: int) -> Callable[[], int]:
    """Return what ends the database's work once, after so many instructions."""
    count = itertools.count()
    return lambda: int(next(count) == instructions)


def test_answers_that_do_not_count_are_counted(approvals: InMemoryApprovals) -> None:
    """By person and kind: for whoever oversees them; a refusal is never one."""
    approvals.ask(make_request(level=Level.HIGH))
    quiz = now(approvals)
    step = quiz.next_step
    assert step is not None
    wrong = Proof(choices=tuple((one.right + 1) % len(one.choices) for one in step.questions))
    approvals.answer(make_response(quiz, proof=wrong))
    approvals.answer(make_response(quiz, "bob", proof=wrong, channel="web"))
    approvals.answer(make_response(quiz))
    approvals.answer(make_response(quiz, verdict=Verdict.DENY))

    assert {("ada", "quiz", 1), ("bob", "quiz", 1), ("ada", "fast", 1)} == {
        (one.who, one.kind, one.count) for one in run_now(approvals.store.tries(quiz.id))
    }
