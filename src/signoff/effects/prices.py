"""What models cost: a fixed table, the genai-prices package for others where it is installed.

Prices are in cents per million tokens, so tokens times price is millionths of a cent, and sums
of them are exact. A model nobody knows costs what Claude Haiku 4.5 costs, and the log says so.

    PriceList().microcents("claude-haiku-4-5-20251001", Usage(input_tokens=1000))  # 100000
"""

from __future__ import annotations

import logging
import math
from collections.abc import Mapping

from msgspec import Struct, field

from signoff.challenge.evaluators.model import TokenUsage

log = logging.getLogger(__name__)

MICROCENTS = 1_000_000  # in a cent


class Price(Struct, frozen=True):
    """Cents per million tokens."""

    input: int
    output: int

    def microcents(self, usage: TokenUsage) -> int:
        """Return what a call costs, in millionths of a cent."""
        return usage.input_tokens * self.input + usage.output_tokens * self.output


HAIKU_4_5 = Price(100, 500)
PRICES: Mapping[str, Price] = {
    "claude-haiku-4-5": HAIKU_4_5,
    "claude-haiku-4-5-20251001": HAIKU_4_5,
    "claude-haiku-5-5": Price(10, 50),
    "claude-sonnet-5": Price(200, 1000),
    "claude-sonnet-5-5": Price(200, 1000),
    "claude-opus-5": Price(500, 2500),
    "claude-opus-5-5": Price(400, 2000),
    "claude-fable-5-2": Price(800, 4000),
}


class PriceList(Struct):
    """Knows what calls cost, and warns once of each model it does not know.

    Args:
        table: prices by model; what is in it holds.
    """

    table: Mapping[str, Price] = field(default_factory=lambda: PRICES)
    _warned: set[str] = field(default_factory=set)

    def microcents(self, model: str, usage: TokenUsage) -> int:
        """Return what a call costs, in millionths of a cent."""
        known = self.table.get(model)
        if known is not None:
            return known.microcents(usage)
        looked_up = _looked_up(model, usage)
        if looked_up is not None:
            return looked_up
        if model not in self._warned:
            self._warned.add(model)
            log.warning("no price is known of `%s`: counted as Claude Haiku 4.5", model)
        return HAIKU_4_5.microcents(usage)


def _looked_up(model: str, usage: TokenUsage) -> int | None:
    """Return the cost by genai-prices, None if it is not installed or does not know the model."""
    try:
        import genai_prices  # noqa: PLC0415 - an optional extra, and 300 ms
    except ImportError:
        return None
    asked = genai_prices.Usage(
        input_tokens=usage.input_tokens,
        output_tokens=usage.output_tokens,
        cache_read_tokens=usage.cache_read_tokens,
        cache_write_tokens=usage.cache_write_tokens,
    )
    try:
        dollars = genai_prices.calc_price(asked, model_ref=model).total_price
    except (LookupError, ValueError):
        return None
    return math.ceil(dollars * 100 * MICROCENTS)
