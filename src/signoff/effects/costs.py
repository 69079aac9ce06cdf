"""What model calls cost: each one kept, totals of today and this month, a budget for the day.

Days and months are those of UTC, like everything in the record. Prices come from a fixed table, and
from the genai-prices package where it is installed. They are in cents per million tokens, so tokens
times price is millionths of a cent, and sums of them are exact. A model nobody knows costs what
Claude Haiku 4.5 costs, and the log says so.

    costs = Costs(store, budget_cents=50)
    costs.record(model="claude-haiku-4-5-20251001", purpose="tool-eval", usage=usage)
    costs.today().cents
    PriceList().microcents("claude-haiku-4-5-20251001", Usage(input_tokens=1000))  # 100000
"""

from __future__ import annotations

import json
import logging
import math
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, date, datetime
from typing import Protocol

from msgspec import Struct, field

from signoff.challenge.evaluators.model import TokenUsage

log = logging.getLogger(__name__)

MICROCENTS = 1_000_000  # in a cent


class ModelCall(Struct, frozen=True, kw_only=True):
    """One model call, with its tokens and cost."""

    at: datetime
    model: str
    purpose: str
    input_tokens: int
    output_tokens: int
    microcents: int

    @property
    def cents(self) -> float:
        """Its cost in cents."""
        return self.microcents / MICROCENTS

    def line(self) -> str:
        """Return the call as one line of JSON."""
        return json.dumps(
            {
                "time": self.at.isoformat(timespec="microseconds"),
                "model": self.model,
                "purpose": self.purpose,
                "input_tokens": self.input_tokens,
                "output_tokens": self.output_tokens,
                "cents": self.cents,
            }
        )


class CostTotal(Struct, frozen=True, kw_only=True):
    """Number and total cost of the calls in a period."""

    calls: int = 0
    microcents: int = 0

    @property
    def cents(self) -> float:
        """The total cost in cents."""
        return self.microcents / MICROCENTS


class CostStore(Protocol):
    """Port: stores model calls and their cost."""

    def add(self, call: ModelCall) -> None:
        """Store a call.

        Raises:
            StoreError: it was not stored.
        """

    def total(self, first: date, last: date) -> CostTotal:
        """Return the summed cost of the calls of these days, both included.

        Raises:
            StoreError: they cannot be read.
        """

    def calls(self, first: date, last: date) -> Iterator[ModelCall]:
        """Yield the calls of these days, both included, oldest first.

        Raises:
            StoreError: they cannot be read.
        """

    def days(self) -> tuple[date, ...]:
        """Return the days with calls, oldest first.

        Raises:
            StoreError: they cannot be read.
        """


def now_utc() -> datetime:
    """Return the current time, aware, in UTC."""
    return datetime.now(UTC)


class Price(Struct, frozen=True):
    """Prices in cents per million tokens."""

    input: int
    output: int

    def microcents(self, usage: TokenUsage) -> int:
        """Return the cost of these tokens, in millionths of a cent."""
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
    """Computes costs of model calls.

    A model without a price is counted as Claude Haiku 4.5, with one warning.

    Args:
        table: prices by model.
    """

    table: Mapping[str, Price] = field(default_factory=lambda: PRICES)
    _warned: set[str] = field(default_factory=set)

    def microcents(self, model: str, usage: TokenUsage) -> int:
        """Return the cost of these tokens with this model, in millionths of a cent."""
        known = self.table.get(model)
        if known is not None:
            return known.microcents(usage)
        # After the own table: what a budget is counted by must not change with an installed
        # package.
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
    # It knows prices only of models it knows; another one is counted by the table.
    except (LookupError, ValueError):
        return None
    # Up: a budget must not be passed by rounding.
    return math.ceil(dollars * 100 * MICROCENTS)


class Costs(Struct, frozen=True):
    """Tracks the costs of model calls against a daily budget.

    Args:
        budget_cents: cents per day; None = no limit, 0 = no calls.
    """

    store: CostStore
    budget_cents: float | None = None
    clock: Callable[[], datetime] = now_utc
    prices: PriceList = field(default_factory=PriceList)

    def record(self, *, model: str, purpose: str, usage: TokenUsage) -> None:
        """Store the cost of one call.

        Raises:
            StoreError: it cannot be kept.
        """
        self.store.add(
            ModelCall(
                at=self.clock(),
                model=model,
                purpose=purpose,
                input_tokens=usage.input_tokens,
                output_tokens=usage.output_tokens,
                microcents=self.prices.microcents(model, usage),
            )
        )

    def is_spent(self) -> bool:
        """Tell whether today's budget is used up.

        Raises:
            StoreError: what was spent cannot be read.
        """
        return self.budget_cents is not None and self.today().cents >= self.budget_cents

    def today(self) -> CostTotal:
        """Return the number and cost of today's calls."""
        day = self.clock().date()
        return self.store.total(day, day)

    def this_month(self) -> CostTotal:
        """Return the number and cost of this month's calls."""
        day = self.clock().date()
        return self.store.total(day.replace(day=1), day)
