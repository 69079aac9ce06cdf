"""What a session's memory takes from a decision."""

from __future__ import annotations

import pytest

from signoff.actions.action import Action
from signoff.actions.facts import Denial
from signoff.actions.operation import FileKind, Operation, Operations, ResourceType, Trait, Verb
from signoff.assess.finding import Finding, Severity
from signoff.assess.verdict import Verdict
from signoff.challenge.answer import BY_HOST, Answer
from signoff.decide.decide import decide
from signoff.decide.decision import Decision
from signoff.effects.session_updates import PER_CALL, session_update_of
from signoff.effects.store import SessionKey
from signoff.testing import FakeAssessment

HANDED_ON = Answer(verdict=Verdict.ASK, decided_by=BY_HOST)


def file_op(verb: Verb, path: str, *, group: int = 0, kind: FileKind = FileKind.OTHER) -> Operation:
    """Make an operation on a file."""
    return Operation(
        verb=verb, thing=ResourceType.FILE, path=path, target=path, group=group, file_kind=kind
    )


def decided(
    operations: Operations, verdict: Verdict = Verdict.ALLOW, findings: tuple[Finding, ...] = ()
) -> Decision:
    """Decide about a shell line that means these operations."""
    action = Action(tool="Bash", arguments={}, agent="claude", session="s1")
    assessment = FakeAssessment(
        action=action, operations=operations, preliminary=verdict, findings=findings
    )
    return decide(action, assessment, answer=HANDED_ON)


def test_a_lesson_is_kept_by_agent_and_session_and_function() -> None:
    """Everything that may have happened counts as one call."""
    session_update = session_update_of(decided(()))

    assert (session_update.key, session_update.function) == (
        SessionKey(agent="claude", session="s1"),
        "Bash",
    )


@pytest.mark.parametrize("verdict", [Verdict.ALLOW, Verdict.ASK])
def test_what_may_have_been_written_is_remembered(verdict: Verdict) -> None:
    """Allowed, or handed to a host that may have let it happen."""
    session_update = session_update_of(decided((file_op(Verb.WRITE, "/w/x.sh"),), verdict))

    assert (session_update.written, session_update.denials) == (("/w/x.sh",), ())


def test_what_a_fetch_writes_is_remembered_as_downloaded() -> None:
    """Both where one operation says so and where two of one command do."""
    operations = (
        file_op(Verb.NETWORK_IN, "/w/a"),
        Operation(
            verb=Verb.NETWORK_IN, thing=ResourceType.URL, target="https://x.example", group=1
        ),
        file_op(Verb.WRITE, "/w/b", group=1),
        file_op(Verb.WRITE, "/w/c", group=2),
    )

    assert set(session_update_of(decided(operations)).downloaded) == {"/w/a", "/w/b"}


def test_secrets_that_were_read_are_remembered() -> None:
    """By trait and by the kind of file."""
    marked = Operation(verb=Verb.READ, path="/k/a", traits=frozenset({Trait.READS_SECRET}))
    operations = (
        marked,
        file_op(Verb.READ, "/k/b", kind=FileKind.CREDENTIALS),
        file_op(Verb.READ, "/k/c"),
        file_op(Verb.WRITE, "/k/d", kind=FileKind.ENV),
    )

    assert session_update_of(decided(operations)).secrets_read == ("/k/a", "/k/b")


def test_a_refused_call_happened_not() -> None:
    """Only the refusal is remembered, with target and worst line of the policy."""
    findings = (
        Finding(detector="a", category="a.low", severity=Severity.LOW),
        Finding(detector="b", category="b.worst", severity=Severity.CRITICAL),
        Finding(detector="c", category="c.unseen", severity=Severity.CRITICAL, detected=False),
    )
    operations = (file_op(Verb.READ, "/w/in"), file_op(Verb.WRITE, "/etc/passwd"))

    session_update = session_update_of(decided(operations, Verdict.DENY, findings))

    assert (session_update.written, session_update.function) == ((), "")
    assert session_update.denials == (
        Denial(tool="Bash", target="/etc/passwd", category="b.worst"),
    )


def test_a_refusal_without_a_target_is_remembered_by_its_tool() -> None:
    """Something was refused; the tool says at least what."""
    assert session_update_of(decided((), Verdict.DENY)).denials == (
        Denial(tool="Bash", target="", category=""),
    )


def test_one_call_teaches_only_so_much() -> None:
    """A call that names thousands of files does not flood the memory."""
    operations = tuple(file_op(Verb.WRITE, f"/w/{n}") for n in range(5_000))

    assert len(session_update_of(decided(operations)).written) == PER_CALL
