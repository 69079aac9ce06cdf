"""Which files are worth a look before a call is judged: those it names. Reads text, no files.

Paths come back as written, at most `LIMIT` of them, what looks like a path before bare words. A
look is help, not proof: what was not looked at is judged by its path alone.

    paths_to_look_at(Action(tool="Bash", arguments={"command": "bash ./run.sh < in.txt"}))
        -> ("./run.sh", "in.txt", "bash")
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from signoff.actions.action import Action
from signoff.actions.known.test_runs import files_of_run
from signoff.actions.vocabulary import lazy_re, words

LIMIT = 64
MADE_LIMIT = 8  # words behind `mkdir`
TEXT_LIMIT = 65_536  # characters of one argument that are read
PATH_LIMIT = 1_024
KEPT = 512  # characters of a line that is kept, as lines come again
LINES_KEPT = 1_024
PATH_ARGUMENTS = words(
    "file_path path notebook_path filepath filename file file_name directory dir folder target "
    "source destination src dst from to output input script old_path new_path"
)
_NAMES_FILE = ("file", "filepath", "filename", "_path")
LINE_ARGUMENTS = frozenset({"command", "cmd", "line", "script", "args", "argv"})
_TREE_CHANGES = ("rm -", "rmtree", "rmSync", "mkdir", "makedirs")
SCRIPT_PATHS = 16  # paths of one script that are looked at
_DOCUMENT = lazy_re(r"<<-?\s*[\"'\\]?(\w+)")
FOLDER_MAKERS = (
    *("mkdir", "makedirs", "git worktree"),
    *("unzip", "tar ", "7z", "unrar ", "git clone", "meson setup", "cmake -", "venv "),
)
OUTPUT_OPTIONS = (
    *("--output", "--out", "--outdir", "--out-dir", "--output-dir", "--output-folder"),
    *("--output-path", "--out-folder", "--output_dir", "--out_dir", "--dest", "--destdir"),
    *("--target-dir", "--build-dir", "--report-dir", "--outDir", "--html-dir", "--basetemp"),
)
# What stands in a line that makes a key: where it lies must be known to have been empty.
_MAKES_KEYS = lazy_re(
    r"(?i)key[-_]?gen|gen(?:erate)?[-_]?(?:rsa|dsa|p?key|priv|sec|cert)|newkey|mkcert|\s-G\s"
    r"|\b(?:generate|create|new|init)\s+\S*(?:key|cert|signer|ident)"
    r"|(?:key|keys|keypair|cert|certificate|signer|identity|ca)\s+(?:generate|create|new|init)\b"
)
_MAKES = frozenset({"make", "gmake"})
_MAKEFILES = ("Makefile", "makefile", "GNUmakefile")
_COMPOSE_FILES = (
    *("compose.yaml", "compose.yml", "docker-compose.yaml", "docker-compose.yml", ".env"),
)
SEPARATORS = str.maketrans(dict.fromkeys(";|&<>(){}\n\t\r`$", " ") | dict.fromkeys("'\"\\", ""))


def paths_to_look_at(action: Action) -> tuple[str, ...]:
    """Return the paths a call names, as written, likeliest first."""
    named: list[str] = []
    likely: list[str] = []
    bare: list[str] = []
    for name, value in action.arguments.items():
        if name in LINE_ARGUMENTS:
            for text in _texts(value):
                paths, words = _sorted_words(text) if len(text) <= KEPT else _words_in(text)
                likely += paths
                bare += words
                if " -m " in text or "::" in text or "import " in text or "require(" in text:
                    likely += files_of_run(text)
        elif name in PATH_ARGUMENTS or name.lower().endswith(_NAMES_FILE):
            named += filter(_is_usable, _texts(value))
    return tuple(dict.fromkeys([*named, *likely, *bare]))[:LIMIT]


def _texts(value: object) -> Sequence[str]:
    """Return the texts of an argument that is one text or a list of texts."""
    if isinstance(value, str):
        return (value[:TEXT_LIMIT],)
    if isinstance(value, list | tuple):
        return [item[:TEXT_LIMIT] for item in value[:LIMIT] if isinstance(item, str)]
    return ()


def _words_of(line: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the words of a shell line that look like paths, and the bare ones that could be.

    Quotes and operators are dropped.
    """
    given = line.translate(SEPARATORS).split() + _of_windows(line)
    likely = [*_made_folders(given), *_in_folders(given), *_unnamed_files(given)]
    bare: list[str] = []
    for word in given:
        path = word.partition("=")[2] if "=" in word else word
        # As the clients of Amazon take the value of an option from a file.
        path = path.removeprefix("fileb://").removeprefix("file://")
        first = path[:1]
        if first == "@":
            path = path.lstrip("@")
            first = path[:1]
        if first == "-":
            # `7z x -odata/raw`: the value of a short option stands in the same word.
            if "/" not in path[3:] or path[1:2] == "-" or not _is_usable(path[2:]):
                continue
            path = path[2:]
        if "/" in path or "." in path or first == "~":
            if _is_usable(path):
                likely.append(path)
        elif 0 < len(path) <= PATH_LIMIT and "\0" not in path:
            bare.append(path)
    return tuple(likely), tuple(bare)


def _words_in(text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the words of a text; those of its here-documents, mostly data, come last."""
    outer, inner = _without_documents(text) if "<<" in text else (text, "")
    likely, bare = _words_of(outer)
    if not inner:
        return likely, bare
    likely_inside, bare_inside = _words_of(inner)
    return (*likely, *bare, *likely_inside), bare_inside


def paths_in_script(text: str) -> tuple[str, ...]:
    """Return the paths that a script deletes, or creates as folders, as written."""
    found: dict[str, None] = {}
    for row in text[:TEXT_LIMIT].split("\n"):
        if any([change in row for change in _TREE_CHANGES]):
            likely, bare = _words_of(row)
            found.update(dict.fromkeys([*likely, *bare]))
    return tuple(found)[:SCRIPT_PATHS]


def may_make_folders(action: Action) -> bool:
    """Return whether a call may create folders or keys, so that missing ones must be noted."""
    line = action.text("command")
    return any([maker in line for maker in FOLDER_MAKERS]) or names_output(line) or makes_keys(line)


def makes_keys(line: str) -> bool:
    """Return whether a line may make a key; a cheap test before `own_keys.keys_made`."""
    return _MAKES_KEYS.search(line[:TEXT_LIMIT]) is not None


def names_output(line: str) -> bool:
    """Return whether a line may name a folder a program fills, or a new terminal."""
    return any([f" {option}" in line for option in OUTPUT_OPTIONS]) or "tmux new" in line


def _without_documents(line: str) -> tuple[str, str]:
    """Return a text without the bodies of its here-documents, and those bodies."""
    outer: list[str] = []
    inner: list[str] = []
    ends: list[str] = []
    for row in line.split("\n"):
        if ends:
            if row.strip() == ends[0]:
                ends.pop(0)
            else:
                inner.append(row)
            continue
        outer.append(row)
        ends += [found.group(1) for found in _DOCUMENT.finditer(row)]
    return "\n".join(outer), "\n".join(inner)


def _of_windows(line: str) -> list[str]:
    """Return the words of a line of Windows, where a backslash parts folders, none of others."""
    if ".\\" not in line and ":\\" not in line:
        return []
    return line.replace("\\", "/").translate(SEPARATORS).split()


def _made_folders(given: Sequence[str]) -> Iterator[str]:
    """Yield the words behind `mkdir` with every folder above them: each may be made."""
    left = 0
    for word in given if "mkdir" in given else ():
        left = MADE_LIMIT if word == "mkdir" else left - 1
        if left <= 0 or word == "mkdir" or word[:1] in "-~" or not _is_usable(word):
            continue
        parts = word.rstrip("/").split("/")
        yield from ("/".join(parts[: at + 1]) for at in range(len(parts)) if parts[at])


def _unnamed_files(given: Sequence[str]) -> Iterator[str]:
    """Yield the files that make and compose read without being told."""
    if "compose" in given or "docker-compose" in given:
        yield from _COMPOSE_FILES
    if _MAKES.isdisjoint(given):
        return
    folders = [after for word, after in pairwise(given) if word in ("-C", "--directory")]
    for folder in folders or [""]:
        yield from [posixpath.join(folder, name) for name in _MAKEFILES]


def _in_folders(given: Sequence[str]) -> Iterator[str]:
    """Yield the words behind a change of the folder as paths in that folder."""
    folder = ""
    is_folder = False
    for word in given if "cd" in given else ():
        if is_folder:
            folder = posixpath.normpath(posixpath.join(folder, word))
        elif folder and word[:1] not in "-/~@" and "=" not in word and word != "cd":
            path = posixpath.normpath(posixpath.join(folder, word))
            if _is_usable(path):
                yield path
        is_folder = word == "cd"


_sorted_words = lru_cache(LINES_KEPT)(_words_in)


def _is_usable(path: str) -> bool:
    """Tell whether the system could be asked about it at all."""
    return 0 < len(path) <= PATH_LIMIT and "\0" not in path and "://" not in path
