"""How a detector of Operations says what it found, and how it writes its examples."""

from __future__ import annotations

from signoff.actions.action import Action
from signoff.actions.operation import Operation, Trait
from signoff.actions.sentence import say
from signoff.assess.detectors.harm import is_bounded
from signoff.assess.finding import BOUNDED, FIXED_DETECTORS, SURE, Finding, Severity


def found(
    detector: str,
    line: str,
    severity: Severity,
    op: Operation,
    *,
    confidence: float = SURE,
    because: str = "",
) -> Finding:
    """Make the Finding for one Operation: category `detector.line`, evidence in words.

    What is only told from a function's name is no proof: it is asked about, never refused alone.
    Harm that has a bound (`harm.py`) weighs less; what protects signoff never does.
    """
    text = say(op)
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
    """Make the call of a shell line, for a detector's examples."""
    return Action(tool="Bash", arguments={"command": command}, cwd="/home/dev/project")
