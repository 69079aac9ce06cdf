"""Profiles in force: what they raise is asked about, and what is CRITICAL stays so."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from signoff.actions.action import Action, ActionKind, Json
from signoff.actions.facts import Facts
from signoff.assess.assessment import Assessment, Judge
from signoff.assess.level import Level
from signoff.assess.profiles.profile import NO_PROFILE, EscalationRule, Profile, join_profiles
from signoff.assess.profiles.profile_file import load_profile
from signoff.assess.profiles.scorer import ProfiledScorer
from signoff.assess.risk.score import RiskContext, answer_of
from signoff.assess.risk.scorers import FixedRiskScorer
from signoff.assess.rules.load import load_rules
from signoff.assess.rules.rule import RuleSet
from signoff.assess.verdict import Verdict
from signoff.build.scoring import build_profile
from signoff.errors import BadSettings
from signoff.settings import Settings, load_settings

PLAIN = Judge(rules=RuleSet)
ALLOW_ALL = """version: 1
rules:
  - name: all
    action: allow
    tool: "*"
"""


def settings(tmp_path: Path, *profiles: str) -> Settings:
    """Return settings with these profiles, read from a file."""
    config = tmp_path / "config"
    config.mkdir(exist_ok=True)
    said = f"profiles: [{', '.join(profiles)}]\n" if profiles else "version: 1\n"
    (config / "signoff.yaml").write_text(said)
    folders = {"SIGNOFF_CONFIG_DIR": str(config), "SIGNOFF_STATE_DIR": str(tmp_path / "state")}
    return load_settings(environment=folders)


def judged(judge: Judge, function: str, **arguments: Json) -> Assessment:
    """Judge a call of a Python function."""
    action = Action(tool=function, arguments=arguments, kind=ActionKind.FUNCTION)
    return judge(action, Facts())


def judge_with(tmp_path: Path, *profiles: str) -> Judge:
    """Return the judge these profiles make."""
    return Judge(rules=RuleSet, profile=build_profile(settings(tmp_path, *profiles)))


def test_a_profile_raises_what_its_field_finds_risky(tmp_path: Path) -> None:
    """A wire transfer is critical in finance, and the reason stands among the factors."""
    plain = judged(PLAIN, "wire_transfer", amount=3)
    found = judged(judge_with(tmp_path, "finance"), "wire_transfer", amount=3)

    assert (Level.CRITICAL, Verdict.ASK) == (found.level, found.preliminary)
    assert plain.level < Level.CRITICAL
    assert "profile finance" == found.risk.factors[-1].name
    assert "always critical" in found.risk.factors[-1].evidence
    assert found.policy_digest != plain.policy_digest


def test_several_profiles_join(tmp_path: Path) -> None:
    """Each one's critical actions are critical."""
    judge = judge_with(tmp_path, "finance", "open-source")

    for function in ("change_payee", "transfer_repository"):
        assert Level.CRITICAL is judged(judge, function).level


def test_two_approvers_are_what_critical_asks_for() -> None:
    """A profile that wants two people makes a call critical."""
    rule = EscalationRule(from_risk=0.2, approvers=2, reason="four eyes")
    judge = Judge(rules=RuleSet, profile=Profile(name="x", escalations=(rule,)))

    assert Level.CRITICAL is judged(judge, "update_row", id=1).level


def test_a_blocked_call_is_refused_even_where_a_rule_allows_it() -> None:
    """A block is a refusal that nobody is asked about."""
    rule = EscalationRule(from_risk=0.0, is_block=True, reason="never here")
    rules = load_rules(ALLOW_ALL, file="rules.yaml")
    judge = Judge(rules=lambda: rules, profile=Profile(name="x", escalations=(rule,)))
    found = judged(judge, "read_row", id=1)

    assert Verdict.DENY is found.preliminary
    assert "profile x: never here" == found.reason


def test_what_is_safe_by_profile_is_still_searched(tmp_path: Path) -> None:
    """`always_safe` takes the risk down, and leaves a critical finding as it is."""
    profile = Profile(name="x", always_safe=("*",))
    judge = Judge(rules=RuleSet, profile=profile)
    action = Action(tool="Bash", arguments={"command": "rm -rf ~"}, cwd="/home/dev/app")

    found = judge(action, Facts(home="/home/dev", project="/home/dev/app"))

    assert (Level.CRITICAL, Verdict.DENY) == (found.level, found.preliminary)


@given(
    risk=st.floats(0, 1),
    floor=st.floats(0, 1),
    production=st.floats(1, 10),
    safe=st.booleans(),
    approvers=st.integers(1, 5),
)
def test_no_profile_lowers_what_is_critical(
    risk: float, floor: float, production: float, *, safe: bool, approvers: int
) -> None:
    """Whatever a profile says, a critical risk stays at least what it was, and all are 0..1."""
    profile = Profile(
        name="x",
        floor=floor,
        production=production,
        always_safe=("*",) if safe else (),
        escalations=(EscalationRule(from_risk=0.5, approvers=approvers),),
    )
    scorer = ProfiledScorer(FixedRiskScorer(risk), profile)
    context = RiskContext(action=Action(tool="f", arguments={"env": "production"}))
    plain, value = answer_of(FixedRiskScorer(risk), context).value, scorer.score(context)

    assert 0 <= value <= 1
    assert value >= plain or plain < 0.8


def test_a_profile_of_the_users_own_is_read(tmp_path: Path) -> None:
    """A file wins over a shipped one of the same name."""
    found = settings(tmp_path, "finance")
    folder = Path(found.profiles_dir)
    folder.mkdir()
    (folder / "finance.yaml").write_text("name: ours\nfloor: 0.5\n")

    assert ("ours", 0.5) == (build_profile(found).name, build_profile(found).floor)


def test_an_unknown_profile_is_refused(tmp_path: Path) -> None:
    """With the nearest name, and where own ones are looked for."""
    with pytest.raises(BadSettings, match=r"no profile `finanse`.*did you mean `finance`"):
        build_profile(settings(tmp_path, "finanse"))


@pytest.mark.parametrize("name", ["'../x'", "'a/b'", "A", "''"])
def test_a_name_leads_nowhere_else(tmp_path: Path, name: str) -> None:
    """No path is taken for a name."""
    with pytest.raises(BadSettings, match="profile"):
        settings(tmp_path, name)


def test_without_profiles_nothing_changes(tmp_path: Path) -> None:
    """No profile is none, not an empty one."""
    assert NO_PROFILE is build_profile(settings(tmp_path))
    assert NO_PROFILE is join_profiles(())
    assert "x" == load_profile("name: x").name
