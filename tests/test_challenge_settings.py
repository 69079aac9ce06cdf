"""`approval.challenges` in settings: what is read, what is refused, and who may say it."""

from __future__ import annotations

from pathlib import Path

import pytest

from signoff.actions.action import Action
from signoff.actions.facts import Facts
from signoff.assess.level import Challenge, Level
from signoff.build.judge import build_judge
from signoff.errors import BadSettings
from signoff.frontends.cli.first_lines import proof_lines
from signoff.settings import Settings, load_settings

SAID = """approval:
  parties: 1
  quiz: all
  challenges:
    levels: {high: confirm}
    tools: {"mcp__stripe__*": teach-back}
    lines: {destructive.history: quiz}
    rules: {deploys: multi-party}
    functions: {delete_user: teach-back}
"""


def settings(folder: Path, user: str, project: str = "") -> Settings:
    """Read the settings of a user and of a project."""
    (folder / "signoff.yaml").write_text(user)
    (folder / "p").mkdir(exist_ok=True)
    (folder / "p" / ".signoff.yaml").write_text(project or "version: 1\n")
    variables = {"SIGNOFF_CONFIG_DIR": str(folder), "SIGNOFF_STATE_DIR": str(folder / "state")}
    return load_settings(str(folder / "p"), environment=variables)


def challenge(found: Settings, line: str) -> Challenge:
    """Judge a line as this user's daemon would."""
    action = Action(tool="Bash", arguments={"command": line}, cwd=found.project)
    return build_judge(found)(action, Facts()).challenge


def test_every_key_is_read(tmp_path: Path) -> None:
    """Levels, tools, lines, rules, functions, and one approver."""
    found = settings(tmp_path, SAID)

    assert {Level.HIGH: Challenge.CONFIRM} == found.challenges.levels
    assert {"mcp__stripe__*": Challenge.TEACH_BACK} == found.challenges.tools
    assert {"destructive.history": Challenge.QUIZ} == found.challenges.lines
    assert {"deploys": Challenge.MULTI_PARTY} == found.challenges.rules
    assert {"delete_user": Challenge.TEACH_BACK} == found.challenges.functions
    assert (1, "all") == (found.approval.parties, found.approval.quiz)


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("levels: {high: tap}", ":3:20: unknown"),
        ("levels: {hgih: quiz}", ":3:14: unknown field of levels `hgih`"),
        ("levels: {critical: quiz}", ":3:24: critical: expected multi-party"),
        ("levels: {high: auto-approve}", ":3:20: unknown"),
        ("lines: {destructive.histroy: quiz}", "did you mean `destructive.history`"),
        ("lines: {self-protection.files: confirm}", "it protects signoff itself"),
        ("tool: {Bash: quiz}", "unknown field of challenges `tool`"),
        ("tools: quiz", ":3:12: "),
    ],
)
def test_a_wrong_word_is_refused_with_its_place(tmp_path: Path, said: str, words: str) -> None:
    """File, line, column and what is expected."""
    with pytest.raises(BadSettings) as error:
        settings(tmp_path, f"approval:\n  challenges:\n    {said}\n")

    assert "signoff.yaml:3:" in str(error.value)
    assert words in str(error.value)


def test_a_project_asks_for_more_and_never_for_less(tmp_path: Path) -> None:
    """Its lighter words change nothing."""
    light = "approval: {challenges: {tools: {Bash: confirm}}}\n"
    heavy = "approval: {challenges: {tools: {Bash: teach-back}}}\n"

    assert Challenge.QUIZ is challenge(settings(tmp_path, "version: 1", light), "git push -f")
    assert Challenge.TEACH_BACK is challenge(settings(tmp_path, light, heavy), "git push -f")
    assert Challenge.CONFIRM is challenge(settings(tmp_path, light), "git push -f")


@pytest.mark.parametrize("said", ["parties: 1", "review_s: {critical: 0}", "mode: local"])
def test_a_project_says_nothing_else_of_approvals(tmp_path: Path, said: str) -> None:
    """Who approves, and how long they must read, is the user's alone."""
    with pytest.raises(BadSettings, match=r"\.signoff\.yaml:1:\d+: unknown field of approval"):
        settings(tmp_path, "version: 1", f"approval: {{{said}}}\n")


def test_rules_of_a_project_stand_beside_its_proofs(tmp_path: Path) -> None:
    """Both readers of the file know the section."""
    rule = "  - {name: no, action: deny, tool: Bash, match: {command: {command: git push}}}\n"
    both = f"version: 1\napproval: {{challenges: {{tools: {{Bash: quiz}}}}}}\nrules:\n{rule}"
    found = settings(tmp_path, "version: 1", both)
    action = Action(tool="Bash", arguments={"command": "git push"}, cwd=found.project)

    assert "deny" == build_judge(found)(action, Facts()).preliminary.value


def test_reading_times_that_have_no_effect_are_named(tmp_path: Path) -> None:
    """A quiz takes ten seconds of reading at least, whatever is said."""
    said = "limits: {min_review_s: 5}\napproval: {review_s: {medium: 4, high: 1, critical: 40}}\n"
    found = [*proof_lines(settings(tmp_path, said))]

    assert ["of medium: 4 seconds", "of high: 1 seconds"] == [
        line.partition("review_s` ")[2].partition(" have")[0] for line in found
    ]
    assert "at least 10 before a quiz" in found[1]
    assert [] == [*proof_lines(settings(tmp_path, "version: 1\n"))]
