"""Events of the agents' calls, told to a URL: asked, decided, ran.

Each is one JSON object, signed where a secret is set (`effects/handlers/notify.py`). A call's
arguments are never in it, as they may hold secrets. Sending holds nothing up: one thread sends,
what nobody took is kept in a file.

    events = LifecycleEvents(settings, redactor)
    handlers = (*handlers, events.decided)
"""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from functools import partial

from signoff.actions.action import Action, Json
from signoff.challenge.evaluators.model import Mask
from signoff.challenge.people.waiting_calls import Count
from signoff.channels.settings_file import read_private
from signoff.decide.decision import Decision
from signoff.effects.background import Background
from signoff.effects.handlers.notify import NotifyHandler
from signoff.errors import SignoffError
from signoff.sections import EventKind
from signoff.settings import Settings

log = logging.getLogger(__name__)

DEAD_LETTERS = "events-not-delivered.jsonl"
# Less than the 8 s after which `signoff down` kills the daemon.
CLOSE_S = 5.0


class LifecycleEvents:
    """Posts events about calls to a webhook; does nothing if none is configured."""

    def __init__(self, settings: Settings, mask: Mask) -> None:
        said, self._mask = settings.events, mask
        self.problem = ""
        self._only = frozenset(said.only)
        self._background = Background()
        self._webhook: NotifyHandler | None = None
        if not said.url:
            return
        try:
            secret = os.path.join(settings.config_dir, said.secret_file)
            self._webhook = NotifyHandler(
                said.url,
                secret=read_private(secret) if said.secret_file else "",
                dead_letters=os.path.join(settings.state_dir, DEAD_LETTERS),
            )
        except SignoffError as error:
            self.problem = f"events: {error}"
            log.error("events are not sent: %s", error)

    def asking(self, count: Count) -> Count:
        """Wrap a counter of waiting calls so that each call is also reported as asked."""

        def counted(action: Action) -> AbstractContextManager[None]:
            self._send(EventKind.ASKED, _call(action))
            return count(action)

        return counted

    def decided(self, decision: Decision) -> None:
        """Report a decision, after it was recorded."""
        if self._webhook is None:  # this is on the way of every decision
            return
        assessment = decision.assessment
        findings = assessment.findings if assessment else ()
        said: dict[str, Json] = {
            "decision": decision.id,
            **_call(decision.action),
            "verdict": decision.verdict.value,
            "level": decision.level.value,
            "decided_by": decision.decided_by,
            "reason": decision.reason,
            "findings": sorted({one.category for one in findings if one.detected}),
        }
        self._send(EventKind.DECIDED, said)

    def ran(self, decision: str, action: Action, *, has_failed: bool) -> None:
        """Report how a call ended.

        Args:
            decision: id of the decision that allowed it.
        """
        said: dict[str, Json] = {"decision": decision, **_call(action), "failed": has_failed}
        self._send(EventKind.RAN, said)

    def close(self) -> None:
        """Send what is queued, for a few seconds at most."""
        if self._webhook is not None:
            self._background.flush(CLOSE_S)

    def _send(self, kind: EventKind, said: Mapping[str, Json]) -> None:
        if self._webhook is not None and kind in self._only:
            at = datetime.now(UTC).isoformat("T", "milliseconds")
            # Names come from agents, who can put a secret into any of them.
            masked = {
                name: self._mask.text(value) if isinstance(value, str) else value
                for name, value in said.items()
            }
            message = {"event": kind.value, "at": at, **masked}
            self._background.run(partial(self._webhook.send, message))


def _call(action: Action) -> dict[str, Json]:
    return {
        "tool": action.tool,
        "agent": action.agent,
        "host": action.source,
        "session": action.session,
        "call": action.request_id,
    }
