"""Advice on rules files."""

from __future__ import annotations

import pytest
from rule_calls import rules_of

from signoff.assess.rules.lint import COMPARED_LIMIT, lint


def kinds(text: str, name: str = "") -> set[str]:
    """Kinds of notes, of one rule or of all; the stories of rules aside."""
    notes = lint(rules_of(text))
    found = {note.kind for note in notes if not name or note.rule == name}
    return found - {"no-reason", "no-examples"}


@pytest.mark.parametrize(
    ("wide", "narrow"),
    [
        ("", ", match: {command: git push}"),
        (", match: {command: git push}", ", match: {command: git push --force}"),
        (", match: {command: git}", ", match: {command: git push origin}"),
        (", match: {command: git}", ", tool: Bash, match: {command: git}"),
        (", tool: A|B", ", tool: B"),
        (", match: {operation: {verb: [read, write]}}", ", match: {operation: {verb: read}}"),
        (
            ", match: {operation: {traits: broad}}",
            ", match: {operation: {traits: [broad, forced], reach: home}}",
        ),
        (", match: {x: [a, b]}", ", match: {x: b}"),
        (", match: {x: {glob: '/a/**'}}", ", match: {x: /a/b}"),
    ],
)
def test_a_rule_behind_a_broader_one_is_shadowed(wide: str, narrow: str) -> None:
    """It never gives its name; the other way round it does."""
    one = f"- {{name: wide, action: deny{wide}}}\n"
    two = f"- {{name: narrow, action: deny{narrow}}}\n"

    assert kinds(one + two, "narrow") == {"shadowed"}
    assert "shadowed" not in kinds(two + one, "narrow")


@pytest.mark.parametrize(
    ("one", "two"),
    [
        (", match: {command: git push $}", ", match: {command: git push origin}"),
        (", match: {command: git push -f}", ", match: {command: git push}"),
        (", match: {operation: {verb: read}}", ", match: {operation: {reach: home}}"),
        (", match: {x: a}", ", match: {y: a}"),
        (", tool: A", ""),
    ],
)
def test_a_rule_of_its_own_is_not_shadowed(one: str, two: str) -> None:
    """Neither matches all the other does."""
    text = f"- {{name: one, action: deny{one}}}\n- {{name: two, action: deny{two}}}\n"

    assert "shadowed" not in kinds(text)


@pytest.mark.parametrize(
    "narrow",
    ["traits: as-root", "any_traits: [as-root, broad]", "understood: false", "reach: guard"],
)
def test_an_allow_that_names_an_alarm_is_not_shadowed(narrow: str) -> None:
    """An allow rule covers what is alarming only if it says so; a deny rule covers it anyway."""
    text = (
        "- {name: wide, action: ACTION, match: {operation: {verb: read}}}\n"
        f"- {{name: narrow, action: ACTION, match: {{operation: {{verb: read, {narrow}}}}}}}\n"
    )

    assert "shadowed" not in kinds(text.replace("ACTION", "allow"), "narrow")
    assert "shadowed" in kinds(text.replace("ACTION", "deny"), "narrow")


def test_an_allow_behind_a_broader_deny_is_unreachable() -> None:
    """Whatever the file order."""
    text = (
        "- {name: a, action: allow, match: {command: git push origin}}\n"
        "- {name: d, action: deny, match: {command: git push}}\n"
    )

    assert kinds(text, "a") == {"unreachable"}


def test_an_escalate_behind_an_allow_of_everything_is_unreachable() -> None:
    """Allow is weighed first."""
    text = (
        "- {name: e, action: escalate, tool: Write, match: {path: x}}\n"
        "- {name: a, action: allow, tool: Write}\n"
    )

    assert kinds(text, "e") == {"unreachable"}


@pytest.mark.parametrize(
    "rule",
    [
        "",
        ", tool: Bash",
        ", match: {command: bash}",
        ", match: {command: python3}",
        ", match: {command: sudo}",
        ", match: {command: '*'}",
        ", match: {x: {regex: '.*'}}",
        ", match: {x: {regex: '^'}}",
        ", match: {x: {glob: '**'}}",
        ", match: {operation: {understood: false}}",
        ", match: {operation: {verb: delete}}",
        ", match: {operation: {reversible: true}}",
    ],
)
def test_an_allow_that_allows_nearly_anything_is_too_wide(rule: str) -> None:
    """Interpreters, carriers, everything."""
    assert "too-wide" in kinds(f"- {{name: a, action: allow{rule}}}\n")


@pytest.mark.parametrize(
    "rule",
    [
        "action: allow, tool: TodoWrite",
        "action: allow, match: {command: git status}",
        "action: allow, match: {command: 'python3 -m pytest'}",
        "action: allow, match: {command: rm -rf build $}",
        "action: allow, match: {operation: {verb: read}}",
        "action: allow, match: {operation: {verb: delete, reach: temp}}",
        "action: allow, match: {operation: {program: mytool, understood: false}}",
        "action: allow, match: {x: {glob: '/src/**'}}",
        "action: deny",
        "action: deny, match: {command: bash}",
    ],
)
def test_an_ordinary_rule_is_left_alone(rule: str) -> None:
    """No note but for its story."""
    assert kinds(f"- {{name: a, {rule}}}\n") == set()


@pytest.mark.parametrize(
    ("rule", "kind"),
    [
        ("action: allow, match: {x: {regex: 'src/'}}", "unanchored"),
        ("action: deny, match: {command: {regex: '^git push'}}", "text-for-command"),
        ("action: allow, match: {command: rm -rf build}", "open-end"),
        ("action: deny, match: {tool: WebFetch}", "argument-tool"),
    ],
)
def test_advice_has_a_kind(rule: str, kind: str) -> None:
    """One note for one thing."""
    assert kinds(f"- {{name: a, {rule}}}\n") == {kind}


def test_a_rule_should_tell_its_reason_and_examples() -> None:
    """A note for each, at the rule's place."""
    notes = lint(rules_of("- {name: a, action: deny}\n"))

    assert [(n.kind, n.rule, n.file, n.line) for n in notes] == [
        ("no-reason", "a", "rules.yaml", 3),
        ("no-examples", "a", "rules.yaml", 3),
    ]


def test_a_long_file_is_not_compared_to_its_end() -> None:
    """Comparing everything with everything has a bound."""
    text = "".join(
        f"- {{name: r{i}, action: deny, match: {{x: v{i}}}}}\n" for i in range(COMPARED_LIMIT)
    )

    assert kinds(text + "- {name: last, action: deny, match: {x: v1}}\n", "last") == set()
