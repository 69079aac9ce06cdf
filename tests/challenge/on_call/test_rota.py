"""Who is on call, at which moment, and what those of the group may do who are not."""

from __future__ import annotations

from datetime import date, datetime, time
from zoneinfo import ZoneInfo

import pytest

from signoff.challenge.on_call.rota import DAY, WEEK, Rota
from signoff.challenge.terms.approver import Approver
from signoff.challenge.terms.plan import ApprovalPlan, ChannelTerms
from signoff.values import replace

ZONE = "Europe/Berlin"
# A Monday; the clocks of this zone go forward on Sunday, 2027-03-28.
WEEKLY = Rota(
    people=("ada", "bob", "cy"), first_day=date(2027, 3, 22), at=time(9), zone=ZONE, days=WEEK
)
DAILY = replace(WEEKLY, days=DAY)
PLAN = ApprovalPlan(
    channels=(ChannelTerms(name="web"),),
    first_group="ops",
    second_group="leads",
    escalate_s=600,
    rotas={
        "ops": replace(WEEKLY, second_after_s=120, others_may_approve=False),
        "leads": replace(DAILY, people=("dee", "eli"), second_after_s=60),
    },
)


def at(text: str) -> float:
    """Return a local time as seconds."""
    return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(ZONE)).timestamp()


@pytest.mark.parametrize(
    ("rota", "moment", "who"),
    [
        (WEEKLY, "2027-03-22T09:00", "ada"),
        (WEEKLY, "2027-03-29T08:59:59", "ada"),
        (WEEKLY, "2027-03-29T09:00", "bob"),
        (WEEKLY, "2027-04-12T09:00", "ada"),
        (WEEKLY, "2027-03-22T08:59:59", "cy"),
        (DAILY, "2027-03-22T09:00", "ada"),
        (DAILY, "2027-03-23T08:59:59", "ada"),
        (DAILY, "2027-03-28T08:59:59", "cy"),
        (DAILY, "2027-03-28T09:00", "ada"),
    ],
)
def test_turns_change_at_the_time_of_the_zone(rota: Rota, moment: str, who: str) -> None:
    """To the second, in turn, also before the first day and over a change of the clocks."""
    assert (who,) == rota.asked(at(moment), 0)


def test_a_turn_ends_when_the_next_one_begins() -> None:
    """Where the clocks go forward a week is an hour shorter."""
    until = WEEKLY.until(at("2027-03-22T09:00"))

    assert "2027-03-29T09:00:00+02:00" == until.isoformat()
    assert 7 * 24 * 3_600 - 3_600 == until.timestamp() - at("2027-03-22T09:00")


def test_the_second_line_is_whoever_is_next() -> None:
    """After its time, not before; alone nobody is asked twice."""
    rota = replace(WEEKLY, second_after_s=900)
    now_s = at("2027-04-05T10:00")

    assert [("cy",), ("cy", "ada")] == [rota.asked(now_s, after) for after in (899, 900)]
    assert ("ada",) == replace(rota, people=("ada",)).asked(now_s, 900)


def test_a_card_names_who_is_on_call() -> None:
    """For each group that is asked by then; the second line of a group counts from its start."""
    now_s = at("2027-03-22T10:00")

    assert (120, 600, 660) == PLAN.moments()
    assert ("ops (on call: ada)",) == PLAN.asked_now(0, now_s)
    assert ("ops (on call: ada, bob)",) == PLAN.asked_now(120, now_s)
    assert ("ops (on call: ada, bob)", "leads (on call: dee)") == PLAN.asked_now(600, now_s)
    assert "leads (on call: dee, eli)" == PLAN.asked_now(660, now_s)[1]


@pytest.mark.parametrize(
    ("who", "after_s", "may"),
    [
        ("ada", 0, True),
        ("bob", 119, False),
        ("bob", 120, True),
        ("cy", 10_000, False),
        ("stranger", 10_000, False),
        ("eli", 599, False),
        ("eli", 600, True),  # of a group whose others may approve
    ],
)
def test_who_is_not_on_call_may_approve_where_the_rota_lets_them(
    who: str, after_s: float, *, may: bool
) -> None:
    """And only in a group that is asked; being named in a rota puts nobody into its group."""
    groups = {"dee": ("leads",), "eli": ("leads",), "stranger": ()}.get(who, ("ops",))
    why = PLAN.why_not(Approver(id=who, groups=groups), after_s, at("2027-03-22T10:00"))

    assert may == (not why)


def test_the_refusal_says_who_is_on_call_and_until_when() -> None:
    """So that people know whom to call."""
    cy = Approver(id="cy", groups=("ops",))
    said = PLAN.why_not(cy, 0, at("2027-03-22T10:00"))

    expected = (
        "`ada` is on call for `ops` until 2027-03-29 09:00 Europe/Berlin; you may only refuse"
    )
    assert expected == said


def test_without_a_rota_all_of_the_group_are_asked() -> None:
    """As before there were rotas; and everybody where no group is named."""
    plain = replace(PLAN, rotas={})

    assert ((600,), ("ops",)) == (plain.moments(), plain.asked_now(0, 0))
    assert "" == plain.why_not(Approver(id="cy", groups=("ops",)), 0, 0)
    assert ("", ()) == (
        ApprovalPlan().why_not(Approver(id="cy"), 0, 0),
        ApprovalPlan().moments(),
    )
