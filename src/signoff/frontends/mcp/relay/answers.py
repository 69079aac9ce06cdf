"""What the relay says itself, to the client and to the server, as messages of the protocol."""

from __future__ import annotations

from collections.abc import Mapping

from signoff.actions.action import Json
from signoff.frontends.mcp.relay.framing import McpMessage, MessageId, encoded

PARSE_ERROR, INVALID_REQUEST = -32700, -32600
CLOSED = -32000  # of the range JSON-RPC 2.0 leaves to servers
REJECTED = -1  # of a sampling request, as the specification's own example


def result(id: MessageId, told: Mapping[str, Json]) -> bytes:
    """Return a JSON-RPC response with a result."""
    return encoded({"jsonrpc": "2.0", "id": id, "result": dict(told)})


def error(id: MessageId | None, code: int, message: str) -> bytes:
    """Return a JSON-RPC error response."""
    return encoded({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}})


def refusal(id: MessageId, reason: str) -> bytes:
    """Return a tool result that tells the model why the tool was not called."""
    return result(
        id,
        {
            "content": [{"type": "text", "text": reason}],
            "isError": True,
            "resultType": "complete",
        },
    )


def request(id: MessageId, method: str, params: Mapping[str, Json]) -> bytes:
    """Return a JSON-RPC request."""
    return encoded({"jsonrpc": "2.0", "id": id, "method": method, "params": dict(params)})


def notification(method: str, params: Mapping[str, Json] | None = None) -> bytes:
    """Return a JSON-RPC notification."""
    told: dict[str, Json] = {"jsonrpc": "2.0", "method": method}
    if params is not None:
        told["params"] = dict(params)
    return encoded(told)


def changed(message: McpMessage, name: str, value: Mapping[str, Json]) -> bytes:
    """Return a message with its `params` or `result` replaced."""
    return encoded({**message.fields, name: dict(value)})
