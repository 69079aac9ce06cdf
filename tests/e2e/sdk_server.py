"""A server of the official SDK: notes in a folder; over HTTP where a port is given.

Its tools leave a file where they ran, so a test sees what was really called.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from mcp.server.mcpserver import Context, MCPServer

FOLDER = Path(sys.argv[1])
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


if __name__ == "__main__":
    if len(sys.argv) > 2:
        server.run("streamable-http", host="127.0.0.1", port=int(sys.argv[2]))
    else:
        server.run("stdio")
