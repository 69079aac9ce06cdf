"""Policies: soft guidance in words that people give and the model is shown (spec 3).

- [pol_0] Always allow npm install in this project (applies to: Bash)
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Protocol

from msgspec import Struct

from signoff.values import count_of, replace

TEXT_LIMIT = 2_000
TOOL_LIMIT = 200
POLICIES_LIMIT = 200
NEVER = "never"
_LENGTH = re.compile(r"([0-9]{1,4})([hdw])")
_SECONDS = {"h": 3_600.0, "d": 86_400.0, "w": 604_800.0}
# A date further away is a slip of the pen; `never` says it plainly.
LONGEST_S = 10 * 366 * 86_400.0


class Policy(Struct, frozen=True, kw_only=True):
    """A guideline by a person that the model follows.

    Args:
        id: `pol_0`, `pol_1` ...; never reused.
        tool: names of the tools it applies to, as `Write|Edit`; "" = all.
        author: the approver who wrote or changed it last.
        expires_s: when it ends, in seconds since the epoch; 0 = never.
    """

    id: str
    text: str
    tool: str = ""
    author: str = ""
    created_at: datetime | None = None
    expires_s: float = 0.0

    def is_over(self, now_s: float) -> bool:
        """Return whether it has expired."""
        return bool(self.expires_s) and now_s >= self.expires_s

    @property
    def ends(self) -> str:
        """Its expiry in UTC for people, "" if it never expires."""
        if not self.expires_s:
            return ""
        return datetime.fromtimestamp(self.expires_s, UTC).strftime("%Y-%m-%d %H:%M")

    def is_for(self, tool: str) -> bool:
        """Tell whether it applies to a tool."""
        return not self.tool or tool in self.tool.split("|")

    def __str__(self) -> str:
        scope = f" (applies to: {self.tool})" if self.tool else ""
        return f"- [{self.id}] {self.text}{scope}"

    def told(self, now_s: float, *, hits: int | None = None) -> str:
        """Return it in one line for people, with author, expiry and number of uses.

        Args:
            hits: how often the model followed it; None = not known here.
        """
        parts = [str(self).removeprefix("- ")]
        if self.author:
            parts.append(f"by {self.author}")
        if self.ends:
            parts.append(f"{'ended' if self.is_over(now_s) else 'until'} {self.ends} UTC")
        if hits is not None:
            parts.append(f"followed {count_of(hits, 'time')}")
        return ", ".join(parts)


class PolicyChange(Struct, frozen=True, kw_only=True):
    """Changes to a policy; None leaves a field as it is."""

    text: str | None = None
    tool: str | None = None
    expires_s: float | None = None


class PolicyStore(Protocol):
    """Port: stores policies."""

    def add(self, text: str, *, tool: str = "", author: str = "", expires_s: float = 0.0) -> Policy:
        """Store a new policy and return it with its id.

        Raises:
            ValueError: it is empty or too long, or there are too many.
            StoreError: it cannot be kept.
        """

    def edit(self, id: str, change: PolicyChange, *, author: str) -> Policy | None:
        """Change a policy and return it, None if there is none of this id.

        Raises:
            ValueError: it is empty or too long.
            StoreError: it cannot be kept.
        """

    def remove(self, id: str) -> bool:
        """Delete a policy; return whether it existed."""

    def listed(self) -> tuple[Policy, ...]:
        """Return all policies, oldest first, expired ones included."""

    def get_for_tool(self, tool: str) -> tuple[Policy, ...]:
        """Return the unexpired policies of the tool, and the global ones."""

    def format_for_llm(self, tool: str) -> str:
        """Return the unexpired policies of the tool as a list for a model, "" if none."""


def changed(policy: Policy, change: PolicyChange) -> Policy:
    """Return a copy of a policy with a change applied."""
    return replace(
        policy,
        text=policy.text if change.text is None else change.text,
        tool=policy.tool if change.tool is None else change.tool,
        expires_s=policy.expires_s if change.expires_s is None else change.expires_s,
    )


def expiry(text: str, now_s: float | None = None) -> float:
    """Parse an expiry (`never`, `30d`, a date) to seconds since the epoch; 0 = never.

    Raises:
        ValueError: it is none of these, or in the past.
    """
    now_s = time.time() if now_s is None else now_s
    if text == NEVER:
        return 0.0
    if length := _LENGTH.fullmatch(text):
        end_s = now_s + int(length[1]) * _SECONDS[length[2]]
    else:
        try:
            day = datetime.fromisoformat(text)
        except ValueError:
            raise ValueError(
                f"the end is `{text[:40]}`, expected a time such as 30d, 12h, 2027-03-01 or never"
            ) from None
        # Without a zone it is UTC, as ends are shown: not the zone of whichever machine reads it.
        end_s = (day if day.tzinfo else day.replace(tzinfo=UTC)).timestamp()
    if not now_s < end_s <= now_s + LONGEST_S:
        raise ValueError(f"the end `{text[:40]}` is over, or more than ten years away")
    return end_s


def format_policies(policies: Iterable[Policy]) -> str:
    """Return policies as a list for a model, "" if there are none."""
    return "\n".join(map(str, policies))
