"""The risk of calls that were understood as Operations."""

from __future__ import annotations

import pytest

from signoff.actions.action import Action
from signoff.actions.operation import FileKind, Operation, Reach, ResourceType, Trait, Verb
from signoff.assess.risk import DefaultRiskScorer, RiskContext, RiskScore


def ask(
    *operations: Operation,
    hints: dict[str, bool | int | float] | None = None,
    environment: str = "",
    prior_calls: int = 0,
    description: str = "",
) -> RiskScore:
    action = Action(
        tool="Bash",
        arguments={"command": "echo production secret DROP TABLE a"},
        hints=hints or {},
        environment=environment,
        description=description,
    )
    context = RiskContext(action=action, operations=operations, prior_calls=prior_calls)
    return DefaultRiskScorer().assess(context)


NAMED = frozenset({Trait.NAMED})
ORDINARY = (
    Operation(verb=Verb.INERT),
    Operation(verb=Verb.READ, thing=ResourceType.FILE, reach=Reach.SYSTEM),
    Operation(verb=Verb.WRITE, thing=ResourceType.FILE, reach=Reach.PROJECT),
    Operation(verb=Verb.DELETE, thing=ResourceType.FILE, reach=Reach.PROJECT),
    Operation(
        verb=Verb.DELETE, thing=ResourceType.FILE, reach=Reach.TEMP, traits=NAMED, reversible=False
    ),
    Operation(verb=Verb.EXECUTE, thing=ResourceType.CODE, reach=Reach.PROJECT),
    Operation(verb=Verb.INSTALL, thing=ResourceType.PACKAGE, reach=Reach.REMOTE),
    Operation(verb=Verb.WRITE, thing=ResourceType.REPOSITORY, reach=Reach.PROJECT),
    Operation(verb=Verb.PUBLISH, thing=ResourceType.REPOSITORY, reach=Reach.REMOTE),
    Operation(verb=Verb.NETWORK_IN, thing=ResourceType.URL, reach=Reach.REMOTE),
    Operation(verb=Verb.NETWORK_OUT, thing=ResourceType.URL, reach=Reach.LOOPBACK),
    Operation(verb=Verb.WRITE, thing=ResourceType.DATABASE, reach=Reach.REMOTE),
    Operation(verb=Verb.CONTROL, thing=ResourceType.PROCESS),
    Operation(verb=Verb.READ, thing=ResourceType.CLUSTER, reach=Reach.PRODUCTION),
    Operation(verb=Verb.READ, reach=Reach.UNKNOWN, traits=frozenset({Trait.IN_CONTAINER})),
    Operation(
        verb=Verb.DELETE,
        thing=ResourceType.CLOUD,
        reach=Reach.REMOTE,
        traits=frozenset({Trait.DRY_RUN}),
        reversible=False,
    ),
)


@pytest.mark.parametrize("operation", ORDINARY, ids=lambda o: f"{o.verb}-{o.thing}-{o.reach}")
def test_what_the_policy_lets_through_is_low_on_a_first_call(operation: Operation) -> None:
    """Ordinary nearby and reading work stays under 0.3."""
    assert ask(operation).value < 0.3


CONSEQUENTIAL = (
    Operation(verb=Verb.DELETE, thing=ResourceType.FILE, reach=Reach.HOME, reversible=False),
    Operation(verb=Verb.WRITE, thing=ResourceType.CLOUD, reach=Reach.REMOTE),
    Operation(
        verb=Verb.NETWORK_OUT, thing=ResourceType.MESSAGE, reach=Reach.REMOTE, reversible=False
    ),
    Operation(verb=Verb.SPEND, thing=ResourceType.MONEY, reach=Reach.REMOTE, reversible=False),
    Operation(verb=Verb.READ, file_kind=FileKind.CREDENTIALS, reach=Reach.HOME),
    Operation(verb=Verb.WRITE, file_kind=FileKind.GIT_HOOK, reach=Reach.PROJECT),
    Operation(verb=Verb.PRIVILEGE, thing=ResourceType.ACCOUNT, reach=Reach.SYSTEM),
    Operation(verb=Verb.CONFIGURE, thing=ResourceType.SERVICE, reach=Reach.SYSTEM),
)


@pytest.mark.parametrize("operation", CONSEQUENTIAL, ids=lambda o: f"{o.verb}-{o.thing}-{o.reach}")
def test_what_is_consequential_is_at_least_medium(operation: Operation) -> None:
    """Work that is asked about is 0.3 or more."""
    assert ask(operation).value >= 0.3


@pytest.mark.parametrize("prior_calls", [0, 50])
def test_what_is_not_understood_is_at_least_medium(prior_calls: int) -> None:
    """Neither habit nor an inert verb makes it LOW."""
    operation = Operation(verb=Verb.INERT, understood=False)
    assert ask(operation, prior_calls=prior_calls).value >= 0.3


def test_words_inside_data_do_not_count() -> None:
    """Only Operations are looked at, not the text."""
    factors = {f.name: f.raw for f in ask(Operation(verb=Verb.INERT)).factors}
    assert (factors["function_name"], factors["arguments"]) == (0.05, 0.0)


def test_the_agents_story_does_not_count() -> None:
    """A description neither raises nor lowers."""
    operation = Operation(verb=Verb.READ)
    assert ask(operation, description="irreversible").value == ask(operation).value


def test_the_worst_operation_decides_the_act() -> None:
    """One deletion among many readings."""
    bad = Operation(verb=Verb.DELETE, thing=ResourceType.FILE, reversible=False)
    factors = ask(Operation(verb=Verb.READ), bad, Operation(verb=Verb.READ)).factors
    assert factors[0].raw == 0.95


def test_several_targets_compound() -> None:
    """Home and system are worse than either."""
    home = Operation(verb=Verb.WRITE, reach=Reach.HOME)
    system = Operation(verb=Verb.WRITE, reach=Reach.SYSTEM)
    assert ask(home, system).factors[1].raw == pytest.approx(1 - 0.6 * 0.4)


def test_production_is_read_from_the_callers_environment() -> None:
    """A change where the caller says it is production."""
    operation = Operation(verb=Verb.WRITE, thing=ResourceType.FILE, reach=Reach.PROJECT)
    assert ask(operation, environment="Production").factors[1].raw == pytest.approx(0.7)


def test_a_servers_word_for_its_harmlessness_is_not_counted() -> None:
    """Reassuring annotations are no hints of risk, and no relief either."""
    operation = Operation(verb=Verb.READ)
    assert ask(operation, hints={"readOnlyHint": True}).value == ask(operation).value


def test_a_servers_word_for_its_danger_is_counted() -> None:
    """A destructive annotation adds 0.30 to the hints."""
    assert ask(Operation(verb=Verb.READ), hints={"destructiveHint": True}).factors[3].raw == 0.3


@pytest.mark.parametrize("trait", [Trait.REMOTE_CODE, Trait.LOSES_WORK, Trait.SENDS_SECRET])
def test_ruinous_traits_make_any_verb_destructive(trait: Trait) -> None:
    """What it does beats what it is called."""
    operation = Operation(verb=Verb.READ, traits=frozenset({trait}))
    assert ask(operation).factors[0].raw == 0.95
