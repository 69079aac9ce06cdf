"""What decides about the calls of a Python program, here or in the daemon: one interface."""

from __future__ import annotations

from typing import Protocol

from signoff.actions.action import Action
from signoff.challenge.request import ENDLESS, WaitBudget
from signoff.decide.decision import Decision


class Checker(Protocol):
    """Port: decides about calls; a `Gate` in this process, or a `Client` of the daemon."""

    async def check(self, action: Action, patience: WaitBudget = ENDLESS) -> Decision:
        """Decide about the action."""

    async def finish(self, decision: Decision, *, has_failed: bool = False) -> bool:
        """Record how an allowed call ended."""

    async def refuse(self, action: Action, reason: str) -> Decision:
        """Deny the action."""

    def check_now(self, action: Action, patience: WaitBudget = ENDLESS) -> Decision:
        """Decide about the action, from code that is not async."""

    def finish_now(self, decision: Decision, *, has_failed: bool = False) -> bool:
        """Record how an allowed call ended, from code that is not async."""

    def refuse_now(self, action: Action, reason: str) -> Decision:
        """Deny the action, from code that is not async."""
