"""Train a classifier on the project's own cases, measure it on held-back sets, and write it.

python -m bench.classifier calls             trains, measures, writes src/.../calls.json
python -m bench.classifier calls --dry-run   the same without writing
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import signoff.assess.classifier
from bench.classifier.calls import call_examples
from bench.classifier.training import Example, held_out_scores, limit_for, trained
from signoff.assess.classifier.model import LinearModel

FOLDER = Path(signoff.assess.classifier.__path__[0])
WRONG = 0.01  # of the calls that are not to be denied, in sets held back, one by one
SHARES = (0.005, WRONG, 0.02, 0.05)


def main() -> None:
    """Train, measure and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name", choices=("calls",))
    parser.add_argument("--dry-run", action="store_true", help="write nothing")
    given = parser.parse_args()
    examples = list(call_examples())
    held = sorted({one.source for one in examples if one.source.startswith("unseen-")})
    limit = _measured(examples, held)
    if given.dry_run:
        return
    model = trained(examples, limit=limit)
    file = FOLDER / f"{given.name}.json"
    file.write_text(_lines(model), encoding="utf-8")
    print(f"{file.name}: {len(model.weights)} features, limit {limit:.2f}")


def _measured(examples: Sequence[Example], held: Sequence[str]) -> float:
    """Print how a classifier does on each set it was not trained on; return its limit."""
    scores = held_out_scores(examples, held)
    by_label: dict[str, list[float]] = defaultdict(list)
    for one in examples:
        if one.id in scores:
            by_label[one.label].append(scores[one.id])
    others = by_label["ask"] + by_label["allow"]
    print(f"{len(examples)} calls, {len(held)} sets held back one by one ({len(scores)} calls)")
    for share in SHARES:
        limit = limit_for(others, share)
        told = ", ".join(
            f"{label} {sum(score >= limit for score in found) / len(found):.1%}"
            for label, found in sorted(by_label.items())
        )
        print(f"  limit {limit:6.2f} ({share:.1%} wrong): says yes to {told}")
    return limit_for(others, WRONG)


def _lines(model: LinearModel) -> str:
    """Return the model as JSON with a line for each weight, so that a change can be read."""
    weights = ",\n".join(
        f"{json.dumps(name, ensure_ascii=False)}:{weight}"
        for name, weight in sorted(model.weights.items())
    )
    return f'{{"bias":{model.bias},"limit":{model.limit},"weights":{{\n{weights}\n}}}}\n'


if __name__ == "__main__":
    main()
