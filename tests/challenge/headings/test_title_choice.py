"""Which of several operations a title names, and how much of a long name stays."""

from __future__ import annotations

import pytest

from signoff.actions.action import Action
from signoff.actions.facts import Facts
from signoff.actions.wording.objects import command_of, object_of
from signoff.assess.assessment import Judge
from signoff.assess.rules.rule import RuleSet
from signoff.challenge.heading import title_of

JUDGE = Judge(rules=lambda: RuleSet())


def query(sql: str) -> Action:
    """Return a call of a database tool."""
    return Action(tool="mcp__postgres__query", arguments={"sql": sql}, cwd="/home/dev/project")


def test_a_block_is_named_by_what_it_deletes_for_good() -> None:
    """Of two equally grave findings, although another statement stands first."""
    block = "DO $$ BEGIN UPDATE a SET x = 1; DROP TABLE b; GRANT ALL ON c TO bob; END $$;"
    assessed = JUDGE(query(block), Facts())

    assert title_of(assessed) == "Drops table `b`; cannot be undone"
    assert assessed.reason.startswith("Drops table `b`")


@pytest.mark.parametrize(
    ("name", "room", "expected"),
    [
        ("https://github.com/acme/tools/fastfmt", 32, "https://github.com/.../fastfmt"),
        ("https://a.very-long-name.cdn.example/x", 20, "...e.cdn.example/..."),
        ("/home/dev/project/src/app/main.py", 24, "/home/.../app/main.py"),
        ("deploy-web-frontend-production", 20, "deploy...-production"),
    ],
)
def test_a_long_name_keeps_what_tells_most(name: str, room: int, expected: str) -> None:
    """The host of an address, the file of a path, both ends of other names."""
    assert object_of(name, room) == f"`{expected}`"


def test_a_long_command_keeps_its_first_words() -> None:
    """They say what is done; options stand behind them."""
    command = "New-AzRoleAssignment -ObjectId 7 -RoleDefinitionName Reader"

    assert command_of(command, 32) == "`New-AzRoleAssignment ...`"
    assert command_of(command, 100) == f"`{command}`"
