"""A small MCP server over standard input and output: its tools leave a file where they ran.

The file named by its first argument, if there is one, is what it says of each tool.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

TOOLS = ("list_notes", "delete_all_notes")


def described(tool: str) -> str:
    """Return what the server says of a tool."""
    return Path(sys.argv[1]).read_text(encoding="utf-8") if sys.argv[1:] else tool


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """Return the result of one request."""
    match request["method"]:
        case "initialize":
            return {
                "protocolVersion": request["params"]["protocolVersion"],
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "notes", "version": "1"},
            }
        case "tools/list":
            schema = {"type": "object", "properties": {}}
            return {
                "tools": [
                    {"name": name, "description": described(name), "inputSchema": schema}
                    for name in TOOLS
                ]
            }
        case "tools/call":
            Path(request["params"]["name"]).touch()
            return {"content": [{"type": "text", "text": "done"}]}
        case _:
            return {}


def main() -> None:
    """Serve until the input ends."""
    for line in sys.stdin:
        request = json.loads(line)
        if "id" in request:
            reply = {"jsonrpc": "2.0", "id": request["id"], "result": answer(request)}
            print(json.dumps(reply), flush=True)


if __name__ == "__main__":
    main()
