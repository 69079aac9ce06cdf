"""A model with a purse: no call beyond the day's budget, and every call is written down.

text = await Metered(model, "claude-haiku-4-5-20251001", costs).ask(prompt, Purpose.TOOL)
"""

from __future__ import annotations

from msgspec import Struct

from signoff.challenge.evaluators.model import CostTracker, Model, Prompt, Purpose
from signoff.challenge.outbound.endpoint import CallFailed


class BudgetSpent(CallFailed):
    """The model is not called any more today."""


class Metered(Struct, frozen=True):
    """Calls a model, tracks the costs, and enforces the budget.

    Args:
        costs: None = no tracking and no budget.
    """

    model: Model
    name: str
    costs: CostTracker | None = None

    async def ask(self, prompt: Prompt, purpose: Purpose) -> str:
        """Return the model's answer.

        Raises:
            CallFailed: there is no usable answer, or the budget is spent.
            StoreError: the costs cannot be stored.
        """
        if self.costs is not None and self.costs.is_spent():
            raise BudgetSpent("the budget of this day is spent")
        completion = await self.model.complete(prompt)
        if self.costs is not None:
            self.costs.record(model=self.name, purpose=purpose.value, usage=completion.usage)
        if completion.problem:
            raise CallFailed(completion.problem)
        return completion.text
