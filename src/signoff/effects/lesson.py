"""What one decision teaches about its session: what was written, fetched, read, refused.

A refused call happened not: only the refusal is remembered, and trying again and again makes no
function familiar. One handed to the host may have happened and is remembered like an allowed one.
"""

from __future__ import annotations

from signoff.actions.facts import Denial
from signoff.actions.operation import FileKind, Operation, Operations, Trait, Verb
from signoff.assess.finding import Finding
from signoff.assess.verdict import Verdict
from signoff.decide.decision import Decision
from signoff.effects.store import Lesson, SessionKey

PER_CALL = 200  # paths of one kind taken from one call
TEXT_LIMIT = 4_096
SECRET_KINDS = frozenset({FileKind.CREDENTIALS, FileKind.ENV})
HARMLESS = frozenset({Verb.INERT, Verb.READ})


def lesson_of(decision: Decision) -> Lesson:
    """Return what the session's memory takes from a decision."""
    action = decision.action
    key = SessionKey(agent=action.agent[:TEXT_LIMIT], session=action.session[:TEXT_LIMIT])
    operations = decision.assessment.operations if decision.assessment else ()
    if decision.verdict is Verdict.DENY:
        denials = _denials(decision, operations)
        return Lesson(key=key, denials=denials)
    fetching = {op.group for op in operations if op.verb is Verb.NETWORK_IN}
    written = [op for op in operations if op.verb is Verb.WRITE]
    fetched = [op for op in written if op.group in fetching]
    fetched += [op for op in operations if op.verb is Verb.NETWORK_IN]
    return Lesson(
        key=key,
        function=action.tool[:TEXT_LIMIT],
        written=_paths(written),
        downloaded=_paths(fetched),
        secrets_read=_paths([op for op in operations if _reads_secret(op)]),
    )


def _reads_secret(operation: Operation) -> bool:
    """Tell whether a secret is read by it."""
    if Trait.READS_SECRET in operation.traits:
        return True
    return operation.verb is Verb.READ and operation.file_kind in SECRET_KINDS


def _paths(operations: list[Operation]) -> tuple[str, ...]:
    """Return the different paths acted on, in order."""
    paths = (op.path for op in operations if op.path and len(op.path) <= TEXT_LIMIT)
    return tuple(dict.fromkeys(paths))[:PER_CALL]


def _denials(decision: Decision, operations: Operations) -> tuple[Denial, ...]:
    """Return what was refused, by target; without a target the tool alone."""
    findings = decision.assessment.findings if decision.assessment else ()
    # What was found in one part of a call says nothing against its other parts.
    groups = {finding.group for finding in findings if finding.detected} - {-1}
    parts = [op for op in operations if op.group in groups] or operations
    targets = [op.path or op.target for op in parts if op.verb not in HARMLESS]
    wanted = list(dict.fromkeys(target[:TEXT_LIMIT] for target in targets if target)) or [""]
    category = _worst_category(findings)
    return tuple(
        Denial(tool=decision.action.tool[:TEXT_LIMIT], target=target, category=category)
        for target in wanted[:8]
    )


def _worst_category(findings: tuple[Finding, ...]) -> str:
    """Return the category of the most severe finding, "" without one."""
    ranks = {"low": 0, "medium": 1, "high": 2, "critical": 3}
    detected = [finding for finding in findings if finding.detected]
    return max(detected, key=lambda f: ranks[f.severity.value]).category if detected else ""
