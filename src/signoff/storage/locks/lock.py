"""A lock: everything of one agent, session or tool, or everything at all, is refused.

Lock(scope=Scope.AGENT, name="claude-code").holds(action)
"""

from __future__ import annotations

from enum import StrEnum
from typing import assert_never

from msgspec import Struct

from signoff.actions.action import Action

NAME_LIMIT = 256


class LockScope(StrEnum):
    """What a lock blocks: everything, or one agent, session or tool."""

    AGENT = "agent"
    SESSION = "session"
    TOOL = "tool"
    ALL = "all"


class Lock(Struct, frozen=True, kw_only=True):
    """One lock of the panic switch: calls it applies to are denied.

    Args:
        name: name of the agent or host, the session or the tool; "" for everything.
        since: time it was set, ISO 8601.
        by: who set it, as shown to people.
    """

    scope: LockScope
    name: str = ""
    since: str = ""
    by: str = ""

    @property
    def target(self) -> tuple[LockScope, str]:
        """Scope and name; locks with the same target are the same lock."""
        return self.scope, self.name

    def holds(self, action: Action) -> bool:
        """Return whether the lock applies to an action; case is ignored."""
        # Typed in a hurry, by hand: `Claude-Code` must lock as well.
        name = self.name.casefold()
        match self.scope:
            case LockScope.ALL:
                return True
            case LockScope.AGENT:
                # Agents choose their names; by which adapter a call came they cannot choose.
                return name in (action.agent.casefold(), action.source.casefold())
            case LockScope.SESSION:
                return name == action.session.casefold()
            case LockScope.TOOL:
                return name == action.tool.casefold()
            case _:
                assert_never(self.scope)

    def __str__(self) -> str:
        what = "everything" if self.scope is LockScope.ALL else f"{self.scope.value} `{self.name}`"
        return f"{what} is locked" + (f" since {self.since}" if self.since else "")

    @property
    def reason(self) -> str:
        """Why the lock denies a call, and who can lift it."""
        return f"{self}; a person lifts it with `signoff unlock`"


class StandInLock(Lock, frozen=True, kw_only=True):
    """A lock on everything while the locks of all nodes cannot be read or verified.

    Args:
        why: what is wrong.
    """

    why: str

    def __str__(self) -> str:
        return f"everything is refused: {self.why}"

    @property
    def reason(self) -> str:
        """Why a call is denied; no command lifts this lock."""
        return str(self)


EVERYTHING = Lock(scope=LockScope.ALL)
