"""An assessment as one line of JSON: the answer of `signoff check --batch` and `--json`.

    {"id": 1, "verdict": "ask", "level": "high", "risk": 0.61, "factors": [..], "threat": 67.5,
     "findings": [..], "operations": [..], "rule": null, "challenge": "quiz", "reason": "..",
     "instead": ".."}

`verdict` is what would happen with no person and no model at hand. What could not be read or
judged has the same form, with verdict deny and the highest level.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeAlias

import msgspec

from signoff.actions.action import Json
from signoff.actions.operation import (
    FileKind,
    Operation,
    Reach,
    ResourceType,
    Trait,
    Verb,
)
from signoff.assess.advice import advice_for
from signoff.assess.assessed import Assessed
from signoff.assess.finding import Finding
from signoff.assess.level import Challenge, Level
from signoff.assess.verdict import Verdict

_encode = msgspec.json.Encoder().encode

# Risk, factors, threat, findings, operations and rule, as they stand in an answer.
Judged: TypeAlias = "tuple[float, object, float, object, object, str | None]"
NOT_JUDGED: Judged = (1.0, (), 0.0, (), (), None)


class AssessmentJson(msgspec.Struct, gc=False):
    """The JSON answer about a judged call; its fields are in output order."""

    id: Json
    verdict: Verdict
    level: Level
    risk: float
    factors: object
    threat: float
    findings: object
    operations: object
    rule: str | None
    challenge: Challenge
    reason: str
    instead: str


class NamedText(Protocol):
    """Port: one influence on a judgement, for explanations."""

    @property
    def name(self) -> str:
        """What it is, as `pack` or `trust`."""

    @property
    def said(self) -> str:
        """Its effect, in words for people."""


class _ExplainedJson(AssessmentJson, gc=False):
    """The same with all that shaped it, by name."""

    shaped_by: dict[str, str]


def assessed_json(
    assessed: Assessed, *, id: Json = None, shaped: Sequence[NamedText] = ()
) -> bytes:
    """Return the JSON answer for a judged call.

    Args:
        id: the caller's id, repeated in the answer.
        shaped: influences on the judgement; () = none are listed.
    """
    told = ({one.name: one.said for one in shaped},) if shaped else ()
    return _encode(
        (_ExplainedJson if told else AssessmentJson)(
            id,
            assessed.preliminary,
            assessed.level,
            *judged(assessed),
            assessed.challenge,
            assessed.reason,
            advice_for(assessed),
            *told,
        )
    )


def refused_json(reason: str, *, id: Json = None) -> bytes:
    """Return the JSON answer for a payload that could not be parsed or judged.

    Args:
        id: the caller's id, repeated in the answer.
    """
    return _encode(
        AssessmentJson(
            id, Verdict.DENY, Level.CRITICAL, *NOT_JUDGED, Challenge.MULTI_PARTY, reason, ""
        )
    )


def judged(assessed: Assessed | None) -> Judged:
    """Return an assessment's results; without one, the most severe values."""
    if assessed is None:
        return NOT_JUDGED
    rule, risk = assessed.rule, assessed.risk
    return (
        risk.value,
        risk.factors,  # written as they are: the fields of `Factor` are those of an answer
        assessed.threat.score,
        [_finding(finding) for finding in assessed.findings],
        [_operation(operation) for operation in assessed.operations],
        rule.rule.name if rule is not None else None,
    )


class _OperationJson(msgspec.Struct, gc=False):
    """An operation, in the order it is written in."""

    verb: Verb
    thing: ResourceType
    target: str
    path: str
    reach: Reach
    file_kind: FileKind
    traits: list[Trait]
    reversible: bool
    understood: bool
    program: str
    carriers: tuple[str, ...]
    why: str


def _finding(finding: Finding) -> dict[str, Json]:
    return {
        "detector": finding.detector,
        "category": finding.category,
        "severity": finding.severity,
        "confidence": finding.confidence,
        "evidence": finding.evidence,
    }


def _operation(operation: Operation) -> _OperationJson:
    return _OperationJson(
        operation.verb,
        operation.thing,
        operation.target,
        operation.path,
        operation.reach,
        operation.file_kind,
        sorted(operation.traits),
        operation.reversible,
        operation.understood,
        operation.program,
        operation.carriers,
        operation.why,
    )
