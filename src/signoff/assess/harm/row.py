"""One row of the table of bounded harm, and what no row outweighs.

A row tells of one act on one kind of target: how it is undone, how far it reaches, what is lost.
What is planted to run later, from outside, secret, opened to others, on production or about
signoff itself is never bounded (`UNBOUNDED_TRAITS`), but for the one fact that a row is about
(`despite`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from signoff.actions.operation import FileKind, Operation, Reach, ResourceType, Trait, Verb

PROJECT = frozenset({Reach.PROJECT, Reach.TEMP, Reach.LOOPBACK})
MACHINE = PROJECT | {Reach.ELSEWHERE, Reach.HOME, Reach.SYSTEM}
CHANGES = frozenset({Verb.WRITE, Verb.DELETE, Verb.CONFIGURE, Verb.CONTROL, Verb.INSTALL})
# What a service gives access to: of any provider.
SERVED = frozenset({ResourceType.CLOUD, ResourceType.CLUSTER, ResourceType.URL})
GLOB_CHARS = frozenset("*?[")
# Kinds of which a version in the repository, or a second one, cannot be expected.
UNIQUE_KINDS = frozenset(
    {
        *(FileKind.DATA, FileKind.ENV, FileKind.CREDENTIALS, FileKind.BACKUP, FileKind.DEVICE),
        *(FileKind.GIT_INTERNAL, FileKind.AUDIT_LOG, FileKind.SHELL_HISTORY),
    }
)
# Kinds that run later by themselves; a workflow runs after it was pushed and is seen in between.
PLANTED_KINDS = frozenset(
    {
        *(FileKind.GIT_HOOK, FileKind.SHELL_STARTUP, FileKind.SCHEDULE, FileKind.EDITOR_CONFIG),
        *(FileKind.AGENT_CONFIG, FileKind.AUTHORIZED_KEYS, FileKind.GUARD, FileKind.ACCOUNTS),
        *(FileKind.GIT_INTERNAL, FileKind.CREDENTIALS, FileKind.SYSTEM_BINARY, FileKind.BOOT),
    }
)
UNBOUNDED_TYPES = frozenset(
    {
        *(ResourceType.GUARD, ResourceType.MONEY, ResourceType.PROTECTION, ResourceType.DEVICE),
        *(ResourceType.BACKUP, ResourceType.MACHINE, ResourceType.MESSAGE),
    }
)
UNBOUNDED_TRAITS = frozenset(
    {
        # code from outside, hidden, planted
        *(Trait.REMOTE_CODE, Trait.UNTRUSTED_SOURCE, Trait.DECODED, Trait.HIDDEN, Trait.FETCHED),
        *(Trait.REVERSE_SHELL, Trait.BACKDOOR, Trait.RUNS_LATER, Trait.ENVIRONMENT),
        # secrets, data that leaves
        *(Trait.READS_SECRET, Trait.HOLDS_SECRET, Trait.SENDS_SECRET, Trait.SENDS_FILES),
        *(Trait.COVERT, Trait.METADATA_HOST),
        # checks and limits taken away
        *(Trait.WEAKENS, Trait.BLINDS, Trait.OPENS_ACCESS, Trait.LISTENS, Trait.SELF_APPROVAL),
        # loss without a limit, beyond the project, of others
        *(Trait.WHOLE_STORE, Trait.SCHEMA_LOSS, Trait.UNBOUNDED, Trait.BULK, Trait.COSTS),
        *(Trait.FORK_BOMB, Trait.EXHAUSTS, Trait.PROTECTED_BRANCH, Trait.ON_REMOTE_HOST),
        # told from a name only
        Trait.BY_NAME,
    }
)
NOTHING: frozenset[Trait] = frozenset()


class BoundedHarm(NamedTuple):
    """A kind of Operation whose harm is limited.

    Args:
        name: what it is called on the docs page.
        undone: how it is taken back.
        reaches: what it touches at most.
        loses: what is gone for good.
        holds: tells whether it is true of an Operation.
        bounded: shell lines of which it holds.
        spared: shell lines that look like it and are not bounded.
        despite: the fact that bars every other row, and that this row is about.
        is_unread: it holds of what was not understood.
    """

    name: str
    undone: str
    reaches: str
    loses: str
    holds: Callable[[Operation], bool]
    bounded: tuple[str, ...]
    spared: tuple[str, ...]
    despite: frozenset[Trait] = NOTHING
    is_unread: bool = False

    def covers(self, op: Operation) -> bool:
        """Return whether this row applies to an Operation."""
        if op.thing in UNBOUNDED_TYPES or op.understood is self.is_unread:
            return False
        return UNBOUNDED_TRAITS & op.traits <= self.despite and self.holds(op)
