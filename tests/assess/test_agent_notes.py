"""Notes an agent keeps for itself are its own; its settings and instructions are not."""

from __future__ import annotations

import pytest

from signoff.actions.action import Action
from signoff.actions.facts import Facts
from signoff.assess.assessment import Judge
from signoff.assess.rules.rule import RuleSet

JUDGE = Judge(rules=RuleSet)
FACTS = Facts(home="/home/dev", project="/home/dev/project")


def _verdict(path: str, content: str = "# Plan\n\n- read the code\n") -> str:
    action = Action(
        tool="Write",
        arguments={"file_path": f"/home/dev/{path}", "content": content},
        cwd="/home/dev/project",
    )
    return JUDGE(action, FACTS).preliminary.value


@pytest.mark.parametrize(
    "path",
    [
        ".claude/plans/brave-fox.md",
        ".claude/projects/-home-dev-project/memory/MEMORY.md",
        ".codex/memories/build.md",
        ".gemini/antigravity/brain/1/plan.md",
        ".cursor/plans/next.plan.md",
    ],
)
def test_a_note_is_written_without_a_question(path: str) -> None:
    assert _verdict(path) == "allow"


@pytest.mark.parametrize(
    "path",
    [
        ".claude/settings.json",
        ".claude/CLAUDE.md",
        ".claude/hooks/x.sh",
        ".claude/skills/x/SKILL.md",
        ".claude/commands/x.md",
        ".claude/plans/x.sh",
        ".claude/plans/../settings.json",
        ".codex/config.toml",
        ".codex/AGENTS.md",
        "Documents/plans/x.md",
        "other/.claude/plans/x.md",
    ],
)
def test_everything_else_of_an_agent_is_not_a_note(path: str) -> None:
    assert _verdict(path) != "allow"
