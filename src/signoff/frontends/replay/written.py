"""The files a recorded call wrote, as far as its own words tell: writes, edits, shell lines.

`SessionDisk` keeps those of one recorded session in memory: no file of this machine is read.

    files_written(Action(tool="Write", arguments={"file_path": "/p/x.sh", "content": "ls"}), disk)
        -> ("/p/x.sh", "ls")
    disk = SessionDisk(project_around)
    disk.write("/home/dev/project/x.sh", "ls")
    disk.look("/home/dev/project/x.sh", text_limit=65_536).text
"""

from __future__ import annotations

import posixpath
import re
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Protocol

from signoff.actions.action import Action, Json
from signoff.actions.facts import Facts, FileFact
from signoff.actions.lookups import paths_to_look_at
from signoff.actions.programs.vcs.patches import read_patch
from signoff.actions.shell.reader import read_shell
from signoff.actions.understand import place_of
from signoff.storage.fs_probe.files import is_script
from signoff.storage.fs_probe.project import Project
from signoff.values import replace

# Where a line is searched for here-documents, and no further.
LINE_LIMIT = 200_000
PATCH_FIELDS = ("patch", "input", "command")
# `cat > FILE <<'EOF'` or `cat <<'EOF' > FILE`: other programs may change what they are given.
_HEREDOC = re.compile(
    r"cat\s*(?:(?P<how>>>?)\s*(?P<path>[^\s<>|;&]+)\s*)?<<-?\s*(?P<quote>['\"]?)(?P<end>\w+)(?P=quote)"
    r"[ \t]*(?:(?P<how2>>>?)[ \t]*(?P<path2>[^\s<>|;&]+))?[^\n]*\n(?P<text>.*?)^(?P=end)[ \t]*$",
    re.DOTALL | re.MULTILINE,
)
_WRAPPED = re.compile(r"(?:/\S*/)?(?:bash|sh|zsh) -l?c '")
_MAKES_FILES = re.compile(r">|\b(?:cp|mv|ln|install)\s")
# The files that `cat` joins, and a word with a glob among them.
_JOINED = re.compile(r"(?:^|(?<=[;&|\n(]))[ \t]*cat[ \t]+[^\s'\"|;&<>$`][^'\"|;&<>$`\n]*")
_GLOB = re.compile(r"(?<!\S)\S*[*?\[]\S*")
_FOLDER = re.compile(r"(?:^|[;&|\n]\s*)cd\s+([^\s;&|]+)")

KEPT_BYTES = 64_000_000  # of all files of one session; more are forgotten, oldest first


def files_written(action: Action, disk: ReplayDisk) -> Iterator[tuple[str, str]]:
    """Yield (path, whole text) of every file a call wrote, if the call shows both."""
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
            found = dict(_here_documents(line, cwd, disk))
            if _MAKES_FILES.search(line):
                found.update(_by_commands(line, action, disk))
            yield from found.items()


def _by_commands(line: str, action: Action, disk: ReplayDisk) -> Iterator[tuple[str, str]]:
    """Yield what the commands of a line print into files, copy and move, where it is known."""
    known: dict[str, str] = {}
    cwd = action.cwd or "/"
    if "<<" not in line:
        line = _JOINED.sub(lambda found: _expanded(found.group(), cwd, disk), line)
    for name in paths_to_look_at(replace(action, arguments={"command": line})):
        path = posixpath.normpath(posixpath.join(cwd, name))
        text = disk.read(path)
        if text is not None:
            known[path] = text
    home = {"HOME": place_of(action, Facts()).home}
    # With a second command behind it, even a plain `cp a b` is followed with what its files hold.
    reading = read_shell(f"{line}\n:", cwd=action.cwd, variables=home, files=known)
    for path, text in reading.files:
        if known.get(path) != text:
            yield path, text


def _expanded(command: str, cwd: str, disk: ReplayDisk) -> str:
    """Return a command with the session's files for its globs; one that matches none stays."""

    def files_of(found: re.Match[str]) -> str:
        paths = disk.matches(posixpath.normpath(posixpath.join(cwd, found.group())))
        return " ".join(map(shlex.quote, paths)) or found.group()

    return _GLOB.sub(files_of, command)


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
        # An empty `old` would put `new` between all letters.
        text = text.replace(old, new, -1 if edit.get("replace_all") else 1) if old else text
    yield path, text


def _here_documents(line: str, cwd: str, disk: ReplayDisk) -> Iterator[tuple[str, str]]:
    """Yield the files a shell line writes by `cat > FILE <<'EOF'`."""
    if "<<" not in line:
        return
    for found in _HEREDOC.finditer(line):
        named, text = found["path"] or found["path2"], found["text"]
        # Without quotes the shell expands `$` and backticks in the text (POSIX Shell, 2.7.4).
        is_literal = bool(found["quote"]) or not {"$", "`"} & set(text)
        if not named or not is_literal or "$" in named or named.startswith("~"):
            continue
        folders = _FOLDER.findall(line[: found.start()])
        folder = posixpath.join(cwd, folders[-1].strip("'\"")) if folders else cwd
        path = posixpath.normpath(posixpath.join(folder, named.strip("'\"")))
        is_added = (found["how"] or found["how2"]) == ">>"
        yield path, (disk.read(path) or "") + text if is_added else text


def matching(paths: Iterable[str], pattern: str) -> list[str]:
    """Return the paths that a glob matches as a shell does: `*` stays in one folder."""
    depth = pattern.count("/")
    return sorted(
        [path for path in paths if path.count("/") == depth and fnmatchcase(path, pattern)]
    )


class ReplayDisk(Protocol):
    """Port: the simulated disk of a replayed session."""

    def look(self, path: str, *, text_limit: int, is_read: bool = False) -> FileFact | None:
        """Return what is at an absolute path; None if the session did not make it."""

    def read(self, path: str) -> str | None:
        """Return the text of a file the session made, None if there is none."""

    def matches(self, pattern: str) -> list[str]:
        """Return the files the session made whose absolute path a glob matches, in order."""

    def write(self, path: str, text: str) -> None:
        """Write a file."""

    def project_around(self, folder: str) -> Project:
        """Return the project a folder belongs to."""


class SessionDisk:
    """A session's files by path, in memory; symbolic links are not simulated."""

    def __init__(self, project_around: Callable[[str], Project]) -> None:
        self.project_around = project_around
        self._files: dict[str, str] = {}
        self._size = 0

    def look(self, path: str, *, text_limit: int, is_read: bool = False) -> FileFact | None:
        """Return what is at an absolute path; None if the session did not make it."""
        text = self._files.get(path)
        if text is None:
            return None
        is_shown = len(text) <= text_limit and (is_read or is_script(path.rpartition("/")[2]))
        return FileFact(real_path=path, text=text if is_shown else None)

    def read(self, path: str) -> str | None:
        """Return the text of a file the session made, None if there is none."""
        return self._files.get(path)

    def matches(self, pattern: str) -> list[str]:
        """Return the files the session made whose absolute path a glob matches, in order."""
        return matching(self._files, pattern)

    def write(self, path: str, text: str) -> None:
        """Store a file; the oldest are dropped if all together are too large."""
        self._size += len(text) - len(self._files.pop(path, ""))
        self._files[path] = text
        while self._size > KEPT_BYTES:
            self._size -= len(self._files.pop(next(iter(self._files))))
