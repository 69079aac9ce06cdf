"""A sub-command that no description lists is not what is acted on; a file named like one is."""

from __future__ import annotations

import pytest

from signoff.actions.action import Action
from signoff.actions.facts import Facts
from signoff.actions.understand import understand


@pytest.mark.parametrize(
    ("line", "targets"),
    [
        ("launchctl load agents/x.plist", ("agents/x.plist",)),
        ("launchctl load backup-agents/x.plist b.plist", ("backup-agents/x.plist", "b.plist")),
        ("launchctl backup-agents/x.plist b.plist", ("backup-agents/x.plist", "b.plist")),
        ("launchctl load", ("load",)),
        ("geth account import build/k.txt", ("build/k.txt",)),
    ],
)
def test_what_an_unlisted_sub_command_acts_on(line: str, targets: tuple[str, ...]) -> None:
    """The word goes where something stands behind it, and only a plain word is one."""
    action = Action(tool="Bash", arguments={"command": line}, cwd="/home/dev/project")
    assert tuple(op.target for op in understand(action, Facts()).operations) == targets
