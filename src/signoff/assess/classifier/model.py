"""A linear classifier: a table of weights, a sum, and the words that gave it.

The weights stand in a JSON file beside this one, a word a line; a script makes it of the project's
own labelled cases (`python -m bench.classifier`). Nothing is learned at run time, so the same call
always gets the same score.

    load_model("denied").score(words, pairs)     # 3.1: it is denied
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cache
from itertools import repeat
from math import sqrt
from types import MappingProxyType

import msgspec

SCALE = 100  # weights are stored as hundredths, as whole numbers
NOTHING: Mapping[str, int] = MappingProxyType({})


class LinearModel(msgspec.Struct, frozen=True, kw_only=True):
    """The stored form of a classifier.

    Args:
        bias: what a text without any known word scores, in hundredths.
        limit: the score from which on the answer is yes.
        sure: the score from which on it is yes about a text that nothing else speaks against.
        weights: by feature, in hundredths.
        pairs: by the first and then the second of two words near to each other, in the order of
            the alphabet, in hundredths.
    """

    bias: int
    limit: float
    sure: float
    weights: Mapping[str, int]
    pairs: Mapping[str, Mapping[str, int]] = {}

    def score(self, words: Collection[str], pairs: Collection[tuple[str, str]] = ()) -> float:
        """Return the score of a text by its features; 0 is as likely as not, without bounds."""
        total = float(self.bias)
        if words:
            total += sum(map(self.weights.get, words, repeat(0))) / sqrt(len(words))
        if pairs:
            after = self.pairs.get
            known = sum([after(first, NOTHING).get(second, 0) for first, second in pairs])
            total += known / sqrt(len(pairs))
        return total / SCALE

    def strongest(self, words: Collection[str], count: int) -> tuple[str, ...]:
        """Return the words that raised the score most, the strongest first."""
        weights = self.weights
        weighed = sorted(((weights[one], one) for one in words if one in weights), reverse=True)
        return tuple(one for weight, one in weighed[:count] if weight > 0)


@cache
def load_model(name: str) -> LinearModel:
    """Read a classifier of this package by the name of its file.

    Raises:
        OSError, msgspec.DecodeError: the file is not there or is damaged; a detector that fails
            denies the call.
    """
    path = __file__.removesuffix("model.py") + f"{name}.json"
    with open(path, "rb") as file:  # noqa: PTH123 - nothing here imports `pathlib`
        return msgspec.json.decode(file.read(), type=LinearModel)
