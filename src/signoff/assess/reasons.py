"""What settled a call, in words: a rule, the limit of a rule, the worst finding, or the risk.

reason_of(match, findings, verdict)   ->  "rewrites history [remote-change.forced-push]"
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from signoff.actions.wording.sentence import say
from signoff.actions.wording.worst import worst_operation
from signoff.assess.finding import Finding
from signoff.assess.level import Level
from signoff.assess.risk.score import RiskScore
from signoff.assess.rules.rule import RuleMatch
from signoff.assess.seen import Seen
from signoff.assess.threat.leading import ranked, weight_of
from signoff.assess.verdict import Verdict
from signoff.values import replace


def reason_by_risk(risk: RiskScore, level: Level, seen: Seen) -> str:
    """Return why a call is asked about for its risk alone, with the risk."""
    top = max(risk.factors, key=lambda factor: factor.contribution, default=None)
    because = f", mostly because of {top.name} ({top.evidence})" if top else ""
    words = f"risk {risk.value:.3f} is {level.value}{because}"
    worst = worst_operation(seen.understanding.operations)
    return words if worst is None else f"{say(worst)} [{words}]"


def is_beyond(seen: Seen, level: Level) -> bool:
    """Tell whether a call is beyond the limits of an allow rule that covers it."""
    limits = seen.match.limits if seen.match is not None else ()
    operations = seen.understanding.operations
    return bool(limits) and not all(
        one.allows(level.value, seen.findings, operations) for one in limits
    )


def beyond(seen: Seen, level: Level) -> str:
    """Say that a call is beyond the limits of its rule, "" if it is not."""
    if seen.match is None or not is_beyond(seen, level):
        return ""
    why = reason_of(None, seen, Verdict.ASK) or f"its level is {level.value}"
    return f"beyond the limits of rule `{seen.match.rule.name}`: {why}"


def refuses(finding: Finding) -> bool:
    """Return whether a finding denies a call by itself."""
    return weight_of(finding) >= 70.0


def reason_of(match: RuleMatch | None, seen: Seen, preliminary: Verdict) -> str | None:
    """Say what settled a call; None where that was the risk alone."""
    if match is not None:
        words = match.rule.reason or match.evidence
        return f"rule `{match.rule.name}`: {words}" if words else f"rule `{match.rule.name}`"
    if preliminary is Verdict.ALLOW:
        return "nothing found that needs asking"
    worst = _worst_of(seen)
    return None if worst is None else f"{worst.evidence} [{worst.category}]"


def _worst_of(seen: Seen) -> Finding | None:
    """Return the finding that leads, None if there is none."""
    return next(iter(ranked(seen.findings, seen.understanding.operations)), None)


def said_of(classified: Iterable[Finding], seen: Seen) -> Iterator[Finding]:
    """Yield what a classifier says, begun with what else was found or what the call does."""
    for one in classified:
        said = _begun(seen)
        yield replace(one, evidence=f"{said}; {one.evidence}" if said else one.evidence)


def _begun(seen: Seen) -> str:
    worst = _worst_of(seen)
    op = worst_operation(seen.understanding.operations)
    return worst.evidence if worst is not None else say(op) if op is not None else ""
