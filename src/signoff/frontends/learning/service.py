"""What was learned, and what could be: read by the command line, the inbox, chats and the API.

Nothing is proposed to an agent and nothing is accepted by one: `accept` stands behind the inbox,
chats of admins, and a code on an admin's terminal. A proposed rule is tried on the whole audit log,
as `signoff replay --rules` tries a file.

    learning = Learning(settings, record)
    view = learning.look()                       # proposals, learned rules with their uses
    learning.accept("prop_1a2b3c4d", by="ada")   # an admin's act: who calls this has checked it
    for line in backtest_lines(settings, proposal.rule): print(line)
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta

from msgspec import Struct

from signoff.assess.rules.rule import Rule
from signoff.effects.learning.learned_rule import LearnedRule, with_rule
from signoff.effects.learning.proposals import LONGEST_DAYS, Learnings, Proposal, propose
from signoff.errors import SignoffError
from signoff.frontends.learning.asked_calls import AskedCalls, RuleUse
from signoff.frontends.replay.backtest import BacktestResult, ReplayRules, ReplaySource, backtest
from signoff.frontends.replay.summary_text import changed_lines
from signoff.settings import Settings
from signoff.storage.learning.learning_file import FILE, LearningFile, LearningState
from signoff.storage.learning.rules_file import RulesFile, Withdrawing
from signoff.storage.reading import Readable
from signoff.storage.reloading.rules_in_force import RULES_LIMIT
from signoff.storage.text_file import read_text
from signoff.values import replace

UNUSED_DAYS = 14

LISTED = 5


class NotLearned(SignoffError):
    """The proposal or learned rule does not exist, or the time is too long."""


class LearnedUse(Struct, frozen=True, kw_only=True):
    """A learned rule and its use.

    Args:
        ends: its last day in words, "" = it never ends.
        is_unused: it let nothing through for two weeks, or since it was accepted.
        is_over: its time has ended.
    """

    rule: Rule
    use: RuleUse
    ends: str
    is_unused: bool
    is_over: bool


class LearningView(Struct, frozen=True, kw_only=True):
    """All proposals and learned rules, for display.

    Args:
        never: why nothing is learned of other approvals, with the number of approvals each.
        refused: groups of approvals not learned from since a person refused such a call.
    """

    proposals: tuple[Proposal, ...]
    rules: tuple[LearnedUse, ...]
    state: LearningState
    never: tuple[tuple[str, int], ...] = ()
    refused: int = 0


class Learning:
    """Proposes rules from the audit log, and writes accepted ones into the user's rules.

    Args:
        record: a connection to the log that no decision waits for.
        tell: is told what an admin accepted or removed, and what was withdrawn.
    """

    def __init__(
        self,
        settings: Settings,
        record: Readable,
        *,
        tell: Callable[[str], None] = lambda _: None,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._calls, self._now, self._tell = AskedCalls(record, settings), now, tell
        self._rules = RulesFile(settings.rules_file)
        self._state = LearningFile(os.path.join(settings.state_dir, FILE))
        self.withdrawing = Withdrawing(self._rules, self._state, tell=tell)

    def look(self, *, policy: str = "") -> LearningView:
        """Return proposals and learned rules.

        Args:
            policy: propose from what a model let through by this policy, however often.

        Raises:
            SignoffError: the audit log or the rules cannot be read.
        """
        self._calls.refresh()
        rules, state = self._rules.learned(), self._state.read()
        found = self._proposed(policy)
        hidden = {one.name for one in rules} | {one.name for one in state.withdrawn}
        hidden |= {one.id for one in state.dismissed}
        return LearningView(
            proposals=tuple(p for p in found.proposals if {p.id, p.rule.name}.isdisjoint(hidden)),
            rules=tuple(map(self._used, rules)),
            state=state,
            never=found.never,
            refused=found.refused,
        )

    def count(self) -> None:
        """Read new audit log entries, for `used`.

        Raises:
            StoreError: it cannot be read.
        """
        self._calls.refresh()

    def used(self, name: str) -> RuleUse:
        """Return how often a rule or policy decided a call, as of the last `look` or `count`."""
        return self._calls.used(name)

    def proposal(self, id: str) -> Proposal:
        """Return the proposal with this id.

        Raises:
            NotLearned: there is none now.
        """
        self._calls.refresh()
        for policy in ("", *self._policies()):
            for one in self._proposed(policy).proposals:
                if one.id == id:
                    return one
        raise NotLearned(f"there is no proposal `{id}` (any more): `signoff learn` lists them")

    def accept(self, id: str, *, by: str, days: int = LONGEST_DAYS) -> str:
        """Write a proposed rule into the rules file; return what to say about it.

        Args:
            by: the admin, with the channel: `ada (web)`.
            days: how long it holds, 1 to 30.

        Raises:
            NotLearned: there is no such proposal now, or the time is too long.
            SignoffError: the file is refused or cannot be written.
        """
        if not 1 <= days <= LONGEST_DAYS:
            raise NotLearned(f"a learned rule holds for 1 to {LONGEST_DAYS} days")
        rule = accepted(self.proposal(id).rule, by=by, now=self._now(), days=days)
        self._rules.add(rule)
        words = f"learned rule `{rule.name}` holds until {rule.expires}; accepted by {by}"
        self._tell(words)
        return words

    def dismiss(self, id: str, *, by: str) -> str:
        """Store that a proposal is dismissed; return a message.

        Raises:
            NotLearned: there is no such proposal now.
            StoreError: it cannot be stored.
        """
        self._state.dismiss(self.proposal(id).id, by=by)
        return f"`{id}` is not proposed again"

    def rule(self, name: str) -> Rule:
        """Return a learned rule by its name.

        Raises:
            NotLearned: there is none of this name.
            BadRules: the file is refused.
        """
        for one in self._rules.learned():
            if one.name == name:
                return one
        raise NotLearned(f"there is no learned rule `{name}`")

    def remove(self, name: str, *, by: str) -> str:
        """Remove a learned rule from the rules file; return a message.

        Raises:
            NotLearned: there is no learned rule of this name.
            SignoffError: the file is refused or cannot be written.
        """
        self._rules.remove(self.rule(name).name)
        self._state.withdraw(name, why=f"removed by {by}")
        words = f"learned rule `{name}` was removed by {by}"
        self._tell(words)
        return words

    def _proposed(self, policy: str) -> Learnings:
        least = {"least": 1} if policy else {}
        return propose(self._calls.listed(), now=self._now(), policy=policy, **least)

    def _policies(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(one.policy for one in self._calls.listed() if one.policy))

    def _used(self, rule: Rule) -> LearnedUse:
        now, use = self._now(), self._calls.used(rule.name)
        since = (now - timedelta(days=UNUSED_DAYS)).isoformat()
        # It ends at midnight, so its last day is the one before.
        last_day = datetime.fromtimestamp(rule.expires_s - 1, UTC).date()
        ends = last_day.isoformat() if rule.expires_s else ""
        return LearnedUse(
            rule=rule,
            use=use,
            ends=ends,
            is_unused=use.last < since,
            is_over=bool(rule.expires_s) and now.timestamp() >= rule.expires_s,
        )


def accepted(rule: LearnedRule, *, by: str, now: datetime, days: int) -> LearnedRule:
    """Return a proposed rule with its admin and expiry filled in."""
    origin = f"{rule.origin}; accepted by {by} {now:%Y-%m-%d}"
    return replace(rule, origin=origin, expires=f"{now + timedelta(days=days):%Y-%m-%d}")


def backtested(
    settings: Settings, rule: LearnedRule, *, jobs: int = 0, tell: Callable[[], None] = lambda: None
) -> BacktestResult:
    """Judge the audit log's calls with and without a rule, and compare.

    Args:
        jobs: processes; 0 = one a core.
        tell: called now and then meanwhile.

    Raises:
        BadRules: the rules in force are refused.
        StoreError: the log cannot be read.
    """
    text = read_text(settings.rules_file, limit=RULES_LIMIT)
    with tempfile.NamedTemporaryFile("w", suffix=".yaml", encoding="utf-8") as file:
        file.write(with_rule(text, rule, file=settings.rules_file))
        # Other processes read it by its name.
        file.flush()
        return backtest(
            ReplaySource(record=settings.record_file, home=settings.home),
            ReplayRules(settings=settings),
            ReplayRules(settings=settings, rules_file=file.name),
            jobs=jobs or os.cpu_count() or 1,
            tell=tell,
        )


def backtest_lines(
    settings: Settings, rule: LearnedRule, tell: Callable[[], None] = lambda: None
) -> Iterator[str]:
    """Yield, as lines, what a rule would have changed in the past.

    Args:
        tell: as in `backtested`.
    """
    yield from changed_lines(backtested(settings, rule, tell=tell), most=LISTED)
