"""Copilot CLI's transcripts: `session-state/<session>/events.jsonl`, one event a line.

Older versions wrote `session-state/<session>.jsonl` with the same events.

    {"type": "session.start", "data": {"sessionId": "..", "context": {"cwd": "/w"}}}
    {"type": "tool.execution_start", "timestamp": "..", "data": {"toolCallId": "..",
     "toolName": "bash", "arguments": {"command": "ls"}}}
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from msgspec.structs import replace

from signoff.errors import BadPayload
from signoff.frontends.hosts import transcripts
from signoff.frontends.hosts.copilot.adapter import NAME, TOOLS
from signoff.frontends.hosts.naming import NAME_LIMIT, Caller, unpacked

CONTEXT = frozenset({"session.start", "session.resume", "session.context_changed"})
CALL = "tool.execution_start"
MARKS = tuple(f'"{name}"'.encode() for name in (*sorted(CONTEXT), CALL))


def find(folder: Path) -> Iterator[transcripts.SessionFiles]:
    """Yield the sessions in a folder like `~/.copilot`."""
    kept = folder / "session-state"
    return transcripts.sessions_of(
        (path,) for form in ("*/events.jsonl", "*.jsonl") for path in kept.glob(form)
    )


def read(session: transcripts.SessionFiles) -> Iterator[transcripts.PastCall]:
    """Yield the calls of a session, each with the session's folder."""
    path = Path(session.paths[0])
    name = path.parent.name if path.name == "events.jsonl" else path.stem
    caller, is_versioned = Caller(source=NAME, session=name[:NAME_LIMIT]), None
    for entry in transcripts.entries_with(str(path), MARKS):
        data = transcripts.part(entry, "data")
        if entry.get("type") in CONTEXT:
            context = transcripts.part(data, "context") or data
            cwd = transcripts.text(context, "cwd")
            if cwd:
                caller = replace(caller, cwd=cwd)
                is_versioned = bool(context.get("gitRoot"))
        elif entry.get("type") == CALL:
            call_id = transcripts.text(data, "toolCallId")[:NAME_LIMIT]
            try:
                fields = unpacked(data.get("arguments"))
            # The call is kept and counts as one that cannot be read.
            except BadPayload:
                fields = None
            yield transcripts.past_call(
                (data.get("toolName"), fields),
                TOOLS,
                caller=replace(caller, request_id=call_id),
                at=transcripts.text(entry, "timestamp"),
                is_versioned=is_versioned,
            )


FORMAT = transcripts.TranscriptFormat(find=find, read=read)
