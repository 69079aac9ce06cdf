"""A proposed rule tried on the whole audit log, as `signoff replay --rules` tries a file.

for line in backtest_lines(settings, proposal.rule): print(line)
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator

from signoff.effects.learning.learned_rule import LearnedRule, with_rule
from signoff.frontends.replay.backtest import BacktestResult, ReplayRules, ReplaySource, backtest
from signoff.frontends.replay.backtest_text import changed_lines
from signoff.settings import Settings
from signoff.storage.reloading.rules_in_force import RULES_LIMIT
from signoff.storage.text_file import read_text

LISTED = 5


def backtested(settings: Settings, rule: LearnedRule, *, jobs: int = 0) -> BacktestResult:
    """Judge the audit log with a rule and without it.

    Args:
        jobs: processes; 0 = one a core.

    Raises:
        BadRules: the rules in force are refused.
        StoreError: the log cannot be read.
    """
    text = read_text(settings.rules_file, limit=RULES_LIMIT)
    with tempfile.NamedTemporaryFile("w", suffix=".yaml", encoding="utf-8") as file:
        file.write(with_rule(text, rule, file=settings.rules_file))
        file.flush()
        return backtest(
            ReplaySource(record=settings.record_file, home=settings.home),
            ReplayRules(settings=settings),
            ReplayRules(settings=settings, rules_file=file.name),
            jobs=jobs or os.cpu_count() or 1,
        )


def backtest_lines(settings: Settings, rule: LearnedRule) -> Iterator[str]:
    """Yield what a rule would have changed in the audit log."""
    yield from changed_lines(backtested(settings, rule), most=LISTED)
