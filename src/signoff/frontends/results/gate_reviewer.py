"""A gate of this process as the reviewer that reads results and asks people about them."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from signoff.actions.action import Action
from signoff.challenge.request import ENDLESS, WaitBudget
from signoff.decide.decision import Decision, Enforcement
from signoff.frontends.results.inspecting import InspectedText, TextToInspect, inspected
from signoff.gate import Gate


class GateReviewer:
    """Inspects with the gate's judge and asks through the gate.

    Args:
        patience: how long people may take.
    """

    def __init__(self, gate: Gate, patience: WaitBudget = ENDLESS) -> None:
        self._gate, self._patience = gate, patience

    async def inspect(self, texts: Sequence[TextToInspect]) -> tuple[InspectedText, ...]:
        """Return what was found in each text."""
        found = []
        for one in texts:
            found.append(inspected(self._gate.judge, one))
            await asyncio.sleep(0)  # others are answered in between
        return tuple(found)

    async def check(self, action: Action) -> Decision:
        """Ask people about a result; an approval is used up by it."""
        decision = await self._gate.check(action, self._patience)
        await self._gate.finish(decision)
        return decision

    async def withhold(self, action: Action, reason: str) -> Decision:
        """Record that a result is withheld; in shadow mode, that it would have been."""
        if self._gate.enforcement() is not Enforcement.ENFORCE:
            return await self._gate.check(action, self._patience)
        return await self._gate.refuse(action, reason)
