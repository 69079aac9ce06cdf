"""What the wrappers of a command say of everything in it: other rights, another machine."""

from __future__ import annotations

from signoff.actions.operation import Operation, Reach, ResourceType, Trait, Verb
from signoff.actions.shell.command import Command
from signoff.values import replace

PRIVILEGE_WRAPPERS = frozenset({"sudo", "doas", "su", "runuser", "pkexec", "sudo -u", "gosu"})
REMOTE_WRAPPERS = frozenset({"ssh", "mosh", "sshpass", "pdsh", "ansible"})
CONTAINER_WRAPPERS = frozenset({"docker", "podman", "nerdctl", "kubectl", "oc", "lxc", "crictl"})


def with_wrapper_traits(op: Operation) -> Operation:
    """Add what an operation's wrappers say of it."""
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
    """Whether a function calls itself in the background or in a pipe."""
    # `:(){ :|:& };:` starts two of itself each time; plain recursion ends by itself.
    return command.carriers[-1].startswith("function ") and (
        command.is_background or (command.stdin is not None and bool(command.stdin.sources))
    )


def fork_bomb(command: Command) -> Operation:
    """Make the Operation of a function that calls itself without end."""
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
