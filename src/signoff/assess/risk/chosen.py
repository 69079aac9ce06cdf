"""The scorer and the aggregator that a settings file chooses, by name.

    risk:
      scorer: {max: [default, size]}          # or {mean: {default: 3, size: 1}}, {fixed: 0.2}
      weights: {novelty: 0.05}                # of the factors of the default scorer
    threat:
      aggregator: weighted                    # or max, or a name of one's own
      weights: {supply-chain: 0.5}            # by detector

Names that signoff does not ship are entry points of installed packages; `build/scoring.py` loads
them.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated

import msgspec
from msgspec import Meta

from signoff.documents.convert import convert
from signoff.documents.node import Node

DEFAULT_SCORER = "default"
DEEPEST = 5  # scorers inside scorers
MOST_PARTS = 20

PartName = Annotated[
    str,
    Meta(max_length=60, pattern=r"\A[a-z0-9][a-z0-9_.-]*\Z", description="a name such as `size`"),
]
FactorWeight = Annotated[float, Meta(ge=0, le=1)]
Weight = Annotated[float, Meta(ge=0, le=100)]


class FactorName(StrEnum):
    """The factors of the default scorer."""

    FUNCTION_NAME = "function_name"
    ARGUMENTS = "arguments"
    DOCSTRING = "docstring"
    HINTS = "hints"
    NOVELTY = "novelty"


class _Maximum(msgspec.Struct, frozen=True, kw_only=True):
    max: Annotated[tuple[Node, ...], Meta(max_length=MOST_PARTS)]


class _Mean(msgspec.Struct, frozen=True, kw_only=True):
    mean: Annotated[Mapping[str, Weight], Meta(max_length=MOST_PARTS)]


class _Fixed(msgspec.Struct, frozen=True, kw_only=True):
    fixed: Annotated[float, Meta(ge=0, le=1)]


class ScorerKind(StrEnum):
    """The ways to define a scorer in settings."""

    NAMED = "named"
    MAX = "max"
    MEAN = "mean"
    FIXED = "fixed"


class ScorerChoice(msgspec.Struct, frozen=True, kw_only=True):
    """A scorer chosen in settings, possibly combined from others.

    Args:
        parts: of `max` and `mean`; `weights` belong to those of `mean`.
        value: of `fixed`.
        place: where it is chosen, for messages.
    """

    kind: ScorerKind = ScorerKind.NAMED
    name: str = DEFAULT_SCORER
    parts: tuple[ScorerChoice, ...] = ()
    weights: tuple[float, ...] = ()
    value: float = 0.0
    place: str = ""

    def names(self) -> frozenset[str]:
        """Return the names of all scorers in it."""
        own = {self.name} if self.kind is ScorerKind.NAMED else set()
        return frozenset(own).union(*(part.names() for part in self.parts))

    def __str__(self) -> str:
        """Return it as it is written in settings, without the place."""
        match self.kind:
            case ScorerKind.NAMED:
                return self.name
            case ScorerKind.FIXED:
                return f"fixed {self.value:g}"
            case ScorerKind.MAX:
                return f"max of {', '.join(map(str, self.parts))}"
            case ScorerKind.MEAN:
                pairs = zip(self.parts, self.weights, strict=True)
                return f"mean of {', '.join(f'{part} x{weight:g}' for part, weight in pairs)}"


class RiskSection(msgspec.Struct, frozen=True, kw_only=True):
    """The section `risk`: which scorer, and the weights of the default one's factors."""

    scorer: Node | None = None
    weights: Mapping[FactorName, FactorWeight] = msgspec.field(default_factory=dict)


class ThreatSection(msgspec.Struct, frozen=True, kw_only=True):
    """The section `threat`: which aggregator, and the weights of detectors for `weighted`."""

    aggregator: PartName = "max"
    weights: Annotated[Mapping[str, Weight], Meta(max_length=200)] = msgspec.field(
        default_factory=dict
    )


class Scoring(msgspec.Struct, frozen=True, kw_only=True):
    """The scorers and weights chosen in settings.

    Args:
        factor_weights: weights of the default scorer that replace the usual ones.
        detector_weights: for the aggregator `weighted`; 1 for a detector that is not named.
    """

    scorer: ScorerChoice = ScorerChoice()
    factor_weights: Mapping[str, float] = msgspec.field(default_factory=dict)
    aggregator: str = "max"
    detector_weights: Mapping[str, float] = msgspec.field(default_factory=dict)

    @property
    def is_default(self) -> bool:
        """Whether everything is as by default."""
        # Where it was written makes no difference.
        return self == Scoring(scorer=ScorerChoice(place=self.scorer.place))

    def __str__(self) -> str:
        """Return it in one line; equal lines judge alike."""
        factors = ", ".join(f"{name} {weight:g}" for name, weight in self.factor_weights.items())
        detectors = ", ".join(f"{k} {weight:g}" for k, weight in self.detector_weights.items())
        return f"{self.scorer} ({factors}); {self.aggregator} ({detectors})"


def read_scoring(risk: RiskSection, threat: ThreatSection) -> Scoring:
    """Read the sections `risk` and `threat`.

    Raises:
        BadFile: the scorer is not valid.
    """
    return Scoring(
        scorer=_scorer(risk.scorer, DEEPEST) if risk.scorer else ScorerChoice(),
        factor_weights={name.value: weight for name, weight in risk.weights.items()},
        aggregator=threat.aggregator,
        detector_weights=dict(threat.weights),
    )


def _scorer(node: Node, deepest: int) -> ScorerChoice:
    if not deepest:
        raise node.refuse(f"scorer: more than {DEEPEST} scorers inside each other")
    if node.is_scalar:
        name = _name(node)
        return ScorerChoice(name=name, place=node.place)
    fields = node.fields(allowed=("max", "mean", "fixed"), what="scorer")
    if len(fields) != 1:
        raise node.refuse("scorer: expected a name or one of `max`, `mean`, `fixed`")
    if "max" in fields:
        items = convert(node, _Maximum).max
        parts = tuple(_scorer(item, deepest - 1) for item in items)
        return ScorerChoice(kind=ScorerKind.MAX, name="max", parts=parts, place=node.place)
    if "fixed" in fields:
        value = convert(node, _Fixed).fixed
        return ScorerChoice(kind=ScorerKind.FIXED, name="fixed", value=value, place=node.place)
    weights = convert(node, _Mean).mean
    if not sum(weights.values()) > 0:
        raise node.refuse("mean: expected at least one weight above 0")
    return ScorerChoice(
        kind=ScorerKind.MEAN,
        name="mean",
        parts=tuple(ScorerChoice(name=name, place=node.place) for name in weights),
        weights=tuple(weights.values()),
        place=node.place,
    )


def _name(node: Node) -> str:
    # Read like any other name: the same length and letters.
    text = node.text(limit=60)
    if not all(char.isalnum() or char in "_.-" for char in text):
        raise node.expected("a name such as `size`")
    return text
