"""Domain profiles: reading, joining, applying, and the shipped ones."""

from __future__ import annotations

from importlib.resources import files

import pytest

from signoff.actions.action import Action, Json
from signoff.assess.profiles.profile import (
    EscalationRule,
    PatternField,
    Profile,
    RiskPattern,
    apply_profile,
    join_profiles,
)
from signoff.assess.profiles.profile_file import load_profile
from signoff.errors import BadSettings

SHIPPED = (
    "development",
    "ci",
    "production-operations",
    "data",
    "finance",
    "personal-data",
    "open-source",
)


def act(tool: str = "f", arguments: dict[str, Json] | None = None) -> Action:
    return Action(tool=tool, arguments=arguments or {})


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_profile_reads(name: str) -> None:
    """Every data file is a profile of its own name."""
    text = (files("signoff.assess") / "profiles" / f"{name}.yaml").read_text(encoding="utf-8")
    assert load_profile(text, file=name).name == name


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the file is empty; write names with values"),
        ("- a", "expected names with values"),
        ("name: [", "profile"),
        ("floor: 0.1", "`name`"),
        ("{name: a, colour: red}", "unknown field of a profile `colour`"),
        ("{name: a, floor: 2}", "profile:1:18: floor: 2 is not between 0 and 1"),
        ("{name: a, floor: .nan}", "floor: expected a number"),
        ("{name: a, floor: true}", "floor: expected a number"),
        ("{name: a, production: 0.5}", "production: 0.5 is not between 1 and 10"),
        ("{name: a, terms: {x: -1}}", "x: -1 is not between 0 and 1"),
        ("{name: a, always_safe: {x: y}}", "expected text, got a mapping"),
        ("{name: a, patterns: [{field: name, pattern: '(', adds: 0.1}]}", "pattern"),
        ("{name: a, patterns: [{field: nose, pattern: a, adds: 0.1}]}", "nose"),
        (
            "{name: a, escalations: [{from_risk: 0.1, block: maybe}]}",
            "block: expected true",
        ),
    ],
)
def test_a_bad_profile_is_refused_with_its_reason(text: str, message: str) -> None:
    """What is not known or out of range does not pass."""
    with pytest.raises(BadSettings, match=message.replace("(", r"\(")):
        load_profile(text)


def test_a_term_adds_its_weight_where_it_stands_as_a_word() -> None:
    """`iban` is found, `caliban` is not."""
    profile = Profile(name="p", terms=(("iban", 0.2),))
    assert apply_profile(profile, act(arguments={"a": "IBAN: x"}), risk=0.1).value == pytest.approx(
        0.3
    )
    assert apply_profile(profile, act(arguments={"a": "caliban"}), risk=0.1).value == 0.1


@pytest.mark.parametrize(
    ("field", "action"),
    [
        (PatternField.NAME, act("pay_now")),
        (PatternField.ARGUMENTS, act(arguments={"a": {"b": ["pay"]}})),
        (PatternField.DOCSTRING, Action(tool="f", arguments={}, description="pay")),
    ],
)
def test_a_pattern_looks_at_its_field(field: PatternField, action: Action) -> None:
    """Name, arguments and docstring are looked at apart."""
    pattern = RiskPattern(field=field, pattern="pay", adds=0.25, reason="moves money")
    answer = apply_profile(Profile(name="p", patterns=(pattern,)), action, risk=0.25)
    assert (answer.value, answer.reasons) == (0.5, ("moves money",))


def test_always_critical_is_critical() -> None:
    """Whatever the risk was, and even if the name is listed as safe too."""
    profile = Profile(name="p", always_critical=("*wire*",), always_safe=("*",))
    assert apply_profile(profile, act("wire_money"), risk=0.1).value == 0.8


def test_always_safe_falls_to_the_floor() -> None:
    """A safe action is not scored."""
    profile = Profile(name="p", always_safe=("ping",), floor=0.1)
    assert apply_profile(profile, act("ping"), risk=0.5).value == 0.1


def test_always_safe_does_not_lower_a_critical_risk() -> None:
    """CRITICAL is never lowered."""
    assert apply_profile(Profile(name="p", always_safe=("*",)), act(), risk=0.9).value == 0.9


def test_the_floor_holds() -> None:
    """Risk is never lower than the floor."""
    assert apply_profile(Profile(name="p", floor=0.3), act(), risk=0.1).value == 0.3


def test_production_multiplies() -> None:
    """What is done to production weighs more."""
    profile = Profile(name="p", production=1.5)
    assert apply_profile(profile, act(arguments={"env": "prod"}), risk=0.4).value == pytest.approx(
        0.6
    )


def test_escalation_asks_for_more_people_or_blocks() -> None:
    """Rules at or under the risk count, the more careful wins."""
    rules = (
        EscalationRule(from_risk=0.5, approvers=2),
        EscalationRule(from_risk=0.7, is_block=True),
    )
    profile = Profile(name="p", escalations=rules)
    answers = [apply_profile(profile, act(), risk=risk) for risk in (0.4, 0.5, 0.7)]
    assert [(a.approvers, a.is_block) for a in answers] == [(1, False), (2, False), (2, True)]


def test_joined_profiles_take_the_more_careful_of_each() -> None:
    """Lists join, numbers take the higher, and safe is what all call safe."""
    one = Profile(name="a", floor=0.1, production=1.5, terms=(("x", 0.1),), always_safe=("p", "q"))
    two = Profile(name="b", floor=0.2, terms=(("x", 0.3), ("y", 0.1)), always_safe=("q",))
    joined = join_profiles((one, two))
    assert (joined.name, joined.floor, joined.production) == ("a+b", 0.2, 1.5)
    assert (joined.terms, joined.always_safe) == ((("x", 0.3), ("y", 0.1)), ("q",))


def test_no_profile_changes_nothing() -> None:
    """Without profiles the risk stays."""
    assert apply_profile(join_profiles(()), act(), risk=0.42).value == 0.42
