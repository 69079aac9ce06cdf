"""What one line means: its verdict under the default pack, and its operations as words."""

from __future__ import annotations

from collections.abc import Callable
from importlib import resources

import pytest

from signoff.actions.action import Action
from signoff.actions.facts import Facts
from signoff.actions.place import Place
from signoff.actions.shell.meaning import understand_shell
from signoff.assess.assessment import Judge
from signoff.assess.rules.load import load_rules

PROJECT = "/home/dev/project"
PLACE = Place(cwd=PROJECT, home="/home/dev", project=PROJECT)


@pytest.fixture(scope="session")
def verdict() -> Callable[[str], str]:
    """Judge a line as the default pack does: `allow`, `ask` or `deny`."""
    pack = resources.files("signoff.assess.rules") / "packs" / "default.yaml"
    rules = load_rules(pack.read_text(encoding="utf-8"), file="default.yaml")
    judge = Judge(rules=lambda: rules)

    def judged(line: str) -> str:
        action = Action(tool="Bash", arguments={"command": line}, cwd=PROJECT)
        return judge(action, Facts()).preliminary.value

    return judged


@pytest.fixture(scope="session")
def effects() -> Callable[[str], set[str]]:
    """Operations of a line as `verb thing reach`."""

    def told(line: str) -> set[str]:
        found = understand_shell(line, PLACE).operations
        return {f"{op.verb.value} {op.thing.value} {op.reach.value}" for op in found}

    return told
