"""How people answer, from the record: figures for whoever oversees those who approve.

    figures = oversight(store.entries(), since="2030-01-01")
    figures.approvers[0].median_s, figures.agents[0].asks_per_100

`signoff audit oversight` and, on the Unix socket, `GET /v1/oversight` show them.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable
from math import ceil
from statistics import median

import msgspec
from msgspec import Struct

from signoff.challenge.answer import BY_MODEL, BY_TIMEOUT, NOT_PEOPLE
from signoff.challenge.evaluator import sure_opinion
from signoff.effects.admin_acts import KIND as ADMIN
from signoff.effects.decoys import APPROVED, DECOY, REFUSED, RecordedDecoy
from signoff.effects.store import RecordEntry
from signoff.errors import TamperedRecord
from signoff.frontends.hosts.canary import is_test_session, mark_of_entry

ASKED = "ask"
SHOWN = 20  # agents, tools and rules, those with most questions first
NO_RULE = "no rule"


class ApproverFigures(Struct, frozen=True, kw_only=True):
    """Statistics of one approver's answers.

    Args:
        median_s, p10_s: reading times; a tenth of the answers came within `p10_s` (nearest rank).
        fast: approvals that came faster than the card can be read, refused ones too.
        quiz_errors: wrong answers to quizzes; explanation_errors: explanations that did not do.
        overruled: answers against what the model was sure of; agreed: along with it.
        decoys_refused, decoys_approved: test requests by what was answered.
    """

    name: str
    approved: int
    denied: int
    median_s: float
    p10_s: float
    fast: int
    quiz_errors: int
    explanation_errors: int
    overruled: int
    agreed: int
    decoys_refused: int
    decoys_approved: int


class AskFigures(Struct, frozen=True, kw_only=True):
    """How often calls of one kind were made and asked about."""

    name: str
    calls: int
    asked: int

    @property
    def asks_per_100(self) -> float:
        """Questions per hundred calls."""
        return round(100 * self.asked / self.calls, 2) if self.calls else 0.0


class OversightFigures(Struct, frozen=True, kw_only=True):
    """Statistics of all questions and approvers.

    Args:
        expired: questions nobody answered in time; by_model: those a model let through.
        open: questions whose caller stopped waiting and which people can still answer.
        decoys: test requests that were shown; they are no calls and no questions.
    """

    calls: int
    asked: int
    expired: int
    open: int
    by_model: int
    decoys: int
    approvers: tuple[ApproverFigures, ...]
    agents: tuple[AskFigures, ...]
    tools: tuple[AskFigures, ...]
    rules: tuple[AskFigures, ...]


class _Part(Struct, frozen=True, gc=False):
    approver: str = ""
    answered_in_ms: float = 0.0
    was_fast: bool = False


class _Try(Struct, frozen=True, gc=False):
    approver: str = ""
    kind: str = ""
    count: int = 0


class _Event(Struct, frozen=True, gc=False):
    """The part of an entry that is counted."""

    kind: str = ""
    ts: str = ""
    session: str = ""
    source: str = ""
    tool: str = ""
    rule: str = ""
    verdict: str = ""
    leaning: str = ""
    decided_by: str = ""
    approver: str = ""
    approval_id: str = ""
    model: str = ""
    answered_in_ms: float = 0.0
    answers: tuple[_Part, ...] = ()
    tries: tuple[_Try, ...] = ()
    decoy: RecordedDecoy = RecordedDecoy()
    action_redacted: msgspec.Raw = msgspec.Raw(b"{}")

    @property
    def is_counted(self) -> bool:
        """Whether it is a call of an agent, or a test request; not a test call of signoff."""
        if self.kind == ADMIN:
            return False
        # The session first: only few calls need to be decoded.
        if not is_test_session(self.session):
            return True
        call = {"session": self.session, "action_redacted": _json(self.action_redacted)}
        return not mark_of_entry(call)


class _Person(Struct):
    """Counts about one person."""

    counts: Counter[str]
    times_s: list[float]


_json = msgspec.json.Decoder().decode
_decode = msgspec.json.Decoder(_Event).decode


def oversight(
    entries: Iterable[RecordEntry], *, since: str = "", waiting: Collection[str] = ()
) -> OversightFigures:
    """Count the decisions in audit log entries.

    Args:
        since: ISO 8601; "" = all.
        waiting: ids of the requests that are open now.

    Raises:
        StoreError: the record cannot be read, or an entry in it is no decision.
    """
    counting = _Counting(waiting)
    for entry in entries:
        try:
            event = _decode(entry.body)
        except msgspec.DecodeError as error:
            said = f"entry {entry.seq} is no decision: {error}"
            raise TamperedRecord(said, seq=entry.seq) from error
        if event.ts >= since and event.is_counted:
            counting.take(event)
    return counting.figures()


class _Counting:
    def __init__(self, waiting: Collection[str]) -> None:
        self._waiting = frozenset(waiting)
        self._counts: Counter[str] = Counter()
        self._people: defaultdict[str, _Person] = defaultdict(
            lambda: _Person(counts=Counter(), times_s=[])
        )
        self._kinds: dict[str, Counter[str]] = {
            name: Counter() for name in ("agent", "tool", "rule")
        }
        self._asked = {name: Counter[str]() for name in self._kinds}

    def take(self, event: _Event) -> None:
        """Count one decision."""
        if event.kind == DECOY:
            self._counts["decoys"] += 1
            if name := event.decoy.approver:
                self._people[name].counts[f"decoy {event.decoy.answer}"] += 1
            return
        is_asked = event.leaning == ASKED
        self._counts["calls"] += 1
        names = {"agent": event.source, "tool": event.tool, "rule": event.rule or NO_RULE}
        for kind, name in names.items():
            self._kinds[kind][name] += 1
            self._asked[kind][name] += is_asked
        if not is_asked:
            return
        self._counts["asked"] += 1
        if event.decided_by == BY_TIMEOUT:
            self._counts["open" if event.approval_id in self._waiting else "expired"] += 1
        self._counts["by_model"] += event.decided_by == BY_MODEL
        for one in event.tries:
            self._people[one.approver].counts[one.kind] += one.count
        if event.approver and event.decided_by not in NOT_PEOPLE:
            self._answered(event)

    def _answered(self, event: _Event) -> None:
        parts = event.answers or (_Part(event.approver, event.answered_in_ms),)
        for part in parts:
            person = self._people[part.approver or event.approver]
            person.counts["approved" if event.verdict == "allow" else "denied"] += 1
            person.counts["fast"] += part.was_fast
            person.times_s.append(part.answered_in_ms / 1000)
            if thought := sure_opinion(event.model):
                person.counts["agreed" if thought == event.verdict else "overruled"] += 1

    def figures(self) -> OversightFigures:
        """Return what was counted."""
        return OversightFigures(
            calls=self._counts["calls"],
            asked=self._counts["asked"],
            expired=self._counts["expired"],
            open=self._counts["open"],
            by_model=self._counts["by_model"],
            decoys=self._counts["decoys"],
            approvers=tuple(_of(name, one) for name, one in sorted(self._people.items())),
            agents=self._of_kind("agent"),
            tools=self._of_kind("tool"),
            rules=self._of_kind("rule"),
        )

    def _of_kind(self, kind: str) -> tuple[AskFigures, ...]:
        asked = self._asked[kind].most_common(SHOWN)
        return tuple(
            AskFigures(name=name, calls=self._kinds[kind][name], asked=count)
            for name, count in asked
        )


def _of(name: str, person: _Person) -> ApproverFigures:
    times, counts = sorted(person.times_s), person.counts
    return ApproverFigures(
        name=name,
        approved=counts["approved"],
        denied=counts["denied"],
        median_s=median(times) if times else 0.0,
        p10_s=_rank(times, 0.1),
        fast=counts["fast"],
        quiz_errors=counts["quiz"],
        explanation_errors=counts["teach-back"],
        overruled=counts["overruled"],
        agreed=counts["agreed"],
        decoys_refused=counts[f"decoy {REFUSED}"],
        decoys_approved=counts[f"decoy {APPROVED}"],
    )


def _rank(times: list[float], share: float) -> float:
    return times[max(0, ceil(share * len(times)) - 1)] if times else 0.0
