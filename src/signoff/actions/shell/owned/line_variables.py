"""Which values a variable may have for a command of a line, where the line says it literally.

A=1 cmd                     ["1"]
export A=1; A=$X; cmd       ["1", ""]: the last is not known
(export A=1); cmd           []
export A=1; . ./env; cmd    []: the file may set another
"""

from __future__ import annotations

import re

from signoff.actions.shell.command import Command
from signoff.actions.vocabulary import words

_SOURCES = words("source . eval unset read mapfile readarray")
_EXPORTS = words("export declare typeset")
_MOST_PARENTS = 8
# A subshell that is no substitution: what is exported in it does not hold behind it.
_SUBSHELL = re.compile(r"(?:^|[^$\w])\(")


def has_subshell(text: str) -> bool:
    """Return whether a line may have a subshell, whose variables do not hold behind it."""
    return _SUBSHELL.search(text) is not None


class LineVariables:
    """The variables that the commands of a line set."""

    def __init__(self, commands: tuple[Command, ...], *, has_subshell: bool) -> None:
        self._commands = commands
        self._has_subshell = has_subshell

    def values(self, name: str, command: Command) -> list[str]:
        """The values that a variable may have for a command; none where that is not known."""
        here: Command | None = command
        for _ in range(_MOST_PARENTS):
            own = [word for key, word in here.assignments if key == name] if here else []
            if own and here is not None and here.program not in _EXPORTS:
                return [word.text if word.is_known else "" for word in own]
            here = self._commands[here.parent] if here is not None and here.parent >= 0 else None
        before = self._commands[: command.index]
        if self._has_subshell or any([one.program in _SOURCES for one in before]):
            return []
        setting = [one for one in before if one.program in _EXPORTS or not one.words]
        found = [word for one in setting for key, word in one.assignments if key == name]
        is_exported = any(
            [key == name for one in before if one.words for key, _ in one.assignments]
        )
        return [word.text if word.is_known else "" for word in found] if is_exported else []
