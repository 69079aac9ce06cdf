"""The full answer to one call as plain values, and one short digest for each part of it.

The names of an answer are the oracle's own. Where signoff renames a class or a field, only the code
that reads it changes, and frozen files stay comparable.

    parts_of(answer_of(step))  ->  {"verdict": "ask", "level": "high", "operations": "5f0c...", ...}
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

from bench.quality.guard import Step
from signoff.actions.operation import Operation
from signoff.assess.assessment import Assessment
from signoff.assess.finding import Finding

Answer = dict[str, Any]
PLAIN = ("verdict", "level", "challenge")
HASHED = ("reason", "operations", "findings", "rule", "risk", "threat")
PARTS = (*PLAIN, *HASHED)
DIGITS = 12


def answer_of(step: Step) -> Answer:
    """Give everything that was answered, as values JSON knows."""
    if step.assessment is None:
        return {"verdict": step.outcome.verdict, "reason": step.outcome.reason}
    seen: Assessment = step.assessment
    risk, threat, match = seen.risk, seen.threat, seen.rule
    return {
        "verdict": _word(seen.preliminary),
        "level": _word(seen.level),
        "challenge": _word(seen.challenge),
        "reason": seen.reason,
        "operations": [_operation(one) for one in seen.operations],
        "findings": [_finding(one) for one in seen.findings],
        "rule": None if match is None else [match.rule.name, match.matched, match.evidence],
        "risk": [risk.value, [[f.name, f.raw, f.weight, f.evidence] for f in risk.factors]],
        "threat": [threat.score, _word(threat.level)],
    }


def parts_of(answer: Answer) -> dict[str, str]:
    """Give the parts of an answer: plain words as they are, all else as a digest."""
    plain = {name: str(answer.get(name, "-")) for name in PLAIN}
    return plain | {name: digest_of(answer.get(name)) for name in HASHED}


def digest_of(value: object) -> str:
    """Give a short digest of a value JSON knows."""
    text = json.dumps(value, sort_keys=True, ensure_ascii=True)
    return hashlib.blake2b(text.encode(), digest_size=DIGITS // 2).hexdigest()


def _operation(one: Operation) -> Answer:
    return {
        "verb": _word(one.verb),
        "thing": _word(one.thing),
        "target": one.target,
        "path": one.path,
        "reach": _word(one.reach),
        "file_kind": _word(one.file_kind),
        "traits": sorted(map(_word, one.traits)),
        "reversible": one.reversible,
        "understood": one.understood,
        "program": one.program,
        "source": one.source,
        "carriers": list(one.carriers),
        "why": one.why,
        "group": one.group,
    }


def _finding(one: Finding) -> Answer:
    return {
        "detector": one.detector,
        "category": one.category,
        "severity": _word(one.severity),
        "confidence": one.confidence,
        "evidence": one.evidence,
        "detected": one.detected,
        "group": one.group,
    }


def _word(value: object) -> str:
    return str(getattr(value, "value", value))
