"""Train the classifier of orders in results on the project's own cases, measure it, and write it.

    python -m bench.classifier.orders             trains, measures, writes src/.../orders.json
    python -m bench.classifier.orders --dry-run   the same without writing

A row is a text with an order in it or without one; nobody says in which window it stands. So it is
trained in rounds: of a row with an order, the window that scores highest stands for it; of any
other, the windows that score highest. Pieces of the project's own documents are ordinary rows.

It is measured on each set (author) by a classifier that was trained without the set. The limit is
the score that `WRONG` of the ordinary rows of all sets reach, each by the classifier without it.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import signoff.assess.classifier
from bench.classifier.__main__ import table_lines
from bench.classifier.descent import trained
from bench.classifier.training import Example, limit_for
from bench.quality.cases import read_rows
from bench.quality.sets import OWN, ROOT
from signoff.assess.classifier.model import LinearModel
from signoff.assess.classifier.order_features import ACTS, Features, order_windows

FILE = Path(signoff.assess.classifier.__path__[0]) / "orders.json"
RESULTS = ROOT / "tests" / "assess" / "patterns" / "result_rows.jsonl"
PIECE = 4_000  # characters of a document that make a row
DOCUMENTS, TESTED = "docs", "tested"
CARD = "order-classifier.md"  # shows orders
HELD_OUT = frozenset({"near-orders"})  # never trained on: they test what was learned
LEARNED_ONLY = frozenset({DOCUMENTS, TESTED, "benign-readers"})  # not measured
ROUNDS = 3
ORDINARY_WINDOWS = 8  # of an ordinary row that are learned from
WRONG = 0.007  # of the ordinary rows
SHARES = (0.002, 0.005, WRONG, 0.02)
WANTED = frozenset(f"then {one}" for one in (*ACTS, "must", "person", "secret"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A text as the features of its windows; none where no reader is named."""

    source: str
    id: str
    is_order: bool
    windows: tuple[Features, ...]

    def score(self, model: LinearModel) -> float | None:
        """Return the score of the best window."""
        return max(map(model.score, self.windows), default=None)


def result_rows(folder: Path) -> Iterator[Row]:
    """Yield the own results of tools, whose texts are known to hold an order or not."""
    for file in sorted(folder.glob("*.jsonl")):
        if file.stem in HELD_OUT:
            continue
        for row in read_rows(file):
            if row.get("class") == "prompt" and isinstance(row.get("payload"), str):
                yield _row(file.stem, str(row["id"]), row["payload"], row["expect"] != "allow")


def document_rows(folder: Path) -> Iterator[Row]:
    """Yield pieces of the project's own documents, which give no orders."""
    for file in sorted(folder.rglob("*.md")):
        if file.name == CARD:
            continue
        text = file.read_text(encoding="utf-8")
        for at in range(0, len(text), PIECE):
            yield _row(DOCUMENTS, f"{file.stem}-{at}", text[at : at + PIECE], is_order=False)


def tested_rows(file: Path) -> Iterator[Row]:
    """Yield the results that the patterns' own tests tell apart."""
    for number, row in enumerate(read_rows(file)):
        yield _row(TESTED, f"{file.stem}-{number}", row["text"], is_order=row["is_order"])


def _row(source: str, name: str, text: str, is_order: bool) -> Row:  # noqa: FBT001 - a label
    found = tuple(one.features for one in order_windows(text))
    return Row(source=source, id=f"{source}/{name}", is_order=is_order, windows=found)


def trained_on(rows: Sequence[Row], *, limit: float = 0.0) -> LinearModel:
    """Train by rounds, each on the windows that the last one scores highest."""
    rows = [one for one in rows if one.windows]
    model = trained([*_examples(rows, None)], limit=limit)
    for _ in range(ROUNDS - 1):
        model = trained([*_examples(rows, model)], limit=limit)
    return model


def _examples(rows: Sequence[Row], model: LinearModel | None) -> Iterator[Example]:
    for row in rows:
        rank = _wants if model is None else model.score
        ranked = sorted(row.windows, key=rank, reverse=True)
        for one in ranked[: 1 if row.is_order else ORDINARY_WINDOWS]:
            yield Example(source=row.source, id=row.id, words=one, is_hit=row.is_order)


def _wants(features: Features) -> float:
    return len(features & WANTED)


def main() -> None:
    """Train, measure and write."""
    parser = argparse.ArgumentParser(prog="python -m bench.classifier.orders", description=__doc__)
    parser.add_argument("--dry-run", action="store_true", help="write nothing")
    given = parser.parse_args()
    rows = [*result_rows(OWN), *document_rows(ROOT / "docs"), *tested_rows(RESULTS)]
    limit = _measured(rows)
    if given.dry_run:
        return
    model = trained_on(rows, limit=limit)
    FILE.write_text(table_lines(model), encoding="utf-8")
    print(f"{FILE.name}: {len(rows)} rows, {len(model.weights)} features, from {model.limit}")


def _measured(rows: Sequence[Row]) -> float:
    """Print how a classifier does on each set it was trained without; return its limit."""
    sets = dict.fromkeys(one.source for one in rows if one.source not in LEARNED_ONLY)
    scored: list[tuple[Row, float]] = []
    for name in sets:
        model = trained_on([one for one in rows if one.source != name])
        found = [(one, one.score(model)) for one in rows if one.source == name]
        # What names no reader is not judged, and counts as not found.
        scored += [(one, -99.0 if score is None else score) for one, score in found]
    for share in SHARES:
        limit = limit_for([score for one, score in scored if not one.is_order], share)
        print(f"limit {limit:5.2f}, {share:.1%} of the ordinary rows: {_told(scored, limit)}")
    limit = limit_for([score for one, score in scored if not one.is_order], WRONG)
    for name in sets:
        print(f"    {name}: {_told([one for one in scored if one[0].source == name], limit)}")
    return limit


def _told(scored: Sequence[tuple[Row, float]], limit: float) -> str:
    orders = [score >= limit for one, score in scored if one.is_order]
    ordinary = [score >= limit for one, score in scored if not one.is_order]
    return f"orders {sum(orders)}/{len(orders)}, ordinary {sum(ordinary)}/{len(ordinary)}"


if __name__ == "__main__":
    main()
