"""How people are asked, as it stands in the settings."""

from __future__ import annotations

from datetime import date, time
from pathlib import Path

import pytest

from signoff.assess.level import Level
from signoff.build.approvals import plan_of
from signoff.challenge.on_call.rota import DAY, Rota
from signoff.challenge.terms.mode import Mode
from signoff.challenge.terms.plan import ApprovalPlan, ChannelTerms, TooFast
from signoff.challenge.terms.step import ProofKind
from signoff.errors import BadSettings
from signoff.settings import Settings, load_settings


def settings_of(tmp_path: Path, text: str) -> Settings:
    """Read settings of this text."""
    (tmp_path / "signoff.yaml").write_text(text)
    folders = {"SIGNOFF_CONFIG_DIR": str(tmp_path), "SIGNOFF_STATE_DIR": str(tmp_path)}
    return load_settings(environment=folders)


def test_without_the_section_the_plan_is_that_of_the_specification(tmp_path: Path) -> None:
    """Two people for what is critical, five minutes, nothing fast."""
    plan = plan_of(settings_of(tmp_path, "version: 1\n"))

    assert (plan.answer_s, plan.use_s, plan.parties, plan.too_fast) == (300, 60, 2, TooFast.REFUSE)
    assert [plan.least_review_s(level, ProofKind.CONFIRM) for level in Level] == [3, 3, 10, 30]
    assert [terms.name for terms in plan.channels] == ["terminal", "host"]
    assert plan.terms_of("host").settles_up_to is Level.HIGH


def test_a_rota_can_be_said(tmp_path: Path) -> None:
    """For a group that is asked."""
    said = settings_of(
        tmp_path,
        "approval:\n  groups: {first: ops}\n  rotas:\n    ops:\n      people: [ada, bob]\n"
        "      first_day: 2026-11-23\n      at: '09:30'\n      time_zone: Europe/Berlin\n"
        "      turns: day\n      second_line_after_s: 900\n      others: refuse\n",
    ).approval

    assert {
        "ops": Rota(
            people=("ada", "bob"),
            first_day=date(2026, 11, 23),
            at=time(9, 30),
            zone="Europe/Berlin",
            days=DAY,
            second_after_s=900,
            others_may_approve=False,
        )
    } == said.rotas


def test_everything_can_be_said(tmp_path: Path) -> None:
    """In the section `approval`."""
    said = settings_of(
        tmp_path,
        "approval:\n"
        "  mode: local\n  parties: 3\n  tries: 5\n  too_fast: mark\n  use_s: 30\n  join_s: 0\n"
        "  groups: {first: team, second: leads, after_s: 120}\n"
        "  review_s: {high: 20}\n"
        "  channels: {terminal: {from: medium, up_to: high, timeout_s: 45}}\n",
    ).approval

    assert (said.mode, said.parties, said.tries, said.too_fast) == (Mode.LOCAL, 3, 5, TooFast.MARK)
    assert (said.use_s, said.join_s, said.escalate_s) == (30, 0, 120)
    assert (said.groups_at(119), said.groups_at(120)) == (("team",), ("team", "leads"))
    assert (said.review_s[Level.HIGH], said.review_s[Level.CRITICAL]) == (20, 30)
    assert said.channels == (
        ChannelTerms(
            name="terminal", asked_from=Level.MEDIUM, settles_up_to=Level.HIGH, timeout_s=45
        ),
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{parties: 0}", "parties: 0 is not between 1 and 3"),
        ("{parties: two}", "expected a whole number"),
        ("{too_fast: maybe}", "unknown too_fast `maybe`"),
        ("{mode: off}", "unknown mode `off`"),
        ("{channels: {terminal: {up_to: hgih}}}", "unknown up_to `hgih`"),
        ("{timeout: 3}", "timeout"),
        ("{review_s: {high: 601}}", "601 is not between 0 and 600"),
        ("[]", "approval"),
    ],
)
def test_what_is_wrong_is_refused_with_its_place(tmp_path: Path, text: str, message: str) -> None:
    """And everything with it, until it is fixed."""
    with pytest.raises(BadSettings, match=message) as caught:
        settings_of(tmp_path, f"approval: {text}\n")

    assert "signoff.yaml:1:" in str(caught.value)


def test_a_project_cannot_say_how_people_are_asked(tmp_path: Path) -> None:
    """T-55: not even more strictly."""
    (tmp_path / ".signoff.yaml").write_text("approval: {parties: 3}\n")
    folders = {"SIGNOFF_CONFIG_DIR": str(tmp_path), "SIGNOFF_STATE_DIR": str(tmp_path)}

    with pytest.raises(BadSettings, match="approval"):
        load_settings(str(tmp_path), environment=folders)


def test_channels_are_asked_one_after_another() -> None:
    """Each from when the one before has had its time, about its own levels."""
    plan = ApprovalPlan(
        channels=(
            ChannelTerms(name="a", timeout_s=30),
            ChannelTerms(name="b", asked_from=Level.HIGH, timeout_s=60),
            ChannelTerms(name="c"),
        )
    )

    assert [(terms.name, at_s) for terms, at_s in plan.asked(Level.LOW)] == [("a", 0), ("c", 30)]
    assert [at_s for _, at_s in plan.asked(Level.HIGH)] == [0, 30, 90]
    assert [plan.is_asked("a", Level.LOW, at_s) for at_s in (0, 29.9, 30)] == [True, True, False]
    assert plan.is_asked("c", Level.LOW, 1e6)
    assert not plan.is_asked("b", Level.LOW, 0)
    assert plan.is_asked("unheard", Level.LOW, 0)
