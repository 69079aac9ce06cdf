"""A call in one line, to stand beside its title: bounded and safe to show.

command_line(Action(tool="Read", arguments={"file_path": "/etc/hosts"}))
    -> "Read file_path=/etc/hosts"
"""

from __future__ import annotations

import json
from collections.abc import Callable

from signoff.actions.action import Action
from signoff.challenge.visible import visible

COMMAND_LIMIT = 200
Mask = Callable[[str], str]


def command_line(action: Action, *, mask: Mask = str) -> str:
    """Return a call in one line: the command of a shell, else the tool and what it is given."""
    command = action.text("command")
    if command:
        return _cut(" ".join(mask(command).split()))
    given = (
        f"{name}={mask(value if isinstance(value, str) else json.dumps(value))}"
        for name, value in action.arguments.items()
    )
    return _cut(" ".join(f"{action.tool} {' '.join(given)}".split()))


def _cut(text: str) -> str:
    shown = visible(text)
    return shown if len(shown) <= COMMAND_LIMIT else f"{shown[: COMMAND_LIMIT - 3]}..."
