"""What a recorded call left on disk, as far as its own words say: files and edits, here-documents.

files_written({"tool": "Write", "input": {"file_path": "/p/x.sh", "content": "ls"}}, disk)
    -> ("/p/x.sh", "ls")
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from bench.quality.disk import ScratchDisk

_HEREDOC = re.compile(
    r"cat\s*(?:(?P<how>>>?)\s*(?P<path>[^\s<>|;&]+)\s*)?<<-?\s*(?P<quote>['\"]?)(?P<end>\w+)(?P=quote)"
    r"[ \t]*(?:(?P<how2>>>?)[ \t]*(?P<path2>[^\s<>|;&]+))?[^\n]*\n(?P<text>.*?)^(?P=end)[ \t]*$",
    re.DOTALL | re.MULTILINE,
)
_FOLDER = re.compile(r"(?:^|[;&|\n]\s*)cd\s+([^\s;&|]+)")
LINE_LIMIT = 200_000


def files_written(row: Mapping[str, Any], disk: ScratchDisk) -> Iterator[tuple[str, str]]:
    """Give path and whole text of every file a call wrote, where its words tell both."""
    given, cwd = row["input"], str(row.get("cwd") or "/")
    match row["tool"]:
        case "Write":
            yield _path(given, cwd), str(given.get("content", ""))
        case "Edit":
            yield from _edited(_path(given, cwd), [given], disk)
        case "MultiEdit":
            yield from _edited(_path(given, cwd), given.get("edits") or (), disk)
        case "Bash":
            yield from _here_documents(str(given.get("command", ""))[:LINE_LIMIT], cwd, disk)


def _path(given: Mapping[str, Any], cwd: str) -> str:
    return posixpath.normpath(posixpath.join(cwd, str(given.get("file_path", ""))))


def _edited(
    path: str, edits: Sequence[Mapping[str, Any]], disk: ScratchDisk
) -> Iterator[tuple[str, str]]:
    """Give an edited file, if the session wrote it before."""
    text = disk.read(path)
    if text is None:
        return
    for edit in edits:
        old, new = str(edit.get("old_string", "")), str(edit.get("new_string", ""))
        text = text.replace(old, new, -1 if edit.get("replace_all") else 1) if old else text
    yield path, text


def _here_documents(line: str, cwd: str, disk: ScratchDisk) -> Iterator[tuple[str, str]]:
    """Give the files a shell line writes by `cat > FILE <<'EOF'`."""
    for found in _HEREDOC.finditer(line):
        named, text = found["path"] or found["path2"], found["text"]
        is_literal = bool(found["quote"]) or not {"$", "`"} & set(text)
        if not named or not is_literal or "$" in named or named.startswith("~"):
            continue
        folders = _FOLDER.findall(line[: found.start()])
        folder = posixpath.join(cwd, folders[-1].strip("'\"")) if folders else cwd
        path = posixpath.normpath(posixpath.join(folder, named.strip("'\"")))
        is_added = (found["how"] or found["how2"]) == ">>"
        yield path, (disk.read(path) or "") + text if is_added else text
