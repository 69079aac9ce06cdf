"""What a server asks of its client: the user's model (sampling), the user (elicitation).

The settings say what passes. Up to protocol 2025-11-25 the server sends a request of its own; from
2026-07-28 on it puts what it asks into a result.
"""

from __future__ import annotations

from collections.abc import Mapping

from signoff.actions.action import Json
from signoff.frontends.mcp.relay import answers
from signoff.frontends.mcp.relay.framing import Fields, MessageId
from signoff.frontends.mcp.relay.links import note
from signoff.sections import McpForwarding, McpSection

SAMPLING, ELICITATION = "sampling/createMessage", "elicitation/create"
REFUSED = "signoff: what the server asks of the client is refused by the user's policy"


class ServerRequests:
    """Decides which requests of a server reach the client."""

    def __init__(self, settings: McpSection) -> None:
        self._wanted = {SAMPLING: settings.sampling, ELICITATION: settings.elicitation}

    def refuses(self, method: Json) -> bool:
        """Return whether a request is refused."""
        wanted = self._wanted.get(method) if isinstance(method, str) else None
        return wanted is McpForwarding.REFUSE

    def refusal(self, method: str, id: MessageId) -> bytes:
        """Return the response that refuses a request, b"" if the client gets it."""
        if not self.refuses(method):
            return b""
        note(f"{method} of the server was refused: setting `mcp`")
        if method == ELICITATION:
            # What a server is prepared for: a user's no. Sampling has no such answer, only
            # errors.
            return answers.result(id, {"action": "decline"})
        return answers.error(id, answers.REJECTED, "refused by the user's policy")

    def refusal_in(self, result: Fields) -> Fields | None:
        """Return what the client gets instead of a result that makes refused requests.

        None if it stays unchanged.
        """
        wanted = result.get("inputRequests")
        if not isinstance(wanted, Mapping):
            return None
        methods = [one.get("method") for one in wanted.values() if isinstance(one, Mapping)]
        # One refused question is enough: the server waits for the answers to all of them.
        if not any(map(self.refuses, methods)):
            return None
        text = {"type": "text", "text": REFUSED}
        return {"content": [text], "isError": True, "resultType": "complete"}
