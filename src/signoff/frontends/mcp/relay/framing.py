"""One JSON-RPC message of the Model Context Protocol, from a line of bytes, read without doubt.

The relay judges what it read and forwards the bytes. So a message that two parsers could read in
two ways is refused: a name given twice, a name that differs from a known one by case alone (Go's
decoder takes it for the known one), a carriage return between tokens (some readers end a line
there), too much, too deep. Everything else may be in it: unknown methods and fields pass.

    read_messages(b'{"jsonrpc":"2.0","id":1,"method":"ping"}', limit=...)
        -> (McpMessage(kind=REQUEST, id=1, method="ping", ...),)
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from enum import StrEnum
from typing import TypeAlias

from msgspec import Struct, field

from signoff.actions.action import Json
from signoff.errors import BadPayload
from signoff.frontends.strict_json import MAX_BYTES, JsonLimits, parse_json

MessageId: TypeAlias = str | int
Fields: TypeAlias = Mapping[str, Json]

MAX_ID = 256  # characters
MOST_PARTS = 1_000_000  # of a large result
BATCH_LIMIT = 100
ENVELOPE = ("jsonrpc", "id", "method", "params", "result", "error")
PARAMS = (
    *("name", "arguments", "_meta", "uri", "task", "inputResponses", "requestState"),
    *("protocolVersion", "capabilities", "clientInfo", "cursor", "requestId"),
)
RESULT = (
    *("tools", "content", "structuredContent", "isError", "nextCursor", "contents", "messages"),
    *("resultType", "inputRequests", "requestState", "_meta"),
)


class MessageKind(StrEnum):
    """Kind of a JSON-RPC message."""

    REQUEST = "request"
    NOTIFICATION = "notification"
    RESPONSE = "response"


class McpMessage(Struct, frozen=True, kw_only=True):
    """One JSON-RPC message.

    Args:
        raw: its bytes without the line end; what is forwarded where nothing has to change.
        id: of the request, or of the request it answers; None for a notification.
        params: those of a request or notification; {} if it has none.
        result: of a response; None if it is an error.
    """

    raw: bytes
    kind: MessageKind
    fields: Fields
    id: MessageId | None = None
    method: str = ""
    params: Fields = field(default_factory=dict)
    result: Fields | None = None


class BadMessage(BadPayload):
    """A message that must not be forwarded; `id` is the request's, if it could be read."""

    def __init__(self, reason: str, id: MessageId | None = None) -> None:
        super().__init__(reason)
        self.id = id


def read_messages(line: bytes, *, limit: int, is_server: bool = False) -> tuple[McpMessage, ...]:
    """Parse one line: a message, or a batch (protocol 2025-03-26).

    Args:
        limit: largest size in bytes.
        is_server: True if the server sent it; its results may contain NUL characters.

    Raises:
        BadMessage: it is not valid or ambiguous; nothing of it may be forwarded.
    """
    # Outside strings a carriage return is space; a reader could end the message there.
    raw = line.strip(b" \t\r\n").replace(b"\r", b" ")
    # Whatever is judged keeps the limits of strict JSON: a call over `MAX_BYTES` is refused
    # later.
    is_large = is_server or len(raw) > MAX_BYTES
    limits = JsonLimits(bytes=limit, parts=MOST_PARTS if is_large else 20_000, has_hidden=is_large)
    try:
        value = parse_json(raw, limits)
    except BadPayload as error:
        raise BadMessage(str(error)) from error
    if isinstance(value, list):
        if not 0 < len(value) <= BATCH_LIMIT:
            raise BadMessage(f"a batch holds 1 to {BATCH_LIMIT} messages")
        # One by one: some of a batch wait to be judged, the others go on.
        return tuple(_message(_object(one), encoded(_object(one))) for one in value)
    return (_message(_object(value), raw),)


def encoded(fields: Fields) -> bytes:
    """Return a message as one line without a line break."""
    return json.dumps(fields, ensure_ascii=False, separators=(",", ":")).encode(
        "utf-8", "surrogatepass"
    )


def is_large_call(message: McpMessage) -> bool:
    """Return whether a message is too large to be judged."""
    return len(message.raw) > MAX_BYTES


def _object(value: Json) -> Fields:
    if not isinstance(value, Mapping):
        raise BadMessage("a message is an object")
    return value


def _message(fields: Fields, raw: bytes) -> McpMessage:
    _refuse_confusable(fields, ENVELOPE)
    id = _id(fields)
    method = fields.get("method")
    is_answer = "result" in fields or "error" in fields
    if "method" not in fields:
        if not is_answer or id is None:
            raise BadMessage("a message is a request, a notification or a response", id)
        return _response(fields, raw, id)
    if is_answer or not isinstance(method, str):
        raise BadMessage("a message is either a request or a response", id)
    params = fields.get("params", {})
    if not isinstance(params, Mapping):
        raise BadMessage("params is no object", id)
    _refuse_confusable(params, PARAMS, id)
    kind = MessageKind.NOTIFICATION if id is None else MessageKind.REQUEST
    return McpMessage(raw=raw, kind=kind, fields=fields, id=id, method=method, params=params)


def _response(fields: Fields, raw: bytes, id: MessageId) -> McpMessage:
    result = fields.get("result")
    if "result" in fields and "error" in fields:
        raise BadMessage("a response has a result or an error", id)
    if "result" in fields and not isinstance(result, Mapping):
        raise BadMessage("a result is an object", id)
    told = result if isinstance(result, Mapping) else None
    if told is not None:
        _refuse_confusable(told, RESULT, id)
    kind = MessageKind.RESPONSE
    return McpMessage(raw=raw, kind=kind, fields=fields, id=id, result=told)


def _id(fields: Fields) -> MessageId | None:
    if "id" not in fields:
        return None
    id = fields["id"]
    # `True` is 1 to Python, and would find the answer to request 1.
    if isinstance(id, bool) or not isinstance(id, str | int) or len(str(id)) > MAX_ID:
        raise BadMessage("id is no short string and no whole number")
    return id


def _refuse_confusable(fields: Fields, known: tuple[str, ...], id: MessageId | None = None) -> None:
    """Refuse names that a decoder which ignores case takes for a known one."""
    folded = {name.casefold(): name for name in known}
    for name in fields:
        meant = folded.get(name.casefold(), name)
        if meant != name:
            raise BadMessage(f"name `{name[:40]}` can be taken for `{meant}`", id)
