"""Every detector, in the order they run: a visible table, one line each.

Those of Operations come first; those of text (secrets, injection, web requests, results) follow.
`detectors_for` says which can find anything in a call.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from functools import lru_cache

from signoff.actions.action import ActionKind
from signoff.assess.detectors import (
    call_classifier,
    combined_facts,
    credential_access,
    defence_tampering,
    destructive,
    environment_poisoning,
    exfiltration,
    opaque,
    path_escape,
    persistence,
    privilege,
    production_impact,
    remote_change,
    remote_code,
    self_protection,
    supply_chain,
    system_change,
    workaround,
)
from signoff.assess.detectors.content import (
    CONTENT_DETECTORS,
    RESULT_DETECTORS,
    TEXT_DETECTORS,
    WEB_DETECTORS,
)
from signoff.assess.detectors.detector import Detector

# Run after all others, on a call that is neither denied nor settled (`runner.classify`).
CLASSIFIERS: tuple[Detector, ...] = (call_classifier.DETECTOR,)
OPERATION_DETECTORS: tuple[Detector, ...] = (
    self_protection.DETECTOR,
    destructive.DETECTOR,
    remote_code.DETECTOR,
    exfiltration.DETECTOR,
    credential_access.DETECTOR,
    persistence.DETECTOR,
    privilege.DETECTOR,
    defence_tampering.DETECTOR,
    environment_poisoning.DETECTOR,
    production_impact.DETECTOR,
    remote_change.DETECTOR,
    system_change.DETECTOR,
    supply_chain.DETECTOR,
    path_escape.DETECTOR,
    opaque.DETECTOR,
    combined_facts.DETECTOR,
    workaround.DETECTOR,
    *CLASSIFIERS,
)
DETECTORS: tuple[Detector, ...] = (*OPERATION_DETECTORS, *CONTENT_DETECTORS)

_CALL_DETECTORS = (
    *(one for one in OPERATION_DETECTORS if one not in CLASSIFIERS),
    *TEXT_DETECTORS,
)
_BY_KIND: dict[ActionKind, tuple[Detector, ...]] = {
    ActionKind.TOOL: _CALL_DETECTORS,
    ActionKind.FUNCTION: _CALL_DETECTORS,
    # These two are read as texts only: nothing in them is an Operation.
    ActionKind.HTTP_REQUEST: (*WEB_DETECTORS, *TEXT_DETECTORS),
    ActionKind.RESULT: (*RESULT_DETECTORS, *TEXT_DETECTORS),
}


# Marks that some detector asks for: no other tells one call from another here.
_ASKED = frozenset[str]().union(*(one.marks for one in DETECTORS if one.marks is not None))


def detectors_for(kind: ActionKind, marks: AbstractSet[str]) -> tuple[Detector, ...]:
    """Return the detectors that can find anything in such a call.

    Args:
        marks: the properties of the call, from `marks_of`.
    """
    return _chosen(kind, _ASKED & marks)


@lru_cache(maxsize=2048)
def _chosen(kind: ActionKind, marks: frozenset[str]) -> tuple[Detector, ...]:
    return tuple(
        one for one in _BY_KIND[kind] if one.marks is None or not one.marks.isdisjoint(marks)
    )
