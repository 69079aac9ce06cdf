"""Withdraws a learned rule as soon as a person refuses what its patterns cover.

A handler of decisions: its limits and project do not count here, since a refusal says that the
rule was a mistake.

    Withdrawing(RulesFile(path), LearningFile(other), tell=print)(decision)
"""

from __future__ import annotations

from collections.abc import Callable

from signoff.assess.rules.engine import evaluate
from signoff.assess.rules.rule import Rule, RuleSet
from signoff.assess.verdict import Verdict
from signoff.challenge.answer import NOT_PEOPLE, Answer
from signoff.decide.decision import Decision
from signoff.storage.learning.learning_file import LearningFile
from signoff.storage.learning.rules_file import RulesFile


class Withdrawing:
    """Takes learned rules out of the rules file.

    Args:
        tell: is told which rule went, and why.
    """

    def __init__(
        self, rules: RulesFile, state: LearningFile, *, tell: Callable[[str], None]
    ) -> None:
        self._rules, self._state, self._tell = rules, state, tell

    def __call__(self, decision: Decision) -> None:
        """Take in a decision.

        Raises:
            SignoffError: the file is refused or cannot be written; the rule stays.
        """
        answer = decision.answer
        if decision.verdict is not Verdict.DENY or answer is None or not is_by_person(answer):
            return
        for rule in self._rules.learned():
            if covers(rule, decision):
                why = f"{answer.who} refused `{decision.action.tool}`: {decision.reason}"[:300]
                self._rules.remove(rule.name)
                self._state.withdraw(rule.name, why=why)
                self._tell(f"learned rule `{rule.name}` was withdrawn: {why}")


def is_by_person(answer: Answer) -> bool:
    """Tell whether a person gave an answer, and not a model, a grant or a time limit."""
    return bool(answer.who) and answer.decided_by not in NOT_PEOPLE


def covers(rule: Rule, decision: Decision) -> bool:
    """Tell whether the patterns of a rule cover a call, whatever its limits and project."""
    one = decision.assessment
    if one is None or (rule.tools and one.action.tool not in rule.tools):
        return False
    return evaluate(RuleSet(rules=(rule,)), one.action, one.operations, one.commands) is not None
