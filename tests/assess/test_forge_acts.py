"""One act at a forge is met alike, whether a command line or a tool asks for it."""

from __future__ import annotations

import pytest

from signoff.actions.action import Action
from signoff.actions.facts import Facts
from signoff.assess.advice import advice_for
from signoff.assess.assessment import Judge
from signoff.assess.detectors.evidence import shell_call
from signoff.assess.rules.rule import RuleSet

NO_RULES = RuleSet()
JUDGE = Judge(rules=lambda: NO_RULES)
OF = {"owner": "acme", "repo": "shop"}


@pytest.mark.parametrize(
    ("line", "tool"),
    [
        (
            "gh pr merge 12 --squash",
            Action(tool="mcp__github__merge_pull_request", arguments={**OF, "pullNumber": 12}),
        ),
        (
            "glab mr merge 12",
            Action(tool="mcp__gitlab__merge_merge_request", arguments={"merge_request_iid": 12}),
        ),
        (
            "gh api -X PUT repos/acme/shop/pulls/12/merge",
            Action(tool="mcp__github__merge_pull_request", arguments={**OF, "pullNumber": 12}),
        ),
        (
            "gh release create v1",
            Action(tool="mcp__github__create_release", arguments={**OF, "tag_name": "v1"}),
        ),
        (
            "gh repo delete acme/shop --yes",
            Action(tool="mcp__github__delete_repository", arguments=OF),
        ),
        (
            "gh issue comment 7 --body done",
            Action(
                tool="mcp__github__add_issue_comment",
                arguments={**OF, "issue_number": 7, "body": "done"},
            ),
        ),
    ],
    ids=lambda one: one if isinstance(one, str) else one.tool,
)
def test_a_command_and_a_tool_are_met_alike(line: str, tool: Action) -> None:
    """By verdict, level, proof and finding, and both are told what to do instead."""
    by_line, by_tool = JUDGE(shell_call(line), Facts()), JUDGE(tool, Facts())

    assert by_line.preliminary is by_tool.preliminary
    assert by_line.level is by_tool.level
    assert by_line.challenge is by_tool.challenge
    assert by_line.findings[0].category == by_tool.findings[0].category
    assert advice_for(by_line)
    assert advice_for(by_tool)


def test_a_push_of_a_branch_stays_ordinary() -> None:
    """Only a merge is raised: a plain push of one's own branch passes."""
    assert JUDGE(shell_call("git push origin feature/login"), Facts()).findings == ()
