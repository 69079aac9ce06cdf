"""Train the classifiers of calls on the project's own cases, measure them, and write them.

    python -m bench.classifier             trains, measures, writes src/.../{denied,asked}.json
                                           and harmless.json
    python -m bench.classifier --dry-run   the same without writing
    python -m bench.classifier --only denied    one of them: several at once in as many terminals

They are measured on the newest sets of unmet work, each by classifiers that were trained on the
cases there were before that set and on the other sets. The limits come from those sets together:
the one to deny from those of their calls that would be asked about, the one to ask from those that
would pass, the one of harmless tools from all their tools.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import signoff.assess.classifier
from bench.classifier.calls import call_examples
from bench.classifier.history import ids_before
from bench.classifier.training import Example, Table, limit_for
from bench.quality.sets import OWN
from signoff.actions.vocabulary import words
from signoff.assess.classifier.model import LinearModel
from signoff.values import replace

FOLDER = Path(signoff.assess.classifier.__path__[0])
NEWEST = "rigg mere knoll dun pike keld linn gill thwaite wray leat stane haugh brae"
MEASURED_ON = tuple(NEWEST.split())
# Fewer of their calls are of tools: the limits of a table that reads tools alone take more sets.
MORE_TOOLS = ("wold", "weald", "combe", "holm", "croft", "garth")
# Measured on, but neither trained on nor used for the limits, so that its figures go on counting.
STILL_UNSEEN = frozenset(
    f"unseen-{name}"
    for name in words(
        "gorge lagoon strand fell tarn ness scar rigg knoll esk sike hurst beal crag ghyll nab"
        " clough dingle lune skerry wath"
    )
)
UNSEEN = "unseen-"


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """One of the classifiers.

    Args:
        name: of its file and its policy line.
        hits: the labels of the calls that it is to find.
        wrong: by the verdict of the rules, the share of the others that it may find; the first is
            for its limit, the last for what is sure; "" stands for all verdicts.
        is_of_tools: whether it reads the words of tools, and nothing else.
    """

    name: str
    hits: frozenset[str]
    wrong: tuple[tuple[str, float], ...]
    is_of_tools: bool = False

    def is_hit(self, example: Example) -> bool:
        """Return whether an example is to be found."""
        return example.label in self.hits


KINDS = (
    Kind(name="denied", hits=frozenset({"deny"}), wrong=(("ask", 0.04), ("allow", 0.004))),
    Kind(name="asked", hits=frozenset({"deny", "ask"}), wrong=(("allow", 0.02),)),
    Kind(
        name="harmless",
        hits=frozenset({"allow"}),
        wrong=(("", 0.004), ("", 0.002)),
        is_of_tools=True,
    ),
)
NONE = (0.0, 0.0)
SHARES = (0.002, 0.005, 0.01, 0.02, 0.03, 0.04, 0.05)


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """All examples, with the rows of numbers made of them."""

    examples: Sequence[Example]
    table: Table

    def trained(
        self, kind: Kind, chosen: Callable[[Example], bool], *, limits: tuple[float, float] = NONE
    ) -> LinearModel:
        """Train one of the classifiers on the chosen examples."""
        hits, used = (
            np.array([told(one) for one in self.examples]) for told in (kind.is_hit, chosen)
        )
        return self.table.trained(hits, used, limit=limits[0], sure=limits[1])


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """A call with its score by a classifier that could not know it."""

    example: Example
    score: float
    is_hit: bool

    def is_of(self, verdict: str, label: str = "") -> bool:
        """Return whether the rules say so, and this label is right; "" stands for any."""
        return verdict in ("", self.example.verdict) and label in ("", self.example.label)


def main() -> None:
    """Train, measure and write."""
    parser = argparse.ArgumentParser(prog="python -m bench.classifier", description=__doc__)
    parser.add_argument("--dry-run", action="store_true", help="write nothing")
    parser.add_argument("--only", choices=[kind.name for kind in KINDS], help="one of them")
    given = parser.parse_args()
    examples = list(call_examples(OWN))
    kinds = [one for one in KINDS if given.only in (None, one.name)]
    for kind in kinds:
        known = _known(examples, is_of_tools=kind.is_of_tools)
        limits = _measured(kind, known)
        if given.dry_run:
            continue
        model = known.trained(kind, _is_learned, limits=limits)
        (FOLDER / f"{kind.name}.json").write_text(table_lines(model), encoding="utf-8")
        size = f"{len(model.weights)} words, {sum(map(len, model.pairs.values()))} pairs"
        learned = sum(map(_is_learned, known.examples))
        print(f"{kind.name}.json: {learned} calls, {size}")


def _known(examples: Iterable[Example], *, is_of_tools: bool) -> Known:
    """Return the examples of calls, or those of tools by their words alone."""
    some = [
        replace(one, words=one.tool_words, pairs=frozenset()) if is_of_tools else one
        for one in examples
        if one.tool_words or not is_of_tools
    ]
    return Known(examples=some, table=Table.of(some))


def _is_learned(example: Example) -> bool:
    return example.source not in STILL_UNSEEN


def _measured(kind: Kind, examples: Known) -> tuple[float, float]:
    """Print how a classifier does on each set it could not know; return its two limits."""
    names = (*MORE_TOOLS, *MEASURED_ON) if kind.is_of_tools else MEASURED_ON
    by_set = {name: list(_scored(kind, examples, f"{UNSEEN}{name}")) for name in names}
    known = [one for found in by_set.values() for one in found if _is_learned(one.example)]
    limits = []
    for verdict, wrong in kind.wrong:
        others = [one.score for one in known if one.is_of(verdict) and not one.is_hit]
        print(f"{kind.name}, of calls that the rules say {verdict or 'anything'} to:")
        for share in SHARES:
            print(f"  {share:.1%} wrong, {_told(known, limit_for(others, share), verdict)}")
        limits.append(limit_for(others, wrong))
        for name, found in by_set.items():
            print(f"    {name}, {_told(found, limits[-1], verdict)}")
    return limits[0], limits[-1]


def _scored(kind: Kind, known: Known, source: str) -> Iterator[Scored]:
    """Yield the calls of a set, scored by a classifier that cannot know them.

    It learns from the cases there were before the set, and from the sets of other authors, who
    did not know it either.
    """
    before = ids_before(source)

    def may_know(one: Example) -> bool:
        is_other = one.source != source and _is_learned(one)
        return is_other and (one.source.startswith(UNSEEN) or one.id in before)

    model = known.trained(kind, may_know)
    for one in known.examples:
        if one.source == source:
            score = model.score(one.words, one.pairs)
            yield Scored(example=one, score=score, is_hit=kind.is_hit(one))


def _told(found: Sequence[Scored], limit: float, verdict: str) -> str:
    """Say how many calls of each label, with this verdict by the rules, a limit moves."""
    counts = ", ".join(
        f"{label} {sum(score >= limit for score in scores)} of {len(scores)}"
        for label in ("deny", "ask", "allow")
        if (scores := [one.score for one in found if one.is_of(verdict, label)])
    )
    return f"from {limit:.2f}: {counts}"


def table_lines(model: LinearModel) -> str:
    """Return the model as JSON with a line for each word, so that a change can be read."""
    head = f'"bias":{model.bias},"limit":{model.limit},"sure":{model.sure}'
    pairs = {first: dict(sorted(after.items())) for first, after in model.pairs.items()}
    return f'{{{head},"weights":{_lines(model.weights)},"pairs":{_lines(pairs)}}}\n'


def _lines(table: Mapping[str, object]) -> str:
    lines = ",\n".join(f"{_json(name)}:{_json(value)}" for name, value in sorted(table.items()))
    return f"{{\n{lines}\n}}"


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


if __name__ == "__main__":
    main()
