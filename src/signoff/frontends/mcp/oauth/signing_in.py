"""What a sign-in at a remote MCP server is asked to do, and how it fails."""

from __future__ import annotations

from msgspec import Struct

from signoff.errors import SignoffError

ANSWER_S = 300.0


class LoginFailed(SignoffError):
    """The sign-in failed. The message contains no token and no code."""


class LoginRequest(Struct, frozen=True, kw_only=True):
    """The options of `signoff mcp login`.

    Args:
        resource: address of the MCP server.
        scope: what to ask for, "" = what the server says.
        client_id: of a client that was registered by hand, "" = register.
        client_secret: of that client, "" for a public one.
        client_url: address of a client metadata document, "" for none.
        answer_s: how long the person has.
    """

    resource: str
    scope: str = ""
    client_id: str = ""
    client_secret: str = ""
    client_url: str = ""
    answer_s: float = ANSWER_S

    def __repr__(self) -> str:
        """Leave the secret out."""
        return f"LoginRequest(resource={self.resource!r})"
