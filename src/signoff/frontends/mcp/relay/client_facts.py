"""What is known of the client: its name, its version of the protocol, what it can do.

Up to 2025-11-25 it says so once, in `initialize`; from 2026-07-28 on in `_meta` of every request.

    facts = ClientFacts.of_request(message, known=before)
    facts.can_elicit      # it can put a form to its user
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from signoff.actions.action import Json
from signoff.frontends.mcp.relay.framing import Fields, McpMessage

META = "io.modelcontextprotocol/"
HOST_CALL_ID = "claudecode/toolUseId"
NAME_LIMIT = 100


class ClientFacts(Struct, frozen=True, kw_only=True):
    """What is known of one client.

    Args:
        is_modern: True if the message is of protocol 2026-07-28 or later, which has no handshake.
    """

    name: str = ""
    can_elicit: bool = False
    is_modern: bool = False


def facts_of(message: McpMessage, known: ClientFacts) -> ClientFacts:
    """Return what a request says about its client, else what was known before."""
    if message.method == "initialize":
        return _facts(message.params.get("clientInfo"), message.params.get("capabilities"))
    meta = meta_of(message)
    if f"{META}protocolVersion" not in meta:
        return known
    return _facts(
        meta.get(f"{META}clientInfo"), meta.get(f"{META}clientCapabilities"), is_modern=True
    )


def meta_of(message: McpMessage) -> Fields:
    """Return `_meta` of a request, {} if it has none."""
    meta = message.params.get("_meta")
    return meta if isinstance(meta, Mapping) else {}


def call_id(message: McpMessage, session: str) -> str:
    """Return a call's id: the host's own if the client sends it, else one of this session.

    Claude Code sends it in `_meta`, and its hook has reported it before.
    """
    told = meta_of(message).get(HOST_CALL_ID)
    return (told if isinstance(told, str) and told else f"{session}:{message.id}")[:256]


def progress_token(message: McpMessage) -> str | int | None:
    """Return the token by which a client asked for progress, None if it did not."""
    token = meta_of(message).get("progressToken")
    return token if isinstance(token, str | int) and not isinstance(token, bool) else None


def _facts(info: Json, capabilities: Json, *, is_modern: bool = False) -> ClientFacts:
    name = info.get("name") if isinstance(info, Mapping) else None
    elicits = capabilities.get("elicitation") if isinstance(capabilities, Mapping) else None
    # An empty object means forms; a client that can only open addresses says so.
    can_form = isinstance(elicits, Mapping) and (not elicits or "form" in elicits)
    return ClientFacts(
        name=name[:NAME_LIMIT] if isinstance(name, str) and name.isprintable() else "",
        can_elicit=can_form,
        is_modern=is_modern,
    )
