"""One thing an agent wants to do, as a value.

An `Action` is what a frontend makes of a foreign call: nothing in it is judged yet. Its digest is
taken over canonical bytes (RFC 8785) of what would happen; the agent's own words (description,
hints, times) are left out of it on purpose, so that two descriptions of one act have one digest.

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
    """What kind of tool is called; it decides how the arguments are read."""

    TOOL = "tool"  # an agent's tool: Bash, Write, mcp__server__tool ...
    FUNCTION = "function"  # a plain Python function with arguments and a docstring
    HTTP_REQUEST = "http_request"  # a request that reached a web application
    RESULT = "result"  # what came back from a call, on its way to the agent or the client


class Action(Struct, frozen=True, kw_only=True, gc=False):
    """One call an agent wants to make; nothing has run yet.

    Args:
        tool: the tool's or function's name as the caller gave it.
        arguments: JSON values by parameter name; never changed after construction.
        description: docstring of the function or description of the tool, written by the
            caller; not trusted.
        hints: given by the caller; only booleans and numbers count (spec 1, factor `hints`).
        cwd: absolute folder the call runs in, "" if unknown.
        environment: `production`, `staging` ... where the caller says so, else "".
        source: the frontend it came through: `claude-code`, `python`, `mcp`, `cli`, `http` ...
        request_id: the caller's id for this call (tool_use_id, `id` of a batch line), else "".
        search_path: the caller's PATH, "" if unknown. Approvals are bound to the programs found
            on it, not to the text itself.
        schema_digest: SHA-256 of the tool's schema, where the caller gives one, else "".
        least_risk: the risk, 0..1, that the caller says it has at least; it never lowers one.
        least_proofs: pairs of level and proof: what an approval takes at least; an allowed call
            of such a level is asked about.
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
    least_risk: float = 0.0
    least_proofs: tuple[tuple[str, str], ...] = ()

    @property
    def canonical_bytes(self) -> bytes:
        """Return what an approval is bound to: RFC 8785 JSON of all that decides the effect.

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
        """Return the SHA-256 of a fixed prefix and the canonical bytes, as 64 hex digits."""
        return hashlib.sha256(DIGEST_PREFIX + self.canonical_bytes).hexdigest()

    def text(self, name: str) -> str:
        """Return the argument `name` as text; "" if it is missing or not a string."""
        value = self.arguments.get(name)
        return value if isinstance(value, str) else ""
