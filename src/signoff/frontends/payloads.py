"""A call from outside, as bytes, becomes an `Action` and what is known with it.

Three shapes are read, each recognised by its own name field:

    {"tool_name": "Bash", "tool_input": {"command": "ls"}, "cwd": "/w", "session_id": "s"}
    {"hook_event_name": "HttpRequest", "method": "GET", "path": "/", "query": {}, "headers": {},
     "body": "", "client_ip": "192.0.2.1"}
    {"function": "delete_user", "args": ["u1"], "kwargs": {}, "docstring": "...", "hints": {}}

A tool call may carry what its server says of the tool: `tool_schema` (a call of a tool that was
redefined is another call), `tool_description` and `tool_annotations`. The last two count only where
they make the call look worse: a server's praise of itself is not believed. Each may carry `id`,
which is echoed, `prior_calls`, `home` and `project`. Every other name at the top is left unread: a
caller that states its own verdict or approval is not believed.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence

from msgspec import Struct, field

from signoff.actions.action import Action, ActionKind, Json
from signoff.actions.canonical import canonical
from signoff.actions.facts import Facts
from signoff.errors import BadPayload
from signoff.frontends.strict_json import parse_json

MAX_NAME = 256
SCHEMA_PREFIX = b"signoff-tool-schema-v1\0"
MAX_PATH = 4096
MAX_PRIOR_CALLS = 10**9

Names = Mapping[str, Json]
_ON_A_DRIVE = re.compile(r"[A-Za-z]:[\\/]+[^\\/]")

CALL_EVENT = "PreToolUse"  # of the events with a tool, the one whose call has not happened yet
SHELL_TOOLS = ("Bash", "PowerShell")
RAISING_HINTS = {"destructiveHint": True, "readOnlyHint": False}
FACTS_GIVEN = frozenset({"prior_calls", "home", "project"})
NO_FACTS = Facts()


class Payload(Struct, frozen=True, kw_only=True, gc=False):
    """A parsed call: the action, the caller's facts, and the `id` to repeat in the answer.

    Args:
        event: the host's name for what happens, where the form of its answer hangs on it.
    """

    action: Action
    facts: Facts = field(default_factory=Facts)
    id: Json = None
    event: str = ""


def parse_payload(raw: bytes | str, *, source: str = "cli") -> Payload:
    """Parse one call in JSON.

    Args:
        source: which frontend it came through.

    Raises:
        BadPayload: it is not valid; the message gives a short reason. The call must not run.
    """
    return read_call(parse_object(raw), source=source)


def parse_object(raw: bytes | str) -> Names:
    """Parse one JSON object.

    Raises:
        BadPayload: it is not strict JSON, or not an object.
    """
    value = parse_json(raw)
    if not isinstance(value, Mapping):
        raise BadPayload(f"payload is {_kind(value)}, expected an object")
    return value


def read_call(names: Names, *, source: str) -> Payload:
    """Build the call from a decoded payload: a tool, a function or a web request.

    Raises:
        BadPayload: it has none of these shapes, or a part has the wrong type.
    """
    event = names.get("hook_event_name")
    is_tool, is_function = "tool_name" in names, "function" in names
    # A payload with two shapes could be judged as one and run as the other.
    if is_tool + is_function + (event == "HttpRequest") != 1:
        raise BadPayload("payload must have exactly one of tool_name, function, HttpRequest")
    if is_tool:
        action = _tool_call(names, event, source)
    elif is_function:
        action = _function_call(names, source)
    else:
        action = _http_request(names, source)
    return Payload(action=action, facts=_facts(names), id=names.get("id"))


def _tool_call(names: Names, event: Json, source: str) -> Action:
    if event is not None and event != CALL_EVENT:
        raise BadPayload(f"hook_event_name of a tool call must be {CALL_EVENT}")
    tool = _name(names, "tool_name")
    arguments = _object(names, "tool_input")
    description = _text(names, "tool_description")
    if tool in SHELL_TOOLS and isinstance(arguments.get("description"), str):
        # The agent's description of its command: no part of what would happen.
        description = str(arguments["description"])
        arguments = {name: value for name, value in arguments.items() if name != "description"}
    return Action(
        tool=tool,
        arguments=arguments,
        description=description,
        hints=_raising_hints(_object(names, "tool_annotations", required=False)),
        agent=_text(names, "agent_id", MAX_NAME),
        session=_text(names, "session_id", MAX_NAME),
        cwd=_folder(names, "cwd"),
        source=source,
        request_id=_text(names, "tool_use_id", MAX_NAME) or _request_id(names.get("id")),
        schema_digest=_schema_digest(_object(names, "tool_schema", required=False)),
    )


def _raising_hints(annotations: Names) -> dict[str, bool | int | float]:
    """Return the annotations that make a call look worse than its name."""
    return {name: value for name, value in RAISING_HINTS.items() if annotations.get(name) is value}


def _schema_digest(schema: Names) -> str:
    """Return the digest of a tool's schema, "" where none is given."""
    if not schema:
        return ""
    try:
        return hashlib.sha256(SCHEMA_PREFIX + canonical(schema)).hexdigest()
    except ValueError as error:
        raise BadPayload("tool_schema has no canonical form") from error


def _function_call(names: Names, source: str) -> Action:
    positional = names.get("args", ())
    # A string is a sequence, too: of its letters.
    if isinstance(positional, str) or not isinstance(positional, Sequence):
        raise BadPayload(f"args is {_kind(positional)}, expected an array")
    arguments: dict[str, Json] = {str(index): value for index, value in enumerate(positional)}
    by_name = _object(names, "kwargs", required=False)
    # `{"0": ...}` would replace the first positional argument in what is judged.
    if not arguments.keys().isdisjoint(by_name):
        raise BadPayload("kwargs names a positional argument")
    return Action(
        tool=_name(names, "function"),
        arguments={**arguments, **by_name},
        kind=ActionKind.FUNCTION,
        description=_text(names, "docstring"),
        hints={
            name: value
            for name, value in _object(names, "hints", required=False).items()
            if isinstance(value, bool | int | float)
        },
        agent=_text(names, "agent_id", MAX_NAME),
        session=_text(names, "session_id", MAX_NAME),
        cwd=_folder(names, "cwd"),
        source=source,
        request_id=_request_id(names.get("id")),
    )


def _http_request(names: Names, source: str) -> Action:
    arguments: dict[str, Json] = {
        "method": _name(names, "method"),
        "path": _text(names, "path"),
        "query": _object(names, "query", required=False),
        "headers": _object(names, "headers", required=False),
        "body": names.get("body"),
        "client_ip": _text(names, "client_ip", MAX_NAME),
    }
    return Action(
        tool="http_request",
        arguments=arguments,
        kind=ActionKind.HTTP_REQUEST,
        session=_text(names, "session_id", MAX_NAME),
        source=source,
        request_id=_request_id(names.get("id")),
    )


def _facts(names: Names) -> Facts:
    if FACTS_GIVEN.isdisjoint(names):
        return NO_FACTS
    prior = names.get("prior_calls", 0)
    if isinstance(prior, bool) or not isinstance(prior, int) or not 0 <= prior <= MAX_PRIOR_CALLS:
        raise BadPayload(f"prior_calls must be a whole number from 0 to {MAX_PRIOR_CALLS}")
    return Facts(home=_folder(names, "home"), project=_folder(names, "project"), prior_calls=prior)


def _name(names: Names, key: str) -> str:
    """Return a name that must be there: not empty, printable, of bounded length."""
    name = _text(names, key, MAX_NAME)
    if not name or not name.isprintable():
        raise BadPayload(f"{key} must be a printable name")
    return name


def _text(names: Names, key: str, limit: int | None = None) -> str:
    value = names.get(key)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise BadPayload(f"{key} is {_kind(value)}, expected a string")
    if limit is not None and len(value) > limit:
        raise BadPayload(f"{key} is longer than {limit} characters")
    return value


def _folder(names: Names, key: str) -> str:
    """Return an absolute folder, one of Windows with slashes; "" where it is not known."""
    folder = _text(names, key, MAX_PATH)
    if _ON_A_DRIVE.match(folder):
        return folder.replace("\\", "/").rstrip("/")
    return folder if folder.startswith("/") else ""


def _object(names: Names, key: str, *, required: bool = True) -> Names:
    if key not in names and not required:
        return {}
    value = names.get(key)
    if not isinstance(value, Mapping):
        raise BadPayload(f"{key} is {_kind(value)}, expected an object")
    return value


def _request_id(value: Json) -> str:
    return str(value)[:MAX_NAME] if isinstance(value, str | int | float) else ""


def _kind(value: Json) -> str:
    """Name a JSON type in an error message."""
    match value:
        case None:
            return "missing"
        case bool():
            return "a boolean"
        case int() | float():
            return "a number"
        case str():
            return "a string"
        case Mapping():
            return "an object"
        case _:
            return "an array"
