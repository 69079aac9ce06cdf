"""Grants: approvals that hold for more than one call, within a narrow scope and for a time.

A grant is for exactly one action, or for the like of it in one session: the same program doing
the same class of thing to the same kind of target. What runs other things (shells, interpreters,
carriers), what is not understood and what is CRITICAL is never granted.
"""

from __future__ import annotations

import posixpath
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from signoff.actions.action import Action
from signoff.actions.operation import Operation, Trait, Verb
from signoff.assess.assessed import Assessed
from signoff.assess.level import Level
from signoff.challenge.visible import visible

LONGEST_S = 30 * 24 * 3600
SESSION_S = 12 * 3600
LINE_ARGUMENT = "command"
# A line with any of these is more than one program with its words, or may be.
BEYOND_WORDS = frozenset("\"'`\\;|&<>(){}[]$*?!~#\n\r\t")
NEVER_VERBS = frozenset({Verb.EXECUTE, Verb.PRIVILEGE, Verb.PERSIST})
NEVER_TRAITS = frozenset(
    {
        Trait.INLINE,
        Trait.REMOTE_CODE,
        Trait.DECODED,
        Trait.WRITTEN_NOW,
        Trait.ENVIRONMENT,
        Trait.RUNS_LATER,
        Trait.AS_ROOT,
        Trait.SELF_APPROVAL,
        Trait.HIDDEN,
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class NewGrant:
    """What is to be granted.

    Args:
        digest: of exactly one action with everything it is bound to, "" for a shape.
        shape: what the like of it is, within `session`; "" for an exact one.
        said: what it allows, in words.
        expires_s: when it ends, in seconds since the epoch.
    """

    digest: str = ""
    shape: str = ""
    session: str = ""
    agent: str = ""
    said: str = ""
    author: str = ""
    channel: str = ""
    expires_s: float = 0.0
    seal: str = ""

    @property
    def sealed(self) -> tuple[str, ...]:
        """What its seal is over."""
        return sealed_parts(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Grant:
    """One grant: `gr_0`, `gr_1` ..."""

    id: str
    digest: str
    shape: str
    session: str
    agent: str
    said: str
    author: str
    channel: str
    created_at: datetime
    expires_s: float
    uses: int = 0
    seal: str = ""

    @property
    def sealed(self) -> tuple[str, ...]:
        """What its seal is over."""
        return sealed_parts(self)


def sealed_parts(grant: NewGrant | Grant) -> tuple[str, ...]:
    """Return what makes a grant the one that was given."""
    parts = (grant.digest, grant.shape, grant.session, grant.agent, grant.author, grant.channel)
    return (*parts, repr(float(grant.expires_s)))


class GrantStore(Protocol):
    """Keeps grants."""

    def add(self, new: NewGrant) -> Grant:
        """Keep a grant.

        Raises:
            StoreError: it cannot be kept.
        """

    def find(self, *, digest: str, shape: str, agent: str, session: str) -> Grant | None:
        """Return a grant in force that covers this, and count the use."""

    def listed(self) -> tuple[Grant, ...]:
        """Return the grants in force, newest first."""

    def seal(self, id: str, seal: str) -> None:
        """Put another seal on a grant."""

    def revoke(self, id: str) -> bool:
        """End a grant; tell whether there was one."""


def why_not_granted(assessed: Assessed) -> str:
    """Return why a call may only be approved once, "" if it may be granted."""
    operations = assessed.operations
    if assessed.level is Level.CRITICAL:
        return "what is critical is approved once at a time"
    if any(not op.understood for op in operations):
        return "what is not understood is approved once at a time"
    if any(_runs_others(op) for op in operations):
        return "what runs other things is approved once at a time"
    return ""


def shape_of(assessed: Assessed) -> str:
    """Return what the like of a call is, "" if nothing is like it.

    The program, its options and every word that names no target stay as they are; a target that
    was understood stands for its folder or host.
    """
    action, operations = assessed.action, assessed.operations
    if why_not_granted(assessed) or not operations or not action.session:
        return ""
    words = _words(action)
    programs = {op.program.split(" ")[0] for op in operations}
    if len(words) < 2 or programs != {words[0]} or len({op.group for op in operations}) != 1:
        return ""
    kinds = {target: _class(op) for op in operations for target in (op.target, op.path) if target}
    shaped = [kinds.get(_absolute(word, action.cwd), kinds.get(word, word)) for word in words]
    effects = sorted(
        {
            f"{op.verb.value} {op.thing.value} {op.reach.value} {op.file_kind.value}"
            f" {','.join(sorted(op.traits))}"
            for op in operations
        }
    )
    return "\n".join([action.tool, action.cwd, " ".join(shaped), *effects])


def shape_words(shape: str) -> str:
    """Return a shape in one line for people."""
    lines = shape.split("\n")
    return visible(f"{lines[2]} in {lines[1]}" if len(lines) > 2 else shape)


def _runs_others(operation: Operation) -> bool:
    """Tell whether an operation stands inside another program, or runs something."""
    return bool(
        operation.carriers
        or operation.verb in NEVER_VERBS
        or operation.traits & NEVER_TRAITS
        or not operation.program
    )


def _words(action: Action) -> list[str]:
    """Return the words of a plain shell line, none if it is anything else."""
    line = action.text(LINE_ARGUMENT)
    others = set(action.arguments) - {LINE_ARGUMENT, "description", "timeout"}
    if others or not line.isascii() or not line.isprintable() or BEYOND_WORDS & set(line):
        return []
    words = line.split(" ")
    return [] if "" in words or "=" in words[0] or "/" in words[0] else words


def _class(operation: Operation) -> str:
    """Return what stands for a target: its folder, its host, else the target itself."""
    if "://" in operation.target:
        scheme, _, rest = operation.target.partition("://")
        return f"<{scheme}://{rest.partition('/')[0]}>"
    if operation.path:
        return f"<{posixpath.dirname(operation.path)}/>"
    return operation.target


def _absolute(word: str, cwd: str) -> str:
    """Return a word as the absolute path it would be."""
    return posixpath.normpath(posixpath.join(cwd, word)) if cwd else word
