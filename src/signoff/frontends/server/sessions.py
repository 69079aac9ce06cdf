"""The sessions the daemon has seen: agent, folder, start, last call, number of denials.

They are kept in memory, bounded, and saved to a small file now and then, so that they survive a
restart. A session keeps the project it was first seen in: an agent that changes its folder does not
change which project's rules apply.

    sessions.reported(host, report)      # a session began or ended
    sessions(decision)                   # counts a decided call
    sessions.listed()                    # for `signoff sessions`
"""

from __future__ import annotations

import json
import os
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext, suppress
from functools import partial
from operator import attrgetter
from typing import TypeAlias

import msgspec
from msgspec import Struct, structs

from signoff.actions.action import Action
from signoff.assess.verdict import Verdict
from signoff.challenge.people.waiting_calls import Ending
from signoff.decide.decision import Decision
from signoff.frontends.hosts.adapter import Report, ReportKind
from signoff.frontends.hosts.canary import is_canary, is_test_session

SESSIONS_LIMIT = 1_000
SIZE_LIMIT = 4 << 20  # bytes of the file

Waiting: TypeAlias = Mapping[tuple[str, str], int]
NOBODY: Waiting = {}

STATES = {
    ReportKind.START: "started",
    ReportKind.PROMPT: "working",
    ReportKind.TOOL_DONE: "working",
    ReportKind.WAITING: "waiting",
    ReportKind.STOP: "idle",
    ReportKind.END: "ended",
}


class Session(Struct, kw_only=True):
    """Everything known about one session; mutable, so it is never handed out."""

    session: str
    host: str = ""
    label: str = ""
    project: str = ""
    state: str = "working"
    last_tool: str = ""
    calls: int = 0
    asks: int = 0
    denials: int = 0
    tries: int = 0  # times it was told to try another way, never less
    failed_call: str = ""  # the call it was told of last
    rounds: int = 0  # times people sent it on since its own user said something
    first_seen: float = 0.0
    last_seen: float = 0.0


FIELDS = Session.__struct_fields__
_values = attrgetter(*FIELDS)
_encode = msgspec.json.Encoder().encode


class Sessions:
    """Tracks the sessions of agents.

    Args:
        alert_after: denials of one session after which, and after every so many more, `alert`
            is called with the session.
    """

    def __init__(
        self,
        *,
        alert_after: int = 5,
        alert: Callable[[Session], None] = lambda _: None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.alert_after = alert_after
        self.is_changed = False
        self._alert = alert
        self._clock = clock
        self._known: OrderedDict[tuple[str, str], Session] = OrderedDict()
        self._asked_now: Counter[tuple[str, str]] = Counter()

    def project_of(self, host: str, session: str) -> str:
        """Return the project a session was first seen in, "" if none yet."""
        known = self._known.get((host, session)) if session else None
        return known.project if known is not None else ""

    def begun_in(self, host: str, session: str, project: str) -> str:
        """Return a session's project; store `project` if it has none yet."""
        if session and project:
            known = self._session(host, session)
            known.project = project
            known.label = known.label or os.path.basename(project)
        return project

    def reported(self, host: str, report: Report) -> None:
        """Record a host's report about a session."""
        if not report.session:
            return
        known = self._session(host, report.session)
        known.state = STATES.get(report.kind, known.state)
        known.last_tool = report.tool or known.last_tool
        known.label = known.label or os.path.basename(report.cwd.rstrip("/"))

    def __call__(self, decision: Decision) -> None:
        """Take in a decision: the handler of this name."""
        action = decision.action
        # Each run of `signoff doctor` would count as a denied call, and alarm people.
        if not action.session or is_canary(action.session, action.arguments):
            return
        known = self._session(action.source, action.session)
        known.state = "working"
        known.last_tool = action.tool
        known.calls += 1
        known.label = known.label or _label(action)
        match decision.verdict:
            case Verdict.DENY:
                known.denials += 1
                if known.denials % self.alert_after == 0:
                    self._alert(known)
            case Verdict.ASK:
                known.asks += 1

    def asking(self, action: Action) -> AbstractContextManager[None]:
        """Count a call that people are asked about until the returned context ends."""
        if not action.session or is_canary(action.session, action.arguments):
            return nullcontext()
        key = action.source, action.session
        known = self._session(*key)
        known.asks, known.last_tool = known.asks + 1, action.tool
        known.label = known.label or _label(action)
        self._asked_now[key] += 1
        return Ending(partial(self._no_longer_asked, key))

    def _no_longer_asked(self, key: tuple[str, str]) -> None:
        self._asked_now[key] -= 1
        if not self._asked_now[key]:
            del self._asked_now[key]

    def told_of(self, host: str, session: str, call: str, *, at_most: int) -> int:
        """Count a message to a session about a failed call; return the count, 0 past `at_most`."""
        known = self._session(host, session)
        if known.failed_call == call or known.tries >= at_most:
            return 0
        known.tries, known.failed_call = known.tries + 1, call
        return known.tries

    def may_go_on(self, host: str, session: str, *, is_again: bool, at_most: int) -> bool:
        """Return whether people may continue a session once more."""
        known = self._session(host, session)
        # Its own user has written since, so it did not go on by itself.
        known.rounds = known.rounds if is_again else 0
        return known.rounds < at_most

    def sent_on(self, host: str, session: str) -> None:
        """Count that people continued a session."""
        self._session(host, session).rounds += 1

    def listed(self, waiting: Waiting = NOBODY) -> list[dict[str, str | int | float]]:
        """Return the sessions as JSON data, most recent first, without those of test calls only.

        Args:
            waiting: number of open requests, by (host, session).
        """
        return [
            {
                **_said(one),
                "calls": one.calls + self._asked_now[key],
                **({"state": "waiting"} if waiting.get(key) else {}),
            }
            for key, one in reversed(self._known.items())
            if one.calls or self._asked_now[key] or not is_test_session(one.session)
        ]

    def text(self) -> str:
        """Return all sessions as the text of the file."""
        known = reversed(self._known.values())
        kept = [_said(one) for one in known if one.calls or not is_test_session(one.session)]
        return _encode({"version": 1, "sessions": kept}).decode()

    def load(self, path: str) -> None:
        """Load sessions from the file; one that cannot be read is ignored."""
        with suppress(OSError, ValueError, KeyError, TypeError):
            # The file begins with the session seen last, the table ends with it.
            for said in reversed(read_saved(path)):
                session = Session(**said)  # type: ignore[arg-type]  # checked by read_saved
                self._known[(session.host, session.session)] = session

    def _session(self, host: str, session: str) -> Session:
        """Return a session, made if need be, marked as seen now."""
        now, key = self._clock(), (host, session)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = Session(session=session, host=host, first_seen=now)
            # Callers name their sessions, so their number is bounded (T-58).
            while len(self._known) > SESSIONS_LIMIT:
                self._known.popitem(last=False)
        else:
            self._known.move_to_end(key)
        known.last_seen = now
        self.is_changed = True
        return known


def read_saved(path: str) -> list[dict[str, str | int | float]]:
    """Return the sessions as last saved.

    Raises:
        OSError, ValueError, KeyError, TypeError: there is no such file, or it is damaged.
    """
    with open(path, encoding="utf-8") as file:
        said = json.loads(file.read(SIZE_LIMIT))
    kinds = {one.name: one.type for one in structs.fields(Session)}
    plain = _said(Session(session=""))
    allowed = {str: str, int: int, float: int | float}
    found: list[dict[str, str | int | float]] = []
    for session in said["sessions"][:SESSIONS_LIMIT]:
        # What an earlier version did not write is as it is for a new session.
        given = {**plain, "session": session["session"], **session}
        if not all(isinstance(given[name], allowed[kind]) for name, kind in kinds.items()):
            raise ValueError("a session is damaged")
        found.append({name: given[name] for name in kinds})
    return found


def _said(session: Session) -> dict[str, str | int | float]:
    # `asdict` would copy each value deeply: a thousand sessions would keep the loop for long.
    return dict(zip(FIELDS, _values(session), strict=True))


def _label(action: Action) -> str:
    return os.path.basename(action.cwd.rstrip("/"))
