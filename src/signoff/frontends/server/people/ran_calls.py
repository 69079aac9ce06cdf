"""Which call a host's report is about: the outcome of every call, whoever let it go.

A call is found by the host's own id of it, else by its tool and arguments, oldest first. Where a
person has changed the arguments of a call, only the changed call was judged and approved. A host
that cannot be given it is refused: what it had asked about must not run in its place.

    ran.decided("claude-code", action, decision)
    ran.reported("claude-code", report)      PostToolUse was seen: it ran, or failed
    ran.approved(decision)                   a Python program's call, approved by people
    ran.finished("req_1", has_failed=False)  the program says that it ended
"""

from __future__ import annotations

import logging
from collections import OrderedDict, deque
from collections.abc import Callable
from datetime import UTC, datetime
from typing import NamedTuple

from signoff.actions.action import Action
from signoff.actions.canonical import canonical
from signoff.assess.verdict import Verdict
from signoff.decide.decision import Decision
from signoff.errors import BadPayload
from signoff.frontends.hosts.adapter import Adapter, HostAnswer, HostEvent, Report, ReportKind
from signoff.frontends.server.people.events import LifecycleEvents
from signoff.gate import Gate
from signoff.storage.commits.waiting_outcomes import OutcomeResult, RecordedOutcome, WaitingOutcomes

log = logging.getLogger(__name__)

SESSIONS_LIMIT = 500
APPROVED_LIMIT = 2_000  # calls of Python programs that people approved, that may still run
CALLS_LIMIT = 64  # of one session, that may still run


class _OpenCall(NamedTuple):
    """An allowed call whose outcome is not known yet."""

    decision: str
    call_id: str
    tool: str
    action: Action


class RanCalls:
    """Remembers allowed calls until their hosts report the outcome."""

    def __init__(
        self,
        waiting: WaitingOutcomes,
        *,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        events: LifecycleEvents | None = None,
    ) -> None:
        self.waiting, self._events = waiting, events
        self._now = now
        self._open: OrderedDict[tuple[str, str], deque[_OpenCall]] = OrderedDict()
        self._approved: OrderedDict[str, str] = OrderedDict()

    def decided(self, host: str, action: Action, decision: Decision) -> None:
        """Remember a call that may run: allowed, or left to the host's own prompt."""
        # Without a session a report could be about anybody's call.
        if decision.verdict is Verdict.DENY or not action.session:
            return
        key = host, action.session
        calls = self._open.get(key)
        if calls is None:
            calls = self._open[key] = deque(maxlen=CALLS_LIMIT)
            if len(self._open) > SESSIONS_LIMIT:
                self._open.popitem(last=False)
        self._open.move_to_end(key)
        calls.append(_OpenCall(decision.id, action.request_id, action.tool, action))

    def reported(self, host: str, report: Report) -> None:
        """Record how a call ended, if it is known."""
        calls = self._open.get((host, report.session))
        if report.kind is not ReportKind.TOOL_DONE or not calls:
            return
        found = next((one for one in calls if _is_same(one, report)), None)
        if found is None:
            return
        calls.remove(found)
        self._add(found.decision, has_failed=report.has_failed)
        if self._events is not None:
            self._events.ran(found.decision, found.action, has_failed=report.has_failed)

    def approved(self, decision: Decision) -> None:
        """Remember a call of a Python program that people approved: it ends by its request."""
        request = decision.answer.request_id if decision.answer is not None else ""
        if not request or decision.verdict is not Verdict.ALLOW:
            return
        self._approved[request] = decision.id
        if len(self._approved) > APPROVED_LIMIT:
            self._approved.popitem(last=False)

    def finished(self, request_id: str, *, has_failed: bool) -> None:
        """Record how the call of a request ended, if it is known."""
        if decision := self._approved.pop(request_id, ""):
            self._add(decision, has_failed=has_failed)

    def _add(self, decision: str, *, has_failed: bool) -> None:
        result = OutcomeResult.FAILED if has_failed else OutcomeResult.RAN
        at = self._now().isoformat("T", "milliseconds")
        self.waiting.add(RecordedOutcome(of=decision, at=at, result=result))


def _is_same(call: _OpenCall, report: Report) -> bool:
    """Tell whether a report is about this call; ids decide where both have one."""
    if call.call_id and report.call_id:
        return call.call_id == report.call_id
    ended = report.call
    if ended is None or ended.tool != call.tool:
        return False
    try:
        return canonical(ended.arguments) == canonical(call.action.arguments)
    except (ValueError, TypeError, RecursionError):
        return False


async def told_edited(
    adapter: Adapter, event: HostEvent, decision: Decision, *, gate: Gate
) -> HostAnswer:
    """Return the host's allow with the arguments that a person edited.

    Raises:
        BadPayload: the host cannot take them; nothing runs.
    """
    try:
        if adapter.render_edited is None or event.retell is None:
            raise BadPayload("this host takes no changed arguments")
        return adapter.render_edited(decision, event.retell(decision.action.arguments))
    except BadPayload as error:
        # People approved it, so its request waits for an outcome.
        await gate.finish(decision, has_failed=True)
        raise BadPayload(f"{error}; refuse the call instead, and say what is wanted") from error
