"""Bounded harm takes one tap, all else stays HIGH; no pack lets through what it asked about."""

from __future__ import annotations

import pytest

from signoff.actions.action import Action
from signoff.actions.facts import Facts
from signoff.actions.operation import Operation, Reach, ResourceType, Trait, Verb
from signoff.actions.understand import understand
from signoff.assess.assessment import Assessment, Judge
from signoff.assess.finding import Severity
from signoff.assess.harm.row import UNBOUNDED_TRAITS, UNBOUNDED_TYPES
from signoff.assess.harm.table import TABLE, is_bounded
from signoff.assess.level import Challenge, Level
from signoff.assess.pack import PACKS, AdjustedPack
from signoff.assess.rules.rule import RuleSet
from signoff.assess.verdict import Verdict
from signoff.values import replace

JUDGES = {
    name: Judge(rules=RuleSet, policy=AdjustedPack(pack=pack)) for name, pack in PACKS.items()
}
BOUNDED = [line for row in TABLE for line in row.bounded]
SPARED = [line for row in TABLE for line in row.spared]
UNDONE = Operation(
    verb=Verb.CONTROL, thing=ResourceType.SERVICE, reach=Reach.SYSTEM, target="nginx"
)


def judged(line: str, pack: str = "balanced") -> Assessment:
    action = Action(tool="Bash", arguments={"command": line}, cwd="/home/dev/project")
    return JUDGES[pack](action, Facts(home="/home/dev", project="/home/dev/project"))


@pytest.mark.parametrize("line", BOUNDED)
def test_bounded_harm_takes_one_tap(line: str) -> None:
    """It is asked about, its finding stays HIGH, and an approval is one confirmation."""
    found = judged(line)

    assert (Verdict.ASK, Level.MEDIUM, Challenge.CONFIRM) == (
        found.preliminary,
        found.level,
        found.challenge,
    )
    assert Severity.HIGH in {one.severity for one in found.findings}


@pytest.mark.parametrize("line", SPARED)
def test_what_only_looks_bounded_stays_high(line: str) -> None:
    """Each row names lines that lack one of its facts; they keep their proof or are refused."""
    assert judged(line).level >= Level.HIGH


@pytest.mark.parametrize("pack", PACKS)
@pytest.mark.parametrize("line", BOUNDED)
def test_every_pack_asks_about_bounded_harm(line: str, pack: str) -> None:
    """The permissive pack lets MEDIUM findings pass, but not these."""
    assert Verdict.ASK is judged(line, pack).preliminary


def test_one_unbounded_part_makes_the_line_high() -> None:
    """A line is as severe as its worst part."""
    assert Level.HIGH is judged("git reset --hard && git push --force").level


@pytest.mark.parametrize("trait", sorted(UNBOUNDED_TRAITS))
def test_no_row_outweighs_what_has_no_bound(trait: Trait) -> None:
    """A service that is restarted is bounded, but with none of these traits."""
    assert is_bounded(UNDONE)
    assert not is_bounded(replace(UNDONE, traits=frozenset({trait})))


@pytest.mark.parametrize("thing", sorted(UNBOUNDED_TYPES))
def test_things_without_a_bound(thing: ResourceType) -> None:
    """Signoff itself, money, protection, disks, backups and messages are never bounded."""
    for reach in Reach:
        assert not is_bounded(replace(UNDONE, thing=thing, reach=reach))


@pytest.mark.parametrize("reach", [Reach.REMOTE, Reach.PRODUCTION, Reach.GUARD, Reach.UNKNOWN])
def test_what_is_far_or_unknown_has_no_bound(reach: Reach) -> None:
    """Nothing that leaves the machine is bounded by being undoable, nor what is unknown."""
    assert not is_bounded(replace(UNDONE, reach=reach))
    assert not is_bounded(replace(UNDONE, understood=False))


@pytest.mark.parametrize("line", (*BOUNDED, *SPARED))
def test_the_table_is_asked_as_row_by_row(line: str) -> None:
    """What bars all rows alike is looked at once, and says no more than each row would."""
    action = Action(tool="Bash", arguments={"command": line}, cwd="/home/dev/project")
    facts = Facts(home="/home/dev", project="/home/dev/project")

    for op in understand(action, facts).operations:
        for one in (op, replace(op, understood=not op.understood)):
            assert any(row.covers(one) for row in TABLE) == is_bounded(one)
