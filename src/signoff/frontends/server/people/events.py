"""Events of the agents' calls, told to a URL: judged, asked, decided, ran.

Each is one JSON object, signed where a secret is set (`effects/handlers/notify.py`). A call's
arguments are never in it, as they may hold secrets. Sending holds nothing up: one thread sends,
what nobody took is kept in a file.

    events = LifecycleEvents(settings, redactor)
    handlers = (*handlers, events.decided)
    gates = replace(gates, watch=events.gate)
"""

from __future__ import annotations

import logging
import os
import threading
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from functools import partial

from signoff.actions.action import Action, Json
from signoff.assess.assessed import Assessed
from signoff.assess.finding import Finding
from signoff.build.gate import unwatched
from signoff.challenge.answer import Answer
from signoff.challenge.evaluators.model import Mask
from signoff.challenge.people.waiting_calls import Count
from signoff.challenge.request import ENDLESS, WaitBudget
from signoff.channels.settings_file import read_private
from signoff.decide.decision import Decision
from signoff.effects.background import Background
from signoff.effects.handlers.notify import NotifyHandler
from signoff.errors import SignoffError
from signoff.gate import Escalation, Gate
from signoff.sections import EventKind
from signoff.settings import Settings

log = logging.getLogger(__name__)

DEAD_LETTERS = "events-not-delivered.jsonl"
# Less than the 8 s after which `signoff down` kills the daemon.
CLOSE_S = 5.0
RECENT = 256  # calls reported as judged that are remembered until they are decided


class _WatchedEscalation:
    """Wraps what a gate asks, so that each judgement is reported first."""

    def __init__(self, inner: Escalation, report: Callable[[Action, Assessed], None]) -> None:
        self._inner, self._report = inner, report

    async def escalate(
        self, action: Action, assessment: Assessed, patience: WaitBudget = ENDLESS
    ) -> Answer:
        """Report the judgement, then ask whoever must be asked."""
        self._report(action, assessment)
        return await self._inner.escalate(action, assessment, patience)

    async def foresee(self, action: Action, assessment: Assessed, patience: WaitBudget) -> Answer:
        """Report the judgement; return what the model alone would answer."""
        self._report(action, assessment)
        return await self._inner.foresee(action, assessment, patience)

    async def finish(self, answer: Answer, *, has_failed: bool = False) -> bool:
        """Record how a call ended that this answer allowed."""
        return await self._inner.finish(answer, has_failed=has_failed)


class LifecycleEvents:
    """Posts events about calls to a webhook; does nothing if none is configured.

    Args:
        watch: returns a gate that decides the same; `gate` adds to what it returns.
    """

    def __init__(
        self, settings: Settings, mask: Mask, watch: Callable[[Gate], Gate] = unwatched
    ) -> None:
        said, self._mask, self._watch = settings.events, mask, watch
        self.problem = ""
        self._only = frozenset(said.only)
        self._lock = threading.Lock()
        self._recent: deque[tuple[str, str]] = deque(maxlen=RECENT)
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

    def gate(self, gate: Gate) -> Gate:
        """Return the gate as `watch` does; it also reports each call as judged."""
        gate = self._watch(gate)
        if self._webhook is not None and EventKind.JUDGED in self._only:
            gate.ladder = _WatchedEscalation(gate.ladder, self._judged)
        return gate

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
        # A call that was decided without the ladder, because nobody had to be asked.
        if assessment is not None and not self._is_judged(
            decision.action.request_id, decision.digest
        ):
            self._judged(decision.action, assessment)
        findings = assessment.findings if assessment else ()
        said: dict[str, Json] = {
            "decision": decision.id,
            **_call(decision.action),
            "verdict": decision.verdict.value,
            "level": decision.level.value,
            "decided_by": decision.decided_by,
            "reason": decision.reason,
            "findings": _names(findings),
        }
        self._send(EventKind.DECIDED, said)

    def ran(self, decision: str, action: Action, *, has_failed: bool) -> None:
        """Report how a call ended.

        Args:
            decision: id of the decision that allowed it.
        """
        said: dict[str, Json] = {"decision": decision, **_call(action), "failed": has_failed}
        self._send(EventKind.RAN, said)

    def _judged(self, action: Action, assessment: Assessed) -> None:
        said: dict[str, Json] = {
            **_call(action),
            "verdict": assessment.preliminary.value,
            "level": assessment.level.value,
            "findings": _names(assessment.findings),
        }
        with self._lock:
            self._recent.append((action.request_id, action.digest))
        self._send(EventKind.JUDGED, said)

    def _is_judged(self, call: str, digest: str) -> bool:
        """Return whether this call was just reported as judged; True, too, if none ever is."""
        if EventKind.JUDGED not in self._only:
            return True
        with self._lock:
            return (call, digest) in self._recent

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


def _names(findings: Iterable[Finding]) -> list[Json]:
    return [*sorted({one.category for one in findings if one.detected})]


def _call(action: Action) -> dict[str, Json]:
    return {
        "tool": action.tool,
        "agent": action.agent,
        "host": action.source,
        "session": action.session,
        "call": action.request_id,
    }
