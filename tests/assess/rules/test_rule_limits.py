"""Rules with limits, an end and a project."""

from __future__ import annotations

from datetime import datetime

import pytest
from rule_calls import rules_of

from signoff.actions.action import Action
from signoff.actions.facts import Facts
from signoff.assess.assessed import Assessed
from signoff.assess.assessment import Judge
from signoff.assess.rules.rule import RuleSet
from signoff.assess.verdict import Verdict
from signoff.errors import BadRules

PUSHES = """
  - name: pushes
    action: allow
    match: {command: git push}
"""
PUSH = "git push --force-with-lease origin topic"
EFFECT = "publish repository remote forced"


def judged(rules: RuleSet, command: str) -> Assessed:
    """Judge a shell line under rules."""
    action = Action(tool="Bash", arguments={"command": command}, cwd="/home/dev/app", session="s")
    return Judge(rules=lambda: rules)(action, Facts(home="/home/dev", project="/home/dev/app"))


@pytest.mark.parametrize(
    ("limits", "expected"),
    [
        ("{}", Verdict.ALLOW),
        ("{level: medium}", Verdict.ALLOW),
        ("{level: low}", Verdict.ASK),
        ("{findings: [remote-change.forced-push]}", Verdict.ALLOW),
        ("{findings: [remote-change.published]}", Verdict.ASK),
        ("{findings: []}", Verdict.ASK),
        (f"{{effects: [{EFFECT}]}}", Verdict.ALLOW),
        ("{effects: [publish repository remote]}", Verdict.ASK),
        ("{effects: []}", Verdict.ASK),
    ],
)
def test_an_allow_rule_reaches_as_far_as_its_limits(limits: str, expected: Verdict) -> None:
    """Beyond them it is as if the rule asked."""
    assessed = judged(rules_of(f"{PUSHES}    limits: {limits}\n"), PUSH)
    assert expected is assessed.preliminary
    assert (expected is Verdict.ASK) == ("beyond the limits of rule `pushes`" in assessed.reason)


def test_what_is_refused_stays_refused_beyond_limits() -> None:
    """A rule without limits would have it asked about."""
    everything = "\n  - name: all\n    action: allow\n    tool: Bash\n"
    found = [
        judged(rules_of(f"{everything}{limits}"), "rm -rf ~").preliminary
        for limits in ("", "    limits: {level: high}\n")
    ]
    assert [Verdict.ASK, Verdict.DENY] == found


def test_critical_is_beyond_every_limit() -> None:
    """A rule with limits lets nothing CRITICAL through."""
    line = "aws s3 rb s3://production-data --force"
    rules = rules_of("\n  - {name: all, action: allow, tool: Bash, limits: {level: high}}\n")
    assert judged(rules, line).preliminary is not Verdict.ALLOW


def test_limits_of_every_rule_that_covers_a_part_count() -> None:
    """The narrower one decides."""
    wide = "\n  - {name: a, action: allow, match: {command: ls}}"
    rules = rules_of(f"{wide}{PUSHES}    limits: {{level: low}}\n")
    assert Verdict.ASK is judged(rules, f"ls && {PUSH}").preliminary


def test_limits_change_the_digest() -> None:
    """A sign-off is bound to the limits, too."""
    texts = ("", "    limits: {level: low}\n", "    limits: {level: high}\n")
    assert 3 == len({rules_of(PUSHES + text).digest for text in texts})


@pytest.mark.parametrize(
    ("expires", "now", "holds"),
    [
        ("2030-12-31", "2030-12-31T23:59:59+00:00", True),
        ("2030-12-31", "2031-01-01T00:00:00+00:00", False),
        ("2030-12-31T10:00:00Z", "2030-12-31T09:59:59+00:00", True),
        ("2030-12-31T10:00:00Z", "2030-12-31T10:00:00+00:00", False),
        ("2030-12-31T10:00:00+02:00", "2030-12-31T08:00:00+00:00", False),
    ],
)
def test_a_rule_holds_to_its_end(expires: str, now: str, *, holds: bool) -> None:
    """A day counts to its end in UTC."""
    rules = rules_of(f"{PUSHES}    expires: {expires}\n")
    at = datetime.fromisoformat(now).timestamp()
    assert holds == bool(rules.holding("", at).rules)
    assert (rules.next_end_s(at) < float("inf")) == holds


def test_a_rule_of_a_project_holds_there_alone() -> None:
    """Not outside of projects either."""
    rules = rules_of(f"{PUSHES}    project: /home/dev/app/\n")
    found = [bool(rules.holding(one, 0.0).rules) for one in ("/home/dev/app", "", "/home/dev")]
    assert [True, False, False] == found


@pytest.mark.parametrize(
    ("field", "message"),
    [
        ("expires: soon", "expires: expected a day like `2030-12-31`, got `soon`"),
        ("expires: 2030-13-01", "expected a day"),
        ("project: app", "project: expected an absolute folder, got `app`"),
        ("limits: {level: critical}", "unknown level `critical` (low, medium, high)"),
        ("limits: {levels: low}", "unknown field of limits `levels`"),
    ],
)
def test_what_is_no_limit_is_refused(field: str, message: str) -> None:
    """With its place."""
    with pytest.raises(BadRules) as caught:
        rules_of(f"{PUSHES}    {field}\n")
    assert message in str(caught.value)


def test_only_allow_rules_have_limits() -> None:
    """A deny rule with limits would promise what it does not do."""
    with pytest.raises(BadRules, match="only an allow rule has limits"):
        rules_of(PUSHES.replace("allow", "deny") + "    limits: {level: low}\n")
