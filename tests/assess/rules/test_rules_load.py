"""Rules files: what is read, and how what is wrong is refused."""

from __future__ import annotations

import pytest
from rule_calls import rules_of

from signoff.actions.operation import Reach, Trait, Verb
from signoff.assess.rules.command_pattern import CommandPattern
from signoff.assess.rules.load import load_rules
from signoff.assess.rules.operation_pattern import OperationPattern
from signoff.assess.rules.pattern import Glob, Literal, Regex
from signoff.assess.rules.rule import Expectation, FieldMatch, RuleAction, RuleSet
from signoff.errors import BadRules

HEAD = "version: 1\nrules:\n"
RULE = "- {name: a, action: deny}\n"


def refusal(text: str) -> BadRules:
    """The refusal a text meets."""
    with pytest.raises(BadRules) as caught:
        load_rules(text, file="r.yaml")
    return caught.value


def test_a_whole_rule_is_read() -> None:
    """Every field, and where it stands."""
    rules = load_rules(
        """\
version: 1
defaults: {unmatched: deny}
rules:
  - name: keep-env
    action: deny
    tool: Write|Edit
    match:
      file_path: [{glob: "**/.env"}, .env]
      edits.new_string: {regex: "(?i)password"}
    reason: secrets stay out
    expect:
      - {tool: Write, input: {file_path: .env, mode: 384, lines: [a, true, null]}, verdict: deny}
""",
        file="r.yaml",
    )
    rule = rules.rules[0]

    assert (rules.unmatched, rules.sources) == (RuleAction.DENY, ("r.yaml",))
    assert (rule.name, rule.action, rule.tools) == ("keep-env", RuleAction.DENY, ("Write", "Edit"))
    assert rule.match == (
        FieldMatch(field="file_path", patterns=(Glob("**/.env"), Literal(".env"))),
        FieldMatch(field="edits.new_string", patterns=(Regex("(?i)password"),)),
    )
    assert (rule.reason, rule.where) == ("secrets stay out", "r.yaml:4")
    assert rule.expect == (
        Expectation(
            tool="Write",
            input={"file_path": ".env", "mode": 384, "lines": ["a", True, None]},
            verdict="deny",
            line=12,
        ),
    )


def test_patterns_of_no_field_are_read() -> None:
    """`command` and `operation` stand directly under `match`."""
    rule = rules_of(
        "- name: a\n  action: deny\n  match:\n    command: [git push, {regex: '^x'}]\n"
        "    operation: {verb: [delete, write], reach: home, traits: broad, reversible: false}\n"
    ).rules[0]
    operation = OperationPattern(
        verbs=frozenset((Verb.DELETE, Verb.WRITE)),
        reaches=frozenset((Reach.HOME,)),
        traits=frozenset((Trait.BROAD,)),
        reversible=False,
    )

    assert rule.match == (
        FieldMatch(field="", patterns=(CommandPattern("git push"), operation)),
        FieldMatch(field="command", patterns=(Regex("^x"),)),
    )


@pytest.mark.parametrize("value", ["yes", "no", "on", "007", "1e3", "0x1F", "2020-01-01"])
def test_a_literal_is_the_text_as_written(value: str) -> None:
    """YAML's own ideas of a word do not change a pattern."""
    rule = rules_of(f"- {{name: a, action: deny, match: {{x: {value}}}}}\n").rules[0]

    assert rule.match[0].patterns == (Literal(value),)


def test_the_default_is_to_escalate() -> None:
    """Nothing said means ask."""
    assert load_rules("version: 1\nrules: []\n", file="r").unmatched is RuleAction.ESCALATE


@pytest.mark.parametrize("tools", ["'*'", "Bash|*"])
def test_a_star_is_every_tool(tools: str) -> None:
    """As if `tool` were left out."""
    assert rules_of(f"- {{name: a, action: deny, tool: {tools}}}\n").rules[0].tools == ()


def test_empty_defaults_change_nothing() -> None:
    """Ask is still the default."""
    rules = load_rules("version: 1\ndefaults: {}\nrules: []\n", file="r")

    assert rules.unmatched is RuleAction.ESCALATE


def test_examples_have_values_of_every_kind() -> None:
    """As JSON has them; what only looks like a number is text."""
    text = "{a: yes, b: 1, c: 1.5, d: ~, e: 0x1F, f: '1', g: {h: [x]}}"
    rule = rules_of(
        f"- {{name: a, action: deny, expect: [{{tool: T, input: {text}, verdict: deny}}]}}\n"
    ).rules[0]

    assert rule.expect[0].input == {
        "a": True,
        "b": 1,
        "c": 1.5,
        "d": None,
        "e": "0x1F",
        "f": "1",
        "g": {"h": ["x"]},
    }


def test_a_byte_order_mark_is_passed_over() -> None:
    """Editors on Windows write one."""
    assert len(load_rules("\ufeff" + HEAD + RULE, file="r").rules) == 1


@pytest.mark.parametrize(
    ("text", "line", "column", "words"),
    [
        ("", 1, 1, "the file is empty"),
        ("# nothing\n", 1, 1, "the file is empty"),
        ("version: 1\nrules:\n", 2, 7, "rules: expected a list, got nothing"),
        ("version: 1\n", 1, 1, "`rules` is missing"),
        ("rules: []\n", 1, 1, "`version` is missing"),
        ("version: 2\nrules: []\n", 1, 10, "version `2` is not supported (only 1)"),
        ("- a\n", 1, 1, "expected `version: 1` and `rules`, got a list"),
        ("just text\n", 1, 1, "expected `version: 1` and `rules`"),
        ("version: 1\nrules: {}\n", 2, 8, "rules: expected a list, got a mapping"),
        ("version: 1\nversion: 1\nrules: []\n", 2, 1, "`version` is given twice, first in line 1"),
        ("version: 1\nrule: []\n", 2, 1, "did you mean `rules`?"),
        ("version: 1\nrules: [\n", 3, 1, "not YAML"),
        ("version: 1\nrules: []\n---\na: 1\n", 3, 1, "a second document"),
        ("version: 1\n\trules: []\n", 2, 1, "tab in the indentation"),
        ("version: 1\nrules: &a []\n", 2, 8, "anchors and aliases are not allowed"),
        ("version: 1\nrules: *a\n", 2, 8, "anchors and aliases are not allowed"),
        ("version: !!int 1\nrules: []\n", 1, 10, "tags are not allowed"),
        ("version: 1\nrules: " + "[" * 30 + "\n", 2, 31, "nested deeper than 24"),
        ("version: 1\nrules: " + "[" * 100_000 + "\n", 2, 31, "nested deeper than 24"),
        ("version: 1\ndefaults: deny\nrules: []\n", 2, 11, "defaults: expected a mapping"),
        ("version: 1\ndefaults: {unmatched: no}\nrules: []\n", 2, 23, "unknown unmatched `no`"),
        ("version: 1\n1: 2\nrules: []\n", 2, 1, "unknown field of a rules file `1`"),
        ("version: 1\n? [a]\n: 2\nrules: []\n", 2, 3, "a field's name must be text"),
        ("version: 1\n<<: {rules: []}\n", 2, 1, "unknown field of a rules file `<<`"),
        ("version: 1\nrules: \ud800\n", 2, 8, "not UTF-8"),
        ("version: 1\n# a\u202eb\nrules: []\n", 2, 4, "hidden character U+202E"),
        ("version: 1\nrules: []\n\x00", 1, 1, "not YAML"),
        (HEAD + "- a\n", 3, 3, "a rule: expected a mapping, got `a`"),
        (HEAD + "- {action: deny}\n", 3, 3, "a rule needs `name`"),
        (HEAD + "- {name: a}\n", 3, 3, "a rule needs `action`"),
        (HEAD + "- {name: a, action: block}\n", 3, 21, "unknown action `block` (deny, allow"),
        (HEAD + "- {name: a, action: dney}\n", 3, 21, "did you mean `deny`?"),
        (HEAD + "- {name: a, action: deny, tools: B}\n", 3, 27, "did you mean `tool`?"),
        (HEAD + "- {name: [a], action: deny}\n", 3, 10, "name: expected text, got a list"),
        (HEAD + "- {name: '', action: deny}\n", 3, 10, "name: expected text, got nothing"),
        (HEAD + '- {name: "a\\tb", action: deny}\n', 3, 10, "only printable"),
        (HEAD + "- {name: a, action: deny, tool: 'A||B'}\n", 3, 33, "empty name between"),
        (HEAD + "- {name: a, action: deny, tool: 'A.*(x)'}\n", 3, 33, "is no tool name"),
        (HEAD + "- {name: a, action: deny, match: {}}\n", 3, 34, "is empty; leave `match` out"),
        (HEAD + "- {name: a, action: deny, match: }\n", 3, 34, "expected a mapping, got nothing"),
        (HEAD + "- {name: a, action: deny, match: {x: }}\n", 3, 38, "expected text, got nothing"),
        (HEAD + "- {name: a, action: deny, match: {x: ~}}\n", 3, 38, "put it in quotes"),
        (HEAD + "- {name: a, action: deny, match: {x: []}}\n", 3, 38, "the list is empty"),
        (HEAD + "- {name: a, action: deny, match: {x: [[a]]}}\n", 3, 39, "expected a mapping"),
        (HEAD + "- {name: a, action: deny, match: {x..y: a}}\n", 3, 35, "empty or too deep part"),
        (HEAD + "- {name: a, action: deny, match: {x: {regexp: a}}}\n", 3, 39, "mean `regex`?"),
        (HEAD + "- {name: a, action: deny, match: {x: {regex: a, glob: b}}}\n", 3, 38, "one type"),
        (HEAD + "- {name: a, action: deny, match: {x: {regex: '('}}}\n", 3, 46, "missing )"),
        (HEAD + "- {name: a, action: deny, match: {x: {glob: '[a'}}}\n", 3, 45, "not closed"),
        (HEAD + "- {name: a, action: deny, match: {command: 'a; b'}}\n", 3, 44, "one command"),
        (
            HEAD + "- {name: a, action: deny, match: {operation: rm}}\n",
            3,
            46,
            "operation: expected",
        ),
        (HEAD + "- {name: a, action: deny, match: {operation: {}}}\n", 3, 46, "operation is empty"),
        (
            HEAD + "- {name: a, action: deny, match: {operation: {verb: delet}}}\n",
            3,
            53,
            "did you mean `delete`?",
        ),
        (
            HEAD + "- {name: a, action: deny, match: {operation: {reech: home}}}\n",
            3,
            47,
            "did you mean `reach`?",
        ),
        (
            HEAD + "- {name: a, action: deny, match: {operation: {reversible: maybe}}}\n",
            3,
            59,
            "expected true or false",
        ),
        (
            HEAD + "- {name: a, action: deny, match: {operation: {path: '~/x'}}}\n",
            3,
            53,
            "paths are absolute",
        ),
        (HEAD + "- {name: a, action: deny, expect: x}\n", 3, 35, "expect: expected a list"),
        (HEAD + "- {name: a, action: deny, expect: [{call: x}]}\n", 3, 36, "needs `verdict`"),
        (HEAD + "- {name: a, action: deny, expect: [{verdict: deny}]}\n", 3, 36, "needs `call`"),
        (
            HEAD + "- {name: a, action: deny, expect: [{call: x, verdict: no}]}\n",
            3,
            55,
            "unknown verdict `no` (allow, ask, deny, none)",
        ),
        (
            HEAD + "- {name: a, action: deny, expect: [{call: x, input: {}, verdict: deny}]}\n",
            3,
            36,
            "`call`, or `tool` and `input`",
        ),
        (
            HEAD + "- {name: a, action: deny, expect: [{tool: T, input: x, verdict: deny}]}\n",
            3,
            53,
            "input: expected a mapping",
        ),
        (HEAD + "- {name: a, action: [deny]}\n", 3, 21, "action: expected one word, got a list"),
        (HEAD + RULE + RULE, 4, 3, "a second rule `a`; the first is in line 3"),
    ],
)
def test_a_bad_file_is_refused_with_its_place(
    text: str, line: int, column: int, words: str
) -> None:
    """T-19: what was wrong, and where."""
    error = refusal(text)

    assert words in error.message
    assert ("r.yaml", line, column) == (error.file, error.line, error.column)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("#" * 1_000_001, "1000001 bytes (at most 1000000)"),
        (HEAD + "".join(f"- {{name: r{i}, action: deny}}\n" for i in range(5_001)), "5001 rules"),
        (f"{HEAD}- {{name: a, action: deny, match: {{x: [{'a, ' * 1_001}]}}}}\n", "1001 entries"),
        (
            HEAD
            + "- {name: a, action: deny, match: {"
            + "".join(f"f{i}: x, " for i in range(51))
            + "}}",
            "51 fields",
        ),
        (
            HEAD
            + "".join(
                f"- {{name: r{i}, action: deny, match: {{x: [{'a, ' * 1_000}]}}}}\n"
                for i in range(21)
            ),
            "more than 20000 patterns",
        ),
        (
            f"{HEAD}- {{name: a, action: deny, expect: [{'{call: x, verdict: deny}, ' * 201}]}}\n",
            "expect: 201 entries",
        ),
        (f"{HEAD}- {{name: {'a' * 101}, action: deny}}\n", "101 characters (at most 100)"),
        (f"{HEAD}- {{name: a, action: deny, match: {{x: {{regex: {'a' * 2_001}}}}}}}\n", "2001"),
    ],
    ids=["bytes", "rules", "patterns", "fields", "all patterns", "examples", "name", "regex"],
)
def test_a_file_has_limits(text: str, words: str) -> None:
    """Nothing grows without a bound."""
    assert words in refusal(text).message


def test_an_alias_bomb_is_refused_before_it_grows() -> None:
    """Nine lists of nine lists of nine ..."""
    lines = ["a: &a [x,x,x,x,x,x,x,x,x]"]
    lines += [
        f"{c}: &{c} [{','.join([f'*{b}'] * 9)}]" for b, c in zip("abcdefg", "bcdefgh", strict=True)
    ]

    assert refusal("\n".join(lines)).line == 1


def test_the_digest_is_of_what_decides() -> None:
    """Layout, comments and examples do not count; a pattern does."""
    one = rules_of("- {name: a, action: deny, match: {x: y}}\n")
    same = rules_of(
        "# a comment\n- name: a\n  action: deny\n  match:\n    x: [y]\n"
        "  expect: [{call: x, verdict: none}]\n",
        file="other.yaml",
    )
    other = rules_of("- {name: a, action: deny, match: {x: {glob: y}}}\n")

    assert one.digest == same.digest
    assert one.digest != other.digest


def test_no_rules_have_a_digest_too() -> None:
    """An empty set is a value like any other."""
    assert len(RuleSet().digest) == 64


def test_many_rules_load_in_reasonable_time() -> None:
    """The largest file that is allowed is read."""
    text = HEAD + "".join(
        f"- {{name: r{i}, action: deny, match: {{x: v{i}}}}}\n" for i in range(5_000)
    )

    assert len(load_rules(text, file="r").rules) == 5_000
