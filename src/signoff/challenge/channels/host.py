"""The host's own prompt: the question is handed back to the agent's host, which asks its user."""

from __future__ import annotations

from signoff.assess.challenges import is_strengthened
from signoff.assess.verdict import Verdict
from signoff.challenge.answer import BY_HOST, Answer
from signoff.challenge.request import Request


class HostChannel:
    """Answers `ask`: the host shows its own prompt and decides by it."""

    name = BY_HOST

    async def ask(self, request: Request) -> Answer | None:
        """Hand the question to the host; None where a proof was chosen that no host asks for."""
        assessed = request.assessment
        if is_strengthened(assessed.challenge, assessed.level):
            return None
        return Answer(
            verdict=Verdict.ASK,
            decided_by=BY_HOST,
            channel=BY_HOST,
            words=assessed.reason,
        )
