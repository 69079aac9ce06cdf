"""Logistic regression over words and pairs of words, by scikit-learn.

A feature counts by how much more of it stands on one side, and by how rare it is, before anything
is learned: the square root of the first (after S. Wang and C. Manning, "Baselines and Bigrams",
ACL 2012) times the square of the second (as of documents, K. Spärck Jones 1972). The powers and
the other figures here were chosen on sets that were not trained on (docs/adr/0037). The solver
starts from nothing and draws no lots: the same examples give the same table.

    trained(examples).score(words, pairs)
    Table.of(examples).trained(hits, chosen)      # several trainings on parts of the same examples
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, diags, hstack
from sklearn.linear_model import LogisticRegression

from signoff.assess.classifier.model import SCALE, LinearModel

Vector = NDArray[np.float64]
Flags = NDArray[np.bool_]
Pair = tuple[str, str]

LOOSENESS = 5.0  # the higher, the farther weights may go
NEAR = {"ask": 3.0}  # what is not denied, and near to it, counts so many times
LEAST_AUTHORS = 3  # a feature of fewer authors is a name, not a word
SPREAD = 2.0  # of the length of a block of an example's features: how far single ones may go
SEEN_BEFORE = 0.5  # examples on each side that every feature starts with
LEAST_WEIGHT = 0.2  # a smaller one is not kept: half of them, and nothing is lost


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """One text with what is right of it.

    Args:
        source: the set it belongs to.
        words: its features.
        pairs: pairs of words near to each other, if they are known.
        tool_words: of a call of a tool, the words of it alone, without what is known besides.
        is_hit: whether the classifier is to say yes.
        verdict: what the judge says of it without the classifier.
    """

    source: str
    id: str
    words: frozenset[str]
    pairs: frozenset[Pair] = frozenset()
    tool_words: frozenset[str] = frozenset()
    is_hit: bool
    label: str = ""
    verdict: str = ""

    @property
    def author(self) -> str:
        """Who wrote it: a set may hold the rows of several authors, told by their ids."""
        return self.id.rpartition("/")[2].rpartition("-")[0] or self.source


def shared_features(
    examples: Iterable[Example], features: Callable[[Example], Collection[Any]]
) -> list[Any]:
    """Return the features that enough authors wrote, in order."""
    authors: dict[Any, set[str]] = defaultdict(set)
    for one in examples:
        author = one.author
        for feature in features(one):
            authors[feature].add(author)
    return sorted(name for name, some in authors.items() if len(some) >= LEAST_AUTHORS)


def trained(
    examples: Sequence[Example], *, limit: float = 0.0, sure: float | None = None
) -> LinearModel:
    """Train a classifier; both classes weigh the same, however many examples they have.

    Args:
        limit, sure: see `LinearModel`; None = as the limit.
    """
    hits = np.array([one.is_hit for one in examples])
    chosen = np.ones(len(examples), dtype=bool)
    return Table.of(examples).trained(hits, chosen, limit=limit, sure=sure)


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Examples as rows of numbers, from which classifiers are trained on a part of them.

    Args:
        authors: by example, the number of who wrote it.
        near: by example, what it counts if it is no hit.
        words, pairs: what it holds.
    """

    authors: NDArray[np.int64]
    near: Vector
    words: _Block
    pairs: _Block

    @classmethod
    def of(cls, examples: Sequence[Example]) -> Table:
        """Number the features that enough authors wrote."""
        names = {name: at for at, name in enumerate(sorted({one.author for one in examples}))}
        return cls(
            authors=np.array([names[one.author] for one in examples]),
            near=np.array([NEAR.get(one.label, 1.0) for one in examples]),
            words=_Block.of(examples, attrgetter("words")),
            pairs=_Block.of(examples, attrgetter("pairs")),
        )

    def trained(
        self, hits: Flags, chosen: Flags, *, limit: float = 0.0, sure: float | None = None
    ) -> LinearModel:
        """Train a classifier on the chosen examples.

        Args:
            hits: by example, whether it is to be found.
            limit, sure: see `LinearModel`; None = as the limit.
        """
        told = hits[chosen]
        blocks = [one.of_rows(chosen, self.authors) for one in (self.words, self.pairs)]
        telling = [_telling(one.rows, told) for one in blocks]
        scaled = [one.rows @ diags(counts) for one, counts in zip(blocks, telling, strict=True)]
        learner = LogisticRegression(C=LOOSENESS, solver="liblinear")
        learner.fit(hstack(scaled).tocsr(), told, sample_weight=_gravity(told, self.near[chosen]))
        found = np.split(learner.coef_[0], [len(blocks[0].names)])
        words, pairs = (
            one.weights(weights * counts)
            for one, weights, counts in zip(blocks, found, telling, strict=True)
        )
        return LinearModel(
            bias=round(float(learner.intercept_[0]) * SCALE),
            limit=round(limit, 2),
            sure=round(limit if sure is None else sure, 2),
            weights=words,
            pairs=_by_first(pairs),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Block:
    """The features of one kind: a row an example, a column a feature.

    Args:
        rows: `SPREAD` over the square root of an example's features where it has one, else 0.
    """

    names: Sequence[Any]
    rows: csr_matrix

    @classmethod
    def of(
        cls, examples: Sequence[Example], features: Callable[[Example], Collection[Any]]
    ) -> _Block:
        """Build the block of the features that enough authors wrote."""
        names = shared_features(examples, features)
        known = {name: at for at, name in enumerate(names)}
        places: list[int] = []
        values: list[float] = []
        ends = [0]
        for one in examples:
            # Sorted, as a set of words has another order on every run.
            own = sorted(known[name] for name in features(one) if name in known)
            places += own
            values += [SPREAD / math.sqrt(len(features(one)) or 1)] * len(own)
            ends.append(len(places))
        rows = csr_matrix((values, places, ends), shape=(len(examples), len(names)))
        return cls(names=names, rows=rows)

    def of_rows(self, chosen: Flags, authors: NDArray[np.int64]) -> _Block:
        """Return the block of some rows, with the features that enough of their authors wrote."""
        rows = self.rows[chosen]
        own = authors[chosen]
        wrote = csr_matrix((np.ones(len(own)), (own, np.arange(len(own)))))
        by_author = (wrote @ rows) > 0
        kept = np.flatnonzero(np.asarray(by_author.sum(axis=0)).ravel() >= LEAST_AUTHORS)
        return _Block(names=[self.names[at] for at in kept.tolist()], rows=rows[:, kept])

    def weights(self, found: Vector) -> dict[Any, int]:
        """Return by feature the weight that a text's own length divides, where it counts."""
        whole = found * SPREAD
        return {
            self.names[at]: round(float(whole[at]) * SCALE)
            for at in np.flatnonzero(np.abs(whole) >= LEAST_WEIGHT).tolist()
        }


def _by_first(pairs: dict[Pair, int]) -> dict[str, dict[str, int]]:
    by_first: dict[str, dict[str, int]] = defaultdict(dict)
    for (first, second), weight in pairs.items():
        by_first[first][second] = weight
    return by_first


def _telling(rows: csr_matrix, hits: Flags) -> Vector:
    """Return for each column how uneven and how rare it is; 1 on the average."""
    if not rows.shape[1]:
        return np.ones(0)
    is_there = rows > 0
    yes: Vector = np.asarray(is_there[hits].sum(axis=0)).ravel() + SEEN_BEFORE
    no: Vector = np.asarray(is_there[~hits].sum(axis=0)).ravel() + SEEN_BEFORE
    of_yes, of_no = hits.sum() + 2 * SEEN_BEFORE, (~hits).sum() + 2 * SEEN_BEFORE
    uneven: Vector = np.abs(np.log((yes / of_yes) / (no / of_no)))
    rare: Vector = np.log((of_yes + of_no) / (yes + no))
    told: Vector = np.sqrt(uneven) * rare**2
    return told / (told.mean() or 1.0)


def _gravity(hits: Flags, near: Vector) -> Vector:
    """Return what each example counts, so that both sides count the same; 1 on the average."""
    share = float(hits.mean())
    counts: Vector = np.where(hits, 0.5 / share, near * 0.5 / (1 - share))
    return counts / float(counts.mean())


def limit_for(scores: Iterable[float], share: float) -> float:
    """Return the score that no more than this share of the scores reaches."""
    ordered = sorted(scores, reverse=True)
    at = int(len(ordered) * share)
    return ordered[at] + 1e-3 if at < len(ordered) else ordered[-1]
