"""A question to try the way to people with: a real request, and nothing is run, whatever they say.

question = TestQuestion(places)
asked = question.ask()
while not asked.is_settled:
    asked = question.wait(asked)
"""

from __future__ import annotations

import os
from collections.abc import Mapping

from msgspec import Struct

from signoff.actions.action import Json
from signoff.frontends.client.places import Places
from signoff.frontends.hosts.canary import QUESTION, QUESTION_SESSIONS
from signoff.frontends.server.control import ask, tell
from signoff.ids import new_id

COMMAND = QUESTION
DESCRIPTION = "A test question of `signoff init`. Nothing is run, whatever you answer."
AGENT = "signoff init"
WAIT_S = 2.0  # below the patience of the control socket


class TestAnswer(Struct, frozen=True, kw_only=True):
    """State of the test question.

    Args:
        verdict: "" while it waits; "allow", "deny".
        by: who or what decided: a channel's name, "rule", "timeout" ...
    """

    __test__ = False  # no test class, in spite of its name

    id: str
    verdict: str = ""
    by: str = ""
    reason: str = ""

    @property
    def is_settled(self) -> bool:
        """True once it was decided."""
        return bool(self.verdict)


class TestQuestion:
    """Asks the daemon as an agent's hook would, and runs nothing."""

    __test__ = False

    def __init__(self, places: Places) -> None:
        self._places, self._session = places, f"{QUESTION_SESSIONS}{new_id()[:8]}"

    def ask(self) -> TestAnswer:
        """Send the question.

        Raises:
            NotRunning: the daemon does not answer.
        """
        payload: dict[str, Json] = {
            "tool_name": "Bash",
            "tool_input": {"command": COMMAND, "description": DESCRIPTION},
            "agent_id": AGENT,
            "session_id": self._session,
            "cwd": os.path.expanduser("~"),
            "id": self._session,
        }
        return _read(tell(self._places, "/v1/actions", payload))

    def wait(self, asked: TestAnswer) -> TestAnswer:
        """Wait some seconds for the answer.

        Raises:
            NotRunning: the daemon does not answer.
        """
        return _read(ask(self._places, f"/v1/actions/{asked.id}?wait={WAIT_S:g}"))


def _read(said: Mapping[str, Json]) -> TestAnswer:
    if said.get("status") == "pending":
        return TestAnswer(id=str(said.get("id") or ""))
    return TestAnswer(
        id=str(said.get("id") or ""),
        # An answer without a verdict is no yes.
        verdict=str(said.get("verdict") or "deny"),
        by=str(said.get("decided_by") or ""),
        reason=str(said.get("reason") or ""),
    )
