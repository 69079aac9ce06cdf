"""Policies: soft guidance in words that people give and the model is shown (spec 3).

- [pol_0] Always allow npm install in this project (applies to: Bash)
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Protocol

from msgspec import Struct

TEXT_LIMIT = 2_000
TOOL_LIMIT = 200
POLICIES_LIMIT = 200


class Policy(Struct, frozen=True, kw_only=True):
    """One guideline that the model follows.

    Args:
        id: `pol_0`, `pol_1` ...; never reused.
        tool: names of the tools it applies to, as `Write|Edit`; "" = all.
        author: the approver who wrote it.
    """

    id: str
    text: str
    tool: str = ""
    author: str = ""
    created_at: datetime | None = None

    def is_for(self, tool: str) -> bool:
        """Tell whether it applies to a tool."""
        return not self.tool or tool in self.tool.split("|")

    def __str__(self) -> str:
        scope = f" (applies to: {self.tool})" if self.tool else ""
        return f"- [{self.id}] {self.text}{scope}"


class PolicyStore(Protocol):
    """Keeps policies."""

    def add(self, text: str, *, tool: str = "", author: str = "") -> Policy:
        """Keep a policy.

        Raises:
            ValueError: it is empty or too long, or there are too many.
            StoreError: it cannot be kept.
        """

    def remove(self, id: str) -> bool:
        """Forget a policy; tell whether there was one."""

    def listed(self) -> tuple[Policy, ...]:
        """Return all policies, oldest first."""

    def get_for_tool(self, tool: str) -> tuple[Policy, ...]:
        """Return those of the tool and the global ones."""

    def format_for_llm(self, tool: str) -> str:
        """Return those as a list for a model, "" if there are none."""


def format_policies(policies: Iterable[Policy]) -> str:
    """Return policies as a list for a model, "" if there are none."""
    return "\n".join(map(str, policies))
