"""Runs the detectors worth running on one call; one that fails is itself a critical finding."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet

from signoff.actions.action import Action, ActionKind
from signoff.actions.facts import Facts
from signoff.actions.operation import Operations
from signoff.actions.understand import HOST_TOOLS, Understanding
from signoff.assess.detectors.detector import (
    CONTENT,
    RAW_DEVICES,
    REVIEWABLE,
    CallMark,
    Detector,
    Evidence,
    TextSource,
)
from signoff.assess.detectors.registry import CLASSIFIERS, detectors_for
from signoff.assess.detectors.texts import read_texts
from signoff.assess.finding import Finding, Severity
from signoff.assess.patterns.catalogue import Catalogue
from signoff.assess.verdict import Verdict


def look(
    action: Action, facts: Facts, operations: Operations, patterns: Catalogue | None = None
) -> tuple[Finding, ...]:
    """Return the findings of all detectors for one call.

    Args:
        patterns: None = all patterns.
    """
    return tuple(examine(read_texts(action, facts, operations, patterns)))


def classify(
    action: Action, understanding: Understanding, found: tuple[Finding, ...], so_far: Verdict
) -> Iterator[Finding]:
    """Yield what classifiers say of a call: for one that is asked about, and one that passes.

    Args:
        found, so_far: the findings of all other detectors, and the verdict by them and the rules.
    """
    evidence = Evidence(
        action=action,
        operations=understanding.operations,
        commands=understanding.commands,
        found=found,
        so_far=so_far,
    )
    return run_detectors(CLASSIFIERS, evidence)


def examine(evidence: Evidence) -> Iterator[Finding]:
    """Yield the findings of the detectors that apply to this evidence."""
    return run_detectors(detectors_for(evidence.action.kind, marks_of(evidence)), evidence)


def marks_of(evidence: Evidence) -> AbstractSet[str]:
    """Return the properties of a call by which detectors are chosen."""
    marks = _marks_of_operations(evidence.operations)
    if sum(map(len, evidence.texts.values())) > REVIEWABLE:
        marks.add(CallMark.UNREVIEWED)
    if any(evidence.hits.values()):
        marks.add(CallMark.HITS)
    if TextSource.RESULT in evidence.texts or not CONTENT.isdisjoint(evidence.action.arguments):
        marks.add(CallMark.CONTENT)
    action = evidence.action
    is_tool = action.kind is ActionKind.TOOL and action.tool not in HOST_TOOLS
    if action.kind is ActionKind.FUNCTION or is_tool:
        marks.add(CallMark.NAMED)
    if evidence.is_cut:
        marks.add(CallMark.CUT)
    if evidence.facts.denials:
        marks.add(CallMark.REFUSED)
    return marks


def _marks_of_operations(operations: Operations) -> set[str]:
    marks: set[str] = set()
    for op in operations:
        marks.update(op.traits, (op.verb, op.thing, op.reach, op.file_kind))
        if not op.understood:
            marks.add(CallMark.UNREVIEWED)
        if op.target.startswith(RAW_DEVICES):
            marks.add(CallMark.RAW)
    return marks


def run_detectors(detectors: Iterable[Detector], evidence: Evidence) -> Iterator[Finding]:
    """Yield the findings of these detectors; an exception in one becomes a denial."""
    for detector in detectors:
        try:
            yield from detector.run(evidence)
        except Exception as error:  # noqa: BLE001 - the detector runner is one of the three places
            yield Finding(
                detector=detector.id,
                category=f"{detector.id}.failed",
                severity=Severity.CRITICAL,
                confidence=1.0,
                evidence=f"detector `{detector.id}` failed: {type(error).__name__}",
            )
