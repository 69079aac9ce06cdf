"""The page on rules says what is so."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from signoff.actions.action import Action
from signoff.actions.facts import Facts
from signoff.actions.understand import understand
from signoff.assess.rules.engine import evaluate
from signoff.assess.rules.explain import run_examples
from signoff.assess.rules.load import OPERATION_FIELDS, PATTERN_TYPES, RULE_FIELDS, load_rules
from signoff.assess.rules.rule import RuleAction, RuleSet
from signoff.errors import BadRules

PAGE = (Path(__file__).parents[3] / "docs" / "reference" / "rules.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```yaml\n(.*?)```", PAGE, flags=re.DOTALL)
FACTS = Facts(home="/home/dev", project="/home/dev/project")

HEAD = "version: 1\nrules:\n"
REFUSED = [
    "",
    "version: 1\n\trules: []\n",
    "version: 1\nrules: &all []\n",
    "version: 2\nrules: []\n",
    HEAD + "- name: a\n  action: dney\n",
    HEAD + "- name: a\n  action: deny\n  tools: Bash\n",
    HEAD + "- name: a\n  action: deny\n  action: allow\n",
    HEAD + "- name: a\n  action: deny\n  match: {command: {regex: 'rm (?!x)'}}\n",
    HEAD + "- name: a\n  action: deny\n  match: {command: 'git pull; git push'}\n",
    HEAD + "- name: a\n  action: deny\n  match: {operation: {reach: hom, verb: delete}}\n",
    HEAD + "- name: a\n  action: deny\n  match: {operation: {path: ~/x/**}}\n",
    HEAD + "- {name: a, action: deny}\n- {name: a, action: allow}\n",
]


def judged(rules: RuleSet, tool: str, arguments: object) -> RuleAction | None:
    """Judge a call as it is really understood."""
    given = arguments if isinstance(arguments, dict) else {}
    action = Action(tool=tool, arguments=given, cwd="/home/dev/project")
    seen = understand(action, FACTS)
    match = evaluate(rules, action, seen.operations, seen.commands)
    return None if match is None else match.action


@pytest.mark.parametrize("block", BLOCKS, ids=lambda b: re.findall(r"name: (\S+)", b)[0])
def test_every_example_of_the_page_holds(block: str) -> None:
    """It loads, and its `expect` is kept."""
    rules = load_rules(block, file="page.yaml")

    results = run_examples(
        rules, lambda payload: judged(rules, str(payload["tool_name"]), payload["tool_input"])
    )

    assert results
    assert [r for r in results if not r.is_right] == []


@pytest.mark.parametrize("text", REFUSED)
def test_every_message_of_the_page_is_a_real_one(text: str) -> None:
    """As the loader gives it, word for word."""
    with pytest.raises(BadRules) as caught:
        load_rules(text, file="rules.yaml")

    assert f"\n{caught.value}\n" in PAGE


@pytest.mark.parametrize("word", [*RULE_FIELDS, *PATTERN_TYPES, *OPERATION_FIELDS])
def test_every_field_is_on_the_page(word: str) -> None:
    """Nothing can be written that is not explained."""
    assert re.search(rf"`{word}`|`{{{word}:|\b{word}:", PAGE)
