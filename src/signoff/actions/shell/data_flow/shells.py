"""A shell that is joined to a connection: what it prints reaches `nc`, which talks or listens."""

from __future__ import annotations

from signoff.actions.operation import Operation, Trait
from signoff.actions.shell.command import Command
from signoff.actions.shell.data_flow.origins import OPEN_SHELL
from signoff.actions.shell.origins.marks import CARRYING, RAW_CLIENTS
from signoff.values import replace


def joined_shell(command: Command, operations: list[Operation], origins: int) -> list[Operation]:
    """Mark a raw connection, or a listener, that an open shell is piped into."""
    if not origins & OPEN_SHELL or command.program not in RAW_CLIENTS:
        return operations
    return [
        replace(op, traits=op.traits | {Trait.REVERSE_SHELL})
        if op.verb in CARRYING or Trait.LISTENS in op.traits
        else op
        for op in operations
    ]
