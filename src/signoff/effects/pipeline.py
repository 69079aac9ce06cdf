"""Detectors, a score, things to do, handlers: guarding one input in one sentence (spec 2).

    pipeline = (
        Pipeline.sync(WEB_DETECTORS)  # or `Pipeline.background`
        .score(WeightedAggregator({"xss": 0.5}))
        .resolve(DefaultResolver())
        .on("log", LogHandler())
    )
    decision = pipeline.process(action)  # in the background: None, and handlers run

`decide` always answers, `watch` never does, whatever the pipeline was made for.

The input is an `Action`: a call or request before, a RESULT after. Rules kept: whatever fails on
the way to a decision blocks, and no handler can turn a block into a pass. A pipeline never
changes; each word of the sentence gives a new one.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import TypeAlias

from msgspec import Struct, field

from signoff.actions.action import Action
from signoff.assess.detectors.detector import CallMark, Detector, Evidence
from signoff.assess.detectors.texts import with_texts
from signoff.assess.finding import Finding, Severity
from signoff.assess.patterns.catalogue import COUNTS_FROM, certainty
from signoff.assess.threat.aggregators import Aggregator, MaxScoreAggregator
from signoff.assess.threat.resolvers import DefaultResolver, Do, Resolver, block_wins
from signoff.assess.threat.score import ThreatLevel, ThreatScore, finding_to_score
from signoff.effects.background import Background
from signoff.values import replace

logger = logging.getLogger("signoff.pipeline")

FAILED = "detector.failed"
ONLY_HITS = frozenset({CallMark.HITS})  # a detector that rests on patterns alone


class PipelineDecision(Struct, frozen=True, kw_only=True):
    """A pipeline's decision: the action, its threat score, and in `do` what to do."""

    action: Action
    threat: ThreatScore
    do: tuple[str, ...]

    @property
    def is_allowed(self) -> bool:
        """True if the request may proceed and is not blocked."""
        return Do.PROCEED in self.do and Do.BLOCK not in self.do

    @property
    def reason(self) -> str:
        """The score and the worst finding, in one line."""
        worst = max(self.threat.results, key=finding_to_score, default=None)
        found = f": {worst.category} {worst.evidence}".rstrip() if worst else ""
        return f"threat {self.threat.score:.1f} ({self.threat.level}){found}"


Handler: TypeAlias = Callable[[PipelineDecision], None]


class Pipeline:
    """Runs detectors on an input, scores the findings, decides, and calls handlers.

    Immutable: `score`, `resolve`, `on` and `behind` return changed copies.
    """

    def __init__(self, *detectors: Detector) -> None:
        self._plan = _PipelinePlan(
            detectors=detectors,
            without_hits=tuple(one for one in detectors if one.marks != ONLY_HITS),
        )
        self._background = Background()

    @classmethod
    def sync(cls, detectors: Iterable[Detector]) -> Pipeline:
        """Return a pipeline whose `process` judges, runs handlers and returns the decision."""
        return cls(*detectors)

    @classmethod
    def background(cls, detectors: Iterable[Detector]) -> Pipeline:
        """Return a pipeline whose `process` returns None at once and works later."""
        made = cls(*detectors)
        return made._with(replace(made._plan, is_in_background=True))

    @property
    def is_in_background(self) -> bool:
        """True if made by `background`."""
        return self._plan.is_in_background

    @property
    def is_waiting(self) -> bool:
        """True if a detector of `behind` asks a storage, so an event loop must not run it."""
        return self._plan.is_waiting

    def process(self, action: Action) -> PipelineDecision | None:
        """Judge an action; return the decision, None for a background pipeline."""
        if self._plan.is_in_background:
            self.watch(action)
            return None
        decision = self.decide(action)
        self.act(decision)
        return decision

    def score(self, aggregator: Aggregator) -> Pipeline:
        """Return a copy that combines findings with `aggregator`; the default takes the highest."""
        return self._with(replace(self._plan, aggregator=aggregator))

    def resolve(self, resolver: Resolver) -> Pipeline:
        """Return a copy that decides with `resolver`; the default is `DefaultResolver`."""
        return self._with(replace(self._plan, resolver=resolver))

    def on(self, thing: str, handler: Handler) -> Pipeline:
        """Return a copy that also calls `handler` when a decision asks for `thing`.

        Args:
            thing: an entry of `PipelineDecision.do`, as `block` or `log`.
        """
        handlers = dict(self._plan.handlers)
        handlers[str(thing)] = (*handlers.get(str(thing), ()), handler)
        return self._with(replace(self._plan, handlers=handlers))

    def behind(self, *detectors: Detector, is_waiting: bool = False) -> Pipeline:
        """Return a copy that runs these detectors first; if one blocks, no other runs.

        Args:
            is_waiting: they ask a file or another server.
        """
        first = (*detectors, *self._plan.first)
        is_waiting = is_waiting or self._plan.is_waiting
        return self._with(replace(self._plan, first=first, is_waiting=is_waiting))

    def decide(self, action: Action) -> PipelineDecision:
        """Judge and return the decision without running handlers."""
        results = tuple(self._results(action))
        try:
            threat = self._plan.aggregator.aggregate(results)
            things = block_wins(tuple(map(str, self._plan.resolver.resolve(threat))))
        except Exception:
            logger.exception("no threat score could be made: blocked")
            threat, things = ThreatScore(100.0, ThreatLevel.CRITICAL, results), (Do.BLOCK,)
        if any(one.category == FAILED for one in results):
            # After the resolver: one of the application's own must not let through what was not
            # read.
            things = block_wins((Do.BLOCK, *(thing for thing in things if thing != Do.BLOCK)))
        return PipelineDecision(action=action, threat=threat, do=things)

    def act(self, decision: PipelineDecision) -> None:
        """Run the handlers that a decision asks for; their errors are logged.

        A handler with a true attribute `takes_long` runs in the background.
        """
        for thing in (*decision.do, Do.JUDGED):
            for handler in self._plan.handlers.get(thing, ()):
                work = partial(_handle, handler, decision, thing)
                # In the background thread already it runs at once: queued, it could find the
                # queue full.
                if getattr(handler, "takes_long", False) and not self._background.is_own_thread():
                    self._background.run(work)
                else:
                    work()

    def watch(self, action: Action) -> None:
        """Judge an action and run the handlers in the background; returns at once."""
        self._background.run(lambda: self.act(self.decide(action)))

    def flush(self, timeout_s: float = 10.0) -> bool:
        """Wait until all background work queued so far is done; False on timeout."""
        return self._background.flush(timeout_s)

    def _with(self, plan: _PipelinePlan) -> Pipeline:
        other = Pipeline()
        other._plan = plan
        return other

    def _results(self, action: Action) -> Iterator[Finding]:
        bare = Evidence(action=action)
        for each in self._plan.first:
            refused = tuple(_run(each, bare))
            yield from refused
            # Who is refused anyway must not cost the reading of a large request (T-58), and
            # counts against no limit behind it.
            if any(one.severity is Severity.CRITICAL for one in refused):
                return
        try:
            evidence = with_texts(bare)
        except Exception:
            logger.exception("the input could not be read: blocked")
            yield _failure("evidence")
            return
        has_hits = any(
            [certainty(hit) >= COUNTS_FROM for found in evidence.hits.values() for hit in found]
        )
        # Most requests hold nothing that any pattern finds, so most detectors need not run.
        for detector in self._plan.detectors if has_hits else self._plan.without_hits:
            yield from _run(detector, evidence)


class _PipelinePlan(Struct, frozen=True, kw_only=True):
    detectors: tuple[Detector, ...]
    without_hits: tuple[Detector, ...]  # those of them that find something without a pattern
    first: tuple[Detector, ...] = ()
    is_in_background: bool = False
    is_waiting: bool = False
    aggregator: Aggregator = field(default_factory=MaxScoreAggregator)
    resolver: Resolver = field(default_factory=DefaultResolver)
    handlers: Mapping[str, tuple[Handler, ...]] = field(default_factory=dict)


def _handle(handler: Handler, decision: PipelineDecision, thing: str) -> None:
    try:
        handler(decision)
    except Exception:
        logger.exception("handler of `%s` failed", thing)


def _run(detector: Detector, evidence: Evidence) -> Iterable[Finding]:
    try:
        return tuple(detector.run(evidence))
    except Exception:
        logger.exception("detector `%s` failed: blocked", detector.id)
        return (_failure(detector.id),)


def _failure(detector: str) -> Finding:
    return Finding(
        detector=detector,
        category=FAILED,
        severity=Severity.CRITICAL,
        confidence=1.0,
        evidence=f"detector failed: `{detector}` raised an error, see the log",
    )
