"""The interpreter as those need it that run parts of a line for it."""

from __future__ import annotations

from typing import Protocol

from signoff.actions.shell.command import Command
from signoff.actions.shell.state import Output, ShellFrame, ShellScope
from signoff.actions.shell.syntax.scan import Fuel
from signoff.actions.shell.syntax.tree import Node


class Host(Protocol):
    """Port: the interpreter, as simple commands use it."""

    fuel: Fuel
    is_zsh: bool
    commands: list[Command]
    uncalled: dict[int, tuple[Node, ShellScope]]
    texts: dict[int, str]
    traps: list[tuple[str, ShellScope, ShellFrame]]

    def emit(self, command: Command) -> int:
        """Add a command to the result; return its index."""

    def give_up(self, why: str, source: str, frame: ShellFrame) -> None:
        """Record a part that cannot be analysed."""

    def run_text(self, text: str, scope: ShellScope, frame: ShellFrame) -> Output:
        """Parse and run a text within the line."""

    def run(self, node: Node, text: str, scope: ShellScope, frame: ShellFrame) -> Output:
        """Run a syntax tree parsed from `text`."""

    def substitute(
        self, text: str, scope: ShellScope, frame: ShellFrame, *, is_reader: bool
    ) -> Output:
        """Run the content of a command substitution."""
