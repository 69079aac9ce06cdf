"""Judges the calls of the audit log again: under other rules, or by today's version.

Both sides are judged from what the log keeps, so that what differs is due to the rules. Each side
follows its own session history: what one of them denies has not happened for it.

    result = backtest(ReplaySource(record="record.db", home="/home/dev"), before, after, jobs=2)
    result.changes[0].would
"""

from __future__ import annotations

import gc
import multiprocessing
import sys
import time
import zlib
from collections import Counter
from collections.abc import Callable, Iterable

from msgspec import Struct, field

from signoff.actions.action import Action
from signoff.actions.facts import Facts
from signoff.assess.assessed import Assessed
from signoff.assess.rules.rule import RuleSet
from signoff.build.judge import build_judge, build_rules, guard_paths
from signoff.challenge.heading import command_line
from signoff.challenge.visible import visible
from signoff.frontends.replay.recorded_calls import RecordedCall, recorded_calls
from signoff.frontends.replay.session import SessionReplay
from signoff.frontends.replay.transcripts import ProjectsThen
from signoff.frontends.replay.written import SessionDisk
from signoff.settings import Settings
from signoff.storage.sqlite import SqliteStore

TELL_EVERY_S = 0.1
COLLECT_AFTER = 50_000
CHANGES = 100_000  # that are listed
NOT_JUDGED = "deny"  # live, a call that cannot be judged is denied
ReplayJudge = Callable[[Action, Facts], Assessed]


class ReplayRules(Struct, frozen=True, kw_only=True):
    """The rules and settings of one side of a backtest.

    Args:
        rules_file: in place of the settings' rules file, "" = that one.
    """

    settings: Settings
    rules_file: str = ""

    def judge(self) -> ReplayJudge:
        """Build the judge.

        Raises:
            BadRules: the rules cannot be read.
        """
        rules = build_rules(self.settings, user_file=self.rules_file)
        return _JudgeByProject(self.settings, rules.everywhere(), time.time())


class FixedRules:
    """Rules that stay the same during a replay, whatever happens to their file."""

    def __init__(self, rules: RuleSet) -> None:
        self._rules = rules

    def current(self) -> RuleSet:
        """Return the rules."""
        return self._rules


class _JudgeByProject:
    """Judges each call by the rules in force in its project."""

    def __init__(self, settings: Settings, rules: RuleSet, now_s: float) -> None:
        self._settings, self._rules, self._now_s = settings, rules, now_s
        # Projects that no rule names share one judge, as building one takes time.
        self._named = {rule.project for rule in rules.rules}
        self._judges: dict[str, ReplayJudge] = {}

    def __call__(self, action: Action, facts: Facts) -> Assessed:
        """Judge one call."""
        project = facts.project if facts.project in self._named else ""
        judge = self._judges.get(project)
        if judge is None:
            rules = self._rules.holding(project, self._now_s)
            judge = build_judge(self._settings, rules=FixedRules(rules))
            self._judges[project] = judge
        return judge(action, facts)


class ChangedCall(Struct, frozen=True, kw_only=True):
    """One call of the log that would get another verdict.

    Args:
        was, would: the verdict before anybody is asked, before and after the change.
        decided: how it ended then; `decided_by`: who decided it, a channel for people.
        person: what a person had decided, "" if none had.
    """

    seq: int
    at: str
    tool: str
    call: str
    was: str
    would: str
    reason: str
    decided: str
    decided_by: str
    person: str

    @property
    def overrules_person(self) -> bool:
        """Whether it would pass unasked although a person denied it."""
        return self.would == "allow" and self.person == "deny"


class BacktestResult(Struct, frozen=True, kw_only=True):
    """The result of judging the log again.

    Args:
        calls: calls that were judged; `cut`: calls not kept whole, which were not.
        masked: of the judged ones those with masks in the place of secrets.
        moved: number of calls by (before, after), for verdicts that differ.
        recorded_otherwise: calls whose verdict before the change is not the recorded one.
        changes: the calls that differ, in the order of the log.
    """

    calls: int = 0
    cut: int = 0
    masked: int = 0
    moved: dict[str, int] = field(default_factory=dict)
    recorded_otherwise: int = 0
    changes: tuple[ChangedCall, ...] = ()

    @property
    def overruled(self) -> tuple[ChangedCall, ...]:
        """Calls that would pass unasked although a person denied them."""
        return tuple(one for one in self.changes if one.overrules_person)


class ReplaySource(Struct, frozen=True, kw_only=True):
    """The part of an audit log to judge.

    Args:
        record: path of the audit log.
        since: calls before this time are not counted, ISO 8601; "" = all count.
    """

    record: str
    home: str
    since: str = ""


class _Work(Struct, frozen=True, kw_only=True):
    source: ReplaySource
    before: ReplayRules | None
    after: ReplayRules
    share: int
    shares: int


def backtest(
    source: ReplaySource,
    before: ReplayRules | None,
    after: ReplayRules,
    *,
    jobs: int = 1,
    tell: Callable[[], None] = lambda: None,
) -> BacktestResult:
    """Judge the log's calls again and return which would get another verdict.

    Args:
        before: None = compare with the verdicts in the log, which another version may have made.
        tell: called now and then while other processes judge.

    Raises:
        BadRules: the rules of a side are refused.
        StoreError: the log cannot be read.
    """
    after.judge()  # bad rules are told before anything is read
    work = [
        _Work(source=source, before=before, after=after, share=share, shares=jobs)
        for share in range(jobs)
    ]
    if jobs == 1:
        return _joined([_share(work[0])])
    # After a fork macOS's own libraries may break (Python's manual, multiprocessing).
    context = multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")
    with context.Pool(jobs, initializer=_start) as pool:
        parts = pool.map_async(_share, work, chunksize=1)
        while not parts.ready():
            parts.wait(TELL_EVERY_S)
            tell()
        return _joined(parts.get())


def _start() -> None:
    # What is loaded by now stays to the end: the collector need not walk through it.
    gc.freeze()
    gc.set_threshold(COLLECT_AFTER)


def _joined(parts: Iterable[BacktestResult]) -> BacktestResult:
    parts = tuple(parts)
    changes = sorted((one for part in parts for one in part.changes), key=lambda one: one.seq)
    moved: Counter[str] = Counter()
    for part in parts:
        moved.update(part.moved)
    return BacktestResult(
        calls=sum(part.calls for part in parts),
        cut=sum(part.cut for part in parts),
        masked=sum(part.masked for part in parts),
        moved=dict(sorted(moved.items())),
        recorded_otherwise=sum(part.recorded_otherwise for part in parts),
        changes=tuple(changes[:CHANGES]),
    )


def _share(work: _Work) -> BacktestResult:
    """Judge the sessions that fall to one process."""
    store = SqliteStore(work.source.record)
    try:
        return _Backtest(work).run(recorded_calls(store.entries()))
    finally:
        store.close()


class _Backtest:
    """Judges calls, each session by a replay of its own."""

    def __init__(self, work: _Work) -> None:
        self._work = work
        self._sides = [side.judge() for side in (work.before, work.after) if side is not None]
        self._sessions: dict[tuple[str, str], tuple[SessionReplay, ...]] = {}
        self._counts: Counter[str] = Counter()
        self._moved: Counter[str] = Counter()
        self._changes: list[ChangedCall] = []

    def run(self, calls: Iterable[RecordedCall]) -> BacktestResult:
        """Judge the calls of this share and compare the verdicts."""
        for call in calls:
            if self._is_mine(call):
                self._take(call)
        return BacktestResult(
            calls=self._counts["calls"],
            cut=self._counts["cut"],
            masked=self._counts["masked"],
            moved=dict(self._moved),
            recorded_otherwise=self._counts["otherwise"],
            changes=tuple(self._changes),
        )

    def _is_mine(self, call: RecordedCall) -> bool:
        if self._work.shares == 1:
            return True
        # By session, since a session is judged in order; calls without one stand alone.
        name = call.session or str(call.seq)
        # Not `hash`, which gives another number in each process.
        return zlib.crc32(name.encode()) % self._work.shares == self._work.share

    def _take(self, call: RecordedCall) -> None:
        is_counted = call.ts >= self._work.source.since
        # An entry that was never judged has no verdict to compare with.
        if call.is_cut or not (call.leaning or self._work.before):
            self._counts["cut"] += is_counted
            return
        answers = [self._answer(replay, call.action) for replay in self._replays(call)]
        if not is_counted:
            return
        would, reason = answers[-1]
        was = answers[0][0] if self._work.before else call.leaning
        self._counts["calls"] += 1
        self._counts["masked"] += call.is_masked
        self._counts["otherwise"] += bool(call.leaning) and call.leaning != was
        if was != would:
            self._moved[f"{was} -> {would}"] += 1
            self._changes.append(_change(call, was=was, would=would, reason=reason))

    def _replays(self, call: RecordedCall) -> tuple[SessionReplay, ...]:
        key = call.agent, call.session
        found = self._sessions.get(key) if call.session else None
        if found is None:
            found = tuple(self._begin(call, judge) for judge in self._sides)
            if call.session:
                self._sessions[key] = found
        return found

    def _begin(self, call: RecordedCall, judge: ReplayJudge) -> SessionReplay:
        home = self._work.source.home
        projects = ProjectsThen(home=home, first=call.cwd or home, is_versioned=None)
        settings = self._work.after.settings
        return SessionReplay(
            judge,
            SessionDisk(projects.around),
            home=home,
            guard_paths=guard_paths(settings),
            guard_port=settings.port,
        )

    def _answer(self, replay: SessionReplay, action: Action) -> tuple[str, str]:
        """Return verdict and reason."""
        try:
            assessment = replay.judge(action)
        except Exception as error:  # noqa: BLE001 - live, the gate's frame denies such a call
            return NOT_JUDGED, f"cannot be judged: {type(error).__name__}"
        return assessment.preliminary.value, assessment.reason


def _change(call: RecordedCall, *, was: str, would: str, reason: str) -> ChangedCall:
    return ChangedCall(
        seq=call.seq,
        at=call.ts,
        tool=visible(call.tool),
        call=command_line(call.action),
        was=was,
        would=would,
        reason=visible(reason),
        decided=call.verdict,
        decided_by=visible(call.decided_by),
        person=call.person,
    )
