"""The record of one decision: what is written down, and how it is kept small and clean.

Every text from outside passes the redactor; every list has a limit and says so when it was cut.
The digests are of the real bytes, so a record can be matched with the action it speaks of.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from signoff.actions.action import Json
from signoff.actions.canonical import canonical
from signoff.actions.operation import Operation
from signoff.assess.assessed import Assessed
from signoff.challenge.answer import Answer
from signoff.decide.decision import Decision
from signoff.effects.redact import Redactor, plain_number

FORMAT = 1
# Chosen so that no record, whatever is in it, is over the 256 kB a store takes: a character is up
# to six bytes, and a call must not get out of its record by being strange.
SHORT = 500  # characters of a name or a reason
ITEM = 200  # characters of a text in a list
LIST_LIMIT = 20
ARGUMENTS_LIMIT = 49_152  # bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Where records come from: this machine, since its last start, and this signoff."""

    host: str = ""
    boot_id: str = ""
    version: str = ""


def build_record(decision: Decision, *, redactor: Redactor, origin: Origin) -> dict[str, Json]:
    """Return the content of a decision's record, without its place in the chain."""
    action, answer, at = decision.action, decision.answer, decision.decided_at
    short = Redactor(redactor.key, text_limit=SHORT).text
    item = Redactor(redactor.key, text_limit=ITEM)
    return {
        # Our own words and numbers stand as they are; what came from outside is looked through.
        "v": FORMAT,
        "id": decision.id,
        "ts": at.isoformat(timespec="microseconds") if at else "",
        "host": origin.host,
        "boot_id": origin.boot_id,
        "version": origin.version,
        "agent": short(action.agent),
        "session": short(action.session),
        "source": short(action.source),
        "tool": short(action.tool),
        "cwd": short(action.cwd),
        "request_id": short(action.request_id),
        "action_digest": decision.digest,
        "verdict": decision.verdict.value,
        "decided_by": short(decision.decided_by),
        "reason": short(decision.reason),
        "level": decision.level.value,
        "challenge": decision.challenge.value,
        "approver": short(answer.who) if answer else "",
        "channel": short(answer.channel) if answer else "",
        "answered_in_ms": round(answer.took_s * 1000) if answer else 0,
        "words": short(answer.words) if answer else "",
        **_asked(answer, short),
        "latency_ms": plain_number(round(decision.latency_s * 1000, 3)),
        **_judgement(decision.assessment, item.text),
        "action_redacted": _arguments(decision, redactor, item),
    }


def _asked(answer: Answer | None, said: Callable[[str], str]) -> dict[str, Json]:
    """Return what the model thought and what each person gave; nothing where nobody was asked."""
    if answer is None or not (answer.request_id or answer.model):
        return {}
    parts: list[Json] = [
        {
            "approver": said(part.who),
            "channel": said(part.channel),
            "proof": part.proof,
            "answered_in_ms": round(part.took_s * 1000),
            "was_fast": part.was_fast,
        }
        for part in answer.parts[:LIST_LIMIT]
    ]
    return {"approval_id": answer.request_id, "model": said(answer.model), "answers": parts}


def _judgement(assessment: Assessed | None, said: Callable[[str], str]) -> dict[str, Json]:
    """Return what an assessment says; nothing where judging itself failed."""
    if assessment is None:
        return {}
    rule, risk = assessment.rule, assessment.risk
    return {
        "policy_digest": assessment.policy_digest,
        "leaning": assessment.leaning.value,
        "rule": said(rule.rule.name) if rule else "",
        "threat": plain_number(assessment.threat.score),
        "risk": plain_number(risk.value),
        "factors": [
            {
                "name": said(f.name),
                "raw": plain_number(f.raw),
                "weight": plain_number(f.weight),
                "evidence": said(f.evidence),
            }
            for f in risk.factors[:LIST_LIMIT]
        ],
        "findings": [
            {
                "detector": said(f.detector),
                "category": said(f.category),
                "severity": f.severity.value,
                "confidence": plain_number(f.confidence),
                "evidence": said(f.evidence),
            }
            for f in assessment.findings[:LIST_LIMIT]
        ],
        "findings_in_all": len(assessment.findings),
        "operations": [
            _operation(operation, said) for operation in assessment.operations[:LIST_LIMIT]
        ],
        "operations_in_all": len(assessment.operations),
    }


def _operation(operation: Operation, said: Callable[[str], str]) -> dict[str, Json]:
    """Return an operation in the few words a reader of records needs."""
    return {
        "verb": operation.verb.value,
        "thing": operation.thing.value,
        "target": said(operation.target),
        "reach": operation.reach.value,
        "traits": sorted(trait.value for trait in operation.traits),
        "understood": operation.understood,
    }


def _arguments(decision: Decision, redactor: Redactor, item: Redactor) -> Json:
    """Return the arguments without secrets; over the limit only how each of them begins."""
    arguments = decision.action.arguments
    cleaned = redactor.value(arguments)
    if len(canonical(cleaned)) <= ARGUMENTS_LIMIT:
        return cleaned
    heads = item.value({name: arguments[name] for name in list(arguments)[:LIST_LIMIT]})
    is_small = len(canonical(heads)) <= ARGUMENTS_LIMIT
    names: list[Json] = [item.text(name) for name in list(arguments)[:LIST_LIMIT]]
    return {"cut": "too large to be kept whole", "heads": heads if is_small else names}
