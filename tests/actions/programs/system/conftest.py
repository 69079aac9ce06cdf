"""What one line comes down to: its verdict under the default pack, and its operations as words.

A test module lists lines, one a row, in `PASSES`, `ASKED` and `DENIED`; a test that takes `line`
and `expected` runs for every one of them.
"""

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


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Give every listed line of the module with the verdict it must get."""
    if not {"line", "expected"} <= set(metafunc.fixturenames):
        return
    lists = (("PASSES", "allow"), ("ASKED", "ask"), ("DENIED", "deny"))
    cases = [
        (line, expected)
        for name, expected in lists
        for line in getattr(metafunc.module, name, "").splitlines()
        if line.strip()
    ]
    metafunc.parametrize(("line", "expected"), cases)


@pytest.fixture(scope="session")
def verdict() -> Callable[[str], str]:
    """Judge a line as the default pack does: `allow`, `ask` or `deny`."""
    pack = resources.files("signoff.assess.rules") / "packs" / "default.yaml"
    rules = load_rules(pack.read_text(encoding="utf-8"), file="default.yaml")
    judge = Judge(rules=lambda: rules)

    def judged(line: str) -> str:
        action = Action(tool="Bash", arguments={"command": line}, cwd=PROJECT)
        return judge(action, Facts()).leaning.value

    return judged


@pytest.fixture(scope="session")
def effects() -> Callable[[str], set[str]]:
    """Operations of a line as `verb thing reach`."""

    def told(line: str) -> set[str]:
        found = understand_shell(line, PLACE).operations
        return {f"{op.verb.value} {op.thing.value} {op.reach.value}" for op in found}

    return told
