"""The model that is asked before people are: what it is given and what it answers (spec 3).

A model may let through what it is sure of, up to a level; it never refuses by itself. Whatever
goes wrong with it is no answer, and so is on to the people.

    Evaluation(allowed=True, confident=True, reason="reads the project only", confidence=0.97)
"""

from __future__ import annotations

from typing import Protocol

from msgspec import Struct

from signoff.challenge.request import Request

ERROR_PREFIX = "LLM evaluation error: "


class Evaluation(Struct, frozen=True, kw_only=True):
    """What a model thinks of one request.

    Args:
        confidence: 0..1 where the model gave a number, else None; an evaluator counts one under
            its threshold as not confident.
        model: the model's name, for the record.
    """

    allowed: bool = False
    confident: bool = False
    reason: str = "No reason provided"
    confidence: float | None = None
    model: str = ""

    @property
    def approves(self) -> bool:
        """Whether it is sure that this may happen."""
        return self.allowed and self.confident

    @property
    def for_people(self) -> str:
        """What those are told who are asked after it: an error is no opinion."""
        if self.reason.startswith(ERROR_PREFIX):
            return f"no answer: {self.reason.removeprefix(ERROR_PREFIX)}"
        return str(self)

    def __str__(self) -> str:
        verdict = "allow" if self.allowed else "deny"
        return f"{verdict}, {'confident' if self.confident else 'unsure'}: {self.reason}"


class PolicyTexts(Protocol):
    """The part of a policy store that is put to the model."""

    def format_for_llm(self, tool: str) -> str:
        """Return the policies of a tool and the global ones as a list, "" if there are none."""


class Evaluator(Protocol):
    """A model, or anything that judges in its place."""

    async def evaluate(self, request: Request) -> Evaluation:
        """Judge the request; an error is an evaluation that is neither allowed nor confident."""
