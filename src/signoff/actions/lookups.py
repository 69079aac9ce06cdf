"""Which files are worth a look before a call is judged: those it names. Reads text, no files.

Paths come back as written, at most `LIMIT` of them, what looks like a path before bare words. A
look is help, not proof: what was not looked at is judged by its path alone.

    paths_to_look_at(Action(tool="Bash", arguments={"command": "bash ./run.sh < in.txt"}))
        -> ("./run.sh", "in.txt", "bash")
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from signoff.actions.action import Action

LIMIT = 64
TEXT_LIMIT = 65_536  # characters of one argument that are read
PATH_LIMIT = 1_024
KEPT = 512  # characters of a line that is kept, as lines come again
LINES_KEPT = 1_024
PATH_ARGUMENTS = frozenset(
    [
        "file_path",
        "path",
        "notebook_path",
        "filepath",
        "filename",
        "file",
        "file_name",
        "directory",
        "dir",
        "folder",
        "target",
        "source",
        "destination",
        "src",
        "dst",
        "from",
        "to",
        "output",
        "input",
        "script",
        "old_path",
        "new_path",
    ]
)
LINE_ARGUMENTS = frozenset({"command", "cmd", "line", "script", "args", "argv"})
SEPARATORS = str.maketrans(dict.fromkeys(";|&<>(){}\n\t\r`$", " ") | dict.fromkeys("'\"\\", ""))


def paths_to_look_at(action: Action) -> tuple[str, ...]:
    """Return the paths a call names, as written, the likeliest first."""
    named: list[str] = []
    likely: list[str] = []
    bare: list[str] = []
    for name, value in action.arguments.items():
        if name in LINE_ARGUMENTS:
            for text in _texts(value):
                paths, words = _sorted_words(text) if len(text) <= KEPT else _words_of(text)
                likely += paths
                bare += words
        elif name in PATH_ARGUMENTS:
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
    """Return the words of a line that look like paths, and the bare ones."""
    words = tuple(_words(line))
    likely = tuple(word for word in words if _looks_like_path(word))
    return likely, tuple(word for word in words if not _looks_like_path(word))


_sorted_words = lru_cache(LINES_KEPT)(_words_of)


def _words(line: str) -> Iterator[str]:
    """Yield the words of a shell line that could be paths; quotes and operators are dropped."""
    for word in line.translate(SEPARATORS).split():
        _, equals, value = word.partition("=")
        path = (value if equals else word).lstrip("@")
        if _is_usable(path) and not path.startswith("-"):
            yield path


def _looks_like_path(word: str) -> bool:
    """Tell whether a word is more likely a path than a program or an operand."""
    return "/" in word or "." in word or word.startswith("~")


def _is_usable(path: str) -> bool:
    """Tell whether the system could be asked about it at all."""
    return 0 < len(path) <= PATH_LIMIT and "\0" not in path and "://" not in path
