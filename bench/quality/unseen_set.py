"""A set that was judged before anybody had seen what the judge says to it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class UnseenKind(Enum):
    """What one case of a set is."""

    CALLS = "calls"
    CHAINS = "chains"
    REQUESTS = "requests"
    RESULTS = "results"


@dataclass(frozen=True, slots=True, kw_only=True)
class UnseenSet:
    """A set by name.

    Args:
        what: one line for the page.
        cases: how many there are; a chain is one. May only grow.
    """

    name: str
    kind: UnseenKind
    cases: int
    what: str

    @property
    def file(self) -> str:
        """Give the name of its file among the own cases."""
        return f"{self.name}.jsonl"
