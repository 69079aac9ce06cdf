"""What is called a line that every shell refuses is refused by real shells, before any of it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from signoff.actions.action import Action
from signoff.actions.facts import Facts
from signoff.assess.assessment import Judge
from signoff.assess.harm.evidence import BY_EVIDENCE
from signoff.assess.level import Level
from signoff.assess.rules.rule import RuleSet

SHELLS = [shell for shell in ("bash", "dash", "zsh", "busybox") if shutil.which(shell)]
REFUSED = BY_EVIDENCE[0].bounded
JUDGE = Judge(rules=RuleSet)


@pytest.mark.parametrize("line", REFUSED)
@pytest.mark.parametrize("shell", SHELLS)
def test_a_shell_runs_nothing_of_it(line: str, shell: str, tmp_path: Path) -> None:
    """A command before it on the same line leaves no trace either."""
    command = [shell, *(["sh"] if shell == "busybox" else []), "-c", f"touch mark; {line}"]
    ended = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False)

    assert ended.returncode
    assert not (tmp_path / "mark").exists()


@pytest.mark.parametrize("line", ["touch mark\necho 'x", "touch mark; echo 'x", "echo `x"])
def test_what_runs_in_part_keeps_its_quiz(line: str) -> None:
    """A shell runs a line before it reads the next; a terminal waits and then runs all of it."""
    action = Action(tool="Bash", arguments={"command": line}, cwd="/home/dev/project")

    assert JUDGE(action, Facts()).level >= Level.HIGH


@pytest.mark.parametrize("line", ["rm -rf / 'x", "git push --force 'x"])
def test_what_can_be_made_out_counts(line: str) -> None:
    """The command that was begun is judged as if it were whole."""
    action = Action(tool="Bash", arguments={"command": line}, cwd="/home/dev/project")

    assert JUDGE(action, Facts()).level >= Level.HIGH
