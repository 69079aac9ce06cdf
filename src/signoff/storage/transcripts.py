"""The last turns of a session, for a summary: from the host's transcript, or from the audit log.

Claude Code keeps a transcript, found by the session's id below `~/.claude/projects`, whatever
folder the agent runs in. The agent can write that file: it is shown, and nothing rests on it.

For hosts without a transcript, the session's last calls and their verdicts are read from the audit
log, which the agent cannot write.

    transcript_of_session("/home/dev", "0b1c...-...")
    transcript_of_record(store, session="s1")
"""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterator, Mapping

from signoff.actions.action import Json
from signoff.challenge.words.stopping import SessionTurn
from signoff.storage.reading import Content, Readable, content_of
from signoff.system.files import CLOEXEC, NOFOLLOW, NONBLOCK

PROJECTS = (".claude", "projects")
# One a project: a home with more is searched no further, and there is no summary.
FOLDERS_LIMIT = 5_000
ID_LIMIT = 100
READ_LIMIT = 524_288  # bytes from the end
LINE_LIMIT = 131_072
TURNS_LIMIT = 100
TEXT_LIMIT = 4_000
FEEDBACK = "Stop hook feedback"  # of what the host itself puts in, what makes an agent go on

CALLS_LIMIT = 40
ENTRIES_LIMIT = 2_000  # looked through, from the end
CALL_LIMIT = 1_000


def transcript_of_session(home: str, session: str) -> tuple[SessionTurn, ...]:
    """Return the last turns of a session from its host's transcript, () if there is none.

    Args:
        home: the user's home folder.
    """
    path = _find(home, session)
    try:
        return tuple(_turns(_tail(path)))[-TURNS_LIMIT:] if path else ()
    except OSError:
        return ()


def _find(home: str, session: str) -> str:
    """Return the path of a session's transcript, "" if there is none."""
    # The id becomes part of a path, and the agent's host chose it: no dots, no slashes.
    if not session.replace("-", "").isalnum() or not session.isascii() or len(session) > ID_LIMIT:
        return ""
    root = os.path.join(home, *PROJECTS)
    try:
        with os.scandir(root) as folders:
            for count, folder in enumerate(folders):
                path = os.path.join(folder.path, f"{session}.jsonl")
                if count < FOLDERS_LIMIT and os.path.isfile(path):
                    return path
    except OSError:
        return ""
    return ""


def _tail(path: str) -> list[bytes]:
    """Return the last whole lines of a file."""
    # The agent can write this folder: a link could show other files, a pipe could block.
    handle = os.open(path, os.O_RDONLY | NOFOLLOW | NONBLOCK | CLOEXEC)
    with open(handle, "rb") as source:
        found = os.fstat(handle)
        if not stat.S_ISREG(found.st_mode):
            return []
        start = max(0, found.st_size - READ_LIMIT)
        source.seek(start)
        lines = source.read(READ_LIMIT).split(b"\n")
    # Reading began in the middle of the file, so the first line may be cut.
    return lines[1:] if start else lines


def _turns(lines: list[bytes]) -> Iterator[SessionTurn]:
    """Yield the turns in lines of JSON; what is none is passed over."""
    for line in lines:
        # A line with a picture or a whole file says nothing that a summary needs.
        if not line or len(line) > LINE_LIMIT:
            continue
        try:
            entry = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(entry, dict) and entry.get("type") in ("user", "assistant"):
            message = entry.get("message")
            if not isinstance(message, dict):
                continue
            who, content = "user" if entry["type"] == "user" else "agent", message.get("content")
            # What the host puts in as if the user had said it is not the user's word.
            if not entry.get("isMeta"):
                yield from _said(who, content)
            elif isinstance(content, str) and content.startswith(FEEDBACK):
                yield from _said("host", content)


def _said(who: str, content: Json) -> Iterator[SessionTurn]:
    """Yield what was said, called and returned in one message."""
    if isinstance(content, str):
        yield SessionTurn(who=who, text=content[:TEXT_LIMIT])
        return
    for block in content if isinstance(content, list) else ():
        if not isinstance(block, dict):
            continue
        match block.get("type"):
            case "text":
                yield SessionTurn(who=who, text=_text(block.get("text")))
            case "tool_use":
                called = json.dumps(block.get("input"), ensure_ascii=False)
                yield SessionTurn(
                    who="agent calls", text=f"{_text(block.get('name'))} {called}"[:TEXT_LIMIT]
                )
            case "tool_result":
                failure = _text(block.get("tool_use_id")) if block.get("is_error") is True else ""
                yield SessionTurn(who="tool", text=_result(block.get("content")), failure=failure)


def _result(content: Json) -> str:
    """Return the text of what a tool gave back."""
    if not isinstance(content, list):
        return _text(content)
    parts = (block.get("text") for block in content if isinstance(block, Mapping))
    return " ".join(part for part in parts if isinstance(part, str))[:TEXT_LIMIT]


def _text(value: Json) -> str:
    return value[:TEXT_LIMIT] if isinstance(value, str) else ""


def transcript_of_record(store: Readable, *, session: str) -> tuple[SessionTurn, ...]:
    """Return the last calls of a session among the newest audit log entries.

    Raises:
        StoreError: the log cannot be read.
    """
    if not session:
        return ()
    last = store.head().seq
    newest = store.entries(first=max(1, last - ENTRIES_LIMIT + 1), last=last)
    contents = (content_of(entry) for entry in newest)
    turns = [_turn(content) for content in contents if content.get("session") == session]
    return tuple(turns[-CALLS_LIMIT:])


def _turn(content: Content) -> SessionTurn:
    """Return one entry of the record as a turn."""
    call = json.dumps(content.get("action_redacted"), ensure_ascii=False)
    text = f"{content.get('tool')} {call}"[:CALL_LIMIT]
    verdict, reason = content.get("verdict"), str(content.get("reason"))[:CALL_LIMIT]
    return SessionTurn(who="agent calls", text=f"{text} -> {verdict}: {reason}")
