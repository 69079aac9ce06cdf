"""`rm LINK` removes the link; what it leads to is judged where a path goes through it."""

from __future__ import annotations

import pytest

from signoff.actions.action import Action
from signoff.actions.facts import Facts, FileFact
from signoff.assess.assessment import Judge
from signoff.assess.rules.rule import RuleSet
from signoff.assess.verdict import Verdict

JUDGE = Judge(rules=RuleSet)
PROJECT = "/home/dev/project"
LINK = FileFact(real_path="/home/dev/notes", is_directory=True)
FILES = {name: LINK for base in ("LINK", f"{PROJECT}/LINK") for name in (base, f"{base}/")}
FACTS = Facts(home="/home/dev", project=PROJECT, files=FILES)


def verdict(line: str) -> Verdict:
    return JUDGE(Action(tool="Bash", arguments={"command": line}, cwd=PROJECT), FACTS).preliminary


@pytest.mark.parametrize("line", ["rm LINK", "rm -f LINK", "unlink LINK", f"rm {PROJECT}/LINK"])
def test_the_link_itself_is_a_file_of_the_project(line: str) -> None:
    """One named file of the project goes."""
    assert Verdict.ALLOW is verdict(line)


@pytest.mark.parametrize("line", ["rm -rf LINK/", "rm -rf LINK/.", "rm -rf LINK/*"])
def test_what_lies_behind_it_is_not(line: str) -> None:
    """A slash behind the name follows the link: a folder of the home is emptied."""
    assert Verdict.DENY is verdict(line)


@pytest.mark.parametrize("line", ["truncate -s 0 LINK", "echo x > LINK"])
def test_writing_goes_through_it(line: str) -> None:
    """Only unlink(2) takes the link for what it is."""
    assert Verdict.ALLOW is not verdict(line)
