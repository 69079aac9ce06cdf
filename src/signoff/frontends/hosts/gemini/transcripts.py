"""Gemini CLI's transcripts: `tmp/<project>/chats/session-*.json`, or one message a line (`.jsonl`).

The folder of a session is not in its file. `.project_root` beside the chats names it, or
`projects.json`, or the name of the folder is the SHA-256 of a folder that is known.

    {"sessionId": "..", "messages": [{"type": "gemini", "timestamp": "..", "toolCalls": [
     {"id": "..", "name": "run_shell_command", "args": {"command": "ls"}}]}]}
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from signoff.actions.action import Json
from signoff.frontends.hosts import transcripts
from signoff.frontends.hosts.gemini.adapter import NAME, tools_for
from signoff.frontends.hosts.naming import NAME_LIMIT, Caller

MARKS = (b'"toolCalls"', b'"sessionId"')
ROOT_FILE = ".project_root"
PROJECTS_FILE = "projects.json"


def find(folder: Path) -> Iterator[transcripts.SessionFiles]:
    """Yield the sessions in a folder like `~/.gemini`."""
    return transcripts.sessions_of(
        (path,)
        for ending in ("json", "jsonl")
        for path in folder.glob(f"tmp/*/chats/session-*.{ending}")
    )


def read(session: transcripts.SessionFiles) -> Iterator[transcripts.PastCall]:
    """Yield the calls of a session; a message that was written twice counts once."""
    path = Path(session.paths[0])
    cwd = project_of(path.parent.parent)
    name, seen = path.stem, set[str]()
    for message, named in _messages(path):
        name = named or name
        calls = message.get("toolCalls")
        for call in calls if isinstance(calls, Sequence) and not isinstance(calls, str) else ():
            if not isinstance(call, Mapping):
                continue
            id = transcripts.text(call, "id")[:NAME_LIMIT]
            if id and id in seen:
                continue
            seen.add(id)
            fields = call.get("args")
            yield transcripts.past_call(
                (call.get("name"), fields),
                tools_for(fields),
                caller=Caller(source=NAME, session=name[:NAME_LIMIT], cwd=cwd, request_id=id),
                at=transcripts.text(call, "timestamp") or transcripts.text(message, "timestamp"),
            )


def project_of(folder: Path) -> str:
    """Return the project whose chats a folder holds, "" if unknown."""
    try:
        root = (folder / ROOT_FILE).read_text(encoding="utf-8").strip()
    except (OSError, ValueError):
        root = ""
    # A relative folder would mean another one here.
    if root.startswith("/"):
        return root
    projects = transcripts.part(
        transcripts.whole_document(str(folder.parent.parent / PROJECTS_FILE)), "projects"
    )
    for path, known in projects.items():
        if known == folder.name or hashlib.sha256(path.encode()).hexdigest() == folder.name:
            return path
    return ""


def _messages(path: Path) -> Iterator[tuple[transcripts.Entry, str]]:
    """Yield each message with the session's name, as far as it is known by then."""
    if path.suffix == ".jsonl":
        for entry in transcripts.entries_with(str(path), MARKS):
            changed = transcripts.part(entry, "$set")
            for message in (entry, *_listed(entry), *_listed(changed)):
                yield message, transcripts.text(entry, "sessionId")
        return
    whole = transcripts.whole_document(str(path))
    if isinstance(whole, Mapping):
        for message in _listed(whole):
            yield message, transcripts.text(whole, "sessionId")


def _listed(entry: transcripts.Entry) -> Iterator[transcripts.Entry]:
    messages: Json = entry.get("messages")
    if isinstance(messages, Sequence) and not isinstance(messages, str):
        yield from (one for one in messages if isinstance(one, Mapping))


FORMAT = transcripts.TranscriptFormat(find=find, read=read)
