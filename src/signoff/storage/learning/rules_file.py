"""The user's rules file, as learned rules are written into it and taken out.

One change at a time, in this process and others; the file is replaced whole, with its permissions.
A learned rule is withdrawn as soon as a person refuses what its patterns cover. Its limits and
project do not count for that: a refusal says that the rule was a mistake.

    file = RulesFile("/home/dev/.config/signoff/rules.yaml")
    file.add(rule)
    file.remove("learned-git-push-1a2b3c4d")
    Withdrawing(RulesFile(path), LearningFile(other), tell=print)(decision)
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable

from signoff.assess.rules.engine import evaluate
from signoff.assess.rules.load import load_rules
from signoff.assess.rules.rule import Rule, RuleSet
from signoff.assess.verdict import Verdict
from signoff.challenge.answer import NOT_PEOPLE, Answer
from signoff.decide.decision import Decision
from signoff.effects.learning.learned_rule import PREFIX, WrittenRule, with_rule, without_rule
from signoff.errors import BadRules, BadSettings, StoreError
from signoff.storage.learning.learning_file import LearningFile
from signoff.storage.reloading.rules_in_force import RULES_LIMIT
from signoff.storage.text_file import file_lock, make_folder, read_text, write_whole


class RulesFile:
    """Adds and removes rules in a rules file.

    Args:
        path: of the file; it need not exist.
    """

    def __init__(self, path: str) -> None:
        self.path = path

    def learned(self) -> tuple[Rule, ...]:
        """Return the learned rules in the file, expired ones included.

        Raises:
            BadRules: the file is not valid.
        """
        text = self._text()
        # Asked after every refusal: a file without learned rules is not parsed for it.
        if text is None or PREFIX not in text:
            return ()
        rules = load_rules(text, file=self.path).rules
        return tuple(rule for rule in rules if rule.origin and rule.name.startswith(PREFIX))

    def add(self, *rules: WrittenRule) -> None:
        """Write rules into the file, replacing those with the same names.

        Raises:
            BadRules: the file is refused, or cannot be added to.
            StoreError: it cannot be written.
        """

        def change(text: str | None) -> str:
            names = {one.name for one in load_rules(text, file=self.path).rules} if text else set()
            for rule in rules:
                if text is not None and rule.name in names:
                    text = without_rule(text, rule.name, file=self.path)
                text = with_rule(text, rule, file=self.path)
            return text or ""

        self._change(change)

    def remove(self, *names: str) -> None:
        """Remove rules from the file.

        Raises:
            BadRules: the file is refused, or has no such rule.
            StoreError: it cannot be written.
        """

        def change(text: str | None) -> str:
            for name in names:
                text = without_rule(text or "", name, file=self.path)
            return text or ""

        self._change(change)

    def _change(self, change: Callable[[str | None], str]) -> None:
        # The folder itself: it is the user's own, and no file of ours stays in it.
        with file_lock(os.path.dirname(self.path), make=make_folder):
            made = change(self._text())
            # Behind a link: people keep settings in a repository, and the link must stay.
            path = os.path.realpath(self.path)
            try:
                mode = stat.S_IMODE(os.stat(path).st_mode) if os.path.exists(path) else 0o600
                write_whole(path, made.encode(), mode=mode)
            except OSError as error:
                raise StoreError(f"cannot write `{path}`: {error.strerror}") from error

    def _text(self) -> str | None:
        try:
            return read_text(self.path, limit=RULES_LIMIT)
        except BadSettings as error:
            raise BadRules(str(error)) from error


class Withdrawing:
    """Removes a learned rule once a person denies a call it covers.

    Args:
        tell: called with the rule and the reason.
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
        # A time limit or a rule that refuses says nothing of what people want.
        if decision.verdict is not Verdict.DENY or answer is None or not is_by_person(answer):
            return
        for rule in self._rules.learned():
            if covers(rule, decision):
                why = f"{answer.who} refused `{decision.action.tool}`: {decision.reason}"[:300]
                self._rules.remove(rule.name)
                self._state.withdraw(rule.name, why=why)
                self._tell(f"learned rule `{rule.name}` was withdrawn: {why}")


def is_by_person(answer: Answer) -> bool:
    """Return whether a person gave the answer, not a model, grant or timeout."""
    return bool(answer.who) and answer.decided_by not in NOT_PEOPLE


def covers(rule: Rule, decision: Decision) -> bool:
    """Return whether a rule's patterns match a call, whatever its limits and project."""
    one = decision.assessment
    if one is None or (rule.tools and one.action.tool not in rule.tools):
        return False
    return evaluate(RuleSet(rules=(rule,)), one.action, one.operations, one.commands) is not None
