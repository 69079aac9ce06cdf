"""An assessment as one line of JSON: the answer of `signoff check --batch` and `--json`.

    {"id": 1, "verdict": "ask", "level": "high", "risk": 0.61, "factors": [..], "threat": 67.5,
     "findings": [..], "operations": [..], "rule": null, "challenge": "quiz", "reason": ".."}

`verdict` is what would happen with no person and no model at hand. What could not be read or
judged has the same form, with verdict deny and the highest level.
"""

from __future__ import annotations

import msgspec

from signoff.actions.action import Json
from signoff.actions.operation import Operation, Operations
from signoff.assess.assessed import Assessed
from signoff.assess.finding import Finding
from signoff.assess.level import Challenge, Level
from signoff.assess.risk.score import Factor
from signoff.assess.verdict import Verdict
from signoff.values import Once, is_short

_encode = msgspec.json.Encoder().encode


def assessed_json(assessed: Assessed, *, id: Json = None) -> bytes:
    """Return the answer for a call that was judged."""
    return _encode({"id": id, **assessed_fields(assessed)})


def assessed_fields(assessed: Assessed) -> dict[str, object]:
    """Return what an assessment says, by name."""
    rule = assessed.rule
    return {
        "verdict": assessed.leaning,
        "level": assessed.level,
        "risk": assessed.risk.value,
        "factors": [_factor(factor) for factor in assessed.risk.factors],
        "threat": assessed.threat.score,
        "findings": _findings(assessed.findings) if assessed.findings else (),
        "operations": _operations(assessed.operations) if assessed.operations else (),
        "rule": rule.rule.name if rule is not None else None,
        "challenge": assessed.challenge,
        "reason": assessed.reason,
    }


def refused_json(reason: str, *, id: Json = None) -> bytes:
    """Return the answer for what could not be read or judged."""
    return _encode({"id": id, **refused_fields(reason)})


def refused_fields(reason: str) -> dict[str, object]:
    """Return what is said of what could not be read or judged, by name."""
    return {
        "verdict": Verdict.DENY,
        "level": Level.CRITICAL,
        "risk": 1.0,
        "factors": [],
        "threat": 0.0,
        "findings": [],
        "operations": [],
        "rule": None,
        "challenge": Challenge.MULTI_PARTY,
        "reason": reason,
    }


def _written_factor(factor: Factor) -> msgspec.Raw:
    return msgspec.Raw(
        _encode(
            {
                "name": factor.name,
                "raw": factor.raw,
                "weight": factor.weight,
                "contribution": factor.contribution,
                "evidence": factor.evidence,
            }
        )
    )


def _written_findings(findings: tuple[Finding, ...]) -> msgspec.Raw:
    return msgspec.Raw(
        _encode(
            [
                {
                    "detector": finding.detector,
                    "category": finding.category,
                    "severity": finding.severity,
                    "confidence": finding.confidence,
                    "evidence": finding.evidence,
                }
                for finding in findings
            ]
        )
    )


def _written_operations(operations: Operations) -> msgspec.Raw:
    return msgspec.Raw(_encode([_operation(operation) for operation in operations]))


def _operation(operation: Operation) -> dict[str, Json]:
    return {
        "verb": operation.verb,
        "thing": operation.thing,
        "target": operation.target,
        "path": operation.path,
        "reach": operation.reach,
        "file_kind": operation.file_kind,
        "traits": sorted(operation.traits),
        "reversible": operation.reversible,
        "understood": operation.understood,
        "program": operation.program,
        "carriers": operation.carriers,
        "why": operation.why,
    }


# A call that comes again brings the very same values; what is said of them is kept as it is sent.
_factor = Once(_written_factor)
_findings = Once(_written_findings, is_kept=is_short)
_operations = Once(_written_operations, is_kept=is_short)
