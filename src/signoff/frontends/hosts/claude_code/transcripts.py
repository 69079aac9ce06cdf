"""Claude Code's transcripts: `projects/<folder>/<session>.jsonl`, one message a line.

Subagents write files of their own, beside it or below `<session>/subagents`; they are read with
their session, in the order of time.

    {"type": "assistant", "sessionId": "..", "cwd": "/w", "gitBranch": "main", "timestamp": "..",
     "message": {"content": [{"type": "tool_use", "id": "..", "name": "Bash", "input": {..}}]}}
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from signoff.frontends.hosts import transcripts
from signoff.frontends.hosts.naming import NAME_LIMIT, Caller

MARK = (b'"tool_use"',)


def find(folder: Path) -> Iterator[transcripts.SessionFiles]:
    """Yield the sessions in a folder like `~/.claude`."""
    return transcripts.sessions_of(
        (main, *sorted((main.parent / main.stem / "subagents").glob("*.jsonl")))
        for main in folder.glob("projects/*/*.jsonl")
    )


def read(session: transcripts.SessionFiles) -> Iterator[transcripts.PastCall]:
    """Yield the calls of a session and its subagents."""
    entries = [entry for path in session.paths for entry in transcripts.entries_with(path, MARK)]
    if len(session.paths) > 1:
        entries.sort(key=lambda entry: transcripts.text(entry, "timestamp"))
    name = Path(session.paths[0]).stem
    seen: set[str] = set()
    for entry in entries:
        if entry.get("type") == "assistant":
            for call in _calls(entry, name):
                if not call.id or call.id not in seen:  # a message may be written twice
                    seen.add(call.id)
                    yield call


def _calls(entry: transcripts.Entry, session: str) -> Iterator[transcripts.PastCall]:
    content = transcripts.part(entry, "message").get("content")
    for block in content if isinstance(content, Sequence) and not isinstance(content, str) else ():
        if not isinstance(block, Mapping) or block.get("type") != "tool_use":
            continue
        caller = Caller(
            source="claude-code",
            session=(transcripts.text(entry, "sessionId") or session)[:NAME_LIMIT],
            agent=transcripts.text(entry, "agentId")[:NAME_LIMIT],
            cwd=transcripts.text(entry, "cwd"),
            request_id=transcripts.text(block, "id")[:NAME_LIMIT],
        )
        yield transcripts.past_call(
            (block.get("name"), block.get("input")),
            {},
            caller=caller,
            at=transcripts.text(entry, "timestamp"),
            is_versioned=bool(entry["gitBranch"]) if "gitBranch" in entry else None,
        )


FORMAT = transcripts.TranscriptFormat(find=find, read=read)
