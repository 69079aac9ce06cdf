"""Seals: made with a key in memory or with the code of a request, and with nothing from a file."""

from __future__ import annotations

import time
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor

import pytest

from signoff.actions.action import Action
from signoff.actions.facts import Facts
from signoff.actions.understand import understand
from signoff.assess.level import Level
from signoff.assess.verdict import Verdict
from signoff.challenge.answer import Answer
from signoff.challenge.approval_service import ApprovalService
from signoff.challenge.channel import ApprovalScope, OutcomeKind, Response
from signoff.challenge.extras import Extras
from signoff.challenge.pending import MOST_WAITING, PendingRequest
from signoff.challenge.people.announcing import Announcer
from signoff.challenge.people.asking import PeopleChannel
from signoff.challenge.people.granted import Granted
from signoff.challenge.proofs import seal as seals
from signoff.challenge.proofs.seal import ANSWER_PREFIX, GRANT_PREFIX, KEY_BYTES, Seal
from signoff.challenge.request import Request
from signoff.challenge.terms.approver import Identity
from signoff.challenge.terms.plan import ApprovalPlan, ChannelTerms
from signoff.challenge.terms.step import Proof
from signoff.sync import run_now
from signoff.testing import (
    FakeAssessment,
    FakeDirectory,
    FakePushChannel,
    InMemoryApprovals,
    make_request,
)

PLAN = ApprovalPlan(channels=(ChannelTerms(name="terminal"), ChannelTerms(name="fake")))
LINE = Action(tool="Bash", arguments={"command": "rm notes.txt"}, cwd="/p", agent="a", session="s1")


@pytest.fixture
def approvals() -> InMemoryApprovals:
    """Return approvals whose requests are announced on a terminal."""
    return InMemoryApprovals(plan=PLAN, channel=FakePushChannel(name="terminal"), seal=Seal.fresh())


class SlowlyRead(OrderedDict[str, None]):
    """Lets other threads run between a look and a change."""

    def __contains__(self, key: object) -> bool:
        found = super().__contains__(key)
        time.sleep(0.05)
        return found


def test_of_threads_at_once_one_uses_an_approval() -> None:
    """Of this process and another one that asks it, too."""
    seal = Seal(b"k" * KEY_BYTES, _used=SlowlyRead())
    made = seal._mac(ANSWER_PREFIX, ("r1",))

    with ThreadPoolExecutor(4) as pool:
        said = [*pool.map(lambda _: seal.uses(("r1",), made), range(4))]

    assert 1 == sum(said)


def test_used_seals_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever uses them: this process, or another one that asks it."""
    monkeypatch.setattr(seals, "SEALS_KEPT", 3)
    seal = Seal.fresh()

    for number in range(9):
        parts = (f"r{number}",)
        assert seal.uses(parts, seal._mac(ANSWER_PREFIX, parts))

    assert 3 == len(seal._used)


def asking(approvals: InMemoryApprovals, seal: Seal | None = None) -> PeopleChannel:
    """Return who asks: the process that holds the key."""
    announcer = Announcer(store=approvals.store, plan=approvals.plan, channels=(approvals.channel,))
    return PeopleChannel(
        store=approvals.store,
        announcer=announcer,
        seal=seal or approvals.seal,
        wait_s=0,
        grants=approvals.grants,
    )


def asked(approvals: InMemoryApprovals, request: Request) -> PendingRequest:
    """Ask, and return what is announced."""
    run_now(asking(approvals).ask(request))
    return approvals.channel.announced[-1]


def typed(
    approvals: InMemoryApprovals,
    pending: PendingRequest,
    code: str,
    *,
    channel: str = "terminal",
    scope: ApprovalScope = ApprovalScope.ONCE,
    minutes: int = 0,
    seal: Seal | None = None,
) -> OutcomeKind:
    """Approve in another process, at its own approval service; return what came of it."""
    approval_service = ApprovalService(
        approvals.store,
        FakeDirectory(approvals.people),
        seal=seal or Seal.fresh(is_coded=True),
        plan=approvals.plan,
        extras=Extras(grants=approvals.grants),
    )
    identity = Identity(channel, "ada")
    run_now(approval_service.open(pending.id, identity))
    approvals.clock.pass_(60)
    response = Response(
        request_id=pending.id,
        nonce=pending.nonce,
        identity=identity,
        verdict=Verdict.ALLOW,
        proof=Proof(code=code),
        scope=scope,
        minutes=minutes,
    )
    return run_now(approval_service.answer(response)).kind


def used(approvals: InMemoryApprovals, request: Request, seal: Seal | None = None) -> Answer | None:
    """Return what the process that asks makes of it."""
    return run_now(asking(approvals, seal).ask(request))


def test_an_answer_typed_with_the_code_counts(approvals: InMemoryApprovals) -> None:
    """The process that asks knows the code, and so the seal."""
    request = make_request()
    pending = asked(approvals, request)
    kind = typed(approvals, pending, pending.code)
    answer = used(approvals, request)

    assert OutcomeKind.APPROVED is kind
    assert answer is not None
    assert (Verdict.ALLOW, "ada") == (answer.verdict, answer.who)


def test_a_key_of_another_process_does_not_count(approvals: InMemoryApprovals) -> None:
    """T-43: whatever it was made of; a file, for instance."""
    request = make_request()
    pending = asked(approvals, request)
    typed(approvals, pending, pending.code, seal=Seal(b"a key from a file"))
    answer = used(approvals, request)

    assert answer is not None
    assert Verdict.DENY is answer.verdict


def test_a_code_seals_what_was_typed_only(approvals: InMemoryApprovals) -> None:
    """T-43: with the code nobody answers in the name of another channel."""
    request = make_request()
    pending = asked(approvals, request)
    typed(approvals, pending, pending.code, channel="fake")
    answer = used(approvals, request)

    assert answer is not None
    assert Verdict.DENY is answer.verdict


def test_after_a_restart_it_is_asked_about_again(approvals: InMemoryApprovals) -> None:
    """Neither key nor code outlives the process."""
    request = make_request()
    pending = asked(approvals, request)
    typed(approvals, pending, pending.code)
    answer = used(approvals, request, seal=Seal.fresh())

    assert answer is not None
    assert Verdict.DENY is answer.verdict
    assert "ask again" in answer.words


def test_the_daemon_is_asked_for_what_it_sealed() -> None:
    """A process beside it cannot make a seal, and can have one checked."""
    daemon = Seal.fresh()
    parts = ("d", "", "s1", "a", "ada", "web", "9.0")
    seal = daemon.of_grant(*parts)
    beside, alone = Seal.fresh(daemon.made), Seal.fresh()

    assert (True, False) == (
        beside.made(GRANT_PREFIX, parts, seal),
        alone.made(GRANT_PREFIX, parts, seal),
    )
    assert not beside.made(GRANT_PREFIX, (*parts[:4], "eve", *parts[5:]), seal)
    assert not daemon.made(GRANT_PREFIX, parts, beside.of_grant(*parts))


def granted_along(approvals: InMemoryApprovals, seal: Seal | None = None) -> Answer | None:
    """Approve for some minutes with a seal, use it, and return what the grant answers then."""
    assessment = FakeAssessment(
        action=LINE, operations=understand(LINE, Facts()).operations, level=Level.MEDIUM
    )
    request = Request(action=LINE, assessment=assessment)
    pending = asked(approvals, request)
    typed(approvals, pending, pending.code, scope=ApprovalScope.EXACT, minutes=10, seal=seal)
    assert 1 == len(approvals.grants.listed())
    granted = Granted(grants=approvals.grants, seal=approvals.seal)
    assert run_now(granted.answer(request)) is None  # nothing of it holds before it is used
    used(approvals, request)
    return run_now(granted.answer(request))


def test_what_is_granted_along_is_taken_over(approvals: InMemoryApprovals) -> None:
    """A grant typed elsewhere is sealed by the process that asks once its answer was good."""
    answer = granted_along(approvals)

    assert answer is not None
    assert Verdict.ALLOW is answer.verdict


def test_what_another_key_grants_is_not_taken_over(approvals: InMemoryApprovals) -> None:
    """T-43: neither the answer nor what came with it counts."""
    assert granted_along(approvals, Seal(b"a key from a file")) is None


def test_codes_that_are_known_are_bounded() -> None:
    """The oldest makes room."""
    seal = Seal.fresh()
    for number in range(MOST_WAITING + 1):
        seal.learn(str(number), "ABCDEFGH")

    assert seal.by_code("0") is None
    assert seal.by_code(str(MOST_WAITING)) is not None
