"""`signoff mcp-server`: tools by which an agent asks signoff, and none that answers for a person.

The server speaks JSON-RPC lines: `initialize` of every version with a handshake, `server/discover`
of 2026-07-28. What its tools do comes in as functions, so it stands below what judges.

    serve(OwnTools(explain=..., narrower=..., status=...), sys.stdin.buffer, sys.stdout.buffer)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import BinaryIO, TypeAlias

from msgspec import Struct

import signoff
from signoff.actions.action import Json
from signoff.errors import BadPayload, SignoffError
from signoff.frontends.mcp.relay import answers
from signoff.frontends.mcp.relay.framing import (
    BadMessage,
    Fields,
    McpMessage,
    MessageId,
    MessageKind,
    encoded,
    read_messages,
)
from signoff.frontends.strict_json import MAX_BYTES

HANDSHAKES = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
MODERN = "2026-07-28"
METHOD_NOT_FOUND = -32601  # JSON-RPC 2.0, section 5.1
INFO: Mapping[str, Json] = {"name": "signoff", "version": signoff.__version__}
CAPABILITIES: Mapping[str, Json] = {"tools": {}}
LOOKS_ONLY: Mapping[str, Json] = {
    "readOnlyHint": True,
    "destructiveHint": False,
    "idempotentHint": True,
    "openWorldHint": False,
}
COMMAND: Mapping[str, Json] = {"type": "string", "description": "A shell line, as it would run."}
CWD: Mapping[str, Json] = {"type": "string", "description": "Absolute folder it would run in."}

Answer: TypeAlias = Mapping[str, Json]


class OwnTools(Struct, frozen=True, kw_only=True):
    """The functions behind signoff's own MCP tools; each raises SignoffError on failure.

    Args:
        explain: says of a call (`tool_name`, `tool_input`, `cwd`) what would be decided and why.
        narrower: returns milder lines in place of a shell line, each with its own verdict.
        status: returns how one request stands, or all open ones for "".
    """

    explain: Callable[[Mapping[str, Json]], Answer]
    narrower: Callable[[str, str], Answer]
    status: Callable[[str], Answer]


TOOLS: tuple[Mapping[str, Json], ...] = (
    {
        "name": "explain_verdict",
        "description": (
            "Says what signoff would decide about a shell line or tool call, and why. It runs"
            " nothing, asks nobody and records nothing."
        ),
        "inputSchema": {
            "type": "object",
            "properties": {
                "command": COMMAND,
                "tool": {"type": "string", "description": "A tool's name, in place of a line."},
                "input": {"type": "object", "description": "The tool's arguments."},
                "cwd": CWD,
            },
        },
        "annotations": LOOKS_ONLY,
    },
    {
        "name": "propose_narrower",
        "description": (
            "Returns milder shell lines that may serve in place of one that signoff refuses or asks"
            " about, each with the verdict it would get. It runs nothing."
        ),
        "inputSchema": {
            "type": "object",
            "properties": {"command": COMMAND, "cwd": CWD},
            "required": ["command"],
        },
        "annotations": LOOKS_ONLY,
    },
    {
        "name": "request_status",
        "description": (
            "Says whether a request that people were asked about is open, approved or denied."
            " Without an id it lists the open ones. Nothing can be approved with it."
        ),
        "inputSchema": {
            "type": "object",
            "properties": {"id": {"type": "string", "description": "The start of a request's id."}},
        },
        "annotations": LOOKS_ONLY,
    },
)


def serve(tools: OwnTools, lines: BinaryIO, out: BinaryIO) -> None:
    """Serve MCP: read requests from `lines` and write answers to `out` until the input ends."""
    while line := lines.readline(MAX_BYTES + 1):
        for said in _said(tools, line):
            out.write(said + b"\n")
        out.flush()
        if not line.endswith(b"\n"):
            return  # longer than any message, or cut off


def _said(tools: OwnTools, line: bytes) -> list[bytes]:
    """Return the responses to one line of input."""
    if not line.strip():
        return []
    try:
        messages = read_messages(line, limit=MAX_BYTES)
    except BadMessage as error:
        return [answers.error(error.id, answers.PARSE_ERROR, str(error))]
    return [
        answered(tools, message, message.id)
        for message in messages
        # A notification is never answered (JSON-RPC 2.0, 4.1).
        if message.kind is MessageKind.REQUEST and message.id is not None
    ]


def answered(tools: OwnTools, message: McpMessage, id: MessageId) -> bytes:
    """Return the response to one request."""
    match message.method:
        case "initialize":
            asked = message.params.get("protocolVersion")
            # MCP: a server that does not know the version asked for offers its newest one.
            version = asked if asked in HANDSHAKES else HANDSHAKES[-1]
            agreed: dict[str, Json] = {
                "protocolVersion": version,
                "capabilities": CAPABILITIES,
                "serverInfo": INFO,
            }
            return answers.result(id, agreed)
        case "server/discover":
            versions = [*HANDSHAKES, MODERN]
            discovered: dict[str, Json] = {
                "supportedVersions": versions,
                "capabilities": CAPABILITIES,
                "resultType": "complete",
                "ttlMs": 0,
                "cacheScope": "private",
                "_meta": {"io.modelcontextprotocol/serverInfo": INFO},
            }
            return answers.result(id, discovered)
        case "ping":
            return answers.result(id, {})
        case "tools/list":
            listed: dict[str, Json] = {
                "tools": list(TOOLS),
                "resultType": "complete",
                "ttlMs": 0,
                "cacheScope": "private",
            }
            return answers.result(id, listed)
        case "tools/call":
            return answers.result(id, _called(tools, message.params))
        case _:
            return answers.error(id, METHOD_NOT_FOUND, "no such method here")


def _called(tools: OwnTools, params: Fields) -> Fields:
    """Return the result of a tool call."""
    arguments = params.get("arguments", {})
    try:
        if not isinstance(arguments, Mapping):
            raise BadPayload("arguments is no object")
        told = _tool(tools, params.get("name"), arguments)
    except SignoffError as error:
        return {
            # As a tool's result, which the model reads; an error of the protocol often ends at
            # the client.
            "content": [{"type": "text", "text": f"signoff: {error}"}],
            "isError": True,
            "resultType": "complete",
        }
    text = encoded(told).decode("utf-8", "replace")
    return {
        "content": [{"type": "text", "text": text}],
        "structuredContent": told,
        "isError": False,
        "resultType": "complete",
    }


def _tool(tools: OwnTools, name: Json, arguments: Fields) -> Answer:
    match name:
        case "explain_verdict":
            return tools.explain(_call(arguments))
        case "propose_narrower":
            return tools.narrower(_text(arguments, "command"), _text(arguments, "cwd"))
        case "request_status":
            return tools.status(_text(arguments, "id"))
        case _:
            raise BadPayload(f"no tool `{str(name)[:40]}` here")


def _call(arguments: Fields) -> Fields:
    """Return what is asked about in the form of `signoff check`.

    Raises:
        BadPayload: it is neither a line nor a tool with its input.
    """
    line, tool = _text(arguments, "command"), _text(arguments, "tool")
    if bool(line) is bool(tool):
        raise BadPayload("give either `command`, or `tool` with `input`")
    given = {"command": line} if line else arguments.get("input", {})
    return {"tool_name": tool or "Bash", "tool_input": given, "cwd": _text(arguments, "cwd")}


def _text(arguments: Fields, name: str) -> str:
    value = arguments.get(name, "")
    if not isinstance(value, str):
        raise BadPayload(f"`{name}` is no text")
    return value
