"""The calls of the audit log that somebody was asked about, and how often rules decided.

The log is read once and continued from where it ended; calls are judged again by the rules that
people wrote, one by one and without the history of their session.

    calls = AskedCalls(store, settings)
    calls.refresh()
    calls.listed(), calls.used("learned-git-push-1a2b3c4d").count
"""

from __future__ import annotations

import re
import threading
from collections import Counter, OrderedDict, deque
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

import msgspec
from msgspec import Struct

from signoff.assess.assessed import Assessed
from signoff.assess.rules.rule import RuleSet
from signoff.build.judge import build_judge, build_rules, guard_paths
from signoff.challenge.answer import NOT_PEOPLE
from signoff.effects.learning.learned_rule import PREFIX
from signoff.effects.learning.proposals import AnsweredCall
from signoff.effects.store import RecordEntry
from signoff.errors import TamperedRecord
from signoff.frontends.replay.backtest import FixedRules, ReplayJudge
from signoff.frontends.replay.recorded_calls import RecordedCall, recorded_calls
from signoff.frontends.replay.session import SessionReplay
from signoff.frontends.replay.transcripts import ProjectsThen
from signoff.frontends.replay.written import SessionDisk
from signoff.settings import Settings
from signoff.storage.reading import Readable
from signoff.values import replace

KEPT = 20_000  # newest calls that were asked about
JUDGED_KEPT = 20_000
DAYS = 90  # older answers are not learned from
SESSION = "learning"  # a shape is of a session; here all calls stand in the same
POLICY = re.compile(r"\bpol_\d{1,9}\b")
ASKED = "ask"
BY_MODEL = "llm"


class RuleUse(Struct, frozen=True, kw_only=True):
    """How often a rule or policy let a call through, and when last."""

    count: int = 0
    last: str = ""


class _Entry(Struct, frozen=True, gc=False):
    """What is read of every entry; the rest of it only where somebody was asked."""

    seq: int
    ts: str = ""
    verdict: str = ""
    decided_by: str = ""
    leaning: str = ""
    rule: str = ""
    model: str = ""
    reason: str = ""


_decode = msgspec.json.Decoder(_Entry).decode


class AskedCalls:
    """Reads from the audit log what can be learned; thread-safe.

    Args:
        record: a connection of its own, off the event loop.
    """

    def __init__(self, record: Readable, settings: Settings) -> None:
        self._record, self._settings = record, settings
        self._lock = threading.Lock()
        self._calls: deque[tuple[RecordedCall, str]] = deque(maxlen=KEPT)
        self._uses: dict[str, RuleUse] = {}
        self._judged: OrderedDict[tuple[str, str, bytes], Assessed | None] = OrderedDict()
        self._judge: ReplayJudge | None = None
        self._digest = ""
        self._read_to = 0

    def refresh(self) -> None:
        """Read the entries added since the last call.

        Raises:
            StoreError: the log cannot be read, or an entry is not a decision.
        """
        with self._lock:
            last = self._record.head().seq
            for entry in self._record.entries(first=self._read_to + 1, last=last):
                self._take(entry)
                # After each entry: if the next one cannot be read, none is counted twice.
                self._read_to = entry.seq

    def used(self, name: str) -> RuleUse:
        """Return how often a rule (by name) or policy (by id) decided."""
        return self._uses.get(name, RuleUse())

    def listed(self) -> list[AnsweredCall]:
        """Return the calls that were asked about, judged again; skips those that cannot be.

        Raises:
            BadRules: the rules in force are not valid.
        """
        with self._lock:
            judge, home = self._judge_now(), self._settings.home
            projects = ProjectsThen(home=home, first=home, is_versioned=None)
            since = (datetime.now(UTC) - timedelta(days=DAYS)).isoformat()
            found: list[AnsweredCall] = []
            for call, policy in self._calls:
                if call.ts < since or call.is_cut or call.is_masked:
                    continue
                assessed = self._assessed(call, judge, projects)
                if assessed is not None:
                    found.append(_asked(call, assessed, policy))
            return found

    def _take(self, entry: RecordEntry) -> None:
        read = _read(entry)
        policy = _policy_of(read)
        is_answer = read.leaning == ASKED and read.verdict in ("allow", "deny")
        # Before anything is counted: an entry that is no call is not counted in part.
        calls = tuple(recorded_calls((entry,))) if is_answer else ()
        for name in (read.rule if read.verdict == "allow" else "", policy):
            if name:
                self._uses[name] = RuleUse(count=self.used(name).count + 1, last=read.ts)
        self._calls.extend((call, policy) for call in calls)

    def _judge_now(self) -> ReplayJudge:
        """Return the judge by the rules that people wrote; built again when these change."""
        found = build_rules(self._settings).current()
        # With learned rules in force the calls they cover would pass, and speak for no proposal
        # any more.
        written = tuple(one for one in found.rules if not one.name.startswith(PREFIX))
        rules = RuleSet(rules=written, unmatched=found.unmatched)
        if self._judge is None or rules.digest != self._digest:
            self._judge = build_judge(self._settings, rules=FixedRules(rules))
            self._digest = rules.digest
            self._judged.clear()
        return self._judge

    def _assessed(
        self, call: RecordedCall, judge: ReplayJudge, projects: ProjectsThen
    ) -> Assessed | None:
        key = call.tool, call.cwd, msgspec.json.encode(call.action_redacted)
        if key not in self._judged:
            while len(self._judged) >= JUDGED_KEPT:
                self._judged.popitem(last=False)
            self._judged[key] = self._judged_again(call, judge, projects)
        return self._judged[key]

    def _judged_again(
        self, call: RecordedCall, judge: ReplayJudge, projects: ProjectsThen
    ) -> Assessed | None:
        settings = self._settings
        replay = SessionReplay(
            judge,
            SessionDisk(projects.around),
            home=settings.home,
            guard_paths=guard_paths(settings),
            guard_port=settings.port,
        )
        try:
            return replay.judge(replace(call.action, session=SESSION))
        except Exception:  # noqa: BLE001 - what cannot be judged is not learned from
            return None


def policy_hits(entries: Iterable[RecordEntry]) -> dict[str, int]:
    """Return how often the model let a call through by each policy, by the policy's id.

    Raises:
        StoreError: the record cannot be read, or an entry in it is no decision.
    """
    found = Counter(_policy_of(_read(entry)) for entry in entries)
    del found[""]
    return dict(found)


def _read(entry: RecordEntry) -> _Entry:
    try:
        return _decode(entry.body)
    except (msgspec.DecodeError, ValueError) as error:
        said = f"entry {entry.seq} is no decision: {error}"
        raise TamperedRecord(said, seq=entry.seq) from error


def _policy_of(read: _Entry) -> str:
    """Return the policy a model named when it let a call through, "" for none."""
    if read.verdict != "allow" or read.decided_by != BY_MODEL:
        return ""
    cited = POLICY.search(f"{read.model} {read.reason}")
    return cited[0] if cited else ""


def _asked(call: RecordedCall, assessed: Assessed, policy: str) -> AnsweredCall:
    is_person = bool(call.approver) and call.decided_by not in NOT_PEOPLE
    return AnsweredCall(
        seq=call.seq,
        at=call.ts,
        assessed=assessed,
        verdict=call.verdict,
        person=call.approver if is_person else "",
        session=call.session,
        policy=policy,
    )
