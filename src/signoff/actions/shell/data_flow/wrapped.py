"""What the wrappers of a command say of everything in it: other rights, another machine."""

from __future__ import annotations

import re
from collections.abc import Sequence

from signoff.actions.operation import Operation, Reach, ResourceType, Trait, Verb
from signoff.actions.programs.handed_over.targets import SHELLS
from signoff.actions.shell.command import Command
from signoff.actions.vocabulary import lazy_re
from signoff.values import replace

PRIVILEGE_WRAPPERS = frozenset({"sudo", "doas", "su", "runuser", "pkexec", "sudo -u", "gosu"})
REMOTE_WRAPPERS = frozenset(
    {"ssh", "mosh", "sshpass", "pdsh", "ansible", "clush", "dsh", "pssh", "parallel-ssh"}
)
CONTAINER_WRAPPERS = frozenset({"docker", "podman", "nerdctl", "kubectl", "oc", "lxc", "crictl"})


def with_wrapper_traits(op: Operation) -> Operation:
    """Return an operation with the traits that its wrapper commands imply."""
    more: set[Trait] = set()
    for carrier in op.carriers:
        first = carrier.split(" ", 1)[0]
        if first in PRIVILEGE_WRAPPERS:
            more.add(Trait.AS_ROOT)
        elif first in REMOTE_WRAPPERS:
            more.add(Trait.ON_REMOTE_HOST)
        elif first in CONTAINER_WRAPPERS:
            more.add(Trait.IN_CONTAINER)
    return replace(op, traits=op.traits | more) if more - op.traits else op


def multiplies(command: Command) -> bool:
    """Return whether a function calls itself in the background or in a pipe (a fork bomb)."""
    # `:(){ :|:& };:` starts two of itself each time; plain recursion ends by itself.
    return command.carriers[-1].startswith("function ") and (
        command.is_background or (command.stdin is not None and bool(command.stdin.sources))
    )


# A loop without end whose last command goes to the background, and what makes it wait.
_ENDLESS = lazy_re(
    r"\b(?:while\s+(?:true|:|\[ 1 \]|\(\( ?1 ?\)\))|until\s+false|for\s*\(\( ?; ?; ?\)\))"
    r"\s*[;\n]\s*do\b"
    r"(?P<body>[^\0]{0,400}?)&\s*done\b"
)
_WAITS = lazy_re(
    r"\b(?:sleep|wait|read|inotifywait|fswatch|entr|nc|ncat|socat|flock|break|exit|jobs)\b"
)


def starts_without_end(text: str, commands: Sequence[Command]) -> bool:
    """Return whether an endless loop starts jobs: `while :; do x & done`."""
    if "done" not in text or not any([one.is_background for one in commands]):
        return False
    given = [word.text for one in commands if one.program not in SHELLS for word in one.words]
    data = [text for text in given if "done" in text]
    for found in _ENDLESS.finditer(text):
        if any([found.group() in one for one in data]):
            continue  # it is spoken of, not run
        # What goes to the background itself holds nothing up.
        first = re.split(r"[;\n]", found["body"].strip("; \n"))[:-1]
        if not any([_WAITS.search(one) is not None for one in first]):
            return True
    return False


def started_without_end(text: str) -> Operation:
    """Build the Operation of an endless loop that starts jobs."""
    return Operation(
        verb=Verb.EXECUTE,
        thing=ResourceType.MACHINE,
        target="a loop without end",
        reach=Reach.SYSTEM,
        traits=frozenset({Trait.FORK_BOMB}),
        reversible=False,
        program="shell",
        source=text[:200],
    )


def fork_bomb(command: Command) -> Operation:
    """Build the Operation of a function that calls itself endlessly."""
    return Operation(
        verb=Verb.EXECUTE,
        thing=ResourceType.MACHINE,
        target=command.carriers[-1],
        reach=Reach.SYSTEM,
        traits=frozenset({Trait.FORK_BOMB}),
        reversible=False,
        program="shell",
        source=command.source,
        group=command.index,
    )
