"""Replies in words, read for what is meant: explicit forms here, the rest by a reader if any.

    approve                             deny: use a branch
    yes, but run the tests first        approve. add policy: pushing is fine unless forced

What is not understood leaves the request pending, and says so.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from signoff.challenge.pending import PendingRequest


class Intent(StrEnum):
    """What a reply means."""

    APPROVE = "approve"
    DENY = "deny"
    FORWARD = "forward"  # approve, and hand the text to the agent
    POLICY = "policy"  # approve, and keep the policy for the tool
    UNCLEAR = "unclear"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """A reply as it was understood.

    Args:
        words: for the agent.
        policy: the guidance to keep.
    """

    intent: Intent
    words: str = ""
    policy: str = ""


class ReplyReader(Protocol):
    """Reads what no explicit form covers: a model."""

    async def read(self, text: str, pending: PendingRequest) -> Reply:
        """Return what is meant; UNCLEAR if it cannot be told, and on every error."""
