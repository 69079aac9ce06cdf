"""What model calls cost: each one kept, totals of today and this month, a budget for the day.

Days and months are those of UTC, like everything in the record.

    costs = Costs(store, budget_cents=50)
    costs.record(model="claude-haiku-4-5-20251001", purpose="tool-eval", usage=usage)
    costs.today().cents
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime
from typing import Protocol

from msgspec import Struct, field

from signoff.challenge.evaluators.model import TokenUsage
from signoff.effects.prices import MICROCENTS, PriceList


class ModelCall(Struct, frozen=True, kw_only=True):
    """One call of a model."""

    at: datetime
    model: str
    purpose: str
    input_tokens: int
    output_tokens: int
    microcents: int

    @property
    def cents(self) -> float:
        """What it cost."""
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
    """Keeps calls."""

    def add(self, call: ModelCall) -> None:
        """Keep a call.

        Raises:
            StoreError: it is not kept.
        """

    def total(self, first: date, last: date) -> CostTotal:
        """Return what the calls of these days come to, both included.

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
    """Return the time."""
    return datetime.now(UTC)


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
