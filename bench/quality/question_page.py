"""The part of docs/quality.md about what a question costs: first sight beside today."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from bench.quality.measure import Share
from bench.quality.report import Saved
from signoff.assess.level import Challenge

ALL = "all"
SHOWN = 12
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
longer. *First sight* is the judge before levels were spread by reversibility, reach and loss
([how](levels.md)); no verdict changed with them. `python -m bench.quality --questions` prints this.

The goal is that at most {GOAL} of all questions needs more than one tap. It is not reached: calls
that nobody can read in full, secrets that may leave, code from outside, and what is lost for good
beyond the project keep their quiz. The list below the table names them;
[why each kind stays](levels.md#what-stays-above-one-tap).
"""
HEAVY = "\nOf all questions now, these take more than one tap, by their worst finding:\n"


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


def heavy_lines(now: Saved) -> Iterator[str]:
    """Say what the questions above one tap are about: the share of each line of the policy."""
    counts = Counter[str]()
    for row in now.get("sets", {}).values():
        counts.update(row.get("above_a_tap", {}))
    asked = _row(now, ALL)["asked"] if counts else 0
    for line, n in counts.most_common(SHOWN):
        yield f"- {Share(n, asked).percent:.1f} % `{line}`"
    rest = counts.total() - sum(n for _, n in counts.most_common(SHOWN))
    if rest:
        yield f"- {Share(rest, asked).percent:.1f} % others"


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
