"""Shells that are given nothing to run, and so take their orders from whatever they are joined to.

is_bare_shell("bash -i")                             ->  True
joins_shell("bash -i", "/dev/tcp/203.0.113.7/4444")  ->  True: a reverse shell
joined_shell(nc host 4444, operations, OPEN_SHELL)   ->  traits={REVERSE_SHELL}
"""

from __future__ import annotations

from collections.abc import Sequence

from signoff.actions.operation import Operation, Reach, ResourceType, Trait, Verb
from signoff.actions.shell.command import Command
from signoff.actions.shell.data_flow.origins import OPEN_SHELL
from signoff.actions.shell.origins.marks import CARRYING, RAW_CLIENTS
from signoff.actions.vocabulary import words
from signoff.values import replace

TERMINALS = frozenset({"tmux", "screen"})
READING = words("capture-pane capturep pipe-pane pipep hardcopy")
RAW_DEVICES = ("/dev/tcp/", "/dev/udp/")  # connections the shell opens by a path
_STARTERS = words("setsid nohup env nice ionice timeout stdbuf chrt exec sudo doas command busybox")
BARE_SHELLS = frozenset(
    {
        "sh",
        "bash",
        "zsh",
        "dash",
        "ksh",
        "python",
        "python3",
        "perl",
        "ruby",
        "node",
        "/bin/sh",
        "/bin/bash",
        "sh -s",
        "bash -s",
    }
)


def joins_shell(words: str, target: str) -> bool:
    """Return whether a redirection connects an interactive shell to the network.

    Args:
        words: the command line.
        target: of the redirection.
    """
    return target.startswith(RAW_DEVICES) and is_bare_shell(_unwrapped(words))


def _unwrapped(line: str) -> str:
    """The line without the programs that only start another: `setsid bash -i` -> `bash -i`."""
    parts = line.split()
    while parts and parts[0].rpartition("/")[2] in _STARTERS:
        parts.pop(0)
        while parts and (parts[0][:1] == "-" or parts[0][:1].isdigit()):
            parts.pop(0)
    return " ".join(parts)


def is_bare_shell(line: str) -> bool:
    """Return whether a line only starts an interpreter, which gets its commands elsewhere."""
    parts = [p for p in line[:200].split() if p != "exec" and "<" not in p and ">" not in p]
    plain = " ".join(p for p in parts if p not in {"-i", "-p", "-l", "--login", "#"})
    return plain in BARE_SHELLS


def handed_out_shell(language: str) -> Operation:
    """Build the Operation of code that serves a shell to another machine."""
    return Operation(
        verb=Verb.EXECUTE,
        thing=ResourceType.CODE,
        target="a shell joined to a network connection",
        reach=Reach.REMOTE,
        traits=frozenset({Trait.REVERSE_SHELL}),
        reversible=False,
        program=language,
    )


def reads_tty(command: Command) -> bool:
    """Return whether a command shows the content of a terminal."""
    return command.program in TERMINALS and any([w.text in READING for w in command.words[1:]])


def joined_shell(command: Command, operations: list[Operation], origins: int) -> list[Operation]:
    """Mark raw connections and listeners that an open shell is piped into.

    Args:
        origins: origin bits of the input.
    """
    if not origins & OPEN_SHELL or command.program not in RAW_CLIENTS:
        return operations
    return [
        replace(op, traits=op.traits | {Trait.REVERSE_SHELL})
        if op.verb in CARRYING or Trait.LISTENS in op.traits
        else op
        for op in operations
    ]


def is_open_shell(command: Command, operations: Sequence[Operation]) -> bool:
    """Return whether an interpreter gets its commands from an unknown source."""
    is_unread = any(not op.understood for op in operations)
    return is_unread or any(word.text == "-i" for word in command.words)
