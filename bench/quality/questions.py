"""What a question costs: the level and the proof of every call that the default policy asks about.

Counted are calls of ordinary work and of the policy sets, attacks left out: what a person sees.

    python -m bench.quality --questions              print the shares, beside those of first sight
    python -m bench.quality --questions --publish    keep them and write docs/quality.md
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from bench import sessions
from bench.quality.cases import Case, read_cases
from bench.quality.guard import Guard, warm_up
from bench.quality.question_page import PROOFS
from bench.quality.report import Saved
from bench.quality.sessions import read_single
from signoff.assess.level import Challenge, Level
from signoff.frontends.replay.replayed_call import cause_of

NAME = "questions"
POLICY_SETS = {
    "policy": "policy.jsonl.gz",
    "policy-2": "policy_2.jsonl.gz",
    "calls": "calls.jsonl.gz",
}
ORDINARY = ("adversary, ordinary calls", "adversary.jsonl.gz")
SESSIONS = ("sessions", "sessions.jsonl.gz")
Question = tuple[str, str, str]  # level, proof, worst finding


def count_questions(corpora: Path) -> Saved:
    """Judge every set and count what is asked about, by level and by proof.

    Raises:
        FileNotFoundError: a corpus is absent.
    """
    guard = Guard()
    warm_up(guard)
    counted = {
        name: _counted(_asked(guard, read_cases(corpora / file)))
        for name, file in POLICY_SETS.items()
    }
    name, file = ORDINARY
    calm = (case for case in read_single(corpora / file, in_round=1) if case.label == "allow")
    counted[name] = _counted(_asked(guard, calm))
    name, file = SESSIONS
    calls = sessions.measure(corpora / file, tell=lambda _: None)
    counted[name] = _counted((one.level, one.proof, one.cause) for one in calls if one.level)
    return {"sets": counted}


def _asked(guard: Guard, cases: Iterable[Case]) -> Iterator[Question]:
    for case in cases:
        if not case.document:
            continue
        step = guard.judge_step(case.document)
        assessment = step.assessment
        if assessment is not None and assessment.preliminary.value == "ask":
            cause = cause_of(assessment)
            yield assessment.level.value, assessment.challenge.value, cause


def _counted(questions: Iterable[Question]) -> Saved:
    asked = tuple(questions)
    levels, proofs = Counter(one[0] for one in asked), Counter(one[1] for one in asked)
    heavy = Counter(cause for _, proof, cause in asked if proof != Challenge.CONFIRM.value)
    return {
        "asked": len(asked),
        "levels": {level.value: levels[level.value] for level in Level},
        "proofs": {proof.value: proofs[proof.value] for proof in PROOFS},
        "above_a_tap": dict(heavy.most_common()),
    }
