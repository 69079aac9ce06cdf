"""Trust in agents by domain, worked out of what people answered (spec 7).

A question that a person approved counts for the agent in the domain of its call, a refusal against
it by a quarter. Calls that nobody was asked about count for nothing: an agent cannot earn trust by
reading files. What people set stands apart and is sealed: incidents, revocations.

An agent is known by the host that speaks for it (`source`): names that agents give themselves, as
those of subagents, count for nothing.

    ledger = TrustLedger(marks)
    ledger.load(store.entries())
    ledger.of("claude-code")        {"repositories": 0.62, ...}
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime

import msgspec
from msgspec import Struct

from signoff.assess.risk.trust import DOMAINS, OTHER_DOMAIN, TrustRecord, domain_of, trust_of
from signoff.assess.verdict import Verdict
from signoff.challenge.answer import NOT_PEOPLE
from signoff.decide.decision import Decision
from signoff.effects.store import RecordEntry
from signoff.values import replace

DAY_S = 86_400.0
KEYS_LIMIT = 500  # agents and domains that are kept, newest first
POINTS_KEPT = 200  # of a curve
EVERYBODY = "*"
ALL_DOMAINS = (*DOMAINS, OTHER_DOMAIN)


class TrustMark(Struct, frozen=True, kw_only=True):
    """What people set about the trust in an agent.

    Args:
        agent: its name; "*" = every agent. domain: "" = every domain.
        since_s: what happened before counts no more; seconds since the epoch.
        notes: incidents in words, the newest last.
    """

    agent: str
    domain: str = ""
    incidents: int = 0
    is_revoked: bool = False
    since_s: float = 0.0
    notes: tuple[str, ...] = ()

    def is_about(self, agent: str, domain: str) -> bool:
        """Return whether it applies to an agent in a domain."""
        return self.agent in (EVERYBODY, agent) and self.domain in ("", domain)


ALL_REVOKED = TrustMark(agent=EVERYBODY, is_revoked=True, notes=("what was kept cannot be read",))


class SharedAnswer(Struct, frozen=True, kw_only=True):
    """One answer by a person on any node that shares trust; times since the epoch."""

    agent: str
    domain: str
    at_s: float
    is_approval: bool


class SharedAnswers(Struct, frozen=True):
    """The answers of people on all nodes: those seen, oldest first, and where a new one goes."""

    seen: Callable[[], tuple[SharedAnswer, ...]]
    note: Callable[[SharedAnswer], None]


class TrustPoint(Struct, frozen=True):
    """One point of a trust curve: the time (since the epoch) and the trust from then on."""

    at_s: float
    trust: float


class TrustRow(Struct, frozen=True, kw_only=True):
    """The present trust in one agent in one domain.

    Args:
        curve: the trust after each answer, oldest first.
    """

    agent: str
    domain: str
    trust: float
    approved: int
    denied: int
    incidents: int
    is_revoked: bool
    last_s: float
    curve: tuple[TrustPoint, ...]


class _Answered(Struct, frozen=True):
    at_s: float
    is_approval: bool


class _Tally(Struct):
    """Counts about one agent in one domain."""

    answers: deque[_Answered]
    last_s: float = 0.0


class _RecordedOperation(Struct, frozen=True, gc=False):
    thing: str = ""


class _RecordedAnswer(Struct, frozen=True, gc=False):
    """The part of an audit log entry that trust needs."""

    ts: str = ""
    source: str = ""
    verdict: str = ""
    decided_by: str = ""
    leaning: str = ""
    approver: str = ""
    operations: tuple[_RecordedOperation, ...] = ()


_decode = msgspec.json.Decoder(_RecordedAnswer).decode


class TrustLedger:
    """Computes the trust in agents from people's answers; a thread-safe handler.

    Args:
        marks: what people set, as it is in force.
        shared: where nodes share trust; then answers count as all nodes hold them.
    """

    def __init__(
        self,
        marks: Callable[[], tuple[TrustMark, ...]],
        *,
        shared: SharedAnswers | None = None,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._marks, self._now, self._shared = marks, now, shared
        self._sorted: tuple[object, Mapping[tuple[str, str], tuple[_Answered, ...]]] = ((), {})
        self._lock = threading.Lock()
        self._tallies: OrderedDict[tuple[str, str], _Tally] = OrderedDict()

    def load(self, entries: Iterable[RecordEntry]) -> None:
        """Add the decisions of these audit log entries; skip those that cannot be read.

        Raises:
            StoreError: it cannot be read.
        """
        for entry in entries:
            try:
                one = _decode(entry.body)
                at_s = datetime.fromisoformat(one.ts).timestamp()
            except (msgspec.DecodeError, ValueError):
                continue  # `signoff audit verify` says what is wrong with it
            person = bool(one.approver) and one.decided_by not in NOT_PEOPLE
            is_asked = one.leaning == Verdict.ASK.value and person
            domain = domain_of(thing.thing for thing in one.operations)
            self._take(one.source, domain, at_s, one.verdict, is_asked=is_asked)

    def __call__(self, decision: Decision) -> None:
        """Take in a decision."""
        assessed, answer, at = decision.assessment, decision.answer, decision.decided_at
        if assessed is None or at is None:
            return
        is_asked = (
            assessed.preliminary is Verdict.ASK
            and answer is not None
            and bool(answer.who)
            and decision.decided_by not in NOT_PEOPLE
        )
        domain = domain_of(one.thing.value for one in assessed.operations)
        agent, verdict = decision.action.source, decision.verdict.value
        self._take(agent, domain, at.timestamp(), verdict, is_asked=is_asked)
        if is_asked and self._shared is not None:
            allowed = decision.verdict is Verdict.ALLOW
            self._shared.note(
                SharedAnswer(
                    agent=agent[:200], domain=domain, at_s=at.timestamp(), is_approval=allowed
                )
            )

    def of(self, agent: str) -> Mapping[str, float]:
        """Return the trust in an agent, 0..0.9, by domain."""
        marks, now_s = self._marks(), self._now()
        return {domain: self._trust(agent, domain, marks, now_s) for domain in ALL_DOMAINS}

    def rows(self) -> tuple[TrustRow, ...]:
        """Return the trust by agent and domain, ordered by agent."""
        marks, now_s = self._marks(), self._now()
        with self._lock:
            keys = [*self._tallies, *self._of_all()]
        keys += [(mark.agent, mark.domain) for mark in marks if mark.agent != EVERYBODY]
        return tuple(
            self._row(agent, domain or OTHER_DOMAIN, marks, now_s)
            for agent, domain in sorted(set(keys))
        )

    def _take(self, agent: str, domain: str, at_s: float, verdict: str, *, is_asked: bool) -> None:
        allowed = verdict == Verdict.ALLOW.value
        # A call that a rule refused says nothing of what people think of the agent.
        if not allowed and not is_asked:
            return
        with self._lock:
            # Cut: the name comes from whoever calls, and each one takes room (T-58).
            tally = self._tallies.pop((agent[:200], domain), None)
            if tally is None:
                tally = _Tally(answers=deque(maxlen=POINTS_KEPT))
            self._tallies[agent[:200], domain] = tally
            while len(self._tallies) > KEYS_LIMIT:
                self._tallies.popitem(last=False)
            tally.last_s = max(tally.last_s, at_s)
            if is_asked and self._shared is None:
                tally.answers.append(_Answered(at_s, allowed))

    def _trust(self, agent: str, domain: str, marks: tuple[TrustMark, ...], now_s: float) -> float:
        answers, last_s = self._known(agent, domain)
        return trust_of(_record(answers, last_s, _joined(marks, agent, domain), now_s))

    def _known(self, agent: str, domain: str) -> tuple[tuple[_Answered, ...], float]:
        with self._lock:
            tally = self._tallies.get((agent[:200], domain))
            own = ((), 0.0) if tally is None else (tuple(tally.answers), tally.last_s)
        if self._shared is None:
            return own
        answers = self._of_all().get((agent[:200], domain), ())[-POINTS_KEPT:]
        return answers, max([own[1], *(one.at_s for one in answers)])

    def _of_all(self) -> Mapping[tuple[str, str], tuple[_Answered, ...]]:
        """Return the answers of all nodes by agent and domain; sorted out once."""
        seen = self._shared.seen() if self._shared else ()
        if self._sorted[0] is not seen:
            found: dict[tuple[str, str], list[_Answered]] = {}
            for one in seen:
                answers = found.setdefault((one.agent, one.domain), [])
                answers.append(_Answered(one.at_s, one.is_approval))
            self._sorted = seen, {key: tuple(answers) for key, answers in found.items()}
        return self._sorted[1]

    def _row(self, agent: str, domain: str, marks: tuple[TrustMark, ...], now_s: float) -> TrustRow:
        answers, last_s = self._known(agent, domain)
        mark = _joined(marks, agent, domain)
        # Past points of the curve are as they were: incidents have no time, and count from now.
        before = replace(mark, incidents=0, is_revoked=False)
        curve = [
            TrustPoint(one.at_s, trust_of(_record(answers[: at + 1], one.at_s, before, one.at_s)))
            for at, one in enumerate(answers)
            if one.at_s >= mark.since_s
        ]
        counted = [one for one in answers if one.at_s >= mark.since_s]
        approved = sum(one.is_approval for one in counted)
        trust = trust_of(_record(answers, last_s, mark, now_s))
        return TrustRow(
            agent=agent,
            domain=domain,
            trust=trust,
            approved=approved,
            denied=len(counted) - approved,
            incidents=mark.incidents,
            is_revoked=mark.is_revoked,
            last_s=last_s,
            curve=(*curve, TrustPoint(now_s, trust)),
        )


def _joined(marks: tuple[TrustMark, ...], agent: str, domain: str) -> TrustMark:
    """Return everything people set about an agent in a domain."""
    mine = [mark for mark in marks if mark.is_about(agent, domain)]
    return TrustMark(
        agent=agent,
        domain=domain,
        incidents=sum(mark.incidents for mark in mine),
        is_revoked=any(mark.is_revoked for mark in mine),
        # A new start for every agent holds for each of them, whichever came later.
        since_s=max((mark.since_s for mark in mine), default=0.0),
    )


def _record(
    answers: tuple[_Answered, ...], last_s: float, mark: TrustMark, now_s: float
) -> TrustRecord:
    counted = [one for one in answers if one.at_s >= mark.since_s]
    approved = sum(one.is_approval for one in counted)
    return TrustRecord(
        successes=float(approved),
        denials=len(counted) - approved,
        incidents=mark.incidents,
        idle_days=max(now_s - last_s, 0.0) / DAY_S if last_s else 0.0,
        is_revoked=mark.is_revoked,
    )
