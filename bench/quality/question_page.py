"""The part of docs/quality.md about what a question costs: first sight beside today."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from bench.quality.measure import Share
from bench.quality.report import Saved
from signoff.assess.level import Challenge

ALL = "all"
GOAL = "a third"
PROOFS = {
    Challenge.CONFIRM: "one tap",
    Challenge.QUIZ: "quiz",
    Challenge.TEACH_BACK: "teach-back",
    Challenge.MULTI_PARTY: "two people",
}
COST = f"""## What a question costs

The level and the proof of every call that pack `balanced` asks about, in ordinary work and in the
sets of the policy (attacks left out). *One tap* is Approve or Deny; anything else takes a person
longer. The goal: at most {GOAL} of all questions needs more than one tap. *First sight* is the
judge before anything was changed for this figure; `python -m bench.quality --questions` prints
this table.
"""


def question_lines(now: Saved, first: Saved) -> Iterator[str]:
    """Give the table, each set as it was at first sight and as it is now.

    Args:
        now: what `count_questions` gave last; {} where nothing was kept.
        first: the same of the judge before levels were spread.
    """
    names = " | ".join(PROOFS.values())
    yield f"| questions of | judged | asked | MEDIUM | HIGH | CRITICAL | {names} | above a tap |"
    yield "| --- | --- |" + " ---: |" * 9
    for name in (*first.get("sets", {}), ALL):
        for judged, kept in (("first sight", first), ("now", now)):
            row = _row(kept, name)
            if row:
                yield f"| {name} | {judged} | {_cells(row)} |"


def _row(kept: Saved, name: str) -> Saved:
    """Return the counts of a set, of all sets together for `all`; {} where there are none."""
    rows: Mapping[str, Saved] = kept.get("sets", {})
    if name != ALL or not rows:
        return rows.get(name, {})
    total: Saved = {"asked": sum(row["asked"] for row in rows.values())}
    for part in ("levels", "proofs"):
        names = dict.fromkeys(key for row in rows.values() for key in row[part])
        total[part] = {key: sum(row[part].get(key, 0) for row in rows.values()) for key in names}
    return total


def _cells(row: Saved) -> str:
    n = row["asked"]
    levels = [row["levels"].get(level, 0) for level in ("medium", "high", "critical")]
    proofs = [row["proofs"].get(proof.value, 0) for proof in PROOFS]
    shares = (Share(hits, n).percent for hits in (*levels, *proofs, n - proofs[0]))
    return f"{n} | " + " | ".join(f"{share:.0f} %" for share in shares)
