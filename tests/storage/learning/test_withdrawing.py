"""A learned rule goes as soon as a person refuses what it covers."""

from __future__ import annotations

from pathlib import Path

import pytest

from signoff.actions.action import Action
from signoff.actions.facts import Facts
from signoff.assess.assessment import Judge
from signoff.assess.rules.load import load_rules
from signoff.assess.rules.rule import RuleLimits, RuleSet
from signoff.assess.verdict import Verdict
from signoff.challenge.answer import Answer
from signoff.decide.decision import Decision
from signoff.effects.learning.learned_rule import LearnedRule
from signoff.storage.learning.learning_file import LearningFile
from signoff.storage.learning.rules_file import RulesFile, Withdrawing

MINE = "# mine\nversion: 1\nrules:\n  - name: mine\n    action: deny\n    tool: X\n"
PUSH = "git push -f origin topic"
RULE = LearnedRule(
    name="learned-git-push-1a2b3c4d",
    tool="Bash",
    project="/home/dev/app",
    limits=RuleLimits(level="medium", findings=frozenset(), effects=frozenset()),
    expires="2030-12-31",
    origin="3 approvals by ada",
    reason="approved",
    commands=(f"{PUSH} $",),
)


@pytest.fixture
def rules(tmp_path: Path) -> RulesFile:
    """Return a rules file with a rule of a person and a learned one."""
    (tmp_path / "rules.yaml").write_text(MINE)
    file = RulesFile(str(tmp_path / "rules.yaml"))
    file.add(RULE)
    return file


def refused(command: str, *, by: str = "web", who: str = "ada") -> Decision:
    """Return a refusal of a shell line, in another project than the rule's."""
    action = Action(tool="Bash", arguments={"command": command}, cwd="/home/dev/other")
    assessed = Judge(rules=RuleSet)(action, Facts(home="/home/dev", project="/home/dev/other"))
    return Decision(
        action=action,
        verdict=Verdict.DENY,
        decided_by=by,
        reason="not now",
        level=assessed.level,
        challenge=assessed.challenge,
        digest="",
        assessment=assessed,
        answer=Answer(verdict=Verdict.DENY, decided_by=by, who=who),
    )


def left_after(rules: RulesFile, tmp_path: Path, decision: Decision) -> tuple[int, list[str], int]:
    """Return learned rules left, what was told, and withdrawn rules kept."""
    told: list[str] = []
    state = LearningFile(str(tmp_path / "learning.json"))
    Withdrawing(rules, state, tell=told.append)(decision)
    return len(rules.learned()), told, len(state.read().withdrawn)


def test_a_refusal_takes_the_rule_away(rules: RulesFile, tmp_path: Path) -> None:
    """In whatever project; the file is as before the rule was learned."""
    left, told, kept = left_after(rules, tmp_path, refused(PUSH))
    assert (0, 1, 1) == (left, len(told), kept)
    assert "ada refused" in told[0]
    assert (tmp_path / "rules.yaml").read_text() == MINE


@pytest.mark.parametrize(
    "decision",
    [
        refused("git push -f origin other"),
        refused(PUSH, by="timeout", who=""),
        refused(PUSH, by="llm", who="model"),
        refused(PUSH, by="grant"),
    ],
)
def test_other_refusals_leave_it(rules: RulesFile, tmp_path: Path, decision: Decision) -> None:
    """Another call, and what no person has refused."""
    assert (1, [], 0) == left_after(rules, tmp_path, decision)


def test_permissions_of_the_file_stay(rules: RulesFile, tmp_path: Path) -> None:
    """It is written anew, and links lead where they led."""
    real, link = tmp_path / "rules.yaml", tmp_path / "link.yaml"
    real.chmod(0o640)
    link.symlink_to(real)
    RulesFile(str(link)).remove(RULE.name)
    assert (0o640, True) == (real.stat().st_mode & 0o777, link.is_symlink())
    assert ["mine"] == [one.name for one in load_rules(real.read_text(), file="r").rules]


def test_a_rule_accepted_twice_stands_there_once(rules: RulesFile) -> None:
    """The newer one holds."""
    rules.add(RULE)
    assert [RULE.name] == [one.name for one in rules.learned()]
