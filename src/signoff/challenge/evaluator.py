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
    """A model's opinion of one request.

    Args:
        confidence: 0..1 if the model gave a number, else None; below the evaluator's threshold
            counts as not confident.
        model: the model's name, for the audit log.
    """

    allowed: bool = False
    confident: bool = False
    reason: str = "No reason provided"
    confidence: float | None = None
    model: str = ""

    @property
    def approves(self) -> bool:
        """True if the model allows it and is confident."""
        return self.allowed and self.confident

    @property
    def for_people(self) -> str:
        """The opinion for people who are asked next; a failed model has "no answer"."""
        if self.reason.startswith(ERROR_PREFIX):
            return f"no answer: {self.reason.removeprefix(ERROR_PREFIX)}"
        return str(self)

    def __str__(self) -> str:
        verdict = "allow" if self.allowed else "deny"
        return f"{verdict}, {'confident' if self.confident else 'unsure'}: {self.reason}"


def sure_opinion(said: str) -> str:
    """Return `allow` or `deny` if the model was confident, else "".

    Args:
        said: an `Evaluation` as text, as the audit log holds it.
    """
    opinions = ("allow", "deny")
    return next((word for word in opinions if said.startswith(f"{word}, confident")), "")


class PolicyTexts(Protocol):
    """Port: gives the guidelines that a model is shown about a tool."""

    def format_for_llm(self, tool: str) -> str:
        """Return the policies of a tool and the global ones as a list, "" if there are none."""


class Evaluator(Protocol):
    """Judges requests before people are asked; usually a model."""

    async def evaluate(self, request: Request) -> Evaluation:
        """Judge the request. On any error the evaluation is neither allowed nor confident."""
