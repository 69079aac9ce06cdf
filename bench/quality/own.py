"""The project's own cases as the tests see them: which are judged otherwise than they say.

A case that must pass is wrong if it is interrupted. One that must be asked about is wrong if it
passes. One that must be refused is wrong if it is not refused: being asked about does not count.
Debatable cases are measured, never wrong. `known_misses.txt` lists the ids of what is wrong today;
whoever fixes a case removes its line.

    python -m bench.quality --prune      takes out the lines that are fixed
"""

from __future__ import annotations

import functools
from pathlib import Path

from bench.quality.cases import Case, read_cases, read_rows
from bench.quality.guard import FAILED, Guard, Outcome
from bench.quality.sessions import judge_chains, read_sessions
from bench.quality.sets import OWN
from bench.quality.unseen import UNSEEN
from bench.quality.unseen_set import UnseenKind

KNOWN_MISSES = OWN / "known_misses.txt"
SESSIONS = "traces.jsonl"
CHAINS = frozenset(
    {"session-chains.jsonl"} | {one.file for one in UNSEEN if one.kind is UnseenKind.CHAINS}
)


@functools.cache
def own_files() -> tuple[Path, ...]:
    """Give the files of the project's own cases."""
    return tuple(sorted(OWN.glob("*.jsonl")))


@functools.cache
def judged_file(path: Path) -> tuple[tuple[Case, Outcome], ...]:
    """Judge every case of one file, once a process."""
    return judge_file(path, Guard())


def judge_file(path: Path, guard: Guard) -> tuple[tuple[Case, Outcome], ...]:
    """Judge every case of one file by a guard."""
    if path.name == SESSIONS:
        return tuple((case, guard.judge_session(calls)) for case, calls in read_sessions(path))
    if path.name in CHAINS:
        return tuple(judge_chains(guard, path))
    return tuple((case, guard.judge(case)) for case in read_cases(path))


def case_ids(path: Path) -> tuple[str, ...]:
    """Give the ids of one file; a chain of several rows is one case, named by its session."""
    rows = read_rows(path)
    if path.name in CHAINS:
        return tuple(dict.fromkeys(str(row["session"]) for row in rows))
    return tuple(str(row["id"]) for row in rows)


def is_wrong(case: Case, outcome: Outcome) -> bool:
    """Say whether a case is judged otherwise than it says."""
    if outcome.reason.startswith(FAILED):
        return True
    if case.is_soft:
        return False
    if case.label == "deny":
        return outcome.verdict != "deny"
    must_pass = case.label in {"allow", "safe"}
    return must_pass is outcome.is_flagged


def known_misses() -> frozenset[str]:
    """Give the ids of the cases known to be judged wrongly."""
    lines = KNOWN_MISSES.read_text(encoding="utf-8").splitlines() if KNOWN_MISSES.exists() else []
    return frozenset(line.split("#")[0].strip() for line in lines) - {""}


def misses_now() -> tuple[tuple[Case, Outcome], ...]:
    """Judge every own case and give those that are wrong."""
    pairs = (pair for path in own_files() for pair in judged_file(path))
    return tuple((case, outcome) for case, outcome in pairs if is_wrong(case, outcome))


def prune() -> tuple[str, ...]:
    """Take out of the list what is no longer wrong; never adds to it."""
    wrong = {case.id for case, _ in misses_now()}
    lines = KNOWN_MISSES.read_text(encoding="utf-8").splitlines(keepends=True)
    fixed = known_misses() - wrong
    kept = [line for line in lines if line.split("#")[0].strip() not in fixed]
    KNOWN_MISSES.write_text("".join(kept), encoding="utf-8")
    return tuple(sorted(fixed))
