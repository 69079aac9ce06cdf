"""Runs every detector over one call; one that fails is itself a critical finding."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from signoff.actions.action import Action
from signoff.actions.facts import Facts
from signoff.actions.operation import Operations, Trait
from signoff.assess.detectors.detector import Detector, Evidence
from signoff.assess.detectors.gather import gather
from signoff.assess.detectors.registry import detectors_for
from signoff.assess.finding import Finding, Severity
from signoff.assess.patterns.catalogue import Catalogue


def look(
    action: Action, facts: Facts, operations: Operations, patterns: Catalogue | None = None
) -> tuple[Finding, ...]:
    """Give what all detectors find in one call."""
    evidence = gather(action, facts, operations, patterns)
    return tuple(run_detectors(detectors_for(action.kind), evidence))


def run_detectors(detectors: Iterable[Detector], evidence: Evidence) -> Iterator[Finding]:
    """Run detectors one after another; an exception in one refuses the call, it hides nothing."""
    verbs = {operation.verb for operation in evidence.operations}
    traits: set[Trait] = set().union(*(operation.traits for operation in evidence.operations))
    has_hits = any(evidence.hits.values())
    for detector in detectors:
        if detector.verbs is not None and (
            detector.verbs.isdisjoint(verbs) and detector.traits.isdisjoint(traits)
        ):
            continue
        if detector.needs_hits and not has_hits:
            continue
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
