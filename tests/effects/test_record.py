"""The record of a decision: complete, bounded, and without secrets."""

from __future__ import annotations

import itertools
import json
from datetime import UTC, datetime

import pytest

from signoff.actions.action import Action, Json
from signoff.actions.canonical import canonical, encode
from signoff.actions.operation import Operation, Reach, ResourceType, Trait, Verb
from signoff.assess.finding import Finding, Severity
from signoff.assess.risk.score import RiskScore
from signoff.assess.verdict import Verdict
from signoff.decide.decide import decide, refuse
from signoff.decide.decision import Decision, DecisionStamp
from signoff.effects.record import KEPT_LIMIT, RecordBuilder
from signoff.effects.store import Origin
from signoff.redaction.redact import Redactor
from signoff.storage.chain import BODY_LIMIT, Head, VerifyResult, make_entry, verify_chain
from signoff.testing import FakeAssessment, FakeRule, approved
from signoff.values import replace

REDACTOR = Redactor(b"k" * 32)
ORIGIN = Origin(host="box", boot_id="b1", version="0.1.0")
STAMP = DecisionStamp(
    id="d1", decided_at=datetime(2026, 1, 2, 3, 4, 5, 6, tzinfo=UTC), latency_s=0.0123
)
SECRET = "ghp_Ab3dEf6hIj9kLm2nOp5qRs8tUv1wXy4zABCD"


def decided(action: Action, **fields: object) -> Decision:
    """Decide about an action that leans to ask and was approved."""
    assessment = replace(FakeAssessment(action=action), **fields)  # type: ignore[arg-type] # its own fields
    return decide(action, assessment, answer=approved(), stamp=STAMP)


def record(decision: Decision) -> dict[str, Json]:
    """Build the record."""
    return read(RecordBuilder(REDACTOR, origin=ORIGIN), decision)


def read(builder: RecordBuilder, decision: Decision) -> dict[str, Json]:
    """Read what a builder makes of a decision as it is stored."""
    read: dict[str, Json] = json.loads(encode(builder.content(decision)))
    return read


def action(**arguments: Json) -> Action:
    """Make a call of a shell."""
    return Action(
        tool="Bash", arguments=arguments, agent="claude", session="s1", cwd="/w", source="cli"
    )


def test_a_record_in_full() -> None:
    """Who, what, why, by whom, when, where."""
    call = action(command="git push --force")
    operation = Operation(
        verb=Verb.PUBLISH,
        thing=ResourceType.REPOSITORY,
        target="origin main",
        reach=Reach.REMOTE,
        traits=frozenset({Trait.FORCED, Trait.LOSES_HISTORY}),
    )
    finding = Finding(
        detector="destructive", category="destructive.history", severity=Severity.HIGH, evidence="e"
    )

    assert record(decided(call, operations=(operation,), findings=(finding,), rule=FakeRule())) == {
        "v": 1,
        "id": "d1",
        "ts": "2026-01-02T03:04:05.000006+00:00",
        "host": "box",
        "boot_id": "b1",
        "version": "0.1.0",
        "agent": "claude",
        "session": "s1",
        "source": "cli",
        "tool": "Bash",
        "cwd": "/w",
        "request_id": "",
        "action_digest": call.digest,
        "action_redacted": {"command": "git push --force"},
        "verdict": "allow",
        "decided_by": "fake",
        "reason": "a test wants it so; approved by ada",
        "level": "low",
        "challenge": "confirm",
        "approver": "ada",
        "channel": "fake",
        "answered_in_ms": 4000,
        "words": "",
        "latency_ms": 12.3,
        "policy_digest": "0" * 64,
        "leaning": "ask",
        "rule": "a rule",
        "threat": 0.0,
        "risk": 0.0,
        "factors": [],
        "findings": [
            {
                "detector": "destructive",
                "category": "destructive.history",
                "severity": "high",
                "confidence": 0.9,
                "evidence": "e",
            }
        ],
        "findings_in_all": 1,
        "operations": [
            {
                "verb": "publish",
                "thing": "repository",
                "target": "origin main",
                "reach": "remote",
                "traits": ["forced", "loses-history"],
                "understood": True,
            }
        ],
        "operations_in_all": 1,
    }


def test_what_could_not_be_judged_is_recorded_too() -> None:
    """Without what an assessment would say."""
    made = record(refuse(action(command="x"), "judge failed", stamp=STAMP))

    assert (made["verdict"], made["decided_by"], "risk" in made) == ("deny", "error", False)


@pytest.mark.parametrize(
    "place", ["arguments", "reason", "evidence", "target", "words", "tool", "cwd"]
)
def test_a_secret_is_nowhere_in_a_record(place: str) -> None:
    """In whatever field it came."""
    text = f"token {SECRET} here"
    call = action(command=text if place == "arguments" else "x")
    finding = Finding(detector="d", category="c", severity=Severity.LOW, evidence=text)
    decision = decided(
        replace(
            call,
            tool=text if place == "tool" else "Bash",
            cwd=text if place == "cwd" else "/w",
        ),
        reason=text if place == "reason" else "r",
        findings=(finding,) if place == "evidence" else (),
        operations=(Operation(verb=Verb.READ, target=text),) if place == "target" else (),
    )
    if place == "words":
        decision = replace(decision, answer=replace(approved(), words=text))

    made = json.dumps(record(decision))

    assert (SECRET in made, "hmac:" in made) == (False, True)


@pytest.mark.parametrize(
    "arguments",
    [
        {"command": "x" * 2_000_000},
        {f"a{n}": "x" * 5_000 for n in range(1_000)},
        {"list": ["\U0001f600" * 100] * 5_000},
        {"\x00" * 40_000: 1},
        {"control": "\x01" * 2_000_000},
    ],
    ids=["one", "many", "list", "name", "control"],
)
def test_a_record_is_never_too_large_to_be_stored(arguments: dict[str, Json]) -> None:
    """A huge call must not be refused for its record, nor recorded without its digest."""
    call = action(**arguments)
    findings = tuple(
        Finding(detector="d", category="c", severity=Severity.LOW, evidence="\x01" * 5_000)
        for _ in range(500)
    )
    operations = tuple(Operation(verb=Verb.READ, target="\x01" * 5_000) for _ in range(500))

    made = record(decided(call, findings=findings, operations=operations))

    assert len(canonical(made)) < BODY_LIMIT - 1_000
    assert made["action_digest"] == call.digest
    assert (made["findings_in_all"], made["operations_in_all"]) == (500, 500)


@pytest.mark.parametrize(
    "value",
    ["\ud800", float("nan"), float("inf"), 2**60, -(2**4000)],
    ids=lambda v: type(v).__name__,
)
def test_what_has_no_canonical_form_does_not_keep_a_refusal_from_being_recorded(
    value: Json,
) -> None:
    """What has no canonical form is written out."""
    made = record(refuse(action(command=value), "no canonical form", stamp=STAMP))

    assert (made["verdict"], made["action_digest"]) == (Verdict.DENY.value, "")
    assert canonical(made)


def test_what_comes_again_is_written_down_again() -> None:
    """Kept or not, a record says the same."""
    builder = RecordBuilder(REDACTOR, origin=ORIGIN)
    finding = Finding(detector="d", category="c", severity=Severity.LOW, evidence=SECRET)
    operation = Operation(verb=Verb.READ, target="a")
    call = action(command=f"token {SECRET}")
    decision = decided(call, operations=(operation,), findings=(finding,))

    first, again = read(builder, decision), read(builder, decision)

    assert first == again == record(decision)


def test_calls_that_differ_are_told_apart_by_a_builder_that_keeps_what_comes_again() -> None:
    """Types as well: to a dictionary `1` and `True` are one key."""
    builder = RecordBuilder(REDACTOR, origin=ORIGIN)
    calls: list[dict[str, Json]] = [{"n": 1}, {"n": True}, {"n": "1"}, {"n": 0}, {"n": False}]

    written = [read(builder, decided(action(**call)))["action_redacted"] for call in calls]

    assert json.dumps(calls) == json.dumps(written)


def test_what_has_no_digest_is_never_taken_for_another_call() -> None:
    """Two calls without a canonical form are two records."""
    builder = RecordBuilder(REDACTOR, origin=ORIGIN)
    calls: list[dict[str, Json]] = [{"n": 2**60}, {"n": 2**61}]

    written = [
        read(builder, refuse(action(**call), "r", stamp=STAMP))["action_redacted"] for call in calls
    ]

    assert [{"n": str(2**60)}, {"n": str(2**61)}] == written


def test_what_a_builder_keeps_is_bounded() -> None:
    """By the number of calls and texts, however many there were."""
    builder = RecordBuilder(REDACTOR, origin=ORIGIN)
    before = [
        read(builder, decided(replace(action(command=f"echo {n}"), session=f"s{n}")))
        for n in range(KEPT_LIMIT + 1)
    ]
    first = decided(replace(action(command="echo 0"), session="s0"))

    assert before[0] == read(builder, first)
    assert len(builder._called) <= KEPT_LIMIT


@pytest.mark.parametrize("risk", [0.14, 1e-7], ids=["everyday", "unusual"])
def test_a_record_is_stored_in_canonical_form(risk: float) -> None:
    """Whichever encoder has to write it."""
    builder, head = RecordBuilder(REDACTOR, origin=ORIGIN), Head()
    finding = Finding(detector="d", category="c", severity=Severity.LOW, evidence="é")
    arguments: dict[str, Json] = {"ключ": "\U0001f600", "n": 1e-7}
    call = action(**arguments)
    score = RiskScore(value=risk, factors=())
    entries = []
    for _ in range(2):
        content = builder.content(decided(call, findings=(finding,), risk=score))
        entries.append(make_entry(content, head))
        head = Head(seq=entries[-1].seq, hash=entries[-1].hash)

    assert VerifyResult(ok=True, count=2, head=head) == verify_chain(entries, head)


def test_every_kind_of_operation_is_written_as_what_it_is() -> None:
    """More kinds than a builder keeps; each beside others, around a target of its own."""
    builder = RecordBuilder(REDACTOR, origin=ORIGIN)
    kinds = itertools.product(Verb, ResourceType, Reach, (True, False))
    for number, (verb, thing, reach, understood) in enumerate(kinds):
        target = f'"{number}\\'
        operation = Operation(
            verb=verb, thing=thing, target=target, reach=reach, understood=understood
        )
        twice = (operation, replace(operation, traits=frozenset({Trait.NAMED}), target="é"))
        written = read(builder, decided(action(command="x"), operations=twice))["operations"]

        kind: dict[str, Json] = {
            "verb": verb.value,
            "thing": thing.value,
            "reach": reach.value,
            "understood": understood,
        }
        expected = [
            {**kind, "target": target, "traits": []},
            {**kind, "target": "é", "traits": ["named"]},
        ]
        assert expected == written

    assert 2 * number > KEPT_LIMIT
