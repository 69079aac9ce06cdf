"""Every line has its answer, and no line ends the stream."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from signoff.actions.action import Action
from signoff.actions.facts import Facts
from signoff.actions.operation import Operation, Reach, ResourceType, Trait, Verb
from signoff.assess.assessed import Assessed
from signoff.assess.finding import Finding, Severity
from signoff.assess.level import Level
from signoff.assess.risk.score import RiskScore, weigh
from signoff.assess.threat.score import ThreatLevel, ThreatScore
from signoff.assess.verdict import Verdict
from signoff.frontends.cli.batch import CHUNK, answer_line, answer_lines
from signoff.frontends.strict_json import MAX_BYTES
from signoff.testing import FakeAssessment

CALL = b'{"tool_name":"Bash","tool_input":{"command":"ls"}}'


def asks(action: Action, facts: Facts) -> Assessed:
    """Judge everything to be worth a question."""
    return FakeAssessment(action=action, facts=facts)


def stream(chunks: Iterable[bytes]) -> list[Any]:
    """Return the answers to a stream that arrives in these chunks."""
    waiting, written = list(chunks), bytearray()
    answer_lines(lambda _: waiting.pop(0) if waiting else b"", written.extend, asks)
    return [json.loads(line) for line in written.splitlines()]


def test_an_answer_has_every_part() -> None:
    """The answer's shape is a promise."""
    operation = Operation(
        verb=Verb.DELETE,
        thing=ResourceType.FILE,
        target="~",
        path="/home/dev",
        reach=Reach.HOME,
        traits=frozenset({Trait.RECURSIVE, Trait.BROAD}),
        reversible=False,
        program="rm",
    )
    finding = Finding(
        detector="destructive",
        category="destructive.home-files",
        severity=Severity.CRITICAL,
        evidence="deletes ~",
    )

    def judge(action: Action, facts: Facts) -> Assessed:
        factor = weigh("arguments", raw=0.5, weight=0.25, evidence="home")
        return FakeAssessment(
            action=action,
            facts=facts,
            operations=(operation,),
            findings=(finding,),
            threat=ThreatScore(90.0, ThreatLevel.CRITICAL),
            risk=RiskScore(value=0.5, factors=(factor,)),
            level=Level.CRITICAL,
            preliminary=Verdict.DENY,
        )

    assert json.loads(answer_line(CALL[:-1] + b',"id":[1]}', judge)) == {
        "id": [1],
        "verdict": "deny",
        "level": "critical",
        "risk": 0.5,
        "factors": [
            {
                "name": "arguments",
                "raw": 0.5,
                "weight": 0.25,
                "contribution": 0.125,
                "evidence": "home",
            }
        ],
        "threat": 90.0,
        "findings": [
            {
                "detector": "destructive",
                "category": "destructive.home-files",
                "severity": "critical",
                "confidence": 0.9,
                "evidence": "deletes ~",
            }
        ],
        "operations": [
            {
                "verb": "delete",
                "thing": "file",
                "target": "~",
                "path": "/home/dev",
                "reach": "home",
                "file_kind": "other",
                "traits": ["broad", "recursive"],
                "reversible": False,
                "understood": True,
                "program": "rm",
                "carriers": [],
                "why": "",
            }
        ],
        "rule": None,
        "challenge": "confirm",
        "reason": "a test wants it so",
        "instead": "delete nothing outside the project; list the folder for the user with `ls -la`",
    }


def test_prior_calls_reach_the_judgement() -> None:
    """What the payload says of earlier calls is a fact."""
    seen: list[int] = []

    def judge(action: Action, facts: Facts) -> Assessed:
        seen.append(facts.prior_calls)
        return asks(action, facts)

    answer_line(CALL[:-1] + b',"prior_calls":9}', judge)

    assert seen == [9]


@pytest.mark.parametrize("line", [b"", b"{}", b"null", b"\xff", b'{"tool_name":1}', b"[" * 9999])
def test_an_unreadable_line_is_denied(line: bytes) -> None:
    """The answer has the same parts as any other."""
    answer = json.loads(answer_line(line, asks))

    assert answer["verdict"] == "deny"
    assert answer["level"] == "critical"
    assert answer["reason"].startswith("unreadable payload: ")
    assert answer.keys() == json.loads(answer_line(CALL, asks)).keys()


def test_an_unreadable_call_still_has_its_id() -> None:
    """Whoever sent it can tell which one it was."""
    assert json.loads(answer_line(b'{"id":"x","tool_name":[]}', asks))["id"] == "x"


def test_a_failing_judge_is_a_deny() -> None:
    """One call that breaks the judgement is refused; the stream goes on."""

    def judge(action: Action, facts: Facts) -> Assessed:
        raise RecursionError("too deep")

    answer = json.loads(answer_line(CALL[:-1] + b',"id":3}', judge))

    assert (answer["id"], answer["verdict"]) == (3, "deny")
    assert answer["reason"] == "cannot be judged: RecursionError: too deep"


def test_answers_leave_as_soon_as_nothing_more_waits() -> None:
    """Whoever sends one line and waits for its answer gets it."""
    written: list[bytes] = []
    chunks = [CALL + b"\n" + CALL + b"\n", CALL + b"\n", b""]
    seen: list[int] = []

    def read(size: int) -> bytes:
        seen.append(sum(part.count(b"\n") for part in written))
        return chunks.pop(0)

    answer_lines(read, written.append, asks)

    assert seen == [0, 2, 3]


def test_a_last_line_without_an_end_is_answered() -> None:
    """A file need not end with a newline."""
    assert len(stream([CALL + b"\n" + CALL])) == 2


def test_a_line_without_end_is_denied_and_not_kept() -> None:
    """An endless line costs no memory and does not swallow the next one."""
    endless = [b"x" * CHUNK] * (3 * MAX_BYTES // CHUNK)
    answers = stream([b'{"a":"', *endless, b'"}\n' + CALL + b"\n"])

    assert [answer["verdict"] for answer in answers] == ["deny", "ask"]
    assert "limit" in answers[0]["reason"]


@given(st.lists(st.integers(1, 40), max_size=60))
def test_chunks_do_not_matter(sizes: list[int]) -> None:
    """However the bytes arrive, the answers are the same, in order."""
    text = b"".join(CALL[:-1] + b',"id":%d}\n' % number for number in range(5)) + b"\n{\n"
    chunks = []
    for size in sizes:
        chunks.append(text[:size])
        text = text[size:]
    answers = stream([chunk for chunk in [*chunks, text] if chunk])

    assert [answer["id"] for answer in answers] == [0, 1, 2, 3, 4, None, None]
