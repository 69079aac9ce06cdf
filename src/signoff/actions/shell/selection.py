"""What a search selects, handed to the commands that run on it.

A command behind `find -exec`, `fd -x`, `find | xargs` or `$(git ls-files)` gets a word that cannot
be told; the tests of the search say what kind of file it is. `find . -name '*.pyc' -exec rm {} ;`
means `rm ./*.pyc`, not to an unknown file; without a name test the whole tree below its
roots is meant, which is written as `root/**`.
"""

from __future__ import annotations

import posixpath
from collections import deque
from collections.abc import Sequence
from typing import NamedTuple

from signoff.actions.known.selection import Choice, choices_of
from signoff.actions.programs.listings import LISTINGS, is_tree, listed_names, words_of
from signoff.actions.shell.command import Command, Word
from signoff.values import replace

# Packers that are told names of files on their standard input, by these words.
_TAR = ("-T -", "--files-from=-", "--files-from -")
NAME_READERS = {"tar": _TAR, "gtar": _TAR, "bsdtar": _TAR, "zip": ("-@",), "7z": ("@-",)}
UNKNOWN = "\ufffd"
SEARCHES = frozenset({"find", "gfind", "bfs"})
FILTERS = frozenset({"sort", "uniq", "head", "tail", "tac", "grep", "egrep", "cat", "shuf"})
LEADING = frozenset({"-H", "-L", "-P"})
CODE_EDITORS = frozenset({"perl", "ruby"})  # what their code does to a whole tree is not told
LEADS = frozenset({"", "=", "@", ":", ","})  # what stands between an option and a file's name
MAX_SELECTED = 4
MAX_BEHIND = 6


class Expression(NamedTuple):
    """The words of a `find` expression, parsed."""

    roots: list[str]
    choices: tuple[Choice, ...]


class SearchedLine(NamedTuple):
    """A line, with the parsed expressions of its searches by command index."""

    commands: Sequence[Command]
    expressions: dict[int, Expression]

    def expression(self, at: int) -> Expression:
        """Return the expression of the search whose command has index `at`."""
        known = self.expressions.get(at)
        if known is None:
            texts = [word.text for word in self.commands[at].words[1:]]
            start = _start(texts)
            roots = [text for text in texts[:start] if text not in LEADING] or ["."]
            known = self.expressions[at] = Expression(roots, choices_of(texts[start:]))
        return known


def narrowed(command: Command, line: SearchedLine) -> Command:
    """Replace words that a search fills in by what it selects; others stay."""
    if command.redirects and any(not file.target.is_known for file in command.redirects):
        command = _with_files(command, line)
    if command.stdin is not None and command.program in NAME_READERS:
        command = _with_names(command, line)
    for word in command.words:
        if not word.is_known:
            break
    else:
        return command
    words: list[Word] = []
    for word in command.words:
        words.extend((word,) if word.is_known else _filled(word, command, line))
    return replace(command, words=tuple(words))


def _with_names(command: Command, line: SearchedLine) -> Command:
    """The files whose names a packer is told on its standard input: `find . | tar c -T -`."""
    marks = NAME_READERS[command.program]
    texts = [word.text for word in command.words[1:]]
    if command.stdin is None or not any([f" {mark} " in f" {' '.join(texts)} " for mark in marks]):
        return command
    fed = Word(text=UNKNOWN, is_known=False, sources=command.stdin.sources)
    names = tuple(word for word in _filled(fed, command, line) if word.is_known)
    return replace(command, words=(*command.words, *names))


def _with_files(command: Command, line: SearchedLine) -> Command:
    """The redirections to what a search fills in: `find -exec sh -c '> "$1"' _ {} ;`."""
    files = tuple(
        replace(file, target=target)
        for file in command.redirects
        for target in (
            (file.target,) if file.target.is_known else _filled(file.target, command, line)
        )
    )
    return replace(command, redirects=files)


def _filled(word: Word, command: Command, line: SearchedLine) -> tuple[Word, ...]:
    before, mark, behind = word.text.partition(UNKNOWN)
    # `{}.bak` still names a file that was found; `{}/x` and two unknown parts name others.
    if not mark or UNKNOWN in behind or "/" in behind:
        return (word,)
    commands = line.commands
    above = _above(command, commands)
    if above and not word.sources and commands[above[-1]].program in SEARCHES:
        search, expression = commands[above[-1]], line.expression(above[-1])
        folder = "" if command.cwd else search.cwd
        return _below_root(expression, before, behind, folder) or (word,)
    # `-F f=@NAME` and `--file=NAME` name the file that was found, `~/x/NAME` another one.
    if before not in {"", "./"} and before[-1:] not in LEADS:
        return (word,)
    lead = "" if before == "./" else before
    for at in _behind(word, above, commands):
        search = commands[at]
        if search.program in SEARCHES:
            selected = _selected(line.expression(at), behind)
            return tuple([replace(one, text=lead + one.text) for one in selected])
        found = [replace(one, text=lead + one.text + behind) for one in listed_names(search)]
        is_code = command.program in CODE_EDITORS and any(is_tree(one) for one in found)
        if found and not is_code:
            return tuple(found[:MAX_SELECTED])
    return (word,)


def _above(command: Command, commands: Sequence[Command]) -> list[int]:
    """What runs it, and what runs that, up to the first search."""
    found: list[int] = []
    at = command.parent
    while 0 <= at < len(commands) and len(found) < MAX_BEHIND:
        found.append(at)
        if commands[at].program in SEARCHES | LISTINGS:
            break
        at = commands[at].parent
    return found


def _behind(word: Word, above: Sequence[int], commands: Sequence[Command]) -> list[int]:
    """The commands whose output a word is; those that only sort or drop lines are seen through."""
    found: list[int] = []
    waiting = deque(word.sources or above[:1])
    # Each is looked at once: two groups that sort each other's output double the ways to a search.
    seen: set[int] = set()
    while waiting and len(found) < MAX_BEHIND:
        at = waiting.popleft()
        if not 0 <= at < len(commands) or at in seen:
            continue
        seen.add(at)
        one = commands[at]
        if one.program in FILTERS and one.stdin is not None and one.stdin.sources:
            waiting.extend(one.stdin.sources)
        elif one.program in SEARCHES | LISTINGS:
            found.append(at)
    return found


def _below_root(search: Expression, before: str, behind: str, folder: str) -> tuple[Word, ...]:
    """What a word stands for that `-exec` fills in: the root is in it already.

    What precedes the root stays: `-F f=@{}` sends `f=@./x`.
    """
    # GNU find and POSIX print each name below the root as it was given: `find src` gives `src/a`.
    root = next((r for r in search.roots if before.endswith(r.rstrip("/") + "/")), None)
    lead = before.removesuffix(root.rstrip("/") + "/") if root is not None else "/"
    if root is None or lead[-1:] not in LEADS:
        return ()
    found = _selected(Expression([root], search.choices), behind, folder=folder)
    return tuple(replace(word, text=lead + word.text) for word in found)


def _selected(search: Expression, behind: str = "", *, folder: str = "") -> tuple[Word, ...]:
    found = [
        word
        for root in search.roots
        for choice in search.choices
        for word in words_of(choice, posixpath.join(folder, root) if folder else root, behind)
    ]
    if len(found) > MAX_SELECTED and not all(word.has_glob for word in found):
        return (Word(text=UNKNOWN, is_known=False),)
    return tuple(found)


def _start(texts: Sequence[str]) -> int:
    """Where the expression of `find` begins."""
    at = 0
    while at < len(texts) and (texts[at] in LEADING or texts[at][:1] not in {"-", "(", "!"}):
        at += 1
    return at
