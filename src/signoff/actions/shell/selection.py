"""What `find` selects, handed to the commands that run on it.

A command behind `find -exec`, `fd -x` or `find | xargs` gets a word that cannot be told; the
tests of the search say what kind of file it is. `find . -name '*.pyc' -exec rm {} ;` comes down
to `rm ./*.pyc`, not to an unknown file; without a name test the whole tree below its roots is
meant, which is written as `root/**`.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from signoff.actions.known.wildcards import dotted
from signoff.actions.shell.command import Command, Word
from signoff.values import replace

UNKNOWN = "\ufffd"
NAME_TESTS = frozenset({"-name", "-iname", "-path", "-ipath", "-wholename", "-regex", "-iregex"})
EVERYTHING = frozenset({"*", "*.*", ".*", "?*", "./*"})
NEGATIONS = frozenset({"!", "-not"})
SEARCHES = frozenset({"find", "gfind", "bfs"})
LISTINGS = frozenset({"ls", "fd", "fdfind"})
MAX_SELECTED = 4


def narrowed(command: Command, commands: Sequence[Command]) -> Command:
    """Replace words that a search fills in by what it selects; others stay as they are."""
    for word in command.words:
        if not word.is_known:
            break
    else:
        return command
    words: list[Word] = []
    for word in command.words:
        search = None if word.is_known else _search_behind(word, command, commands)
        words.extend(_selected(search) if search is not None else (word,))
    return replace(command, words=tuple(words))


def _search_behind(word: Word, command: Command, commands: Sequence[Command]) -> Command | None:
    if UNKNOWN not in word.text:
        return None
    candidates = [command.parent, *word.sources]
    for at in candidates:
        if 0 <= at < len(commands) and commands[at].program in SEARCHES | LISTINGS:
            return commands[at]
    return None


def _selected(search: Command) -> tuple[Word, ...]:
    if search.program in LISTINGS:
        return _listed(search)
    texts = [word.text for word in search.words]
    roots = _roots(texts)
    names = [
        texts[at + 1].removeprefix("./")
        for at, text in enumerate(texts[:-1])
        if text in NAME_TESTS and texts[at + 1] not in EVERYTHING and texts[at - 1] not in NEGATIONS
    ]
    names += [hidden for name in names for hidden in dotted(name)]
    selected = [
        Word(text=f"{root.rstrip('/')}/{name}", has_glob=True, raw=f"{root}/{name}")
        for root in roots
        for name in (names or ["**"])
    ]
    return tuple(selected[:MAX_SELECTED])


def _listed(search: Command) -> tuple[Word, ...]:
    """What `ls *.bak` and `fd -e pyc` name; anything else of them cannot be told."""
    words = search.words[1:]
    if search.program == "ls":
        globs = tuple(word for word in words if word.has_glob and word.is_known)
        return globs[:MAX_SELECTED] or (Word(text=UNKNOWN, is_known=False),)
    options = ("-e", "--extension")
    endings = [value.text for name, value in pairwise(words) if name.text in options]
    return tuple(
        Word(text=f"./*.{ending.lstrip('.')}", has_glob=True) for ending in endings[:MAX_SELECTED]
    ) or (Word(text=UNKNOWN, is_known=False),)


def _roots(texts: Sequence[str]) -> list[str]:
    roots: list[str] = []
    for text in texts[1:]:
        if text.startswith("-") and text in {"-H", "-L", "-P"}:
            continue
        if text[:1] in {"-", "(", "!"}:
            break
        roots.append(text)
    return roots or ["."]
