"""Rules of several files: a project may only tighten."""

from __future__ import annotations

import pytest
from rule_calls import judge_line, rules_of, verdict

from signoff.assess.rules.load import merge, merge_pack
from signoff.assess.rules.rule import RuleAction, RuleSet
from signoff.values import replace

USER = rules_of("- {name: pushes, action: allow, match: {command: git push}}\n", file="user.yaml")


def project(text: str) -> RuleSet:
    """Rules of a project's file."""
    return rules_of(text, file=".signoff.yaml")


def test_a_project_denies_what_the_user_allows() -> None:
    """Tightening counts."""
    rules = merge(USER, project("- {name: no, action: deny, match: {command: git push}}\n"))

    assert verdict(judge_line(rules, "git push")) == "deny"


def test_a_project_asks_about_what_the_user_allows() -> None:
    """An escalate rule tightens an allow rule too."""
    rules = merge(USER, project("- {name: ask, action: escalate, match: {command: git push}}\n"))

    assert verdict(judge_line(rules, "git push")) == "escalate"


def test_a_project_allows_nothing() -> None:
    """Its allow rules are left out, and it is said."""
    rules = merge(USER, project("- {name: all, action: allow}\n"))

    assert verdict(judge_line(rules, "make")) == "none"
    assert rules.notes == (
        ".signoff.yaml:3: allow rule `all` is left out: a project may only tighten",
    )


@pytest.mark.parametrize(
    ("user", "of_project", "expected"),
    [
        ("escalate", "allow", "escalate"),
        ("escalate", "deny", "deny"),
        ("deny", "escalate", "deny"),
        ("allow", "escalate", "escalate"),
        ("allow", "allow", "allow"),
    ],
)
def test_the_stricter_default_holds(user: str, of_project: str, expected: str) -> None:
    """A project's default counts only where it is stricter."""
    merged = merge(
        replace(RuleSet(), unmatched=RuleAction(user)),
        replace(RuleSet(), unmatched=RuleAction(of_project)),
    )

    assert RuleAction(expected) is merged.unmatched


def test_a_looser_default_of_a_project_is_noted() -> None:
    """What is left out is said."""
    merged = merge(RuleSet(), RuleSet(unmatched=RuleAction.ALLOW, sources=("p.yaml",)))

    assert "unmatched `allow` is left out" in merged.notes[0]


def test_a_rule_of_the_user_replaces_the_packs() -> None:
    """By its name."""
    pack = rules_of("- {name: pushes, action: deny, match: {command: git push}}\n", file="pack")

    merged = merge_pack(pack, USER)

    assert verdict(judge_line(merged, "git push")) == "allow"
    assert "is replaced by the user's" in merged.notes[0]


def test_the_guard_of_the_pack_cannot_be_replaced() -> None:
    """Not even by its name."""
    text = "- {name: guard, action: %s, match: {operation: {reach: guard, verb: write}}}\n"
    pack = rules_of(text % "deny", file="pack")

    merged = merge_pack(pack, rules_of(text % "allow"))

    assert [r.action for r in merged.rules] == [RuleAction.ALLOW, RuleAction.DENY]


def test_sources_are_kept() -> None:
    """A status can name every file in force."""
    assert merge(USER, project("- {name: a, action: deny}\n")).sources == (
        "user.yaml",
        ".signoff.yaml",
    )
