"""Which rule settles a call."""

from __future__ import annotations

import time

import pytest
from rule_calls import bash, call, judge_line, line, read, reads, rules_of, under, verdict

from signoff.actions.action import Json
from signoff.actions.operation import FileKind, Operation, Reach, ResourceType, Trait, Verb
from signoff.assess.rules.engine import evaluate, weigh
from signoff.assess.rules.rule import RuleSet

HOME_DELETE = Operation(
    verb=Verb.DELETE,
    thing=ResourceType.FILE,
    target="~",
    path="/home/dev",
    reach=Reach.HOME,
    traits=frozenset((Trait.BROAD, Trait.RECURSIVE)),
    reversible=False,
    program="rm",
    source="rm -rf ~",
)


def test_deny_comes_before_allow_before_escalate() -> None:
    """Whatever the file order."""
    escalate = "- {name: e, action: escalate}\n"
    allow = "- {name: a, action: allow}\n"
    deny = "- {name: d, action: deny}\n"

    assert verdict(judge_line(rules_of(escalate + allow + deny), "x")) == "deny"
    assert verdict(judge_line(rules_of(escalate + allow), "x")) == "allow"
    assert verdict(judge_line(rules_of(escalate), "x")) == "escalate"
    assert verdict(judge_line(RuleSet(), "x")) == "none"


def test_the_first_rule_of_an_action_gives_its_name() -> None:
    """File order inside an action."""
    rules = rules_of(
        "- {name: one, action: deny, match: {operation: {verb: read}}}\n"
        "- {name: two, action: deny}\n"
    )

    match = judge_line(rules, "cat x")

    assert match is not None
    assert (match.rule.name, match.matched) == ("one", "operation {verb: read}")


@pytest.mark.parametrize(
    ("tool", "name", "expected"),
    [
        ("Write|Edit", "Edit", "deny"),
        ("Write|Edit", "MultiEdit", "none"),
        ("mcp__github__*", "mcp__github__merge", "deny"),
        ("mcp__github__*", "mcp__gitlab__merge", "none"),
        ("'*'", "anything", "deny"),
    ],
)
def test_a_rule_is_about_its_tools(tool: str, name: str, expected: str) -> None:
    """By whole names; a star stands for anything."""
    rules = rules_of(f"- {{name: a, action: deny, tool: {tool}}}\n")

    assert expected == verdict(evaluate(rules, call(name, {}), ()))


@pytest.mark.parametrize(
    ("field", "arguments", "expected"),
    [
        ("path", {"path": "x"}, "deny"),
        ("path", {"path": "y"}, "none"),
        ("path", {}, "none"),
        ("a.b", {"a": {"b": "x"}}, "deny"),
        ("a.b", {"a": [{"b": "y"}, {"b": "x"}]}, "deny"),
        ("a.b", {"a": [[{"b": ["y", "x"]}]]}, "deny"),
        ("a", {"a": {"b": {"c": "x"}}}, "deny"),
        ("a.b", {"a": "x"}, "none"),
        ("'true'", {"true": "x"}, "deny"),
    ],
)
def test_dotted_names_reach_into_arguments(
    field: str, arguments: dict[str, Json], expected: str
) -> None:
    """Mappings, and every element of lists; a missing field is skipped."""
    rules = rules_of(f"- {{name: a, action: deny, match: {{{field}: x}}}}\n")

    assert expected == verdict(evaluate(rules, call("T", arguments), (read(),)))


@pytest.mark.parametrize(
    ("value", "text"), [(3, "3"), (True, "true"), (None, "'null'"), (1.5, "1.5")]
)
def test_what_is_no_text_is_matched_as_json(value: Json, text: str) -> None:
    """Numbers, booleans and null."""
    rules = rules_of(f"- {{name: a, action: deny, match: {{x: {text}}}}}\n")

    assert verdict(evaluate(rules, call("T", {"x": value}), ())) == "deny"


def test_fields_and_patterns_are_alternatives() -> None:
    """One of them is enough."""
    rules = rules_of("- {name: a, action: deny, match: {x: [p, {regex: '^q'}], y: {glob: 'r*'}}}\n")

    found = [
        verdict(evaluate(rules, call("T", arguments), ()))
        for arguments in ({"x": "p"}, {"x": "qq"}, {"y": "rr"}, {"x": "z", "y": "z"})
    ]

    assert found == ["deny", "deny", "deny", "none"]


def test_many_regexes_of_one_field_are_found_each() -> None:
    """The joined expression in front of them changes nothing."""
    patterns = ", ".join(f"'^w{i}(?:a|b)$'" for i in range(20))
    rules = rules_of(
        "".join(
            f"- {{name: r{i}, action: deny, match: {{x: {{regex: '(?i)^w{i}(a|b)$'}}}}}}\n"
            for i in range(20)
        )
    )
    found = [evaluate(rules, call("T", {"x": f"W{i}b"}), ()) for i in range(20)]

    assert patterns
    assert [f"r{i}" for i in range(20)] == [m.rule.name if m else "" for m in found]
    assert evaluate(rules, call("T", {"x": "w1c"}), ()) is None


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("{verb: delete}", "deny"),
        ("{verb: [read, delete], reach: [home, system]}", "deny"),
        ("{verb: delete, reach: project}", "none"),
        ("{thing: file, traits: [broad, recursive]}", "deny"),
        ("{traits: [broad, forced]}", "none"),
        ("{any_traits: [forced, broad]}", "deny"),
        ("{reversible: false}", "deny"),
        ("{reversible: true}", "none"),
        ("{understood: false}", "none"),
        ("{path: '/home/**'}", "deny"),
        ("{path: '/home/dev/**'}", "deny"),
        ("{path: '/srv/**'}", "none"),
        ("{target: '~*'}", "deny"),
        ("{program: [rm, unlink]}", "deny"),
        ("{file_kind: credentials}", "none"),
    ],
)
def test_an_operation_is_matched_by_what_it_does(pattern: str, expected: str) -> None:
    """Every condition given must hold."""
    rules = rules_of(f"- {{name: a, action: deny, match: {{operation: {pattern}}}}}\n")

    assert expected == verdict(evaluate(rules, bash("rm -rf ~"), (HOME_DELETE,), line("rm -rf ~")))


def test_a_deny_holds_for_any_part_of_a_line() -> None:
    """However deep it stands."""
    rules = rules_of("- {name: a, action: deny, match: {command: rm}}\n")
    commands = under("sudo", "rm x")

    assert verdict(judge_line(rules, "git status; ls && rm -rf x | cat")) == "deny"
    assert verdict(evaluate(rules, bash("sudo rm x"), reads(commands), commands)) == "deny"


@pytest.mark.parametrize("has_command", [True, False])
def test_a_deny_reaches_commands_inside_code(*, has_command: bool) -> None:
    """`python -c` that starts a program is known by its operation only."""
    rules = rules_of("- {name: a, action: deny, match: {command: git push --force}}\n")
    inner = Operation(
        verb=Verb.PUBLISH,
        program="git push",
        source="git push origin --force",
        carriers=("python3 -c",),
    )
    commands = line("python3 -c x") if has_command else ()

    assert verdict(evaluate(rules, bash("x"), (inner,), commands)) == "deny"


def test_the_evidence_is_the_piece_that_matched() -> None:
    """Not the whole line."""
    match = judge_line(
        rules_of("- {name: a, action: deny, match: {command: rm}}\n"), "ls; rm x; ls"
    )

    assert match is not None
    assert (match.evidence, match.matched) == ("rm x", "command `rm`")


def test_evidence_is_short() -> None:
    """At most 200 characters of it."""
    rules = rules_of("- {name: a, action: deny, match: {x: {regex: a}}}\n")
    match = evaluate(rules, call("T", {"x": "a" * 5_000}), ())

    assert match is not None
    assert len(match.evidence) == 200


def test_a_call_too_big_to_check_is_asked_about() -> None:
    """A deny that could not be looked for is not taken for absent."""
    patterns = "".join(
        f"- {{name: r{i}, action: deny, match: {{x: {{glob: '*{i}*'}}}}}}\n" for i in range(8)
    )
    rules = rules_of(patterns + "- {name: all, action: allow}\n")

    match = evaluate(rules, call("T", {"x": "a" * 1_000_000}), ())

    assert match is not None
    assert (match.rule.name, verdict(match)) == ("too-big-to-check", "escalate")


def test_many_expressions_over_a_long_text_are_asked_about() -> None:
    """Looking has a budget; what was not looked at is not taken for harmless."""
    rules = rules_of(
        "".join(
            f"- {{name: r{i}, action: deny, match: {{x: {{regex: '{i}.{{90}}z'}}}}}}\n"
            for i in range(50)
        )
        + "- {name: all, action: allow}\n"
    )

    match = evaluate(rules, call("T", {"x": "a" * 2_000_000}), ())

    assert match is not None
    assert match.rule.name == "too-big-to-check"


def test_too_many_elements_on_the_way_are_asked_about() -> None:
    """A list of mappings that is longer than the limit."""
    rules = rules_of("- {name: d, action: deny, match: {x.y: z}}\n- {name: all, action: allow}\n")

    assert verdict(evaluate(rules, call("T", {"x": [{}] * 2_001}), ())) == "escalate"


def test_expressions_too_big_to_be_joined_are_tried_one_by_one() -> None:
    """The joined expression is only a gate."""
    rules = rules_of(
        "".join(
            f"- {{name: r{i}, action: deny, match: {{x: {{regex: 'w{i}.{{200}}$'}}}}}}\n"
            for i in range(400)
        )
    )

    match = evaluate(rules, call("T", {"x": "w7" + "b" * 200}), ())

    assert match is not None
    assert match.rule.name == "r7"


def test_a_big_value_no_rule_looks_at_is_no_hindrance() -> None:
    """Size alone is not suspicious."""
    rules = rules_of("- {name: all, action: allow}\n")

    assert verdict(evaluate(rules, call("T", {"x": "a" * 2_000_000}), ())) == "allow"


def test_too_many_parts_are_asked_about() -> None:
    """What is behind the limit was not looked at."""
    rules = rules_of("- {name: all, action: allow}\n")
    operations = tuple(read(group=at) for at in range(2_001))

    assert verdict(evaluate(rules, bash("x"), operations)) == "escalate"


def test_too_many_words_are_asked_about() -> None:
    """An option may stand behind the limit."""
    rules = rules_of("- {name: d, action: deny, match: {command: rm -f}}\n")
    text = f"rm {'a ' * 5_001} -f"

    assert verdict(judge_line(rules, text)) == "escalate"


def test_too_many_values_are_asked_about() -> None:
    """A list longer than the limit was not read to its end."""
    rules = rules_of("- {name: d, action: deny, match: {x: z}}\n- {name: all, action: allow}\n")

    assert verdict(evaluate(rules, call("T", {"x": ["a"] * 2_001}), ())) == "escalate"


def test_a_target_too_long_is_asked_about() -> None:
    """And is not held against globs."""
    rules = rules_of("- {name: d, action: deny, match: {operation: {target: '*x*'}}}\n")
    operation = Operation(verb=Verb.READ, target="y" * 65_537)

    assert verdict(evaluate(rules, bash("x"), (operation,))) == "escalate"


@pytest.mark.parametrize(
    "value",
    ["a" * 2_000_000, "../" * 600_000, "\ud800" * 1_000_000, "a\n" * 1_000_000],
    ids=["long", "dots", "surrogates", "lines"],
)
def test_no_value_takes_long(value: str) -> None:
    """50 ms at most, with patterns of every kind; measured with room for a busy machine."""
    rules = rules_of(
        "- {name: r, action: deny, match: {x: [{regex: '(a|b)*c$'}, {glob: '**/c'}, c]}}\n"
        "- {name: s, action: allow, match: {x: [{regex: '^d'}, {glob: 'd*'}]}}\n"
    )
    evaluate(rules, call("T", {"x": "a"}), ())
    started = time.perf_counter()

    evaluate(rules, call("T", {"x": value}), ())

    assert time.perf_counter() - started < 10  # ends; `bench/rules.py` measures


def test_deep_arguments_are_read_without_recursion() -> None:
    """100,000 lists in each other."""
    deep: Json = "z"
    for _ in range(100_000):
        deep = [deep]
    rules = rules_of("- {name: d, action: deny, match: {x: z}}\n")

    assert verdict(evaluate(rules, call("T", {"x": deep}), ())) == "escalate"


def test_coverage_is_told_where_no_rule_settles() -> None:
    """The caller sees which part is left."""
    rules = rules_of("- {name: a, action: allow, match: {command: git status}}\n")
    commands = line("git status; rm x; git status")

    match, coverage = weigh(rules, bash("x"), reads(commands), commands)

    assert match is None
    assert (coverage.covered, coverage.uncovered) == ((0, 2), (1,))


def test_a_file_kind_is_matched() -> None:
    """Rules speak of what a file is."""
    rules = rules_of("- {name: a, action: escalate, match: {operation: {file_kind: ci}}}\n")
    operation = Operation(verb=Verb.WRITE, file_kind=FileKind.CI)

    assert verdict(evaluate(rules, call("Write", {}), (operation,))) == "escalate"
