"""Codex's transcripts: `sessions/YYYY/MM/DD/rollout-*.jsonl`, one item a line.

Items stand in an envelope with a time; in older files they stand alone.

    {"timestamp": "..", "type": "session_meta", "payload": {"id": "..", "cwd": "/w", "git": {..}}}
    {"timestamp": "..", "type": "response_item", "payload": {"type": "function_call",
     "name": "shell", "arguments": "{\\"command\\": [\\"ls\\"]}", "call_id": ".."}}
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from msgspec.structs import replace

from signoff.actions.action import Json
from signoff.frontends.hosts import transcripts
from signoff.frontends.hosts.codex.adapter import NAME, TOOLS
from signoff.frontends.hosts.naming import NAME_LIMIT, Caller

CONTEXT = frozenset({"session_meta", "turn_context"})
CALLS = frozenset({"function_call", "custom_tool_call", "local_shell_call"})
MARKS = tuple(f'"{name}"'.encode() for name in sorted(CONTEXT | CALLS))
# Reading and writing the terminals of commands that were judged as they began.
NO_CALLS = frozenset({"write_stdin", "wait", "send_input", "list_mcp_resources"})


def find(folder: Path) -> Iterator[transcripts.SessionFiles]:
    """Yield the sessions in a folder like `~/.codex`."""
    return transcripts.sessions_of(
        (path,)
        for kept in ("sessions", "archived_sessions")
        for path in (folder / kept).glob("**/rollout-*.jsonl")
    )


def read(session: transcripts.SessionFiles) -> Iterator[transcripts.PastCall]:
    """Yield the calls of a session, each with the folder of its turn."""
    path = session.paths[0]
    # From the end: a name is `rollout-TIME-ID`, and the id is what tells sessions apart.
    caller = Caller(source=NAME, session=Path(path).stem[-NAME_LIMIT:])
    is_versioned: bool | None = None
    for entry in transcripts.entries_with(path, MARKS):
        item = transcripts.part(entry, "payload") or entry
        kind = transcripts.text(entry, "type")
        if kind in CONTEXT:
            caller = _moved(caller, item)
            if kind == "session_meta":
                is_versioned = bool(item.get("git")) if "git" in item else None
            continue
        if transcripts.text(item, "type") not in CALLS or item.get("name") in NO_CALLS:
            continue
        call_id = transcripts.text(item, "call_id")[:NAME_LIMIT]
        yield transcripts.past_call(
            _call(item),
            TOOLS,
            caller=replace(caller, request_id=call_id),
            at=transcripts.text(entry, "timestamp"),
            is_versioned=is_versioned,
        )


def _moved(caller: Caller, item: transcripts.Entry) -> Caller:
    return replace(
        caller,
        cwd=transcripts.text(item, "cwd") or caller.cwd,
        session=transcripts.text(item, "id")[:NAME_LIMIT] or caller.session,
    )


def _call(item: transcripts.Entry) -> tuple[Json, Json]:
    """Return the tool and the fields of a call."""
    match item.get("type"):
        case "local_shell_call":
            action = transcripts.part(item, "action")
            return "local_shell", {
                "command": action.get("command"),
                "workdir": action.get("working_directory"),
            }
        case "custom_tool_call":  # its input is a text: a patch, a script
            return item.get("name"), {"input": item.get("input")}
        case _:
            given = item.get("arguments")
            fields = transcripts.decoded(given) if isinstance(given, str) else given
            return item.get("name"), fields


FORMAT = transcripts.TranscriptFormat(find=find, read=read)
