"""Learned rules go into a rules file and out of it, and nothing else in it changes."""

from __future__ import annotations

import pytest

from signoff.assess.rules.load import load_rules
from signoff.assess.rules.rule import RuleLimits
from signoff.effects.learning.learned_rule import LearnedRule, with_rule, without_rule
from signoff.errors import BadRules

RULE = LearnedRule(
    name="learned-git-push-1a2b3c4d",
    tool="Bash",
    project="/home/dev/app",
    limits=RuleLimits(
        level="medium", findings=frozenset({"remote-change.forced-push"}), effects=frozenset()
    ),
    expires="2030-12-31",
    origin='4 approvals by ada; accepted by "ada" (web)',
    reason="approved 4 times, never refused",
    commands=("git push --force-with-lease origin * $", "gh pr comment 1 --body 'a: b # c' $"),
)
WRITTEN = """# mine
version: 1
defaults: {unmatched: escalate}   # ask
rules:

  # looking is fine
  - name: looking
    action: allow
    match: {command: git status}  # and nothing else

  # the end
"""
FILES = {
    "none": None,
    "empty list": "version: 1\nrules: []\n",
    "empty list with a comment": "version: 1\nrules: []  # none yet\n",
    "comments": WRITTEN,
    "no indentation": "version: 1\nrules:\n- name: a\n  action: deny\n  tool: Bash\n",
    "deep indentation": "version: 1\nrules:\n      - name: a\n        action: deny\n",
    "defaults below": "rules:\n  - name: a\n    action: deny\n    tool: X\nversion: 1\n",
    "no newline at the end": "version: 1\nrules:\n  - name: a\n    action: deny\n    tool: X",
    "other newlines": "version: 1\r\nrules:\r\n  - name: a\r\n    action: deny\r\n    tool: X\r\n",
    "text over lines": "version: 1\nrules:\n - name: a\n   action: deny\n   reason: >\n    a\n",
    "a flow rule": "version: 1\nrules:\n  - {name: a, action: deny, tool: X}\n# end\n",
}


@pytest.mark.parametrize("text", FILES.values(), ids=FILES)
def test_a_rule_goes_in_and_out_again(text: str | None) -> None:
    """What stood in the file stands there in the same order, and is all there is afterwards."""
    made = with_rule(text, RULE, file="rules.yaml")
    back = without_rule(made, RULE.name, file="rules.yaml")

    rules = load_rules(made, file="rules.yaml").rules
    assert RULE.name == rules[-1].name
    assert (RULE.origin, RULE.project, RULE.limits) == (
        rules[-1].origin,
        rules[-1].project,
        rules[-1].limits,
    )
    if text is not None and "[]" not in text:
        assert text.splitlines() == back.splitlines()
    assert () == load_rules(back, file="rules.yaml").rules[len(rules) - 1 :]


def test_comments_stay_where_they_are() -> None:
    """The rule stands behind the last rule, above a comment at the end of the file."""
    made = with_rule(WRITTEN, RULE, file="rules.yaml")

    assert made.startswith(WRITTEN.split("  # the end")[0].rstrip())
    assert made.index("# the end") > made.index("learned-git-push")
    assert all(line in made.splitlines() for line in WRITTEN.splitlines())


def test_a_rule_between_others_is_taken_out_alone() -> None:
    """Its neighbours and their comments stay."""
    made = with_rule(WRITTEN, RULE, file="rules.yaml").replace("  # the end\n", "")
    made += "  # below\n  - name: last\n    action: deny\n    tool: X\n"

    back = without_rule(made, RULE.name, file="rules.yaml")

    assert ["looking", "last"] == [one.name for one in load_rules(back, file="r").rules]
    assert "# below" in back and "# looking is fine" in back


@pytest.mark.parametrize(
    "text",
    ["version: 1\nrules: [{name: a, action: deny, tool: X}]\n", "version: 1\nrules: {}\n", "", "x"],
)
def test_what_cannot_be_added_to_is_refused(text: str) -> None:
    """A file that is refused, or whose rules stand in brackets, stays as it is."""
    with pytest.raises(BadRules):
        with_rule(text, RULE, file="rules.yaml")


def test_a_rule_that_is_not_there_is_not_removed() -> None:
    """The message says so."""
    with pytest.raises(BadRules, match="there is no rule `other`"):
        without_rule(WRITTEN, "other", file="rules.yaml")
