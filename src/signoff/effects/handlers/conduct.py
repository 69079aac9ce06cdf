"""Tells what a client did now from what is held against it for what it did before.

A refusal by the blocklist repeats an earlier judgement; it is no new reason. A handler that
counted it would keep a client out for as long as the client retries.

    conduct(decision)  ->  0.0 where only the blocklist found something
"""

from __future__ import annotations

from signoff.assess.detectors import blocklist, rate, reputation
from signoff.assess.threat.score import finding_to_score
from signoff.effects.pipeline import PipelineDecision

STANDING = frozenset({blocklist.ID, reputation.ID})  # detectors that repeat an earlier judgement
COUNTING = frozenset({rate.RATE_LIMIT, rate.BRUTE_FORCE})  # detectors that read a rate counter


def conduct(decision: PipelineDecision) -> float:
    """Return the threat score (0..100) of what the client did in this request.

    0 if the score only comes from earlier requests.
    """
    results = decision.threat.results
    fresh = [one for one in results if one.detector not in STANDING]
    if len(fresh) == len(results):
        return decision.threat.score
    # At most the score that was resolved: an aggregator may weigh findings down.
    return min(decision.threat.score, max(map(finding_to_score, fresh), default=0.0))


def is_counted(decision: PipelineDecision) -> bool:
    """Return whether a decision counts as a request: False if a limit or list refused it."""
    results = decision.threat.results
    return not results or any(one.detector not in STANDING | COUNTING for one in results)
