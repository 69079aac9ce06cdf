"""An approval holds once more where the host reports the same call again, and for no other call."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from signoff.actions.action import Action
from signoff.assess.level import Level
from signoff.assess.verdict import Verdict
from signoff.challenge.answer import BY_DUPLICATE_PROMPT, Answer
from signoff.challenge.pending import RequestState
from signoff.challenge.people.duplicate_prompts import (
    KEPT,
    REPEAT_S,
    DuplicatePromptSuppression,
    SuppressedFirst,
)
from signoff.challenge.request import Request
from signoff.challenge.terms.plan import ApprovalPlan, ChannelTerms
from signoff.storage.bindings.operands import operands_of
from signoff.sync import run_now
from signoff.testing import FakeAssessment, InMemoryApprovals, approved, make_response
from signoff.values import replace

QUIET = ApprovalPlan(channels=(ChannelTerms(name="fake"),), review_s={}, proof_review_s={})
CALL = Action(
    tool="Bash",
    arguments={"command": "./tool"},
    cwd="/w",
    agent="a1",
    session="s1",
    source="codex",
    request_id="call_1",
)


def is_same(before: Action, now: Action) -> bool:
    """Tell whether two calls are the same."""
    return before.canonical_bytes == now.canonical_bytes


@dataclass(frozen=True, slots=True)
class Scene:
    """People, and the suppression of duplicates of what they approved."""

    approvals: InMemoryApprovals = field(
        default_factory=lambda: InMemoryApprovals(plan=QUIET, operands=operands_of)
    )
    suppression: DuplicatePromptSuppression = field(init=False)

    def __post_init__(self) -> None:
        """Build the suppression on the parts that the people use."""
        suppression = DuplicatePromptSuppression(
            store=self.approvals.store,
            seal=self.approvals.seal,
            repeats={("codex", "codex"): is_same, ("claude-code", "mcp"): is_same},
            operands=operands_of,
        )
        object.__setattr__(self, "suppression", suppression)

    def ask(self, action: Action = CALL, **answer: object) -> Answer | None:
        """Ask at the first event, and answer; an approval is used up then."""

        async def both() -> Answer | None:
            count = len(self.approvals.channel.announced)
            people = self.suppression.noting(self.approvals.asking())
            waiting = asyncio.create_task(people.ask(request(action)))
            async with asyncio.timeout(60):
                while len(self.approvals.channel.announced) == count:
                    await asyncio.sleep(0.002)
            response = make_response(self.approvals.channel.announced[-1])
            await self.approvals.approval_service.answer(replace(response, **answer))  # type: ignore[arg-type]  # its fields
            return await waiting

        return asyncio.run(both())

    def again(self, action: Action = CALL, level: Level = Level.MEDIUM) -> Answer | None:
        """Return what the second event finds, None if people are to be asked."""
        return run_now(self.suppression.answer(request(replace(action, request_id=""), level)))

    def move(self, to: RequestState) -> None:
        """Say what came of the call."""
        id = self.approvals.channel.announced[-1].id
        assert run_now(self.approvals.store.move(id, to, start=RequestState.EXECUTING))


@pytest.fixture
def scene() -> Scene:
    """Give people who have approved nothing yet."""
    return Scene()


def request(action: Action, level: Level = Level.MEDIUM, policy: str = "p1") -> Request:
    """Return a request about a call."""
    assessment = FakeAssessment(action=action, level=level, policy_digest=policy)
    return Request(action=action, assessment=assessment)


def test_the_same_call_is_let_go_without_a_second_card(scene: Scene) -> None:
    """And the answer says on whose approval it rests."""
    first = scene.ask()
    second = scene.again()

    assert first is not None
    assert second is not None
    assert (Verdict.ALLOW, BY_DUPLICATE_PROMPT) == (second.verdict, second.decided_by)
    assert (first.who, first.channel, first.request_id) == (
        second.who,
        second.channel,
        second.request_id,
    )
    assert first.request_id in second.words
    assert 1 == len(scene.approvals.channel.announced)


def test_there_is_one_second_look(scene: Scene) -> None:
    """Whoever comes after it is asked about."""
    scene.ask()

    assert [True, False] == [scene.again() is not None for _ in range(2)]


def test_two_second_looks_at_once_are_one(scene: Scene) -> None:
    """The first to come takes it, also while it still looks at files."""
    scene.ask()

    async def both() -> list[Answer | None]:
        return await asyncio.gather(*(scene.suppression.answer(request(CALL)) for _ in range(2)))

    assert 1 == sum(answer is not None for answer in asyncio.run(both()))


def test_without_an_approval_before_it_people_are_asked(scene: Scene) -> None:
    """A refusal is none."""
    scene.ask(verdict=Verdict.DENY)

    assert scene.again() is None


@pytest.mark.parametrize(
    "other",
    [
        {"arguments": {"command": "./tool --force"}},
        {"arguments": {}},
        {"cwd": "/elsewhere"},
        {"session": "s2"},
        {"agent": "a2"},
        {"tool": "Write"},
        {"source": "claude-code"},
        {"schema_digest": "5"},
    ],
    ids=lambda other: "-".join(other),
)
def test_another_call_is_asked_about(scene: Scene, other: dict[str, object]) -> None:
    """And the approved one may still be reported a second time."""
    scene.ask()

    assert scene.again(replace(CALL, **other)) is None  # type: ignore[arg-type]  # its fields
    assert scene.again() is not None


def test_a_call_of_a_hook_is_known_again_by_the_proxy_and_not_the_other_way(scene: Scene) -> None:
    """The proxy gets a call after the hook of its client's host."""
    hooked, proxied = (replace(CALL, source=source) for source in ("claude-code", "mcp"))
    scene.ask(hooked)
    assert scene.again(hooked) is None
    assert scene.again(proxied) is not None

    scene.ask(proxied)
    assert scene.again(proxied) is None
    assert scene.again(hooked) is None


@pytest.mark.parametrize("to", [RequestState.DONE, RequestState.FAILED, RequestState.UNCERTAIN])
def test_a_call_that_has_ended_is_asked_about(scene: Scene, to: RequestState) -> None:
    """What comes after its end is another run of it."""
    scene.ask()
    scene.move(to)

    assert scene.again() is None


def test_a_second_look_comes_soon(scene: Scene) -> None:
    """Later nothing tells the call from another one like it."""
    scene.ask()
    scene.approvals.clock.pass_(REPEAT_S)

    assert scene.again() is None


def test_a_call_that_is_worse_by_now_is_asked_about(scene: Scene) -> None:
    """It was approved at another level."""
    scene.ask()

    assert scene.again(level=Level.HIGH) is None


def test_rules_that_have_changed_meanwhile_void_it(scene: Scene) -> None:
    """An approval is bound to the rules it was asked under."""
    scene.ask()

    assert run_now(scene.suppression.answer(request(CALL, policy="p2"))) is None


def test_a_file_that_has_changed_meanwhile_voids_it(scene: Scene, tmp_path: Path) -> None:
    """It is looked at again, as at the first event."""
    (tmp_path / "tool").write_text("echo 1\n")
    call = replace(CALL, cwd=str(tmp_path))
    scene.ask(call)
    (tmp_path / "tool").write_text("echo 2\n")

    assert scene.again(call) is None


def test_an_approval_nobody_sealed_is_none(scene: Scene) -> None:
    """Whatever stands in the file of the requests."""
    scene.ask()
    with scene.approvals.database.writing() as db:
        db.execute("UPDATE given SET seal = ''")

    assert scene.again() is None


def test_what_a_person_has_changed_is_looked_at_as_changed(scene: Scene) -> None:
    """The call that was asked about must not run any more."""
    first = Answer(
        verdict=Verdict.ALLOW,
        decided_by="web",
        request_id=scene.ask().request_id,  # type: ignore[union-attr]  # it was answered
        edited={"command": "./tool --dry-run"},
    )
    scene.suppression.note(request(CALL), first)

    assert scene.again() is None
    assert scene.again(replace(CALL, arguments=first.edited or {})) is not None


def test_what_nobody_kept_is_not_noted(scene: Scene) -> None:
    """An answer without a request behind it, as a model or a grant gives it."""

    class OtherApprover:
        name = "others"

        async def ask(self, _: Request) -> Answer | None:
            return approved()

    run_now(scene.suppression.noting(OtherApprover()).ask(request(CALL)))

    assert scene.again() is None


def test_what_is_kept_is_bounded(scene: Scene) -> None:
    """The oldest goes first, and is asked about."""
    scene.ask()
    for number in range(KEPT):
        scene.suppression.note(request(CALL), replace(approved(), request_id=f"r{number}"))

    assert scene.again() is None


def test_what_was_granted_is_looked_for_after_it(scene: Scene) -> None:
    """The suppression comes first: it rests on this very call."""

    class Grants:
        async def answer(self, _: Request) -> Answer | None:
            return approved(decided_by="grant")

    both = SuppressedFirst(suppression=scene.suppression, otherwise=Grants())
    scene.ask()
    answers = [run_now(both.answer(request(CALL))) for _ in range(2)]

    assert [BY_DUPLICATE_PROMPT, "grant"] == [one.decided_by for one in answers if one is not None]
