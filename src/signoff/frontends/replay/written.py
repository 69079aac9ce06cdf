"""The files a recorded call wrote, as far as its own words tell: writes, edits, here-documents.

files_written(Action(tool="Write", arguments={"file_path": "/p/x.sh", "content": "ls"}), disk)
    -> ("/p/x.sh", "ls")
"""

from __future__ import annotations

import posixpath
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence

from signoff.actions.action import Action, Json
from signoff.actions.tools.patches import read_patch
from signoff.frontends.replay.disk import ReplayDisk

# Where a line is searched for here-documents, and no further.
LINE_LIMIT = 200_000
PATCH_FIELDS = ("patch", "input", "command")
_HEREDOC = re.compile(
    r"cat\s*(?:(?P<how>>>?)\s*(?P<path>[^\s<>|;&]+)\s*)?<<-?\s*(?P<quote>['\"]?)(?P<end>\w+)(?P=quote)"
    r"[ \t]*(?:(?P<how2>>>?)[ \t]*(?P<path2>[^\s<>|;&]+))?[^\n]*\n(?P<text>.*?)^(?P=end)[ \t]*$",
    re.DOTALL | re.MULTILINE,
)
_WRAPPED = re.compile(r"(?:/\S*/)?(?:bash|sh|zsh) -l?c '")
_FOLDER = re.compile(r"(?:^|[;&|\n]\s*)cd\s+([^\s;&|]+)")


def files_written(action: Action, disk: ReplayDisk) -> Iterator[tuple[str, str]]:
    """Yield path and whole text of every file a call wrote, where its words tell both."""
    given, cwd = action.arguments, action.cwd or "/"
    match action.tool:
        case "Write":
            yield _path(given, cwd), _text(given, "content")
        case "Edit":
            yield from _edited(_path(given, cwd), [given], disk)
        case "MultiEdit":
            edits = given.get("edits")
            every = edits if isinstance(edits, Sequence) and not isinstance(edits, str) else ()
            yield from _edited(
                _path(given, cwd), [one for one in every if isinstance(one, Mapping)], disk
            )
        case "apply_patch":
            yield from _patched(next(filter(None, map(action.text, PATCH_FIELDS)), ""), cwd, disk)
        case "Bash":
            line = _script(_text(given, "command")[:LINE_LIMIT])
            yield from _here_documents(line, cwd, disk)


def _script(line: str) -> str:
    """Return the script of `bash -lc SCRIPT`, as some hosts wrap every line; else the line."""
    if "<<" not in line or not _WRAPPED.match(line):
        return line
    try:
        return shlex.split(line)[2]
    except (ValueError, IndexError):
        return line


def _patched(patch: str, cwd: str, disk: ReplayDisk) -> Iterator[tuple[str, str]]:
    """Yield the files a patch makes, and those of the session it changes in one place."""
    for file in read_patch(patch) or ():
        path = posixpath.normpath(posixpath.join(cwd, file.path))
        before = disk.read(path)
        if file.is_new:
            yield path, file.added
        elif before is not None and file.removed and file.removed in before:
            yield path, before.replace(file.removed, file.added, 1)


def _text(given: Mapping[str, Json], name: str) -> str:
    value = given.get(name)
    return value if isinstance(value, str) else ""


def _path(given: Mapping[str, Json], cwd: str) -> str:
    return posixpath.normpath(posixpath.join(cwd, _text(given, "file_path")))


def _edited(
    path: str, edits: Sequence[Mapping[str, Json]], disk: ReplayDisk
) -> Iterator[tuple[str, str]]:
    """Yield an edited file, if the session wrote it before."""
    text = disk.read(path)
    if text is None:
        return
    for edit in edits:
        old, new = _text(edit, "old_string"), _text(edit, "new_string")
        text = text.replace(old, new, -1 if edit.get("replace_all") else 1) if old else text
    yield path, text


def _here_documents(line: str, cwd: str, disk: ReplayDisk) -> Iterator[tuple[str, str]]:
    """Yield the files a shell line writes by `cat > FILE <<'EOF'`."""
    if "<<" not in line:
        return
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
