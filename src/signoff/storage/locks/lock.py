"""A lock: everything of one agent, session or tool, or everything at all, is refused.

Lock(scope=Scope.AGENT, name="claude-code").holds(action)
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import assert_never

from signoff.actions.action import Action

NAME_LIMIT = 256


class Scope(StrEnum):
    """What a lock is about."""

    AGENT = "agent"
    SESSION = "session"
    TOOL = "tool"
    ALL = "all"


@dataclass(frozen=True, slots=True, kw_only=True)
class Lock:
    """One lock.

    Args:
        name: of the agent or its host, the session or the tool; "" for everything.
        since: when it was set, in ISO form.
        by: who set it.
    """

    scope: Scope
    name: str = ""
    since: str = ""
    by: str = ""

    @property
    def target(self) -> tuple[Scope, str]:
        """What makes two locks the same one."""
        return self.scope, self.name

    def holds(self, action: Action) -> bool:
        """Tell whether the action falls under it; case makes no difference."""
        name = self.name.casefold()
        match self.scope:
            case Scope.ALL:
                return True
            case Scope.AGENT:
                return name in (action.agent.casefold(), action.source.casefold())
            case Scope.SESSION:
                return name == action.session.casefold()
            case Scope.TOOL:
                return name == action.tool.casefold()
            case _:
                assert_never(self.scope)

    def __str__(self) -> str:
        what = "everything" if self.scope is Scope.ALL else f"{self.scope.value} `{self.name}`"
        return f"{what} is locked" + (f" since {self.since}" if self.since else "")


EVERYTHING = Lock(scope=Scope.ALL)
