"""A pipeline decides, acts and watches; nothing that fails lets anything pass."""

from __future__ import annotations

import logging
import subprocess
import sys
import threading
from collections.abc import Iterable, Iterator

import pytest

from signoff.actions.action import Action, ActionKind, Json
from signoff.assess.detectors.content import RESULT_DETECTORS, WEB_DETECTORS
from signoff.assess.detectors.detector import Detector, Evidence
from signoff.assess.finding import Finding, Severity
from signoff.assess.threat.aggregators import WeightedAggregator
from signoff.assess.threat.resolvers import DefaultResolver, LenientResolver
from signoff.assess.threat.score import ThreatLevel, ThreatScore
from signoff.effects.pipeline import Pipeline, PipelineDecision

CALL = Action(tool="f", arguments={"x": 1})


def finds(severity: Severity, confidence: float = 1.0, id: str = "one") -> Detector:
    def run(_: Evidence) -> Iterator[Finding]:
        yield Finding(detector=id, category=f"{id}.x", severity=severity, confidence=confidence)

    return Detector(id=id, run=run)


def breaks(_: Evidence) -> Iterator[Finding]:
    yield Finding(detector="bad", category="bad.x", severity=Severity("no such severity"))


def request(q: str) -> Action:
    arguments: dict[str, Json] = {"method": "GET", "path": "/", "query": {"q": q}}
    return Action(tool="http", kind=ActionKind.HTTP_REQUEST, arguments=arguments)


def test_nothing_found_proceeds() -> None:
    """Without a finding the score is 0 and it goes on."""
    decision = Pipeline().decide(CALL)
    assert (True, 0.0, ("proceed",)) == (decision.is_allowed, decision.threat.score, decision.do)


def test_sentence_scores_and_resolves() -> None:
    """Detectors, a score and a resolver make one decision."""
    pipeline = (
        Pipeline(finds(Severity.HIGH), finds(Severity.CRITICAL, id="two"))
        .score(WeightedAggregator({"two": 0.5}))
        .resolve(DefaultResolver())
    )
    decision = pipeline.decide(CALL)
    assert (62.5, ThreatLevel.HIGH, True) == (
        decision.threat.score,
        decision.threat.level,
        decision.is_allowed,
    )


def test_attack_in_a_request_is_blocked() -> None:
    """The shipped detectors block a clear attack and let a plain request pass."""
    pipeline = Pipeline(*WEB_DETECTORS)
    allowed = [pipeline.decide(request(q)).is_allowed for q in ("red shoes", "7' or 1=1--")]
    assert [True, False] == allowed


def test_result_is_judged_on_the_way_out() -> None:
    """A pipeline works on what comes back as well."""
    answer = Action(tool="f", kind=ActionKind.RESULT, arguments={"output": "ORA-01756: x"})
    decision = Pipeline(*RESULT_DETECTORS).decide(answer)
    assert ["sql-error-leak"] == [finding.detector for finding in decision.threat.results]


def test_failing_detector_blocks() -> None:
    """An error in a detector is a critical finding of its own."""
    decision = Pipeline(Detector(id="bad", run=breaks)).decide(CALL)
    assert (False, Severity.CRITICAL) == (
        decision.is_allowed,
        decision.threat.results[0].severity,
    )


def test_failing_detector_blocks_however_others_vote() -> None:
    """A mean over many mild findings does not hide that a detector failed."""
    mild = [finds(Severity.LOW, id=f"mild-{n}") for n in range(30)]
    pipeline = Pipeline(Detector(id="bad", run=breaks), *mild).score(WeightedAggregator())
    decision = pipeline.resolve(LenientResolver()).decide(CALL)
    assert (False, "block") == (decision.is_allowed, decision.do[0])


def test_failing_aggregator_blocks() -> None:
    """Without a score nothing passes."""

    class Broken:
        name = "broken"

        def aggregate(self, results: Iterable[Finding]) -> ThreatScore:
            raise RuntimeError

    assert not Pipeline().score(Broken()).decide(CALL).is_allowed


def test_resolver_that_asks_for_nothing_does_not_let_pass() -> None:
    """Empty never means allow."""

    class Silent:
        def resolve(self, threat: ThreatScore) -> tuple[str, ...]:
            return ()

    assert not Pipeline().resolve(Silent()).decide(CALL).is_allowed


def test_decide_runs_no_handler() -> None:
    """Acting on an answer is the caller's."""
    seen: list[PipelineDecision] = []
    Pipeline().on("proceed", seen.append).decide(CALL)
    assert [] == seen


def test_act_runs_handlers_in_order() -> None:
    """Handlers of one thing run in the order they were named; others do not run."""
    seen: list[str] = []
    pipeline = (
        Pipeline()
        .on("proceed", lambda _: seen.append("first"))
        .on("block", lambda _: seen.append("never"))
        .on("proceed", lambda _: seen.append("second"))
    )
    pipeline.act(pipeline.decide(CALL))
    assert ["first", "second"] == seen


def test_failing_handler_is_logged_and_others_run(caplog: pytest.LogCaptureFixture) -> None:
    """One handler's error is no other's."""
    seen: list[PipelineDecision] = []

    def fails(_: PipelineDecision) -> None:
        raise RuntimeError("no connection")

    pipeline = Pipeline().on("proceed", fails).on("proceed", seen.append)
    with caplog.at_level(logging.ERROR):
        pipeline.act(pipeline.decide(CALL))
    assert (1, True) == (len(seen), "no connection" in caplog.text)


def test_watch_runs_handlers_in_the_background() -> None:
    """The watching mode answers nothing and works in another thread."""
    seen: list[str] = []
    pipeline = Pipeline().on("proceed", lambda _: seen.append(threading.current_thread().name))
    pipeline.watch(CALL)
    assert (True, ["signoff-background"]) == (pipeline.flush(), seen)


def test_watch_is_not_held_up() -> None:
    """A slow handler keeps nobody waiting."""
    gate = threading.Event()

    def wait(_: PipelineDecision) -> None:
        gate.wait(10)

    pipeline = Pipeline().on("proceed", wait)
    pipeline.watch(CALL)
    waited = pipeline.flush(timeout_s=0.05)
    gate.set()
    assert (False, True) == (waited, pipeline.flush())


def test_pipeline_is_never_changed() -> None:
    """Each word of the sentence gives a new pipeline."""
    plain = Pipeline(finds(Severity.CRITICAL))
    plain.resolve(LenientResolver(block_at=100, warn_at=100))
    assert "block" in plain.decide(CALL).do


def test_importing_it_loads_no_parser_and_no_engine() -> None:
    """`Pipeline` loads them with its first call."""
    code = (
        "import sys; import signoff.effects.pipeline; "
        "heavy = {'re2', 'hyperscan', 'yaml', 'sqlglot', 'tree_sitter'}; "
        "print(sorted(heavy & sys.modules.keys()))"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "[]" == out.stdout.strip()
