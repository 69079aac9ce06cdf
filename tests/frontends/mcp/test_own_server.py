"""An agent may ask signoff what it would say; nothing it can call approves anything."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from typing import Any

import pytest

from signoff.actions.action import Json
from signoff.errors import BadPayload
from signoff.frontends.mcp.own_server import TOOLS, OwnTools, serve


def explained(call: Mapping[str, Json]) -> Mapping[str, Json]:
    """Give the call back."""
    return {"asked": call}


def narrowed(line: str, cwd: str) -> Mapping[str, Json]:
    """Give the line back."""
    return {"line": line, "cwd": cwd}


def stood(id: str) -> Mapping[str, Json]:
    """Fail."""
    raise BadPayload(f"no request `{id}`")


def said(*messages: object) -> list[dict[str, Any]]:
    """Return what the server answers."""
    lines = b"".join(
        one if isinstance(one, bytes) else json.dumps(one).encode() + b"\n" for one in messages
    )
    out = io.BytesIO()
    tools = OwnTools(explain=explained, narrower=narrowed, status=stood)
    serve(tools, io.BytesIO(lines), out)
    return [json.loads(line) for line in out.getvalue().splitlines()]


def call(name: str, **arguments: object) -> dict[str, object]:
    """Return a call."""
    params = {"name": name, "arguments": arguments}
    return {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}


@pytest.mark.parametrize(
    ("asked", "agreed"),
    [("2024-11-05", "2024-11-05"), ("2025-11-25", "2025-11-25"), ("1999-01-01", "2025-11-25")],
)
def test_the_version_of_the_client_is_spoken(asked: str, agreed: str) -> None:
    """Or else the newest one with a handshake."""
    (answer,) = said(
        {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {"protocolVersion": asked}}
    )

    assert answer["result"]["protocolVersion"] == agreed


def test_every_tool_only_looks() -> None:
    """None answers a request, and each says so of itself."""
    (answer,) = said({"jsonrpc": "2.0", "id": 0, "method": "tools/list"})

    names = [one["name"] for one in answer["result"]["tools"]]
    assert names == ["explain_verdict", "propose_narrower", "request_status"]
    assert all(dict(one)["annotations"]["readOnlyHint"] for one in answer["result"]["tools"])
    assert len(TOOLS) == 3


def test_a_call_is_answered_as_text_and_as_data() -> None:
    """A shell line, and a tool with its input."""
    by_line, by_tool = (
        call("explain_verdict", command="ls", cwd="/w"),
        call("explain_verdict", tool="Write", input={"file_path": "a"}),
    )
    first, second = (one["result"] for one in said(by_line, by_tool))

    asked = {"tool_name": "Bash", "tool_input": {"command": "ls"}, "cwd": "/w"}
    assert first["structuredContent"] == {"asked": asked}
    assert json.loads(first["content"][0]["text"]) == first["structuredContent"]
    assert second["structuredContent"]["asked"]["tool_input"] == {"file_path": "a"}


@pytest.mark.parametrize(
    "asked",
    [
        call("explain_verdict"),
        call("explain_verdict", command="ls", tool="Write"),
        call("explain_verdict", command=["ls"]),
        call("request_status", id="x"),
        call("approve", id="x"),
        {**call("explain_verdict"), "params": {"name": "explain_verdict", "arguments": []}},
    ],
)
def test_what_cannot_be_answered_is_an_error_of_the_tool(asked: dict[str, object]) -> None:
    """The agent reads why."""
    (answer,) = said(asked)

    assert answer["result"]["isError"] is True
    assert answer["result"]["content"][0]["text"].startswith("signoff: ")


def test_only_requests_are_answered() -> None:
    """Notifications and empty lines are not; what is no message gets an error."""
    note = {"jsonrpc": "2.0", "method": "notifications/initialized"}

    assert said(note, b"\n") == []
    assert [one["error"]["code"] for one in said(b"x\n", {**note, "id": 1})] == [-32700, -32601]
