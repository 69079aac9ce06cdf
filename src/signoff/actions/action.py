"""One thing an agent wants to do, as a value.

An `Action` is what a door makes of a foreign call: nothing in it is judged yet. Its digest is
taken over canonical bytes (RFC 8785) of what would happen; the agent's own story (description,
hints, times) is left out of it on purpose, so that two stories about one act have one digest.

    Action(tool="Bash", arguments={"command": "git status"}, cwd="/home/dev/project")
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence  # noqa: F401 - the signature of `Action` reads `Json` here
from datetime import datetime

from msgspec import Struct, field

from signoff.actions.canonical import Json, canonical
from signoff.actions.vocabulary import Vocabulary

__all__ = ["Action", "ActionKind", "Json"]

DIGEST_PREFIX = b"signoff-action-v1\0"


class ActionKind(Vocabulary):
    """What was called: decides how its arguments are read."""

    TOOL = "tool"  # an agent's tool: Bash, Write, mcp__server__tool ...
    FUNCTION = "function"  # a plain Python function with arguments and a docstring
    HTTP_REQUEST = "http_request"  # a request that reached a web application
    RESULT = "result"  # what came back from a call, on its way to the agent or the client


class Action(Struct, frozen=True, kw_only=True, gc=False):
    """What an agent wants to do.

    Args:
        tool: the tool's or function's name as the caller gave it.
        arguments: JSON values by parameter name; never changed after construction.
        description: docstring of a function or description of a tool; the caller's words.
        hints: given by the caller; booleans and numbers count (spec 1, factor `hints`).
        cwd: absolute folder the call runs in, "" if unknown.
        environment: `production`, `staging` ... where the caller says so, else "".
        source: the door it came through: `claude-code`, `python`, `mcp`, `cli`, `http` ...
        request_id: the caller's id for this call (tool_use_id, `id` of a batch line), else "".
        search_path: PATH as the caller has it, "" if unknown; what is found on it is bound, it
            itself is not.
        schema_digest: SHA-256 of the tool's schema, where the caller gives one, else "".
    """

    tool: str
    arguments: Mapping[str, Json]
    kind: ActionKind = ActionKind.TOOL
    description: str = ""
    hints: Mapping[str, bool | int | float] = field(default_factory=dict)
    agent: str = ""
    session: str = ""
    cwd: str = ""
    environment: str = ""
    source: str = ""
    request_id: str = ""
    asked_at: datetime | None = None
    search_path: str = ""
    schema_digest: str = ""

    @property
    def canonical_bytes(self) -> bytes:
        """RFC 8785 bytes of what would happen: tool, kind, arguments, cwd, environment, agent.

        A digest of the tool's schema is part of it where there is one.

        Raises:
            ValueError: a number or string in the arguments has no canonical form.
        """
        act: dict[str, Json] = {
            "agent": self.agent,
            "arguments": self.arguments,
            "cwd": self.cwd,
            "environment": self.environment,
            "kind": self.kind.value,
            "session": self.session,
            "tool": self.tool,
        }
        if self.schema_digest:
            act["schema_digest"] = self.schema_digest
        return canonical(act)

    @property
    def digest(self) -> str:
        """SHA-256 of a fixed prefix and the canonical bytes, 64 hex digits."""
        return hashlib.sha256(DIGEST_PREFIX + self.canonical_bytes).hexdigest()

    def text(self, name: str) -> str:
        """The argument `name` as text, "" where it is missing or no string."""
        value = self.arguments.get(name)
        return value if isinstance(value, str) else ""
