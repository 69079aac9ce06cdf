"""The interpreter as those need it that run parts of a line for it."""

from __future__ import annotations

from typing import Protocol

from signoff.actions.shell.command import Command
from signoff.actions.shell.state import Output, ShellFrame, ShellScope
from signoff.actions.shell.syntax.scan import Fuel
from signoff.actions.shell.syntax.tree import Node


class Host(Protocol):
    """The interpreter, as simple commands need it."""

    fuel: Fuel
    is_zsh: bool
    commands: list[Command]
    uncalled: dict[int, tuple[Node, ShellScope]]
    texts: dict[int, str]
    traps: list[tuple[str, ShellScope, ShellFrame]]

    def emit(self, command: Command) -> int:
        """Add a command; its index."""

    def give_up(self, why: str, source: str, frame: ShellFrame) -> None:
        """Note a part that cannot be read."""

    def run_text(self, text: str, scope: ShellScope, frame: ShellFrame) -> Output:
        """Read a text inside the line and run it."""

    def run(self, node: Node, text: str, scope: ShellScope, frame: ShellFrame) -> Output:
        """Run a tree that was read from `text`."""

    def substitute(
        self, text: str, scope: ShellScope, frame: ShellFrame, *, is_reader: bool
    ) -> Output:
        """Run what is in a substitution."""
