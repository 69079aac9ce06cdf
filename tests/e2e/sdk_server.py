"""A server of the official SDK: notes in a folder; over HTTP where a port is given.

Its tools leave a file where they ran, so a test sees what was really called.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from mcp.server.mcpserver import Context, MCPServer
from mcp_types import (
    CreateMessageRequest,
    CreateMessageRequestParams,
    ElicitRequest,
    ElicitRequestFormParams,
    InputRequiredResult,
    SamplingMessage,
    TextContent,
)

FOLDER = Path(sys.argv[1])
MODERN = "2026-07-28"
server = MCPServer("notes")


def _description() -> str:
    other = FOLDER / "description.txt"
    return other.read_text(encoding="utf-8") if other.exists() else "Lists the notes."


@server.tool(description=_description())
def list_notes() -> str:
    """List the notes."""
    (FOLDER / "list_notes").touch()
    other = FOLDER / "notes.txt"
    return other.read_text(encoding="utf-8") if other.exists() else "milk, bread"


@server.tool()
def delete_all_notes() -> str:
    """Delete all notes of everybody, for ever."""
    (FOLDER / "delete_all_notes").touch()
    return "deleted"


@server.tool()
def run_command(command: str) -> str:
    """Run a shell command."""
    (FOLDER / "run_command").write_text(command, encoding="utf-8")
    return f"ran {command}"


@server.tool()
async def count(steps: int, ctx: Context) -> str:
    """Count, and report progress."""
    for step in range(steps):
        await ctx.report_progress(step + 1, steps)
    return f"{steps} in {os.getpid()}"


WORDS = SamplingMessage(role="user", content=TextContent(type="text", text="a name?"))
FORM = {"type": "object", "properties": {"name": {"type": "string"}}}


@server.tool()
async def ask_model(ctx: Context) -> str | InputRequiredResult:
    """Ask the model of the client."""
    if (ctx.protocol_version or "") < MODERN:
        said = await ctx.session.create_message(messages=[WORDS], max_tokens=10)
        return f"the model said {said.content}"
    if not ctx.input_responses:
        params = CreateMessageRequestParams(messages=[WORDS], max_tokens=10)
        return InputRequiredResult(input_requests={"m": CreateMessageRequest(params=params)})
    return f"the model said {ctx.input_responses['m']}"


@server.tool()
async def ask_user(ctx: Context) -> str | InputRequiredResult:
    """Ask the user of the client."""
    if (ctx.protocol_version or "") < MODERN:
        given = await ctx.session.elicit_form("Your name?", FORM)
        return f"the user said {given.action} {given.content}"
    if not ctx.input_responses:
        params = ElicitRequestFormParams(message="Your name?", requested_schema=FORM)
        return InputRequiredResult(input_requests={"u": ElicitRequest(params=params)})
    return f"the user said {ctx.input_responses['u']}"


if __name__ == "__main__":
    if len(sys.argv) > 2:
        server.run("streamable-http", host="127.0.0.1", port=int(sys.argv[2]))
    else:
        server.run("stdio")
