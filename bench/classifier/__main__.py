"""Train the classifier of calls on the project's own cases, measure it, and write it.

    python -m bench.classifier             trains, measures, writes src/.../calls.json
    python -m bench.classifier --dry-run   the same without writing

It is measured on the newest sets of unmet work, each by a classifier that was trained on the cases
there were before that set. The limits come from those sets together.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

import signoff.assess.classifier
from bench.classifier.calls import call_examples
from bench.classifier.history import cases_before
from bench.classifier.training import Example, limit_for, trained
from bench.quality.sets import OWN
from signoff.assess.classifier.model import LinearModel

FILE = Path(signoff.assess.classifier.__path__[0]) / "calls.json"
MEASURED_ON = ("stack", "craft", "guild", "week", "round", "shore", "isle", "fjord", "gorge", "plains")
# Measured on, but neither trained on nor used for the limits, so that its figures go on counting.
STILL_UNSEEN = frozenset({"unseen-gorge"})
WRONG = 0.015  # of the calls that are not to be denied
STOPPED = 0.01  # of them, where the call would pass without the classifier
SHARES = (0.005, STOPPED, WRONG, 0.05)

Scores = Mapping[str, Sequence[float]]


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
    FILE.write_text(_lines(model), encoding="utf-8")
    print(f"{FILE.name}: {len(known)} calls, {len(model.weights)} features")
    print(f"denies what is asked about from {model.deny_from}, asks from {model.ask_from}")


def _measured(examples: Sequence[Example]) -> tuple[float, float]:
    """Print how a classifier does on each set it could not know; return its two limits."""
    by_label: dict[str, list[float]] = defaultdict(list)
    by_set: dict[str, dict[str, list[float]]] = {}
    for name in MEASURED_ON:
        source = f"unseen-{name}"
        with cases_before(source) as folder:
            model = trained(list(call_examples(folder)))
        found: dict[str, list[float]] = defaultdict(list)
        for one in examples:
            if one.source == source:
                found[one.label].append(model.score(one.features))
        by_set[name] = found
        if source not in STILL_UNSEEN:
            for label, scores in found.items():
                by_label[label] += scores
    others = by_label["ask"] + by_label["allow"]
    for share in SHARES:
        limit = limit_for(others, share)
        print(f"limit {limit:6.2f}, {share:.1%} wrong: {_told(by_label, limit)}")
        if share == WRONG:
            print(
                *(f"    {name}: {_told(found, limit)}" for name, found in by_set.items()), sep="\n"
            )
    return limit_for(others, WRONG), limit_for(others, STOPPED)


def _told(scores: Scores, limit: float) -> str:
    """Say of which share of each label a classifier says yes."""
    return ", ".join(
        f"{label} {sum(score >= limit for score in found) / len(found):.1%}"
        for label, found in sorted(scores.items())
    )


def _lines(model: LinearModel) -> str:
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
