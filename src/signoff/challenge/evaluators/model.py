"""A model behind an API, as evaluators see it: a prompt goes in, a text and its tokens come out.

`Metered` lets no call beyond the day's budget, and writes every call down.

    completion = await model.complete(Prompt(system="...", user="..."), max_tokens=256)
    text = await Metered(model, "claude-haiku-4-5-20251001", costs).ask(prompt, Purpose.TOOL)
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from msgspec import Struct, field

from signoff.actions.action import Json
from signoff.actions.vocabulary import Vocabulary
from signoff.challenge.outbound.endpoint import CallFailed

BASE_URL = "https://api.anthropic.com"
DEFAULT_MODEL = "claude-haiku-4-5-20251001"


class Purpose(Vocabulary):
    """Why a model is called; costs are tracked by purpose (spec 3)."""

    TOOL = "tool-eval"
    REPLY = "reply-eval"
    SUMMARY = "summary"
    TEACH_BACK = "teach-back-eval"


class Prompt(Struct, frozen=True, kw_only=True):
    """One prompt for a model.

    Args:
        schema: JSON schema the answer must follow, None for plain text.
    """

    system: str
    user: str
    schema: Mapping[str, Json] | None = None
    max_tokens: int = 256


class TokenUsage(Struct, frozen=True, kw_only=True):
    """Tokens of one call. `input_tokens` includes those read from and written to a cache."""

    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0


class Completion(Struct, frozen=True, kw_only=True):
    """A model's response.

    Args:
        problem: why the text must not be used (cut off, refused), "" if it may.
    """

    text: str
    usage: TokenUsage = field(default_factory=TokenUsage)
    problem: str = ""


class Model(Protocol):
    """Port: a language model of some provider."""

    async def complete(self, prompt: Prompt) -> Completion:
        """Send the prompt and return the completion.

        Raises:
            CallFailed: there was no usable answer within its timeout and retries.
        """


class CostTracker(Protocol):
    """Port: records what model calls cost."""

    def record(self, *, model: str, purpose: str, usage: TokenUsage) -> None:
        """Record one call.

        Raises:
            StoreError: it cannot be kept.
        """

    def is_spent(self) -> bool:
        """Tell whether the budget of this day is used up.

        Raises:
            StoreError: what was spent cannot be read.
        """


class Mask(Protocol):
    """Removes secrets from what is sent to a model."""

    def value(self, value: Json) -> Json:
        """Return a JSON value with its secrets masked."""

    def text(self, text: str) -> str:
        """Return a text with its secrets masked."""


class BudgetSpent(CallFailed):
    """The daily budget is used up; the model is not called again today."""


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
        # Where the costs cannot be read this raises, and the model is not called: no budget, no
        # call.
        if self.costs is not None and self.costs.is_spent():
            raise BudgetSpent("the budget of this day is spent")
        completion = await self.model.complete(prompt)
        if self.costs is not None:
            # Before the reply is judged: one that cannot be used costs as much.
            self.costs.record(model=self.name, purpose=purpose.value, usage=completion.usage)
        if completion.problem:
            raise CallFailed(completion.problem)
        return completion.text
