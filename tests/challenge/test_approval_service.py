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
def office() -> InMemoryApprovals:
    """Give everything people are asked with."""
    return InMemoryApprovals()


def asked(
    office: InMemoryApprovals, *, level: Level = Level.MEDIUM, challenge: Challenge | None = None
) -> PendingRequest:
    """Ask about a call and let the card be read."""
    office.ask(make_request(level=level, challenge=challenge))
    office.clock.pass_(60)
    return now(office)


def now(office: InMemoryApprovals) -> PendingRequest:
    """Return the request that was announced last as it stands now."""
    announced = office.channel.announced[-1]
    found = run_now(office.store.get(announced.id))
    assert found is not None
    return replace(found, code=announced.code)


def said(office: InMemoryApprovals, response: Response) -> tuple[OutcomeKind, RequestState]:
    """Answer; return what came of it and where the request stands."""
    return office.answer(response).kind, now(office).state


@pytest.mark.parametrize(
    ("verdict", "expected"),
    [
        (Verdict.ALLOW, (OutcomeKind.APPROVED, RequestState.APPROVED)),
        (Verdict.DENY, (OutcomeKind.DENIED, RequestState.DENIED)),
        (Verdict.ASK, (OutcomeKind.DENIED, RequestState.DENIED)),
    ],
)
def test_an_answer_settles_it(
    office: InMemoryApprovals, verdict: Verdict, expected: tuple[OutcomeKind, RequestState]
) -> None:
    """Whatever is no approval is a refusal."""
    assert said(office, make_response(asked(office), verdict=verdict)) == expected


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (Verdict.ALLOW, Verdict.DENY),
        (Verdict.DENY, Verdict.ALLOW),
        (Verdict.ALLOW, Verdict.ALLOW),
    ],
)
def test_who_comes_second_is_told_so(
    office: InMemoryApprovals, first: Verdict, second: Verdict
) -> None:
    """T-32: on whatever channel, with the name of the first."""
    pending = asked(office)
    office.answer(make_response(pending, verdict=first))
    state = now(office).state

    outcome = office.answer(make_response(pending, "bob", verdict=second, channel="web"))

    assert (outcome.kind, now(office).state) == (OutcomeKind.ALREADY, state)
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
    office: InMemoryApprovals, offset_s: float, expected: tuple[OutcomeKind, RequestState]
) -> None:
    """T-31: one millisecond before the end, at it, after it."""
    office.ask(make_request())
    office.clock.pass_(300 + offset_s)

    assert said(office, make_response(now(office))) == expected


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
    office: InMemoryApprovals, change: dict[str, str]
) -> None:
    """T-38: nothing is said about whether there is such a request."""
    response = replace(make_response(asked(office)), **change)  # type: ignore[arg-type]  # texts

    assert said(office, response) == (OutcomeKind.UNKNOWN, RequestState.PENDING)


@pytest.mark.parametrize("who", ["vic", "eve", ""])
@pytest.mark.parametrize("verdict", [Verdict.ALLOW, Verdict.DENY])
def test_only_approvers_answer(office: InMemoryApprovals, who: str, verdict: Verdict) -> None:
    """Neither strangers nor viewers, nor with a refusal."""
    response = make_response(asked(office), who, verdict=verdict)

    assert said(office, response) == (OutcomeKind.NOT_ALLOWED, RequestState.PENDING)


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
    office: InMemoryApprovals, level: Level, challenge: Challenge, least_s: float
) -> None:
    """The longer of what the level and the proof ask for; a moment less does not count."""
    office.ask(make_request(level=level, challenge=challenge))
    office.clock.pass_(least_s - 0.001)
    early = said(office, make_response(now(office)))
    office.clock.pass_(0.001)

    assert early == (OutcomeKind.TOO_FAST, RequestState.PENDING)
    assert said(office, make_response(now(office)))[0] is OutcomeKind.APPROVED


def test_time_counts_from_when_somebody_sees_the_card(office: InMemoryApprovals) -> None:
    """However long it lay there before."""
    pending = asked(office)
    run_now(office.approval_service.open(pending.id, Identity("fake", "ada")))
    office.clock.pass_(1)

    assert office.answer(make_response(pending)).kind is OutcomeKind.TOO_FAST
    assert office.answer(make_response(pending, "bob")).kind is OutcomeKind.APPROVED


def test_a_fast_answer_may_be_marked_instead(office: InMemoryApprovals) -> None:
    """If it is configured so; then the answer says it."""
    office.plan = ApprovalPlan(channels=(FAKE,), too_fast=TooFast.MARK)
    office.ask(make_request())

    assert office.answer(make_response(now(office))).kind is OutcomeKind.APPROVED
    assert [given.was_fast for given in now(office).answers] == [True]


def test_a_refusal_needs_no_time_and_no_proof(office: InMemoryApprovals) -> None:
    """One word is enough."""
    office.ask(make_request(level=Level.CRITICAL))
    response = make_response(now(office), verdict=Verdict.DENY, proof=NO_PROOF)

    assert said(office, response) == (OutcomeKind.DENIED, RequestState.DENIED)


def test_a_quiz_is_wanted_before_it_is_judged(office: InMemoryApprovals) -> None:
    """A tap without answers is no wrong answer: it is told what is wanted."""
    pending = asked(office, level=Level.HIGH)

    outcome = office.answer(make_response(pending, proof=NO_PROOF))

    assert (outcome.kind, outcome.step) == (OutcomeKind.PROOF_WANTED, pending.steps[0])
    assert run_now(office.store.misses(pending.id, "ada")) == 0


def test_wrong_answers_are_counted_and_end(office: InMemoryApprovals) -> None:
    """After three of them somebody else must answer."""
    pending = asked(office, level=Level.HIGH)
    wrong = Proof(choices=tuple(-1 for _ in pending.steps[0].questions))

    kinds = [office.answer(make_response(pending, proof=wrong)).kind for _ in range(4)]

    assert kinds == [OutcomeKind.WRONG_PROOF] * 3 + [OutcomeKind.NOT_ALLOWED]
    assert office.answer(make_response(pending)).kind is OutcomeKind.NOT_ALLOWED
    assert office.answer(make_response(pending, "bob")).kind is OutcomeKind.APPROVED


def test_what_is_critical_takes_two_people_and_two_proofs(office: InMemoryApprovals) -> None:
    """In turn teach-back and quiz."""
    asked(office, level=Level.CRITICAL)
    kinds = [step.kind.value for step in now(office).steps]

    outcomes = [said(office, make_response(now(office), who)) for who in ("ada", "bob")]

    assert kinds == ["teach-back", "quiz"]
    assert outcomes == [
        (OutcomeKind.STEP, RequestState.PENDING),
        (OutcomeKind.APPROVED, RequestState.APPROVED),
    ]


@pytest.mark.parametrize("scope", [ApprovalScope.EXACT, ApprovalScope.SESSION])
def test_what_several_people_approve_is_granted_to_nobody(
    office: InMemoryApprovals, scope: ApprovalScope
) -> None:
    """Whichever channel names a scope: the last of them does not decide alone for later calls."""
    asked(office, challenge=Challenge.MULTI_PARTY)
    told = ""
    for who in ("ada", "bob"):
        response = replace(make_response(now(office), who), scope=scope, minutes=5)
        told = office.answer(response).words

    assert told == f"approved; once only: {SEVERAL}"
    assert office.grants.listed() == ()


def test_three_people_give_three_proofs(office: InMemoryApprovals) -> None:
    """If it is configured so."""
    office.plan = ApprovalPlan(channels=(FAKE,), parties=3)
    asked(office, level=Level.CRITICAL)

    for who in ("ada", "bob", "cyd"):
        assert now(office).state is RequestState.PENDING
        office.answer(make_response(now(office), who))
    assert [given.proof for given in now(office).answers] == ["teach-back", "quiz", "confirm"]


def test_one_person_is_enough_where_the_user_says_so(office: InMemoryApprovals) -> None:
    """By an explanation and the full time of reading, and for this one call."""
    office.plan = ApprovalPlan(channels=(FAKE,), parties=1)
    office.ask(make_request(level=Level.CRITICAL))
    office.clock.pass_(29)
    early = said(office, make_response(now(office)))
    office.clock.pass_(1)

    assert ["teach-back"] == [step.kind.value for step in now(office).steps]
    assert (OutcomeKind.TOO_FAST, RequestState.PENDING) == early
    assert (OutcomeKind.WRONG_PROOF, RequestState.PENDING) == said(
        office, make_response(now(office), proof=Proof(text="yes, do it"))
    )
    assert (OutcomeKind.APPROVED, RequestState.APPROVED) == said(office, make_response(now(office)))
    assert now(office).context.once_only


def test_one_person_is_not_two(office: InMemoryApprovals) -> None:
    """Not on another channel either."""
    asked(office, level=Level.CRITICAL)
    office.answer(make_response(now(office)))

    second = make_response(now(office), channel="web")

    assert said(office, second) == (OutcomeKind.NOT_ALLOWED, RequestState.PENDING)


def test_one_refusal_ends_it_for_all(office: InMemoryApprovals) -> None:
    """Also of somebody who is not next, and of who approved before."""
    asked(office, level=Level.CRITICAL)
    office.answer(make_response(now(office)))

    refusal = make_response(now(office), verdict=Verdict.DENY)

    assert said(office, refusal) == (OutcomeKind.DENIED, RequestState.DENIED)


def test_a_channel_settles_only_so_much_alone(office: InMemoryApprovals) -> None:
    """But it may refuse, and give one part of two."""
    terms = (ChannelTerms(name="fake", settles_up_to=Level.MEDIUM), ChannelTerms(name="web"))
    office.plan = ApprovalPlan(channels=terms)
    high = asked(office, level=Level.HIGH)

    assert office.answer(make_response(high)).kind is OutcomeKind.NOT_ALLOWED
    assert office.answer(make_response(high, channel="web")).kind is OutcomeKind.APPROVED
    office.clock.pass_(300)
    asked(office, level=Level.CRITICAL)
    steps = [
        office.answer(make_response(now(office), who, channel=channel)).kind
        for who, channel in (("ada", "fake"), ("bob", "fake"), ("bob", "web"))
    ]
    assert steps == [OutcomeKind.STEP, OutcomeKind.NOT_ALLOWED, OutcomeKind.APPROVED]


def test_a_channel_whose_time_is_over_only_refuses(office: InMemoryApprovals) -> None:
    """The next one is asked then."""
    office.plan = ApprovalPlan(channels=(replace(FAKE, timeout_s=30), ChannelTerms(name="web")))
    pending = asked(office)

    assert office.answer(make_response(pending)).kind is OutcomeKind.NOT_ALLOWED
    assert office.answer(make_response(pending, channel="web")).kind is OutcomeKind.APPROVED


def test_a_second_group_answers_later(office: InMemoryApprovals) -> None:
    """Until then its members may only refuse."""
    office.people = (
        Approver(id="ada", groups=("team",)),
        Approver(id="bob", groups=("leads",)),
    )
    office.plan = ApprovalPlan(
        channels=(FAKE,), first_group="team", second_group="leads", escalate_s=120
    )
    pending = asked(office)

    early = office.answer(make_response(pending, "bob")).kind
    office.clock.pass_(61)

    assert early is OutcomeKind.NOT_ALLOWED
    assert office.answer(make_response(pending, "bob")).kind is OutcomeKind.APPROVED


def test_who_is_not_on_call_may_only_refuse(office: InMemoryApprovals) -> None:
    """Where the rota says so; after a while the second line may approve as well."""
    office.people = tuple(Approver(id=id, groups=("ops",)) for id in ("ada", "bob"))
    # The clock of the office stands in the turn of the first one.
    rota = Rota(
        people=("ada", "bob"),
        first_day=date(2027, 1, 11),
        at=time(9),
        zone="UTC",
        second_after_s=90,
        others_may_approve=False,
    )
    office.plan = ApprovalPlan(channels=(FAKE,), first_group="ops", rotas={"ops": rota})
    pending = asked(office)

    early = office.answer(make_response(pending, "bob"))
    office.clock.pass_(61)

    assert early.kind is OutcomeKind.NOT_ALLOWED
    assert "`ada` is on call for `ops` until 2027-01-18 09:00 UTC" in early.words
    assert office.answer(make_response(pending, "bob")).kind is OutcomeKind.APPROVED


@pytest.mark.parametrize("code", ["", "AAAAAAAA", "x" * 10_000])
@pytest.mark.parametrize("channel", ["terminal", "api"])
def test_the_terminal_needs_the_code_of_the_card(
    office: InMemoryApprovals, channel: str, code: str
) -> None:
    """T-43: what an agent can type is not enough; the code stands only on the card."""
    pending = asked(office)
    response = make_response(pending, channel=channel, proof=Proof(code=code))

    assert said(office, response) == (OutcomeKind.WRONG_PROOF, RequestState.PENDING)
    good = make_response(pending, channel=channel)
    assert said(office, good) == (OutcomeKind.APPROVED, RequestState.APPROVED)


def test_the_code_is_kept_nowhere(office: InMemoryApprovals) -> None:
    """T-43: neither in the store nor in anything that is read from it."""
    pending = asked(office)
    with office.database.reading() as db:
        dump = "\n".join(db.iterdump())

    assert len(pending.code) == 8
    assert pending.code not in dump
    kept = run_now(office.store.get(pending.id))
    assert kept is not None
    assert kept.code == ""


def test_codes_cannot_be_tried_out(office: InMemoryApprovals) -> None:
    """T-43: three wrong ones, and that person is done with this request."""
    pending = asked(office)
    for _ in range(3):
        office.answer(make_response(pending, channel="terminal", proof=Proof(code="AAAAAAAA")))

    good = make_response(pending, channel="terminal")

    assert said(office, good) == (OutcomeKind.NOT_ALLOWED, RequestState.PENDING)


def test_words_reach_the_agent(office: InMemoryApprovals) -> None:
    """With a refusal and with an approval."""
    for verdict in (Verdict.DENY, Verdict.ALLOW):
        pending = asked(office)
        office.answer(
            replace(make_response(pending, verdict=verdict), words="use a branch " * 1_000)
        )
        assert now(office).words == ("use a branch " * 1_000)[:2_000]
        office.clock.pass_(300)


def test_a_policy_is_kept_with_its_author_and_tool(office: InMemoryApprovals) -> None:
    """And the answer says under which id."""
    outcome = office.answer(replace(make_response(asked(office)), policy="fine unless forced"))
    (policy,) = office.policies.listed()

    assert outcome.words == f"approved; kept as pol_0 for {policy.tool}: fine unless forced"
    assert (policy.text, policy.tool, policy.author) == (
        "fine unless forced",
        "delete_user",
        "ada",
    )


def test_a_refusal_keeps_no_policy(office: InMemoryApprovals) -> None:
    """Nor a grant."""
    response = make_response(asked(office), verdict=Verdict.DENY)
    office.answer(replace(response, policy="fine", scope=ApprovalScope.EXACT, minutes=5))

    assert (office.policies.listed(), office.grants.listed()) == ((), ())


def test_arguments_are_changed_only_where_the_host_takes_them(office: InMemoryApprovals) -> None:
    """Elsewhere the original would run."""
    pending = asked(office)
    edited = replace(make_response(pending), edited={"user_id": "usr_4"})

    assert said(office, edited) == (OutcomeKind.NOT_ALLOWED, RequestState.PENDING)


def test_an_answer_that_is_cut_off_counts_wholly_or_not_at_all(office: InMemoryApprovals) -> None:
    """T-41: at whichever instruction of the database it ends; tried again, it counts once."""
    pending = asked(office)
    cut_off = 0
    for instructions in range(5, 2_000, 5):
        with office.database.reading() as db:
            db.set_progress_handler(_ends_after(instructions), 1)
            try:
                office.answer(make_response(pending))
            except StoreError:
                cut_off += 1
            finally:
                db.set_progress_handler(None, 1)
        found = now(office)
        assert (found.state, len(found.answers)) in (
            (RequestState.PENDING, 0),
            (RequestState.APPROVED, 1),
        )
        if found.state is RequestState.APPROVED:
            break

    assert cut_off > 20
    assert office.answer(make_response(pending)).kind is OutcomeKind.ALREADY


def _ends_after(instructions: int) -> Callable[[], int]:
    """Return what ends the database's work once, after so many instructions."""
    count = itertools.count()
    return lambda: int(next(count) == instructions)


def test_answers_that_do_not_count_are_counted(office: InMemoryApprovals) -> None:
    """By person and kind: for whoever oversees them; a refusal is never one."""
    office.ask(make_request(level=Level.HIGH))
    quiz = now(office)
    step = quiz.next_step
    assert step is not None
    wrong = Proof(choices=tuple((one.right + 1) % len(one.choices) for one in step.questions))
    office.answer(make_response(quiz, proof=wrong))
    office.answer(make_response(quiz, "bob", proof=wrong, channel="web"))
    office.answer(make_response(quiz))
    office.answer(make_response(quiz, verdict=Verdict.DENY))

    assert {("ada", "quiz", 1), ("bob", "quiz", 1), ("ada", "fast", 1)} == {
        (one.who, one.kind, one.count) for one in run_now(office.store.tries(quiz.id))
    }
