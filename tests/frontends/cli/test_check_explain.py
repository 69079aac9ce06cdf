"""`signoff check --explain` shows everything that shaped a judgement."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from signoff.frontends.cli.check import command

SETTINGS = """
pack: strict
environment: staging
profiles: [finance]
lines: {destructive.history: deny}
risk: {scorer: {max: [default, {fixed: 0.2}]}, weights: {novelty: 0.05}}
threat: {aggregator: weighted, weights: {destructive: 1.1}}
trust: {enabled: true}
"""
RULES = """version: 1
rules:
  - {name: pushes, action: escalate, tool: Bash, match: {command: {command: git push}}}
"""
NAMES = [
    *("pack", "lines", "environment", "profiles", "scorer", "weights", "aggregator", "external"),
    *("trust", "rules", "rule", "project", "digest"),
]


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Settings, rules and a project, with this process in it."""
    config, project = tmp_path / "config", tmp_path / "project"
    config.mkdir()
    (project / ".git").mkdir(parents=True)
    (config / "signoff.yaml").write_text(SETTINGS)
    (config / "rules.yaml").write_text(RULES)
    (project / ".signoff.yaml").write_text("environment: production\n")
    monkeypatch.setenv("SIGNOFF_CONFIG_DIR", str(config))
    monkeypatch.setenv("SIGNOFF_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(project)
    return tmp_path


def shaped(*words: str) -> dict[str, str]:
    """Return what shaped a judgement, by name."""
    answer = CliRunner().invoke(command, ["--json", "--explain", *words])
    found = json.loads(answer.stdout)["shaped_by"]
    assert isinstance(found, dict)
    return found


def test_everything_is_named_with_its_source(own: Path) -> None:
    """Settings, packages, files and lines."""
    found = shaped("--agent", "claude-code", "--", "git push")

    assert NAMES == list(found)
    assert found["pack"].startswith("strict: asks from threat 20")
    assert "destructive.history: deny" == found["lines"]
    assert "production, x1.3 (settings)" == found["environment"]
    assert "finance (shipped)" == found["profiles"]
    assert "max of default, fixed 0.2" == found["scorer"]
    assert "novelty 0.05 (usually 0.10)" in found["weights"]
    assert "weighted: destructive x1.1" == found["aggregator"]
    assert "claude-code: 0.30 with repositories" == found["trust"]
    assert f"1 of {own / 'config' / 'rules.yaml'}" in found["rules"]
    assert f"pushes (escalate) of {own / 'config' / 'rules.yaml'}:3" in found["rule"]
    assert str(own / "project" / ".signoff.yaml") == found["project"]


def test_trust_counts_where_an_agent_is_named(own: Path) -> None:
    """A stranger's trust adds to the risk; without a name nobody's counts."""
    assert own
    alone = CliRunner().invoke(command, ["--json", "--", "git push"])
    named = CliRunner().invoke(command, ["--json", "--agent", "codex", "--", "git push"])

    assert json.loads(alone.stdout)["risk"] < json.loads(named.stdout)["risk"]
    assert "shaped_by" not in json.loads(named.stdout)
    assert "name an agent with --agent" in shaped("--", "git push")["trust"]


def test_the_text_has_the_same_lines(own: Path) -> None:
    """One name a line, below the factors."""
    assert own
    answer = CliRunner().invoke(command, ["--explain", "--", "git push"])
    starts = [line.split()[0] for line in answer.stdout.splitlines() if line.startswith(" " * 7)]

    assert NAMES == [name for name in starts if name in NAMES][-len(NAMES) :]


def test_a_call_that_names_production_says_so(own: Path) -> None:
    """The environment is the call's, not the setting."""
    (own / "project" / ".signoff.yaml").write_text("version: 1\n")
    line = "kubectl --context prod scale deploy/web --replicas=3"

    assert shaped("--", line)["environment"].startswith("production, x1.3 (the call names it)")
