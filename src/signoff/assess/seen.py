"""What was seen in a call stays seen: the same call under the same rules is read once.

Agents repeat themselves. What a call does, which rule matches and what detectors find
depends on the call and on what is known beforehand, and on nothing else; so it is kept for calls
that are short and known in full, with what was concluded from it at each level of risk. Not part
of the key, and so never kept: how often a function was called (only the risk looks at it), the
time, the caller's own id of the call.

    key = key_of(action, facts)
    seen = calls.find(key, rules)
"""

from __future__ import annotations

from collections.abc import Hashable
from operator import attrgetter

from msgspec import Struct

from signoff.actions.action import Action
from signoff.actions.facts import Facts
from signoff.actions.understand import Understanding
from signoff.assess.challenges import ChosenProof
from signoff.assess.finding import Finding
from signoff.assess.level import Level
from signoff.assess.risk.default import StandingRisk
from signoff.assess.rules.rule import RuleMatch, RuleSet
from signoff.assess.threat.score import ThreatScore
from signoff.assess.verdict import Verdict

CALLS_LIMIT = 1_024
TEXT_LIMIT = 4_096  # characters of all arguments together
PLAIN = frozenset({str, int, float, bool, type(None)})
# Everything else of an action and of facts is part of the key, whatever will be added to them.
NOT_IN_KEY = frozenset({"arguments", "hints", "files", "request_id", "asked_at", "now", "acts"})
COUNTED = frozenset({"prior_calls", "trust"})  # what moves the risk alone

_of_action = attrgetter(*(f for f in Action.__struct_fields__ if f not in NOT_IN_KEY))
_of_facts = attrgetter(*(f for f in Facts.__struct_fields__ if f not in NOT_IN_KEY | COUNTED))


class Conclusion(Struct, frozen=True, kw_only=True, gc=False):
    """The result of judging a call at one level of risk.

    Args:
        proof: the proof an approval needs unless a user chose another.
        reason: None if the reason depends on the exact risk.
    """

    level: Level
    preliminary: Verdict
    proof: ChosenProof
    reason: str | None


class Seen(Struct, frozen=True, kw_only=True, gc=False):
    """The cached analysis of one call.

    Args:
        standing: its risk without novelty; None where a third-party scorer is asked each time.
        conclusions: by level of the risk alone; filled on demand, shared by calls that differ in
            nothing else.
        passes_medium: nothing was found to ask about, so a MEDIUM risk alone does not stop it.
        held: what the strict pack asks about although nothing was found, in words; "" = nothing.
    """

    understanding: Understanding
    match: RuleMatch | None
    findings: tuple[Finding, ...]
    threat: ThreatScore
    standing: StandingRisk | None
    rules: RuleSet
    policy_digest: str
    conclusions: dict[Level, Conclusion]
    passes_medium: bool = False
    held: str = ""


class SeenCalls:
    """Caches the analysis of calls; the oldest entries are dropped."""

    def __init__(self, limit: int = CALLS_LIMIT) -> None:
        self._limit = limit
        self._kept: dict[Hashable, Seen] = {}

    def find(self, key: Hashable | None, rules: RuleSet) -> Seen | None:
        """Return the cached analysis for this key under these very rules, else None."""
        seen = self._kept.get(key) if key is not None else None
        # The same object, not equal ones: a reload makes a new one, whatever stands in it.
        return seen if seen is not None and seen.rules is rules else None

    def keep(self, key: Hashable | None, seen: Seen) -> None:
        """Cache an analysis; a key of None is not cached."""
        if key is None:
            return
        while len(self._kept) >= self._limit:
            self._kept.pop(next(iter(self._kept)), None)
        self._kept[key] = seen


def key_of(action: Action, facts: Facts) -> Hashable | None:
    """Return a key of everything the analysis depends on.

    None for calls that are long, nested, or bring files along.
    """
    files, arguments, hints = facts.files, action.arguments, action.hints
    # The text of a file may be large, and may be another one the next time.
    if files and any([file.text is not None for file in files.values()]):
        return None
    if not PLAIN.issuperset(map(type, arguments.values())):
        return None
    size = len(action.description)
    given: list[object] = []
    for name, value in arguments.items():
        # With their types: to a dictionary `1`, `1.0` and `True` are one key.
        given += (name, type(value), value)
        if type(value) is str:
            size += len(value)
    if size > TEXT_LIMIT:
        return None
    hinted = tuple([(name, type(value), value) for name, value in hints.items()]) if hints else ()
    known = tuple(files.items()) if files else ()
    return tuple(given), hinted, known, _of_action(action), _of_facts(facts)
