"""How the session files of a host are found and read: the calls its agent made in the past.

A host with such files gives a `TranscriptFormat` in its manifest. Everything in a transcript was
written by the host or its agent: calls are read to be judged, and nothing in it is believed.

    for files in HOST.transcripts.find(Path.home() / ".codex"):
        for call in HOST.transcripts.read(files):
            ...
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

import msgspec
from msgspec import Struct

from signoff.actions.action import Action, Json
from signoff.errors import BadPayload
from signoff.frontends.hosts.naming import Caller, HostTool, tool_call
from signoff.system.files import CLOEXEC, NOFOLLOW, NONBLOCK

LINE_LIMIT = 8_388_608  # bytes of one entry; longer ones are no calls
FILE_LIMIT = 268_435_456  # bytes of a file that is read as a whole
FILES_LIMIT = 100_000
TEXT_LIMIT = 4_096

Entry = Mapping[str, Json]


class SessionFiles(Struct, frozen=True, kw_only=True):
    """The transcript files of one session.

    Args:
        modified_s: when the newest of them was written last, seconds since the epoch.
        size: bytes of all of them.
    """

    paths: tuple[str, ...]
    modified_s: float
    size: int


class PastCall(Struct, frozen=True, kw_only=True):
    """One call found in a transcript.

    Args:
        id: the host's id of the call, "" if it has none.
        at: when it was written down, ISO 8601, "" if unknown.
        action: the call; None if it cannot be read.
        is_versioned: the session's folder was under version control, as the host noted; None = the
            host notes nothing.
    """

    id: str
    at: str
    action: Action | None
    is_versioned: bool | None = None


class TranscriptFormat(Struct, frozen=True, kw_only=True):
    """How the transcripts of one host are found and read.

    Args:
        find: yields the sessions below the host's folder, in any order.
        read: yields the calls of a session, in order.
    """

    find: Callable[[Path], Iterator[SessionFiles]]
    read: Callable[[SessionFiles], Iterator[PastCall]]


def past_call(
    call: tuple[Json, Json],
    tools: Mapping[str, HostTool],
    *,
    caller: Caller,
    at: str = "",
    is_versioned: bool | None = None,
) -> PastCall:
    """Build a past call as the host's hook would have reported it."""
    try:
        told = tool_call(*call, tools, caller=caller).call
        action = told.action if told is not None else None
    except BadPayload:
        action = None
    return PastCall(id=caller.request_id, at=at, action=action, is_versioned=is_versioned)


def sessions_of(groups: Iterable[Iterable[Path]]) -> Iterator[SessionFiles]:
    """Yield one session per group of files; only regular files count."""
    for count, group in enumerate(groups):
        if count == FILES_LIMIT:
            return
        found: list[tuple[str, os.stat_result]] = []
        for path in group:
            try:
                known = os.lstat(path)
            except OSError:
                continue
            if stat.S_ISREG(known.st_mode):
                found.append((str(path), known))
        if found:
            yield SessionFiles(
                paths=tuple(path for path, _ in found),
                modified_s=max(known.st_mtime for _, known in found),
                size=sum(known.st_size for _, known in found),
            )


def entries_with(path: str, marks: Iterable[bytes]) -> Iterator[Entry]:
    """Yield the entries of a JSON Lines file that contain one of these byte strings.

    Other lines are not parsed. Nothing if the file cannot be read; invalid lines are skipped.
    """
    wanted = tuple(marks)
    try:
        for line in _lines(path):
            if any(mark in line for mark in wanted):
                entry = decoded(line)
                if isinstance(entry, Mapping):
                    yield entry
    except OSError:
        return


def whole_document(path: str) -> Json:
    """Return the content of a JSON file, None if it cannot be read."""
    try:
        with open(_opened(path), "rb") as source:
            return decoded(source.read(FILE_LIMIT))
    except OSError:
        return None


def decoded(text: bytes | str) -> Json:
    """Parse JSON; None if it is not valid."""
    try:
        value: Json = msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    return value


def part(entry: Json, *names: str) -> Entry:
    """Return the object at a path of names in an entry, {} if there is none."""
    for name in names:
        entry = entry.get(name) if isinstance(entry, Mapping) else None
    return entry if isinstance(entry, Mapping) else {}


def text(entry: Entry, name: str) -> str:
    """Return a short text field of an entry, "" if there is none."""
    value = entry.get(name)
    return value[:TEXT_LIMIT] if isinstance(value, str) else ""


def _lines(path: str) -> Iterator[bytes]:
    with open(_opened(path), "rb") as source:
        while line := source.readline(LINE_LIMIT):
            if line.endswith(b"\n") or len(line) < LINE_LIMIT:
                yield line
                continue
            # The rest of a line that is too long: the next entry begins behind it.
            while (line := source.readline(LINE_LIMIT)) and not line.endswith(b"\n"):
                pass


def _opened(path: str) -> int:
    # The agent can write these folders: a link could show other files, a pipe could block.
    handle = os.open(path, os.O_RDONLY | NOFOLLOW | NONBLOCK | CLOEXEC)
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise OSError(f"{path} is no plain file")
    return handle
