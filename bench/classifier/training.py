"""Logistic regression over sets of features, trained by stochastic gradient descent (AdaGrad).

Small, without any library, and the same result on every run: a training of 17,000 calls takes a
few seconds.

    trained(examples).score(features)
"""

from __future__ import annotations

import math
import random
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from signoff.assess.classifier.model import SCALE, LinearModel

ROUNDS = 6
STEP = 0.3
SHRINK = 1e-5  # pulls every weight towards nothing
BIAS_STEP = 0.02
SEED = 20261129
NEAR = {"ask": 3.0}  # what is not denied, and near to it, counts so many times
LEAST_AUTHORS = 3  # a feature of fewer authors is a name, not a word
RUNS = 4  # their mean: the order of the examples matters less
SPREAD = 3.0  # of the length of an example's vector: how far single words may go
LEAST_WEIGHT = 25  # thousandths: a smaller one is not kept


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """One text with what is right of it.

    Args:
        source: the set it belongs to.
        verdict: what the judge says of it without the classifier.
        is_hit: whether the classifier is to say yes.
    """

    source: str
    id: str
    features: frozenset[str]
    is_hit: bool
    label: str = ""
    verdict: str = ""

    @property
    def author(self) -> str:
        """Who wrote it: a set may hold the rows of several authors, told by their ids."""
        return self.id.rpartition("/")[2].rpartition("-")[0] or self.source


def shared_features(examples: Iterable[Example]) -> dict[str, int]:
    """Number the features that enough authors wrote."""
    authors: dict[str, set[str]] = defaultdict(set)
    for one in examples:
        author = one.author
        for feature in one.features:
            authors[feature].add(author)
    return {
        name: at
        for at, name in enumerate(sorted(n for n, s in authors.items() if len(s) >= LEAST_AUTHORS))
    }


def trained(
    examples: Sequence[Example], *, limit: float = 0.0, sure: float | None = None
) -> LinearModel:
    """Train a classifier; both classes weigh the same, however many examples they have.

    Args:
        limit, sure: see `LinearModel`; None = as the limit.
    """
    known = shared_features(examples)
    rows = [
        (
            [known[name] for name in sorted(one.features) if name in known],
            SPREAD / math.sqrt(len(one.features) or 1),
        )
        for one in examples
    ]
    share = sum(one.is_hit for one in examples) / len(examples)
    gravity = [
        0.5 / share if one.is_hit else NEAR.get(one.label, 1.0) * 0.5 / (1 - share)
        for one in examples
    ]
    weights, bias = [0.0] * len(known), 0.0
    for run in range(RUNS):
        found, start = _descended(rows, [one.is_hit for one in examples], gravity, run)
        bias += start / RUNS
        weights = [total + one / RUNS for total, one in zip(weights, found, strict=True)]
    kept = {name: round(weights[at] * SPREAD * SCALE) for name, at in known.items()}
    return LinearModel(
        bias=round(bias * SCALE),
        limit=round(limit, 2),
        sure=round(limit if sure is None else sure, 2),
        weights={name: weight for name, weight in kept.items() if abs(weight) >= LEAST_WEIGHT},
    )


def _descended(
    rows: Sequence[tuple[list[int], float]],
    hits: Sequence[bool],
    gravity: Sequence[float],
    run: int,
) -> tuple[list[float], float]:
    """Return weights and bias after some rounds over the rows, in an order of this run's own."""
    size = 1 + max((place for places, _ in rows for place in places), default=0)
    weights, squares, bias = [0.0] * size, [1e-3] * size, 0.0
    order = list(range(len(rows)))
    shuffle = random.Random(SEED + run).shuffle
    for _ in range(ROUNDS):
        shuffle(order)
        for at in order:
            places, length = rows[at]
            raw = bias + length * sum([weights[place] for place in places])
            error = (_chance(raw) - hits[at]) * gravity[at]
            bias -= BIAS_STEP * error
            for place in places:
                slope = error * length + SHRINK * weights[place]
                squares[place] += slope * slope
                weights[place] -= STEP * slope / math.sqrt(squares[place])
    return weights, bias


def _chance(raw: float) -> float:
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, raw))))


def limit_for(scores: Iterable[float], share: float) -> float:
    """Return the score that no more than this share of the scores reaches."""
    ordered = sorted(scores, reverse=True)
    at = int(len(ordered) * share)
    return ordered[at] + 1e-3 if at < len(ordered) else ordered[-1]
