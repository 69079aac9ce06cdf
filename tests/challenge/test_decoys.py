"""Decoys: settled as denials whatever is answered, and told apart by nobody outside the daemon."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from msgspec import structs

from signoff.actions.action import Action
from signoff.actions.facts import Facts
from signoff.actions.understand import understand
from signoff.assess.assessment import Judge
from signoff.assess.level import Level
from signoff.assess.rules.rule import RuleSet
from signoff.assess.verdict import Verdict
from signoff.challenge.channel import ApprovalScope, OutcomeKind, Response
from signoff.challenge.decoys.calls import LINES, decoy_calls
from signoff.challenge.decoys.register import APPROVED_WORDS, REFUSED_WORDS, DecoyRegister
from signoff.challenge.extras import Extras
from signoff.challenge.pending import PendingRequest, RequestState
from signoff.challenge.people.granted import Granted
from signoff.challenge.request import Request
from signoff.challenge.terms.plan import ApprovalPlan, ChannelTerms
from signoff.sync import run_now
from signoff.testing import InMemoryApprovals, make_action, make_request, make_response
from signoff.values import replace

NOW = ChannelTerms(name="fake")
QUICK = ApprovalPlan(channels=(NOW,), review_s={}, proof_review_s={})


class DecoyApprovals(InMemoryApprovals, kw_only=True):
    """Everything people are asked with, and the decoys it opened."""

    decoys: DecoyRegister

    @property
    def extras(self) -> Extras:
        """What answers bring along."""
        return Extras(grants=self.grants, policies=self.policies, decoys=self.decoys)

    def answered(self, response: Response, *, knows: bool = True) -> tuple[OutcomeKind, str]:
        """Answer in the daemon, or in a process that does not know which requests are decoys."""
        service = self.approval_service
        service.extras = self.extras if knows else Extras(grants=self.grants)
        outcome = run_now(service.answer(response))
        return outcome.kind, outcome.words

    def decoy(self, request: Request | None = None) -> PendingRequest:
        """Show a decoy."""
        run_now(self.asking().open_decoy(request or make_request(), self.decoys.hide))
        return self.channel.announced[-1]

    def now(self, pending: PendingRequest) -> PendingRequest:
        """Return it as it stands now."""
        found = run_now(self.store.get(pending.id))
        assert found is not None
        return found


@pytest.fixture
def approvals() -> DecoyApprovals:
    """Give approvals whose answers need no time."""
    return DecoyApprovals(plan=QUICK, decoys=DecoyRegister())


@pytest.mark.parametrize(
    ("verdict", "words"), [(Verdict.ALLOW, APPROVED_WORDS), (Verdict.DENY, REFUSED_WORDS)]
)
def test_every_answer_settles_a_decoy_as_a_denial(
    approvals: DecoyApprovals, verdict: Verdict, words: str
) -> None:
    """The person is told at once what it was; the register keeps what they answered."""
    pending = approvals.decoy()

    told = approvals.answered(make_response(pending, verdict=verdict))
    answer = approvals.decoys.take(pending.id)

    assert (OutcomeKind.DENIED, words) == told
    assert RequestState.DENIED is approvals.now(pending).state
    assert answer is not None
    assert ("ada", "fake", verdict) == (answer.approver, answer.channel, answer.verdict)


@pytest.mark.parametrize("scope", list(ApprovalScope))
def test_an_approved_decoy_leaves_nothing_behind(
    approvals: DecoyApprovals, scope: ApprovalScope
) -> None:
    """No grant, no policy, no edit, no words, however far the approval was to reach."""
    pending = approvals.decoy()
    wide = replace(
        make_response(pending), scope=scope, minutes=60, policy="always allow it", words="go on"
    )

    approvals.answered(wide)
    now = approvals.now(pending)

    assert ((), ()) == (approvals.grants.listed(), approvals.policies.listed())
    assert (b"", "", ["deny"]) == (now.edited, now.words, [one.verdict for one in now.answers])


def test_the_same_approval_of_a_real_request_leaves_a_policy(approvals: DecoyApprovals) -> None:
    """So the test above can fail."""
    approvals.ask(make_request())
    pending = approvals.channel.announced[-1]
    approvals.answered(replace(make_response(pending), policy="always allow it"))

    assert RequestState.APPROVED is approvals.now(pending).state
    assert 1 == len(approvals.policies.listed())


def test_a_second_answer_changes_nothing(approvals: DecoyApprovals) -> None:
    """The first one counts, and who comes second is told who that was."""
    pending = approvals.decoy()
    approvals.answered(make_response(pending, verdict=Verdict.DENY))
    kind, _ = approvals.answered(make_response(pending, "bob"))
    answer = approvals.decoys.take(pending.id)

    assert OutcomeKind.ALREADY is kind
    assert answer is not None and ("ada", Verdict.DENY) == (answer.approver, answer.verdict)


def test_the_same_real_call_never_joins_a_decoy(approvals: DecoyApprovals) -> None:
    """Neither an open one nor one that was refused: the call is asked about by itself."""
    first = approvals.decoy(make_request())
    approvals.ask(make_request())
    approvals.answered(make_response(first, verdict=Verdict.DENY))
    approvals.ask(make_request())
    ids = {one.id for one in approvals.channel.announced}
    real = [approvals.now(one) for one in approvals.channel.announced if one.id != first.id]

    assert 2 == len(ids)
    assert [RequestState.PENDING] == [one.state for one in real]


def test_a_decoy_approved_elsewhere_lets_nothing_through(approvals: DecoyApprovals) -> None:
    """`signoff approve` and a daemon after a restart do not know; its digest is of no call."""
    pending = approvals.decoy()
    kind, _ = approvals.answered(make_response(pending), knows=False)
    answer = approvals.ask(make_request())

    assert OutcomeKind.APPROVED is kind
    assert answer is not None and Verdict.DENY is answer.verdict
    assert RequestState.APPROVED is approvals.now(pending).state


def test_its_row_looks_like_that_of_a_real_request(approvals: DecoyApprovals) -> None:
    """Whoever reads the file sees the same of both, but for what is drawn anew for each."""
    approvals.ask(make_request())
    approvals.decoy(make_request())
    drawn = ("id", "nonce", "digest", "verifier", "code", "context")
    real, decoy = (
        {**structs.asdict(one), **dict.fromkeys(drawn)} for one in approvals.channel.announced
    )

    assert real == decoy


def test_approved_for_the_session_elsewhere_it_covers_no_call(approvals: DecoyApprovals) -> None:
    """After a kill the daemon approves it as any other request: the same real call is asked."""
    action = Action(
        tool="Bash", arguments={"command": "rm notes.txt"}, cwd="/p", agent="a", session="s1"
    )
    request = make_request(action=action, operations=understand(action, Facts()).operations)
    shapes = []
    for pending in (approvals.decoy(request), real_one(approvals, request)):
        shapes.append(pending.context.shape)
        wide = replace(make_response(pending), scope=ApprovalScope.SESSION)
        approvals.answered(wide, knows=False)
        granted = Granted(grants=approvals.grants, seal=approvals.seal)
        shapes.append("granted" if run_now(granted.answer(request)) else "asked")

    assert ["asked", "granted"] == [shapes[1], shapes[3]]
    assert shapes[0] != shapes[2]
    assert (len(shapes[0]), shapes[0][:-64]) == (len(shapes[2]), shapes[2][:-64])


def real_one(approvals: DecoyApprovals, request: Request) -> PendingRequest:
    """Return the same call asked about for an agent."""
    approvals.ask(request)
    return approvals.channel.announced[-1]


def test_after_it_was_settled_it_is_no_decoy_any_more(approvals: DecoyApprovals) -> None:
    """Answers to real requests are passed on, those to decoys are not."""
    noted: list[tuple[str, str]] = []
    approvals.decoys.noted = lambda pending, channel: noted.append((pending.id, channel))
    decoy = approvals.decoy()
    approvals.answered(make_response(decoy))
    approvals.ask(make_request())
    real = approvals.channel.announced[-1]
    approvals.answered(make_response(real))

    assert [(real.id, "fake")] == noted
    assert (True, False) == (approvals.decoys.holds(decoy.id), approvals.decoys.holds(real.id))


def answered_call(approvals: DecoyApprovals, **arguments: str) -> PendingRequest:
    """Return a request for a call with these arguments."""
    approvals.ask(make_request(action=make_action(**arguments)))
    return approvals.channel.announced[-1]


def test_calls_of_decoys_take_the_place_of_the_answered_one(approvals: DecoyApprovals) -> None:
    """Same tool, session and folder, other words; drawn in another order each time."""
    pending = answered_call(approvals, command="docker system prune -af")
    calls = list(decoy_calls(pending, random.Random(7)))

    assert len(LINES) == len(calls)
    assert {(pending.context.session, pending.context.tool, pending.context.cwd)} == {
        (one.session, one.tool, one.cwd) for one in calls
    }
    assert not [one for one in calls if "{" in one.text("command").replace("{print", "")]
    assert calls != list(decoy_calls(pending, random.Random(8)))
    assert [] == list(decoy_calls(answered_call(approvals, path="x"), random.Random(7)))


def test_people_are_asked_about_every_call_of_a_decoy(tmp_path: Path) -> None:
    """By the default pack, by one person: else a decoy could never be shown."""
    approvals = DecoyApprovals(plan=QUICK, decoys=DecoyRegister())
    judge = Judge(rules=lambda: RuleSet())
    pending = answered_call(approvals, command="make")
    found = {}
    for one in decoy_calls(pending, random.Random(7)):
        call = Action(tool="Bash", arguments=one.arguments, cwd=str(tmp_path))
        found[one.text("command")] = judge(call, Facts())

    assert not {
        line: assessed.preliminary
        for line, assessed in found.items()
        if assessed.preliminary is not Verdict.ASK or assessed.level is Level.CRITICAL
    }


@pytest.mark.parametrize("words", [APPROVED_WORDS, REFUSED_WORDS])
def test_what_people_are_told_is_whole_in_every_channel(words: str) -> None:
    """Telegram shows no more than 200 characters after a tap."""
    assert len(words) <= 200
