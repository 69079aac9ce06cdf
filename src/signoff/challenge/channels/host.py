"""The host's own prompt: the question is handed back to the agent's host, which asks its user."""

from __future__ import annotations

from signoff.assess.challenges import is_strengthened
from signoff.assess.verdict import Verdict
from signoff.challenge.answer import BY_HOST, Answer
from signoff.challenge.request import Request


class HostChannel:
    """Passes the question to the host, whose own prompt decides."""

    name = BY_HOST

    async def ask(self, request: Request) -> Answer | None:
        """Return an answer `ask`; None if the proof is one that no host prompt can take."""
        assessed = request.assessment
        if is_strengthened(assessed.challenge, assessed.level):
            return None
        return Answer(
            verdict=Verdict.ASK,
            decided_by=BY_HOST,
            channel=BY_HOST,
            words=assessed.reason,
        )
