"""Train the classifier of calls on the project's own cases, measure it, and write it.

    python -m bench.classifier             trains, measures, writes src/.../calls.json
    python -m bench.classifier --dry-run   the same without writing

It is measured on the newest sets of unmet work, each by a classifier that was trained on the cases
there were before that set. The limits come from those sets together: the one to deny from those of
their calls that would be asked about, the one to ask from those that would pass.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import signoff.assess.classifier
from bench.classifier.calls import call_examples
from bench.classifier.history import cases_before
from bench.classifier.training import Example, limit_for, trained
from bench.quality.sets import OWN
from signoff.assess.classifier.model import LinearModel

FILE = Path(signoff.assess.classifier.__path__[0]) / "calls.json"
MEASURED_ON = (
    "stack",
    "craft",
    "guild",
    "week",
    "round",
    "shore",
    "isle",
    "fjord",
    "gorge",
    "plains",
    "uplands",
    "scree",
    "tundra",
    "taiga",
)
# Measured on, but neither trained on nor used for the limits, so that its figures go on counting.
STILL_UNSEEN = frozenset({"unseen-gorge", "unseen-lagoon", "unseen-strand"})
WRONG = 0.025  # of the calls that are asked about and not to be denied
LEAST = 0.25  # below it, own calls to ask about that look like such a danger would be denied
STOPPED = 0.007  # of the calls that pass and are to pass
SHARES = (0.01, 0.02, WRONG, 0.05)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """A call with its score by a classifier that could not know it."""

    example: Example
    score: float


def main() -> None:
    """Train, measure and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dry-run", action="store_true", help="write nothing")
    given = parser.parse_args()
    examples = list(call_examples(OWN))
    deny_from, ask_from = _measured(examples)
    if given.dry_run:
        return
    known = [one for one in examples if one.source not in STILL_UNSEEN]
    model = trained(known, deny_from=deny_from, ask_from=ask_from)
    FILE.write_text(table_lines(model), encoding="utf-8")
    print(f"{FILE.name}: {len(known)} calls, {len(model.weights)} features")
    print(f"denies what is asked about from {model.deny_from}, asks from {model.ask_from}")


def _measured(examples: Sequence[Example]) -> tuple[float, float]:
    """Print how a classifier does on each set it could not know; return its two limits."""
    by_set: dict[str, list[Scored]] = {}
    for name in MEASURED_ON:
        source = f"unseen-{name}"
        with cases_before(source) as folder:
            model = trained(list(call_examples(folder)))
        by_set[name] = [
            Scored(example=one, score=model.score(one.features))
            for one in examples
            if one.source == source
        ]
    known = [
        one for found in by_set.values() for one in found if one.example.source not in STILL_UNSEEN
    ]
    asked = [one.score for one in known if one.example.verdict == "ask" and not one.example.is_hit]
    passing = [
        one.score
        for one in known
        if one.example.verdict == "allow" and one.example.label == "allow"
    ]
    for share in SHARES:
        limit = limit_for(asked, share)
        print(f"limit {limit:6.2f}, {share:.1%} of the asked wrong: {_told(known, limit)}")
    deny_from, ask_from = max(LEAST, limit_for(asked, WRONG)), limit_for(passing, STOPPED)
    for name, found in by_set.items():
        print(f"    {name}: {_told(found, deny_from)}")
    print(f"passing, limit {ask_from:.2f}: {_told(known, ask_from, verdict='allow')}")
    return deny_from, ask_from


def _told(found: Sequence[Scored], limit: float, verdict: str = "ask") -> str:
    """Say how many calls of each label, with this verdict by the rules, the classifier moves."""
    of = [one for one in found if one.example.verdict == verdict]
    return ", ".join(
        f"{label} {sum(score >= limit for score in scores)} of {len(scores)}"
        for label in ("deny", "ask", "allow")
        if (scores := [one.score for one in of if one.example.label == label])
    )


def table_lines(model: LinearModel) -> str:
    """Return the model as JSON with a line for each weight, so that a change can be read."""
    weights = ",\n".join(
        f"{json.dumps(name, ensure_ascii=False)}:{weight}"
        for name, weight in sorted(model.weights.items())
    )
    return (
        f'{{"bias":{model.bias},"deny_from":{model.deny_from},"ask_from":{model.ask_from},'
        f'"weights":{{\n{weights}\n}}}}\n'
    )


if __name__ == "__main__":
    main()
