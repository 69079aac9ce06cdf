"""Turns patterns found in what leaves into findings: one for each detector."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from signoff.actions.action import Action, ActionKind
from signoff.assess.detectors.detector import Evidence, TextSource
from signoff.assess.finding import Finding, Severity


def in_result(
    evidence: Evidence,
    detector: str,
    lines: Mapping[str, str],
    severity: Severity,
    is_shown: Callable[[str, str], bool] = lambda _hit, _text: False,
) -> Iterator[Finding]:
    """Yield one finding if an output matches a pattern.

    Args:
        lines: pattern id to words for people.
        is_shown: whether a pattern's matches in a text are samples, as documents have.
    """
    for hit in sorted(evidence.hits.get(TextSource.RESULT, frozenset()) & lines.keys()):
        if is_shown(hit, evidence.texts[TextSource.RESULT]):
            continue
        yield Finding(
            detector=detector,
            category=f"{detector}.{hit.partition('.')[2]}",
            severity=severity,
            evidence=f"the result holds {lines[hit]}",
        )
        return


def result(output: str) -> Action:
    """Return the Action of an output, for a detector's examples."""
    return Action(tool="http", kind=ActionKind.RESULT, arguments={"output": output})
