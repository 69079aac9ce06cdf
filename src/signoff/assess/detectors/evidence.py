"""How detectors of Operations find, say what they found, and write their examples."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from signoff.actions.action import Action
from signoff.actions.operation import Operation, Trait
from signoff.actions.wording.phrases import UNREAD
from signoff.actions.wording.sentence import say
from signoff.actions.wording.unknown import with_subject
from signoff.assess.detectors.detector import Evidence
from signoff.assess.finding import BOUNDED, FIXED_DETECTORS, SURE, Finding, Severity
from signoff.assess.harm.table import is_bounded


def found(
    detector: str,
    line: str,
    severity: Severity,
    op: Operation,
    *,
    confidence: float = SURE,
    because: str = "",
) -> Finding:
    """Build the finding for one Operation: category `detector.line`, evidence in words.

    A guess from a function's name asks and never denies alone. Limited harm (`assess/harm`) scores
    lower, except in findings that protect signoff itself.
    """
    text = say(op)
    if because and (UNREAD in text or because.removeprefix("it ").casefold() in text.casefold()):
        because = ""  # the sentence says it
    because = with_subject(because)
    if severity is Severity.CRITICAL and Trait.BY_NAME in op.traits:
        severity, confidence = Severity.HIGH, SURE
    elif severity is Severity.HIGH and detector not in FIXED_DETECTORS and is_bounded(op):
        confidence = BOUNDED
    return Finding(
        detector=detector,
        category=f"{detector}.{line}",
        severity=severity,
        confidence=confidence,
        evidence=f"{text}: {because}" if because else text,
        group=op.group,
    )


def shell_call(command: str) -> Action:
    """Return the Action of a shell line, for a detector's examples."""
    return Action(tool="Bash", arguments={"command": command}, cwd="/home/dev/project")


def in_operations(
    evidence: Evidence, detector: str, line_of: Callable[[Operation], tuple[str, Severity] | None]
) -> Iterator[Finding]:
    """Yield a finding for each Operation that `line_of` gives a line and severity, not None."""
    for op in evidence.operations:
        line = line_of(op)
        if line is not None:
            yield found(detector, line[0], line[1], op)
