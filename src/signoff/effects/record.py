"""The record of one decision: what is written down, and how it is kept small and clean.

Every text from outside passes the redactor; every list has a limit and says so when it was cut.
The digests are of the real bytes, so a record can be matched with the action it speaks of.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from signoff.actions.action import ActionKind
from signoff.actions.canonical import (
    Json,
    RawJson,
    RawJsonTree,
    canonical,
    json_array,
    piece,
    quoted,
)
from signoff.actions.operation import Operation, Reach, ResourceType, Trait, Verb
from signoff.assess.assessed import Assessed
from signoff.assess.finding import Finding
from signoff.assess.risk.score import Factor
from signoff.challenge.answer import Answer
from signoff.decide.decision import Decision
from signoff.effects.store import Origin
from signoff.redaction.redact import Redactor, plain_number
from signoff.values import replace

FORMAT = 1
# Chosen so that no record, whatever is in it, is over the 256 kB a store takes: a character is up
# to six bytes, and a call must not get out of its record by being strange.
SHORT = 500  # characters of a name or a reason
ITEM = 200  # characters of a text in a list
LIST_LIMIT = 20
ARGUMENTS_LIMIT = 49_152  # bytes
KEPT_LIMIT = 2_048  # of what is kept in its written form, of each kind
KEPT_TEXT = 200  # characters of a text that is kept
KEPT_ARGUMENTS = 1_024  # bytes; nothing so small was cut, so their order makes no difference
CUT = "cut"  # the name that stands in arguments that were too large to be kept whole
NOTHING = piece([])
Look: TypeAlias = tuple[Reach, ResourceType, frozenset[Trait], bool, Verb]  # of an operation
Frame: TypeAlias = tuple[bytes, bytes]  # what stands before and after its target
NOT_ANSWERED: dict[str, Json] = {
    "approver": "",
    "channel": "",
    "answered_in_ms": 0,
    "words": "",
}


class RecordBuilder:
    """Builds the content of audit log entries, with secrets masked.

    Serialised factors and findings are cached by value, as many calls share them. Operations are
    not: that costs more than it saves.
    """

    def __init__(self, redactor: Redactor, *, origin: Origin | None = None) -> None:
        self._redactor = redactor
        self._origin = origin or Origin()
        # Looked up without a call: most of what a record says was said before.
        self._short = _MaskedTexts(replace(redactor, text_limit=SHORT)).__getitem__
        self._item = _MaskedTexts(replace(redactor, text_limit=ITEM)).__getitem__
        self._heads = replace(redactor, text_limit=ITEM)
        self._frames = _Frames()
        said = self._item
        self._factor = _WrittenFactors(said).__getitem__
        self._findings = _WrittenFindings(said).__getitem__
        self._called: dict[str, RawJson] = {}

    def content(self, decision: Decision) -> dict[str, RawJsonTree]:
        """Return a decision's entry, without its sequence number and the previous hash."""
        action, stamp, short, origin = decision.action, decision.stamp, self._short, self._origin
        at = stamp.decided_at
        content: dict[str, RawJsonTree] = {
            # Our own words and numbers stand as they are; what is from outside is looked through.
            "v": FORMAT,
            "id": stamp.id,
            "ts": at.isoformat("T", "microseconds") if at else "",
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
            "latency_ms": plain_number(round(stamp.latency_s * 1000, 3)),
            "action_redacted": self._arguments(decision),
        }
        # Both only where they are not the usual ones: most calls are those of tools.
        if action.kind is not ActionKind.TOOL:
            content["kind"] = action.kind.value
        if action.environment:
            content["environment"] = short(action.environment)
        if decision.would_be is not None:
            content["would_be"] = decision.would_be.value
        if decision.edited_from:
            content["edited_from"] = self._digest(decision.edited_from)
        content.update(_answered(decision.answer, short))
        content.update(self._judgement(decision.assessment))
        return content

    def _digest(self, digest: str) -> str:
        """Return a digest; of a call with secrets by the key, or they could be guessed by it."""
        redactor = self._redactor
        return redactor.keyed_digest(digest) if redactor.known and digest else digest

    def _judgement(self, assessment: Assessed | None) -> dict[str, RawJsonTree]:
        """Return what an assessment says; nothing where judging itself failed."""
        if assessment is None:
            return {}
        rule, risk = assessment.rule, assessment.risk
        findings, operations = assessment.findings, assessment.operations
        return {
            "policy_digest": assessment.policy_digest,
            "leaning": assessment.preliminary.value,
            "rule": self._item(rule.rule.name) if rule else "",
            "threat": plain_number(assessment.threat.score),
            "risk": plain_number(risk.value),
            "factors": json_array([self._factor(factor) for factor in risk.factors[:LIST_LIMIT]]),
            "findings": self._findings(findings) if findings else NOTHING,
            "findings_in_all": len(findings),
            "operations": _operations(operations, self._item, self._frames),
            "operations_in_all": len(operations),
        }

    def _arguments(self, decision: Decision) -> RawJson:
        """Return the arguments without secrets, kept by the digest, which tells them all apart."""
        known = self._called.get(decision.digest)
        if known is not None:
            return known
        written = _arguments(decision.action.arguments, self._redactor, self._heads)
        if decision.digest and written.size <= KEPT_ARGUMENTS:
            if len(self._called) >= KEPT_LIMIT:
                self._called.clear()
            self._called[decision.digest] = written
        return written


class _MaskedTexts(dict[str, str]):
    """Texts without their secrets, by what they were; long ones are worked out each time."""

    def __init__(self, redactor: Redactor) -> None:
        super().__init__()
        self._redactor = redactor

    def __missing__(self, text: str) -> str:
        said = self._redactor.text(text)
        if len(text) <= KEPT_TEXT:
            if len(self) >= KEPT_LIMIT:
                self.clear()
            self[text] = said
        return said


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
    tries: list[Json] = [
        {"approver": said(one.who), "kind": one.kind, "count": one.count}
        for one in answer.tries[:LIST_LIMIT]
    ]
    asked: dict[str, Json] = {
        "approval_id": answer.request_id,
        "model": said(answer.model),
        "answers": parts,
    }
    return {**asked, "tries": tries} if tries else asked


def _factor(factor: Factor, said: Callable[[str], str]) -> dict[str, Json]:
    """Return a factor of the risk as an entry stores it."""
    return {
        "name": said(factor.name),
        "raw": plain_number(factor.raw),
        "weight": plain_number(factor.weight),
        "evidence": said(factor.evidence),
    }


def _findings(findings: Sequence[Finding], said: Callable[[str], str]) -> list[Json]:
    """Return what the detectors found, as much of it as a record has room for."""
    return [_finding(finding, said) for finding in findings[:LIST_LIMIT]]


def _finding(finding: Finding, said: Callable[[str], str]) -> dict[str, Json]:
    """Return a finding as an entry stores it."""
    return {
        "detector": said(finding.detector),
        "category": said(finding.category),
        "severity": finding.severity.value,
        "confidence": plain_number(finding.confidence),
        "evidence": said(finding.evidence),
    }


class _WrittenFactors(dict[Factor, bytes]):
    """Cache of serialised risk factors."""

    def __init__(self, said: Callable[[str], str]) -> None:
        super().__init__()
        self._said = said

    def __missing__(self, factor: Factor) -> bytes:
        written = canonical(_factor(factor, self._said))
        if len(self) >= KEPT_LIMIT:
            self.clear()
        self[factor] = written
        return written


class _WrittenFindings(dict[tuple[Finding, ...], RawJson]):
    """Canonical bytes of all findings of a call, as many as a record has room for."""

    def __init__(self, said: Callable[[str], str]) -> None:
        super().__init__()
        self._said = said

    def __missing__(self, findings: tuple[Finding, ...]) -> RawJson:
        written = piece(_findings(findings, self._said))
        # Longer ones are not all in what was written, so another call could look the same.
        if len(findings) <= LIST_LIMIT:
            if len(self) >= KEPT_LIMIT:
                self.clear()
            self[findings] = written
        return written


class _Frames(dict[Look, Frame]):
    """How operations are written around their targets, by all else that is said of them."""

    def __missing__(self, look: Look) -> Frame:
        reach, thing, traits, understood, verb = look
        whole = canonical(
            {
                "reach": reach.value,
                "target": "",
                "thing": thing.value,
                "traits": sorted(trait.value for trait in traits),
                "understood": understood,
                "verb": verb.value,
            }
        )
        # The target is the only empty text in it, so its place is found once for all targets.
        before, _, after = whole.partition(b'""')
        if len(self) >= KEPT_LIMIT:
            self.clear()
        self[look] = before, after
        return before, after


def _operations(
    operations: Sequence[Operation], said: Callable[[str], str], frames: Mapping[Look, Frame]
) -> RawJson:
    """Return what a call does, as much of it as a record has room for.

    Each operation in the few words a reader of records needs.
    """
    written: list[bytes] = []
    for one in operations[:LIST_LIMIT]:
        before, after = frames[one.reach, one.thing, one.traits, one.understood, one.verb]
        written.append(before + quoted(said(one.target)) + after)
    return json_array(written)


def _arguments(arguments: Mapping[str, Json], redactor: Redactor, item: Redactor) -> RawJson:
    """Return the arguments without secrets; over the limit only how each of them begins."""
    whole = piece(redactor.value(arguments))
    if whole.size <= ARGUMENTS_LIMIT:
        return whole
    first = list(arguments)[:LIST_LIMIT]
    # How each argument begins tells people which call it was; the digest tells it exactly.
    heads = item.value({name: arguments[name] for name in first})
    # Cut texts can still be many, as in a list of lists: then the names alone are kept.
    is_small = piece(heads).size <= ARGUMENTS_LIMIT
    names: list[Json] = [item.text(name) for name in first]
    return piece({CUT: "too large to be kept whole", "heads": heads if is_small else names})
