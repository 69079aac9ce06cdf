"""An allow holds only for a call that is covered whole."""

from __future__ import annotations

import pytest
from rule_calls import bash, call, command, judge_line, line, read, reads, rules_of, under, verdict

from signoff.actions.operation import Operation, Reach, Trait, Verb
from signoff.assess.rules.engine import evaluate, weigh
from signoff.assess.rules.rule import Coverage, RuleMatch
from signoff.values import replace

STATUS = "- {name: status, action: allow, match: {command: git status}}\n"
ADD = "- {name: add, action: allow, match: {command: git add}}\n"
READING = "- {name: reading, action: allow, match: {operation: {verb: read}}}\n"
OPAQUE = Operation(verb=Verb.EXECUTE, understood=False, program="mytool", why="unknown program")


@pytest.mark.parametrize(
    "text",
    [
        "git status; rm -rf x",
        "rm -rf x; git status",
        "git status && curl x.example",
        "git status | sh",
        "git status; $X",
        "git status > /home/dev/.bashrc",
        "git status; FOO=1",
    ],
)
def test_a_line_is_not_covered_by_a_rule_for_a_part(text: str) -> None:
    """Spec 4: `git status; rm -rf x` is not covered by a rule for `git status`."""
    assert verdict(judge_line(rules_of(STATUS), text)) == "none"


def test_several_allow_rules_cover_a_line_together() -> None:
    """Each its part; the first in file order gives the name."""
    match = judge_line(rules_of(STATUS + ADD), "git add x && git status")

    assert match is not None
    assert (match.rule.name, match.also, match.evidence) == ("status", ("add",), "git status")


def test_command_and_operation_rules_cover_a_line_together() -> None:
    """A command pattern for one part, an operation pattern for the other."""
    rules = rules_of(ADD + READING)
    operations = (Operation(verb=Verb.WRITE), read(group=1))

    assert verdict(judge_line(rules, "git add x; cat y", operations)) == "allow"


def test_an_operation_rule_covers_whatever_it_is_called() -> None:
    """Every part reads."""
    assert verdict(judge_line(rules_of(READING), "cat x | grep y")) == "allow"


def test_one_operation_of_a_command_left_is_enough_to_refuse_cover() -> None:
    """A command may do two things."""
    operations = (read(), Operation(verb=Verb.NETWORK_OUT))

    assert verdict(judge_line(rules_of(READING), "tool x", operations)) == "none"


def test_a_redirection_takes_its_own_rule() -> None:
    """What is written by `>` is not what the program does."""
    writes = Operation(verb=Verb.WRITE, reach=Reach.PROJECT)
    writing = "- {name: w, action: allow, match: {operation: {verb: write, reach: project}}}\n"
    text = "git status > out.txt"

    assert verdict(judge_line(rules_of(STATUS), text, (read(), writes))) == "none"
    assert verdict(judge_line(rules_of(STATUS + writing), text, (read(), writes))) == "allow"


def test_a_redirection_to_nowhere_is_no_writing() -> None:
    """`> /dev/null` changes nothing."""
    assert verdict(judge_line(rules_of(STATUS), "git status > /dev/null")) == "allow"


def test_what_was_not_understood_is_never_covered_by_a_command() -> None:
    """Nor by text, nor by an operation pattern that does not say so."""
    rules = rules_of(
        "- {name: c, action: allow, match: {command: [mytool, {literal: mytool}]}}\n"
        "- {name: o, action: allow, match: {operation: {verb: execute}}}\n"
    )

    assert verdict(judge_line(rules, "mytool", (OPAQUE,))) == "none"


@pytest.mark.parametrize(
    "rule",
    [
        "match: {operation: {program: mytool, understood: false}}",
        "tool: Bash",
        "reason: everything",
    ],
)
def test_what_was_not_understood_is_covered_where_it_is_said(rule: str) -> None:
    """`understood: false`, or no match at all."""
    rules = rules_of(f"- {{name: a, action: allow, {rule}}}\n")

    assert verdict(judge_line(rules, "mytool", (OPAQUE,))) == "allow"


@pytest.mark.parametrize(
    "trait", [Trait.AS_ROOT, Trait.REMOTE_CODE, Trait.SENDS_SECRET, Trait.READS_SECRET]
)
def test_what_is_alarming_is_covered_only_by_its_name(trait: Trait) -> None:
    """An allow for reading is none for reading secrets."""
    operation = replace(read(), traits=frozenset((trait,)))
    named = f"- {{name: n, action: allow, match: {{operation: {{traits: {trait.value}}}}}}}\n"

    assert verdict(judge_line(rules_of(READING), "tool", (operation,))) == "none"
    assert verdict(judge_line(rules_of(STATUS), "git status", (operation,))) == "none"
    assert verdict(judge_line(rules_of(named), "tool", (operation,))) == "allow"


def test_signoff_itself_is_covered_only_by_its_reach() -> None:
    """An allow for reading is none for reading signoff's files."""
    operation = replace(read(), reach=Reach.GUARD)

    assert verdict(judge_line(rules_of(READING), "cat x", (operation,))) == "none"


@pytest.mark.parametrize("carrier", ["timeout 5", "nice", "nohup", "timeout 5 nice"])
def test_a_carrier_that_changes_nothing_is_passed_through(carrier: str) -> None:
    """The command in it is what is covered."""
    first, *rest = carrier.split()
    commands = under(carrier, "git status")
    if rest[-1:] == ["nice"]:
        middle = replace(command("nice git status", 1), parent=0, carriers=(first,))
        inner = replace(command("git status", 2), parent=1, carriers=(first, "nice"))
        commands = (commands[0], middle, inner)
    operations = (replace(read(), group=len(commands) - 1),)

    assert verdict(evaluate(rules_of(STATUS), bash("x"), operations, commands)) == "allow"


def test_a_carrier_that_changes_nothing_may_have_an_operation_that_does_nothing() -> None:
    """It needs no rule of its own."""
    commands = under("timeout 5", "git status")
    operations = (Operation(verb=Verb.INERT), read(group=1))

    assert verdict(evaluate(rules_of(STATUS), bash("x"), operations, commands)) == "allow"


def test_an_operation_rule_for_another_folder_does_not_cover() -> None:
    """Paths are compared whole."""
    rules = rules_of("- {name: a, action: allow, match: {operation: {path: '/srv/**'}}}\n")
    operations = (replace(read(), path="/home/dev/x"),)

    assert verdict(judge_line(rules, "cat x", operations)) == "none"
    assert verdict(judge_line(rules, "cat x", (replace(read(), path="/srv/x"),))) == "allow"


@pytest.mark.parametrize("carrier", ["sudo", "xargs", "env", "ssh host", "bash -c", "flock x"])
def test_a_carrier_that_changes_something_is_not(carrier: str) -> None:
    """Other rights, another place, other words."""
    commands = under(carrier, "git status")

    found = evaluate(rules_of(STATUS), bash("x"), (read(group=1),), commands)

    assert verdict(found) == "none"


def judge_under(rule: str, carrier: str, inner: str) -> RuleMatch | None:
    """Judge a carried command that acts as root."""
    commands = under(carrier, inner)
    operation = Operation(verb=Verb.CONTROL, traits=frozenset((Trait.AS_ROOT,)), group=1)
    rules = rules_of(f"- {{name: a, action: allow, match: {{command: {rule}}}}}\n")
    return evaluate(rules, bash("x"), (operation,), commands)


@pytest.mark.parametrize(
    ("rule", "carrier", "inner", "expected"),
    [
        ("sudo systemctl restart", "sudo", "systemctl restart nginx", "allow"),
        ("sudo systemctl restart", "sudo", "systemctl stop nginx", "none"),
        ("systemctl restart", "sudo", "systemctl restart nginx", "none"),
        ("sudo", "sudo", "systemctl restart nginx", "none"),
        ("sudo systemctl restart", "sudo -u www", "systemctl restart nginx", "none"),
        ("sudo systemctl restart", "sudo", "A=1 systemctl restart nginx", "none"),
    ],
)
def test_a_pattern_may_name_the_carrier_too(
    rule: str, carrier: str, inner: str, expected: str
) -> None:
    """`sudo` with the very program behind it."""
    assert expected == verdict(judge_under(rule, carrier, inner))


def test_a_command_whose_carrier_is_not_known_is_not_covered() -> None:
    """The chain must be seen whole."""
    lone = replace(command("git status"), carriers=("sudo",))

    assert verdict(evaluate(rules_of(STATUS), bash("x"), (read(),), (lone,))) == "none"


def test_code_in_a_command_is_not_covered_with_it() -> None:
    """`python -c` text has operations of its own."""
    rules = rules_of("- {name: py, action: allow, match: {command: python3 -c}}\n")
    inner = replace(Operation(verb=Verb.DELETE), carriers=("python3 -c",))

    assert verdict(judge_line(rules, "python3 -c 'x'", (read(), inner))) == "none"


@pytest.mark.parametrize(
    ("pattern", "text", "expected"),
    [
        ("{literal: git status}", "git status", "allow"),
        ("{regex: '^git status'}", "git status -s", "allow"),
        ("{glob: 'git *'}", "git status", "allow"),
        ("{regex: '^git status'}", "git status; rm x", "none"),
        ("{literal: git status; ls}", "git status; ls", "none"),
        ("{regex: '^git status'}", "git status $X", "none"),
        ("{regex: '^git status'}", "git status > x", "none"),
        ("{regex: 'git status'}", "PAGER=x git status", "none"),
    ],
)
def test_a_text_covers_one_simple_command_only(pattern: str, text: str, expected: str) -> None:
    """Text says nothing of what stands behind a semicolon."""
    rules = rules_of(f"- {{name: a, action: allow, match: {{command: {pattern}}}}}\n")

    assert expected == verdict(judge_line(rules, text))


def test_a_text_covers_no_line_that_was_not_read() -> None:
    """Nothing known is not nothing done."""
    rules = rules_of("- {name: a, action: allow, match: {command: {regex: '^git'}}}\n")

    assert verdict(evaluate(rules, bash("git status"), (), ())) == "none"


def test_a_text_covers_another_tools_call() -> None:
    """A field of a file tool."""
    rules = rules_of("- {name: a, action: allow, match: {file_path: {glob: '/src/**'}}}\n")
    operations = (Operation(verb=Verb.WRITE), read())

    found = [
        verdict(evaluate(rules, call("Write", {"file_path": path}), operations))
        for path in ("/src/a", "/src/../etc/a", "/etc/a")
    ]

    assert found == ["allow", "none", "none"]


def test_a_text_covers_a_list_only_whole() -> None:
    """Every value of it."""
    rules = rules_of("- {name: a, action: allow, match: {x: {regex: '^a'}}}\n")

    found = [
        verdict(evaluate(rules, call("T", {"x": value}), (read(),)))
        for value in (["a1", "a2"], ["a1", "b"], [], {"k": "a1"})
    ]

    assert found == ["allow", "none", "none", "none"]


def test_a_rule_without_match_covers_a_call_nothing_is_known_of() -> None:
    """Inert tools of the host are allowed by name."""
    rules = rules_of("- {name: a, action: allow, tool: TodoWrite}\n")

    assert verdict(evaluate(rules, call("TodoWrite", {}), ())) == "allow"
    assert verdict(evaluate(rules, call("TodoRead", {}), ())) == "none"


def test_an_operation_rule_covers_no_call_nothing_is_known_of() -> None:
    """Empty never means allow."""
    assert verdict(evaluate(rules_of(READING), call("T", {}), ())) == "none"


def test_nothing_covered_is_not_complete() -> None:
    """Empty never means allow, here too."""
    assert not Coverage().is_complete


def test_coverage_without_rules_leaves_everything() -> None:
    """Every part is named."""
    commands = line("a; b")

    assert weigh(rules_of("- {name: d, action: deny, tool: X}\n"), bash("a; b"), (), commands)[
        1
    ] == Coverage(uncovered=(0, 1))


def test_harmless_words_beside_a_covered_command_need_cover_too() -> None:
    """An inert command is a command."""
    inert = Operation(verb=Verb.INERT, group=1)
    passing = "- {name: i, action: allow, match: {operation: {verb: inert}}}\n"

    assert verdict(judge_line(rules_of(STATUS), "git status; echo x", (read(), inert))) == "none"
    assert (
        verdict(judge_line(rules_of(STATUS + passing), "git status; echo x", (read(), inert)))
        == "allow"
    )


def test_reads_are_told_apart_by_group() -> None:
    """The builder gives each command its operation."""
    assert [o.group for o in reads(line("a; b"))] == [0, 1]
