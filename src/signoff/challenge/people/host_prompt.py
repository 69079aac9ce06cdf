"""The host's own prompt: the question is handed back to the agent's host, which asks its user.

In mode local it is the host's prompt, in mode remote people on the channels, as the switch stands.
What the host's prompt may not settle alone goes to people in either mode.
"""

from __future__ import annotations

from msgspec import Struct

from signoff.assess.challenges import is_strengthened
from signoff.assess.verdict import Verdict
from signoff.challenge.answer import BY_HOST, Answer
from signoff.challenge.request import Channel, Request
from signoff.challenge.terms.mode import Mode, ModeSwitch
from signoff.challenge.terms.plan import ApprovalPlan
from signoff.errors import StoreError


class HostChannel:
    """Passes the question to the host, whose own prompt decides."""

    name = BY_HOST

    async def ask(self, request: Request) -> Answer | None:
        """Return the answer `ask`; None if the proof needed is one no host prompt can take."""
        assessed = request.assessment
        # A quiz or a second person cannot be had there, and a plain yes must not stand for them.
        if is_strengthened(assessed.challenge, assessed.level):
            return None
        return Answer(
            verdict=Verdict.ASK,
            decided_by=BY_HOST,
            channel=BY_HOST,
            words=assessed.reason,
        )


class Switched(Struct, frozen=True, kw_only=True):
    """A channel that asks locally or remotely, as `signoff mode` is set."""

    switch: ModeSwitch
    local: Channel
    remote: Channel
    plan: ApprovalPlan
    name: str = "people"

    async def ask(self, request: Request) -> Answer | None:
        """Ask on the channel that the mode selects."""
        highest = self.plan.terms_of(BY_HOST).settles_up_to
        if self._mode() is Mode.LOCAL and request.assessment.level <= highest:
            answer = await self.local.ask(request)
            if answer is not None:
                return answer
        return await self.remote.ask(request)

    def _mode(self) -> Mode:
        """Return the mode; remote where it is unknown."""
        try:
            return self.switch.mode()
        except (StoreError, ValueError):
            # The stricter of the two: the prompt of a host settles less than people on the
            # channels.
            return Mode.REMOTE
