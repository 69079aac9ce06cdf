"""The guard as it is measured: default rules, default pack, no model, no person, one process.

Calls go through the reader of payloads, so that what it refuses counts as refused. Texts (values
of web requests, secrets, prompts) go to the detectors that read texts.

    Guard().judge(case).verdict
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

import signoff.assess
from bench.quality.cases import PROJECT, Case
from signoff.actions.action import Action, ActionKind, Json
from signoff.actions.facts import Facts, FileFact
from signoff.assess.assessment import Assessment, Judge
from signoff.assess.detectors.content import CONTENT_DETECTORS
from signoff.assess.detectors.detector import Evidence
from signoff.assess.detectors.runner import run_detectors
from signoff.assess.detectors.texts import with_texts
from signoff.assess.rules.load import load_rules
from signoff.assess.threat.score import severity_to_score
from signoff.assess.verdict import Verdict
from signoff.decide.decision import BY_SCORE, Decision
from signoff.effects.session_updates import session_update_of
from signoff.errors import BadPayload
from signoff.frontends.payloads import parse_payload
from signoff.values import replace

PACK = Path(signoff.assess.__path__[0]) / "rules" / "packs" / "default.yaml"
ASK_AT, DENY_AT = 40.0, 70.0
FAILED = "the judge failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What the guard said of one case.

    Args:
        score: 0..1, the higher of threat (of 100) and risk.
        seconds: what the judgement took, the reading of the payload included.
    """

    verdict: str
    score: float = 0.0
    seconds: float = 0.0
    reason: str = ""

    @property
    def is_flagged(self) -> bool:
        """Asked about or refused."""
        return self.verdict != "allow"


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One judged payload; without an assessment it was malformed, or the judge failed."""

    outcome: Outcome
    assessment: Assessment | None = None


def default_judge() -> Judge:
    """Build the judge a fresh installation has."""
    rules = load_rules(PACK.read_text(encoding="utf-8"), file=PACK.name)
    return Judge(rules=lambda: rules)


def warm_up(guard: Guard) -> None:
    """Judge one call and one text, so that what is loaded once is not measured."""
    guard.judge_document(b'{"tool_name": "Bash", "tool_input": {"command": "ls"}}')
    guard.judge_document(b'{"tool_name": "db_query", "tool_input": {"sql": "SELECT 1"}}')
    judge_text(Case(id="", source="", label="", text="x"))


@dataclass(frozen=True, slots=True)
class Guard:
    """Judges cases one by one; `assess` is what is measured, exchangeable for a control."""

    assess: Callable[[Action, Facts], Assessment] = field(default_factory=default_judge)

    def judge(self, case: Case) -> Outcome:
        """Judge one case: a call by the whole judge, a text by the detectors that read texts."""
        return judge_text(case) if case.text else self.judge_document(case.document)

    def judge_document(self, document: bytes) -> Outcome:
        """Judge one payload; one that cannot be read is denied."""
        return self.judge_step(document).outcome

    def judge_step(
        self, document: bytes, facts_of: Callable[[Action], Facts] | None = None
    ) -> Step:
        """Judge one payload, with what is known of its action; a malformed one is denied.

        Args:
            facts_of: gathers the facts; None = those the payload gives.
        """
        start = time.perf_counter()
        try:
            payload = parse_payload(document)
        except BadPayload as error:
            seconds, reason = time.perf_counter() - start, f"not readable: {error}"
            outcome = Outcome(verdict="deny", score=1.0, seconds=seconds, reason=reason)
            return Step(outcome=outcome)
        return self._step(payload.action, facts_of or (lambda _: payload.facts), start)

    def judge_any(self, case: Case) -> Step:
        """Judge a case by the whole judge; a text as the call or result it would stand in."""
        if not case.text:
            return self.judge_step(case.document)
        return self._step(_text_action(case), lambda _: Facts(), time.perf_counter())

    def _step(self, action: Action, facts_of: Callable[[Action], Facts], start: float) -> Step:
        try:
            assessment = self.assess(action, facts_of(action))
        except Exception as error:  # noqa: BLE001 - the gate refuses then; the run counts it
            reason = f"{FAILED}: {type(error).__name__}: {error}"
            return Step(outcome=Outcome(verdict="deny", score=1.0, reason=reason))
        outcome = _outcome(assessment, time.perf_counter() - start)
        return Step(outcome=outcome, assessment=assessment)

    def judge_session(self, documents: Iterable[bytes]) -> Outcome:
        """Judge calls that follow each other; the worst of them is the session's outcome."""
        worst, known = Outcome(verdict="allow"), Facts()
        for document in documents:
            payload = parse_payload(document)
            facts = replace(
                payload.facts,
                written=known.written,
                downloaded=known.downloaded,
                built=known.built,
                created=known.created,
                moved=known.moved,
                secrets_read=known.secrets_read,
                denials=known.denials,
                files=known.files,
            )
            start = time.perf_counter()
            assessment = self.assess(payload.action, facts)
            outcome = _outcome(assessment, time.perf_counter() - start)
            worst = max(worst, outcome, key=lambda one: one.score)
            known = _learnt(known, assessment)
        return worst


def judge_text(case: Case) -> Outcome:
    """Judge one text by the detectors that read texts."""
    start = time.perf_counter()
    evidence = with_texts(Evidence(action=_text_action(case)))
    findings = [one for one in run_detectors(CONTENT_DETECTORS, evidence) if one.detected]
    seconds = time.perf_counter() - start
    score = max((severity_to_score(f.severity) * f.confidence for f in findings), default=0.0)
    verdict = "deny" if score >= DENY_AT else "ask" if score >= ASK_AT else "allow"
    reason = " ".join(f.category for f in findings[:3])
    return Outcome(verdict=verdict, score=score / 100, seconds=seconds, reason=reason)


def _text_action(case: Case) -> Action:
    arguments: dict[str, Json]
    match case.group:
        case "secret" | "code":
            arguments = {"file_path": "settings.py", "content": case.text}
            return Action(tool="Write", arguments=arguments)
        case "prompt":
            arguments = {"output": case.text}
            return Action(tool="fetch", kind=ActionKind.RESULT, arguments=arguments)
        case _:
            arguments = {
                "method": "GET",
                "path": "/",
                "query": {"q": case.text},
                "headers": {},
                "body": "",
            }
            return Action(tool="http", kind=ActionKind.HTTP_REQUEST, arguments=arguments)


def _outcome(assessment: Assessment, seconds: float) -> Outcome:
    kinds = [op.verb.value for op in assessment.operations[:4]]
    found = [f"{f.category}:{f.severity.value}" for f in assessment.findings[:3]]
    return Outcome(
        verdict=assessment.preliminary.value,
        score=max(assessment.threat.score / 100, assessment.risk.value),
        seconds=seconds,
        reason=f"{assessment.reason[:120]} | {' '.join(found)} | {' '.join(kinds)}",
    )


def _learnt(known: Facts, assessment: Assessment) -> Facts:
    """What the session remembers of a call, as the store would."""
    decision = Decision(
        action=assessment.action,
        verdict=assessment.preliminary,
        decided_by=BY_SCORE,
        reason=assessment.reason,
        level=assessment.level,
        challenge=assessment.challenge,
        digest="",
        assessment=assessment,
    )
    session_update = session_update_of(decision)
    return replace(
        known,
        written=known.written.union(session_update.written),
        downloaded=known.downloaded.union(session_update.downloaded),
        built=known.built.union(session_update.built),
        created=known.created.union(session_update.created),
        moved=known.moved.union(session_update.moved),
        secrets_read=known.secrets_read.union(session_update.secrets_read),
        denials=(*known.denials, *session_update.denials),
        files={**known.files, **_written(assessment)},
    )


def _written(assessment: Assessment) -> dict[str, FileFact]:
    """What a look at the disk would give of a file written whole by this call."""
    action, path = assessment.action, assessment.action.text("file_path")
    if action.tool != "Write" or assessment.preliminary is Verdict.DENY:
        return {}
    fact = FileFact(real_path=path, text=action.text("content"))
    return {path: fact, path.removeprefix(f"{PROJECT}/"): fact}
