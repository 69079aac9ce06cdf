"""Counts over the record by day, kept in memory and continued from where they ended.

The first look reads at most `READ_LIMIT` of the newest entries; every later one reads only what
was added since. Days beyond `DAYS_KEPT` are forgotten. One thread counts at a time; others wait.

    statistics.refresh()
    statistics.days(30)[-1].preliminary["ask"]
"""

from __future__ import annotations

import logging
import threading
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Collection, Mapping
from datetime import date, timedelta

from msgspec import Struct, field

from signoff.challenge.answer import FAST_TRY
from signoff.challenge.evaluator import sure_opinion
from signoff.effects.admin_acts import KIND as ADMIN
from signoff.errors import SignoffError
from signoff.frontends.web.statistics.call_results import CallResults
from signoff.frontends.web.statistics.events import EXPIRED, RecordEvent, read_event
from signoff.storage.reading import Readable

log = logging.getLogger(__name__)

READ_LIMIT = 200_000  # entries
DAYS_KEPT = 92
WEEK = 7  # days
BINS = 50  # of the risk, 0..1
TIMES_KEPT = 5_000  # reading times of an approver and day; latencies of a day
REASONS_KEPT = 500  # reasons of questions a day
SESSIONS_KEPT = 500
CALLS_KEPT = 500  # newest calls of a session
NO_FINDING = "risk score"


class ReasonTotal(Struct, kw_only=True):
    """How often one policy line caused a question.

    Args:
        alone: questions that nothing else led to: they would not be asked without it.
        example: the newest such entry's number and call.
    """

    asked: int = 0
    alone: int = 0
    approved: int = 0
    session: str = ""
    tool: str = ""
    example: tuple[int, str] = (0, "")

    def add(self, other: ReasonTotal) -> None:
        """Add the counts of another day; the later example is kept."""
        self.asked += other.asked
        self.alone += other.alone
        self.approved += other.approved
        if other.example[0] > self.example[0]:
            self.example, self.session, self.tool = other.example, other.session, other.tool


class ApproverTotal(Struct, kw_only=True):
    """Counts of one approver's answers.

    Args:
        read_s: reading times in seconds, the newest ones.
        overruled: answers against what the model was sure of; agreed: answers along with it.
        tries: answers that did not count, by their kind; `fast` has marked approvals, too.
        decoys: test requests by what was answered.
    """

    approved: int = 0
    denied: int = 0
    overruled: int = 0
    agreed: int = 0
    read_s: deque[float] = field(default_factory=lambda: deque(maxlen=TIMES_KEPT))
    tries: Counter[str] = field(default_factory=Counter)
    decoys: Counter[str] = field(default_factory=Counter)

    def add(self, other: ApproverTotal) -> None:
        """Add the counts of another day."""
        self.approved += other.approved
        self.denied += other.denied
        self.overruled += other.overruled
        self.agreed += other.agreed
        self.read_s.extend(other.read_s)
        self.tries.update(other.tries)
        self.decoys.update(other.decoys)


class DayTotal(Struct, kw_only=True):
    """The counts of one day.

    Args:
        preliminary: calls by what signoff made of them alone: allow, ask, deny.
        outcomes: questions by what came of them; settled: by who or what settled them.
        decoys: test requests that were shown; they are no calls.
        risk: calls that were judged, by the bin of their risk.
        latencies_ms: how long decisions without a person took, the newest ones.
        unanswered: the newest questions without an answer: their requests and policy lines.
    """

    day: date
    calls: int = 0
    asked: int = 0
    decoys: int = 0
    preliminary: Counter[str] = field(default_factory=Counter)
    outcomes: Counter[str] = field(default_factory=Counter)
    settled: Counter[str] = field(default_factory=Counter)
    risk: Counter[int] = field(default_factory=Counter)
    reasons: dict[str, ReasonTotal] = field(default_factory=dict)
    approvers: dict[str, ApproverTotal] = field(default_factory=dict)
    latencies_ms: deque[float] = field(default_factory=lambda: deque(maxlen=TIMES_KEPT))
    unanswered: deque[tuple[str, frozenset[str]]] = field(
        default_factory=lambda: deque(maxlen=TIMES_KEPT)
    )

    def add(self, other: DayTotal) -> None:
        """Add the counts of another day that charts show."""
        self.calls += other.calls
        self.asked += other.asked
        self.preliminary.update(other.preliminary)
        self.settled.update(other.settled)
        self.risk.update(other.risk)

    def risk_at(self, share: float) -> float:
        """Return a quantile of the calls' risk, 0..1, in steps of 1/50.

        Args:
            share: the quantile, 0..1.
        """
        wanted, seen = share * self.risk.total(), 0
        for at in range(BINS):
            seen += self.risk[at]
            if seen >= wanted and seen:
                return (at + 0.5) / BINS
        return 0.0


class RecordStatistics:
    """Counts an audit log; give it a connection of its own, off the event loop.

    Args:
        waiting: returns how calls ended whose end no entry holds yet, by decision id.
    """

    def __init__(
        self, record: Readable, waiting: Callable[[], Mapping[str, str]] = lambda: {}
    ) -> None:
        self._record, self._waiting = record, waiting
        self._lock = threading.Lock()
        self._days: OrderedDict[date, DayTotal] = OrderedDict()
        self._sessions: OrderedDict[str, deque[int]] = OrderedDict()
        self._results = CallResults()
        self.counted_to = 0
        self.first_counted = 0

    def refresh(self) -> None:
        """Count the entries added since the last call.

        Raises:
            StoreError: the log cannot be read, or an entry is not a decision.
        """
        with self._lock:
            # Before the entries: what is written meanwhile is in one of both.
            self._results.waiting = self._waiting()
            last = self._record.head().seq
            first = max(self.counted_to + 1, last - READ_LIMIT + 1)
            if not self.first_counted and last:
                self.first_counted = first
            for entry in self._record.entries(first=first, last=last):
                event = read_event(entry)
                if event.kind != ADMIN:
                    self._count(event)
                # After each entry: if the next one cannot be read, none is counted twice.
                self.counted_to = entry.seq

    def warm_up(self) -> None:
        """Start counting on a thread, so that the first page need not wait."""
        threading.Thread(target=self._refresh_quietly, name="statistics", daemon=True).start()

    def days(self, count: int, *, today: date) -> list[DayTotal]:
        """Return the last `count` days, oldest first; days without calls are empty."""
        wanted = [today - timedelta(days=ago) for ago in range(count - 1, -1, -1)]
        with self._lock:
            return [self._days.get(day) or DayTotal(day=day) for day in wanted]

    def decoys_of(self, day: date) -> int:
        """Return the number of test requests on a day, up to now.

        Raises:
            StoreError: the log cannot be read.
        """
        self.refresh()
        return self.days(1, today=day)[0].decoys

    def calls_of(self, session: str) -> tuple[int, ...]:
        """Return the numbers of a session's newest entries, oldest first."""
        with self._lock:
            return tuple(self._sessions.get(session, ()))

    def result_of(self, *, seq: int, id: str, verdict: str) -> str:
        """Return how the call of an entry ended, as of the last refresh; see `CallResults.of`."""
        with self._lock:
            return self._results.of(seq=seq, id=id, verdict=verdict)

    def result_of_request(self, request: str) -> str:
        """Return how the call of a request ended, as of the last refresh."""
        with self._lock:
            return self._results.of_request(request)

    def _refresh_quietly(self) -> None:
        try:
            self.refresh()
        except SignoffError as error:
            log.warning("the record cannot be counted: %s", error)

    def _count(self, event: RecordEvent) -> None:
        self._results.take(event)
        if event.session:
            self._note_session(event)
        day = event.day
        if day is None or event.is_canary:
            return
        total = self._day(day)
        if event.is_decoy:
            _count_decoy(total, event)
            return
        total.calls += 1
        total.preliminary[event.preliminary] += 1
        if event.is_judged:
            total.risk[min(BINS - 1, max(0, int(event.risk * BINS)))] += 1
        if settled := event.settled_by:
            total.settled[settled] += 1
        if event.is_asked:
            _count_question(total, event)
        else:
            total.latencies_ms.append(event.latency_ms)

    def _day(self, day: date) -> DayTotal:
        """Return what is counted of a day; the oldest makes room for a new one."""
        total = self._days.get(day)
        if total is None:
            total = self._days[day] = DayTotal(day=day)
            while len(self._days) > DAYS_KEPT:
                self._days.popitem(last=False)
        return total

    def _note_session(self, event: RecordEvent) -> None:
        calls = self._sessions.get(event.session)
        if calls is None:
            calls = self._sessions[event.session] = deque(maxlen=CALLS_KEPT)
            while len(self._sessions) > SESSIONS_KEPT:
                self._sessions.popitem(last=False)
        else:
            self._sessions.move_to_end(event.session)
        calls.append(event.seq)


def week_totals(days: list[DayTotal]) -> list[DayTotal]:
    """Return the totals of each seven days, dated by their first; the newest week is complete."""
    weeks: list[DayTotal] = []
    for ago, day in enumerate(reversed(days)):
        if ago % WEEK == 0:
            weeks.append(DayTotal(day=day.day))
        # Days come newest first, so the last one taken is the week's first.
        weeks[-1].day = day.day
        weeks[-1].add(day)
    return weeks[::-1]


def reason_totals(days: list[DayTotal]) -> list[tuple[str, ReasonTotal]]:
    """Return the policy lines that caused questions in these days, most frequent first."""
    found: dict[str, ReasonTotal] = {}
    for day in days:
        for name, total in day.reasons.items():
            found.setdefault(name, ReasonTotal()).add(total)
    return sorted(found.items(), key=lambda item: (-item[1].asked, item[0]))


def open_totals(days: list[DayTotal], requests: Collection[str]) -> tuple[int, Counter[str]]:
    """Return how many unanswered questions are still open, and how many by policy line.

    Whoever asked has stopped waiting and was denied, but people can still answer.

    Args:
        requests: ids of those that wait now.
    """
    found = [lines for day in days for id, lines in day.unanswered if id in requests]
    return len(found), Counter(name for lines in found for name in lines)


def outcomes_of(days: list[DayTotal], open_count: int) -> Counter[str]:
    """Return questions by what came of them; those that are open have not expired."""
    outcomes = sum((day.outcomes for day in days), start=Counter[str]())
    outcomes[EXPIRED] = max(0, outcomes[EXPIRED] - open_count)
    return outcomes


def approver_totals(days: list[DayTotal]) -> list[tuple[str, ApproverTotal]]:
    """Return the totals of each approver in these days, ordered by name."""
    found: dict[str, ApproverTotal] = {}
    for day in days:
        for name, total in day.approvers.items():
            found.setdefault(name, ApproverTotal()).add(total)
    return sorted(found.items())


def _count_decoy(total: DayTotal, event: RecordEvent) -> None:
    total.decoys += 1
    if name := event.decoy.approver:
        total.approvers.setdefault(name, ApproverTotal()).decoys[event.decoy.answer] += 1


def _count_question(total: DayTotal, event: RecordEvent) -> None:
    total.asked += 1
    total.outcomes[event.outcome] += 1
    # A low finding is named only where no other could have led to the question.
    serious = {one.category for one in event.findings if one.severity in ("high", "medium")}
    lines = serious or {one.category for one in event.findings} or {NO_FINDING}
    if event.outcome == EXPIRED and event.approval_id:
        total.unanswered.append((event.approval_id, frozenset(lines)))
    for name in lines:
        if name not in total.reasons and len(total.reasons) >= REASONS_KEPT:
            continue
        reason = ReasonTotal(
            asked=1,
            alone=len(lines) == 1,
            approved=event.outcome == "approved",
            session=event.session,
            tool=event.tool,
            example=(event.seq, event.call),
        )
        total.reasons.setdefault(name, ReasonTotal()).add(reason)
    for one in event.tries:
        person = total.approvers.setdefault(one.approver, ApproverTotal())
        person.tries[one.kind] += one.count
    for part in event.answers:
        if part.was_fast:
            total.approvers.setdefault(part.approver, ApproverTotal()).tries[FAST_TRY] += 1
    if event.is_answered:
        _count_answer(total.approvers.setdefault(event.approver, ApproverTotal()), event)


def _count_answer(total: ApproverTotal, event: RecordEvent) -> None:
    is_approval = event.verdict == "allow"
    total.approved += is_approval
    total.denied += not is_approval
    total.read_s.append(event.answered_in_ms / 1000)
    # One that was not sure, or failed, said nothing that a person could overrule.
    if opinion := sure_opinion(event.model):
        is_along = (opinion == "allow") == is_approval
        total.agreed += is_along
        total.overruled += not is_along
