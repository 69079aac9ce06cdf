"""The record of one decision: what is written down, and how it is kept small and clean.

Every text from outside passes the redactor; every list has a limit and says so when it was cut.
The digests are of the real bytes, so a record can be matched with the action it speaks of.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from signoff.actions.action import Json
from signoff.actions.canonical import canonical
from signoff.actions.operation import Operation
from signoff.assess.assessed import Assessed
from signoff.assess.finding import Finding
from signoff.assess.risk.score import Factor
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
WRITTEN_LIMIT = 2_048
NOT_ANSWERED: dict[str, Json] = {
    "approver": "",
    "channel": "",
    "answered_in_ms": 0,
    "words": "",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Where records come from: this machine, since its last start, and this signoff."""

    host: str = ""
    boot_id: str = ""
    version: str = ""


class RecordBuilder:
    """Makes the content of records: of this origin, clean by this redactor.

    Calls come again, and what was found in them comes with them as the very same values: how they
    are written down is kept, bounded.
    """

    def __init__(self, redactor: Redactor, *, origin: Origin | None = None) -> None:
        self._redactor = redactor
        self._origin = origin or Origin()
        self._short = Redactor(redactor.key, text_limit=SHORT).text
        self._item = Redactor(redactor.key, text_limit=ITEM)
        self._written: dict[int, tuple[object, list[Json]]] = {}
        item = self._item.text
        self._factor = lru_cache(WRITTEN_LIMIT)(lambda factor: _factor(factor, item))

    def content(self, decision: Decision) -> dict[str, Json]:
        """Return the content of a decision's record, without its place in the chain."""
        action, answer, at, short = (
            decision.action,
            decision.answer,
            decision.decided_at,
            self._short,
        )
        origin = self._origin
        return {
            # Our own words and numbers stand as they are; what is from outside is looked through.
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
            **({"edited_from": decision.edited_from} if decision.edited_from else {}),
            "verdict": decision.verdict.value,
            "decided_by": short(decision.decided_by),
            "reason": short(decision.reason),
            "level": decision.level.value,
            "challenge": decision.challenge.value,
            "latency_ms": plain_number(round(decision.latency_s * 1000, 3)),
            **_answered(answer, short),
            **self._judgement(decision.assessment),
            "action_redacted": _arguments(decision, self._redactor, self._item),
        }

    def _judgement(self, assessment: Assessed | None) -> dict[str, Json]:
        """Return what an assessment says; nothing where judging itself failed."""
        if assessment is None:
            return {}
        rule, risk, said = assessment.rule, assessment.risk, self._item.text
        findings, operations = assessment.findings, assessment.operations
        return {
            "policy_digest": assessment.policy_digest,
            "leaning": assessment.leaning.value,
            "rule": said(rule.rule.name) if rule else "",
            "threat": plain_number(assessment.threat.score),
            "risk": plain_number(risk.value),
            "factors": [self._factor(f) for f in risk.factors[:LIST_LIMIT]],
            "findings": self._once(
                findings, lambda: [_finding(f, said) for f in findings[:LIST_LIMIT]]
            ),
            "findings_in_all": len(findings),
            "operations": self._once(
                operations, lambda: [_operation(o, said) for o in operations[:LIST_LIMIT]]
            ),
            "operations_in_all": len(operations),
        }

    def _once(self, values: tuple[object, ...], write: Callable[[], list[Json]]) -> list[Json]:
        """Return how these very values are written down, worked out once while they come again."""
        if not values:
            return []
        known = self._written.get(id(values))
        if known is not None and known[0] is values:  # kept with it, so that its id stays its own
            return known[1]
        if len(self._written) >= WRITTEN_LIMIT:
            self._written.pop(next(iter(self._written)), None)
        written = write()
        self._written[id(values)] = (values, written)
        return written


def _answered(answer: Answer | None, short: Callable[[str], str]) -> dict[str, Json]:
    """Return who answered what, and how soon."""
    if answer is None:
        return NOT_ANSWERED
    return {
        "approver": short(answer.who),
        "channel": short(answer.channel),
        "answered_in_ms": round(answer.took_s * 1000),
        "words": short(answer.words),
        **_asked(answer, short),
    }


def _asked(answer: Answer, said: Callable[[str], str]) -> dict[str, Json]:
    """Return what the model thought and what each person gave; nothing where nobody was asked."""
    if not (answer.request_id or answer.model):
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


def _factor(factor: Factor, said: Callable[[str], str]) -> dict[str, Json]:
    """Return a factor of the risk."""
    return {
        "name": said(factor.name),
        "raw": plain_number(factor.raw),
        "weight": plain_number(factor.weight),
        "evidence": said(factor.evidence),
    }


def _finding(finding: Finding, said: Callable[[str], str]) -> dict[str, Json]:
    """Return what a detector found."""
    return {
        "detector": said(finding.detector),
        "category": said(finding.category),
        "severity": finding.severity.value,
        "confidence": plain_number(finding.confidence),
        "evidence": said(finding.evidence),
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
