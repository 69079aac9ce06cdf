"""Scorers, weights, aggregators and environments that the settings choose."""

from __future__ import annotations

from pathlib import Path

import pytest

from signoff.actions.action import Action, ActionKind, Json
from signoff.actions.facts import Facts
from signoff.assess.assessment import Assessment
from signoff.assess.level import Level
from signoff.assess.risk.chosen import FactorName
from signoff.assess.risk.default import WEIGHTS
from signoff.assess.verdict import Verdict
from signoff.build.judge import build_judge
from signoff.errors import BadSettings
from signoff.settings import Settings, load_settings

PROJECT = "/home/dev/app"


def settings(folder: Path, said: str, project: str = "") -> Settings:
    """Return the settings of two files."""
    (folder / "config").mkdir(exist_ok=True)
    (folder / "config" / "signoff.yaml").write_text(said or "version: 1\n")
    root = folder / "project"
    root.mkdir(exist_ok=True)
    (root / ".signoff.yaml").write_text(project or "version: 1\n")
    names = {"SIGNOFF_CONFIG_DIR": folder / "config", "SIGNOFF_STATE_DIR": folder / "state"}
    return load_settings(str(root), environment={k: str(v) for k, v in names.items()})


def judged(found: Settings, command: str = "", **arguments: Json) -> Assessment:
    """Judge a shell line, or a call of the function `update_row`."""
    if command:
        action = Action(tool="Bash", arguments={"command": command}, cwd=PROJECT)
    else:
        action = Action(tool="update_row", arguments=arguments, kind=ActionKind.FUNCTION)
    return build_judge(found)(action, Facts(home="/home/dev", project=PROJECT))


def test_the_weights_are_those_of_the_default_scorer() -> None:
    """Each has a name that settings know."""
    assert set(WEIGHTS) == {name.value for name in FactorName}


def test_a_weight_replaces_one_of_the_default_scorer(tmp_path: Path) -> None:
    """The others stay, and the digest of the policy is another."""
    usual = judged(settings(tmp_path, ""), id=1)
    found = judged(settings(tmp_path, "risk: {weights: {novelty: 0.2}}"), id=1)

    assert found.risk.value == pytest.approx(usual.risk.value + 0.09)
    assert ["novelty"] == [
        one.name
        for one, was in zip(found.risk.factors, usual.risk.factors, strict=True)
        if one != was
    ]
    assert found.policy_digest != usual.policy_digest


@pytest.mark.parametrize(
    ("scorer", "risk"),
    [
        ("{fixed: 0.25}", 0.25),
        ("{max: [default, {fixed: 0.75}]}", 0.75),
        ("{max: [{fixed: 0.1}, {max: [{fixed: 0.2}]}]}", 0.2),
        ("{max: {fixed: 0.4}}", 0.4),
    ],
)
def test_scorers_nest(tmp_path: Path, scorer: str, risk: float) -> None:
    """A constant, the highest of several, and these inside each other."""
    assert risk == judged(settings(tmp_path, f"risk: {{scorer: {scorer}}}"), id=1).risk.value


def test_a_mean_weighs_its_scorers(tmp_path: Path) -> None:
    """A mean of one scorer alone is that scorer."""
    usual = judged(settings(tmp_path, ""), id=1).risk.value
    found = settings(tmp_path, "risk: {scorer: {mean: {default: 3}}}")

    assert usual == pytest.approx(judged(found, id=1).risk.value)


def test_scorers_inside_each_other_have_a_limit(tmp_path: Path) -> None:
    """The file is refused with the place."""
    deep = "{max: [" * 6 + "default" + "]}" * 6

    with pytest.raises(BadSettings, match=r"signoff.yaml:1:\d+: scorer: more than 5 scorers"):
        settings(tmp_path, f"risk: {{scorer: {deep}}}")


def test_a_weighted_aggregator_weighs_detectors(tmp_path: Path) -> None:
    """Half the weight is half the score."""
    line = "git reset --hard"
    usual = judged(settings(tmp_path, ""), line).threat.score
    said = "threat: {aggregator: weighted, weights: {destructive: 0.5}}"

    assert usual / 2 == pytest.approx(judged(settings(tmp_path, said), line).threat.score)


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ("threat: {weights: {destructive: 1}}", "only the aggregator `weighted` has them"),
        (
            "threat: {aggregator: weighted, weights: {destuctive: 1}}",
            "threat.weights: unknown policy line `destuctive`.*did you mean `destructive`",
        ),
        ("threat: {aggregator: wieghted}", r"no aggregator `wieghted`.*did you mean `weighted`"),
        ("risk: {scorer: defualt}", r"signoff.yaml:1:16: there is no scorer `defualt`.*`default`"),
    ],
)
def test_an_unknown_name_stops_the_start(tmp_path: Path, said: str, message: str) -> None:
    """With the nearest name."""
    with pytest.raises(BadSettings, match=message):
        build_judge(settings(tmp_path, said))


def test_nothing_chosen_makes_signoffs_own_files_writable(tmp_path: Path) -> None:
    """A constant of 0 and weights of 0 let nothing touch signoff."""
    said = (
        "risk: {scorer: {fixed: 0}}\n"
        "threat: {aggregator: weighted, weights: {destructive: 0, persistence: 0}}\n"
    )
    found = settings(tmp_path, said)
    action = Action(tool="Bash", arguments={"command": f"rm -rf {found.config_dir}"}, cwd=PROJECT)
    facts = Facts(home="/home/dev", project=PROJECT, guard_paths=(found.config_dir,))

    assert Verdict.DENY is build_judge(found)(action, facts).preliminary


def test_production_is_multiplied(tmp_path: Path) -> None:
    """A change is MEDIUM there, reading still passes."""
    usual = judged(settings(tmp_path, ""), "touch notes.txt")
    found = settings(tmp_path, "environment: production")
    change, read = judged(found, "touch notes.txt"), judged(found, "cat notes.txt")

    assert (Verdict.ALLOW, Level.LOW) == (usual.preliminary, usual.level)
    assert (Verdict.ASK, Level.MEDIUM) == (change.preliminary, change.level)
    assert Verdict.ALLOW is read.preliminary
    assert ("environment", "production x1.3") == (
        change.risk.factors[-1].name,
        change.risk.factors[-1].evidence,
    )


def test_development_is_only_what_the_user_says(tmp_path: Path) -> None:
    """No word of a call makes it milder, and a call that names production is production."""
    config = tmp_path / "config"
    (config / "profiles").mkdir(parents=True)
    (config / "profiles" / "own.yaml").write_text("name: own\ndevelopment: 0.5\nproduction: 2\n")
    said = settings(tmp_path, "profiles: [own]")
    milder = settings(tmp_path, "profiles: [own]\nenvironment: development")
    usual = judged(said, env="development").risk.value

    assert usual == judged(said, env="nowhere").risk.value
    assert judged(milder, env="nowhere").risk.value == pytest.approx(usual / 2)
    assert judged(milder, env="production").risk.value == judged(said, env="production").risk.value


@pytest.mark.parametrize(
    ("user", "project", "holds"),
    [
        ("development", "production", "production"),
        ("staging", "development", "staging"),
        ("none", "development", "none"),
        ("production", "none", "production"),
    ],
)
def test_a_project_only_says_a_graver_environment(
    tmp_path: Path, user: str, project: str, holds: str
) -> None:
    """Of two values the stricter one holds."""
    found = settings(tmp_path, f"environment: {user}", f"environment: {project}")

    assert holds == found.environment.value


def test_production_is_seen_in_shell_commands(tmp_path: Path) -> None:
    """A profile's factor counts where the command acts on production."""
    line = "kubectl --context prod scale deploy/web --replicas=3"
    config = tmp_path / "config"
    (config / "profiles").mkdir(parents=True)
    (config / "profiles" / "own.yaml").write_text("name: own\nproduction: 1.5\n")

    factors = judged(settings(tmp_path, "profiles: [own]"), line).risk.factors

    assert "production x1.5" in factors[-1].evidence
