"""The five factors of a plain function, to the letter of the specification."""

from __future__ import annotations

import pytest

from signoff.actions.action import Action, ActionKind, Json
from signoff.assess.risk import DefaultRiskScorer, RiskContext, RiskScore

DESTRUCTIVE = ("delete", "remove", "drop", "destroy", "purge", "truncate", "kill")
MUTATING = (
    *("write", "update", "modify", "set", "create"),
    *("send", "deploy", "push", "execute", "run"),
)
READ = ("read", "get", "list", "fetch", "search", "find", "check")


def ask(
    tool: str,
    arguments: dict[str, Json] | None = None,
    *,
    description: str = "",
    hints: dict[str, bool | int | float] | None = None,
    prior_calls: int = 0,
) -> RiskScore:
    action = Action(
        tool=tool,
        arguments=arguments or {},
        kind=ActionKind.FUNCTION,
        description=description,
        hints=hints or {},
    )
    return DefaultRiskScorer().assess(RiskContext(action=action, prior_calls=prior_calls))


def raw(score: RiskScore, name: str) -> float:
    return next(factor.raw for factor in score.factors if factor.name == name)


def test_the_worked_example_comes_out_exactly() -> None:
    """`delete_user` on production scores 0.720."""
    score = ask(
        "delete_user",
        {"user_id": "usr_123", "env": "production"},
        description="Permanently remove a user account.",
    )
    assert [f.contribution for f in score.factors] == [0.285, 0.175, 0.170, 0.000, 0.090]
    assert score.value == 0.72


def test_the_factors_come_by_name_and_weight() -> None:
    """Five factors with the weights of the specification."""
    weights = {factor.name: factor.weight for factor in ask("f").factors}
    expected = {
        "function_name": 0.30,
        "arguments": 0.25,
        "docstring": 0.20,
        "hints": 0.15,
        "novelty": 0.10,
    }
    assert expected == weights


def test_every_factor_says_why() -> None:
    """No factor stands without evidence."""
    assert all(factor.evidence for factor in ask("f").factors)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        *((f"{verb}_thing", 0.95) for verb in DESTRUCTIVE),
        *((f"{verb}_thing", 0.55) for verb in MUTATING),
        *((f"{verb}_thing", 0.10) for verb in READ),
        ("frobnicate", 0.40),
        ("process_data", 0.40),
        ("calculate_total", 0.40),
        ("", 0.40),
        ("deleteUser", 0.95),
        ("DeleteUser", 0.95),
        ("delete-user", 0.95),
        ("admin.users.delete", 0.95),
        ("mcp__github__delete_branch", 0.95),
        ("DELETE_USER", 0.95),
        ("deleteURLs", 0.95),
        ("getOrDelete", 0.95),
        ("get_and_set", 0.55),
        ("settings_page", 0.40),
        ("gadget", 0.40),
        ("list_deleted_items", 0.10),
        ("wipe_disk", 0.95),
        ("remove_duplicates", 0.10),
        ("remove_duplicate_users", 0.95),
    ],
)
def test_the_most_severe_verb_of_a_name_wins(name: str, expected: float) -> None:
    """A name is split into words, and the worst verb among them scores."""
    assert expected == raw(ask(name), "function_name")


@pytest.mark.parametrize(
    ("call", "expected"),
    [(1, 0.90), (2, 0.81), (3, 0.72), (5, 0.54), (10, 0.10), (11, 0.10), (500, 0.10)],
)
def test_novelty_falls_to_the_tenth_call(call: int, expected: float) -> None:
    """The table of the specification, call by call."""
    assert expected == raw(ask("f", prior_calls=call - 1), "novelty")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("This is irreversible.", 0.85),
        ("Irreversibly merges.", 0.85),
        ("PERMANENTLY gone", 0.85),
        ("destructively edits", 0.85),
        ("a dangerous call", 0.85),
        ("touches production", 0.85),
        ("critically important", 0.85),
        ("Be careful.", 0.50),
        ("Warning: slow.", 0.50),
        ("Use with caution", 0.50),
        ("Careful: this is permanent.", 0.85),
        ("Returns a value.", 0.10),
        ("a reproduction of the cautionary tale", 0.10),
        ("", 0.10),
    ],
)
def test_the_highest_word_of_the_docstring_wins(text: str, expected: float) -> None:
    """High-risk words beat words of caution, and both are whole words."""
    assert expected == raw(ask("f", description=text), "docstring")


@pytest.mark.parametrize(
    ("hints", "expected"),
    [
        ({}, 0.0),
        ({"irreversible": True}, 0.30),
        ({"irreversible": False}, 0.0),
        ({"a": True, "b": True}, 0.60),
        ({"a": True, "b": True, "c": True, "d": True}, 1.0),
        ({"amount": 5_000}, 0.40),
        ({"amount": 2.5}, 0.0002),
        ({"amount": 10_000}, 0.80),
        ({"amount": 1e300}, 0.80),
        ({"amount": 10**400}, 0.80),
        ({"amount": float("inf")}, 0.80),
        ({"amount": float("nan")}, 0.80),
        ({"amount": -5}, 0.0),
        ({"a": True, "amount": -1_000_000}, 0.30),
        ({"a": True, "amount": 5_000}, 0.70),
    ],
)
def test_hints_add_up(hints: dict[str, bool | int | float], expected: float) -> None:
    """Booleans add 0.30, numbers up to 0.80, and none takes away what another adds."""
    assert expected == pytest.approx(raw(ask("f", hints=hints), "hints"))


def test_arguments_are_taken_by_value_and_not_by_name() -> None:
    """A parameter called `key` holds nothing sensitive."""
    assert raw(ask("f", {"key": "colour"}), "arguments") == 0.0


def test_the_highest_marks_do_not_pass_one() -> None:
    """Everything at its worst stays within 0..1."""
    score = ask(
        "destroy_all",
        {"a": "production secret password sudo rm -rf / DROP TABLE x http://a.b"},
        description="irreversible",
        hints={"a": True, "b": 10_000},
    )
    assert 0.9 < score.value <= 1.0


def test_score_and_assess_agree() -> None:
    """`score` is the value of `assess`."""
    context = RiskContext(action=Action(tool="Bash", arguments={"command": "sudo ls"}))
    assert DefaultRiskScorer().score(context) == DefaultRiskScorer().assess(context).value
