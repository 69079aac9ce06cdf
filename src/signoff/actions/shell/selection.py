"""What a search selects, handed to the commands that run on it.

A command behind `find -exec`, `fd -x`, `find | xargs` or `$(git ls-files)` gets a word that cannot
be told; the tests of the search say what kind of file it is. `find . -name '*.pyc' -exec rm {} ;`
means `rm ./*.pyc`, not to an unknown file; without a name test the whole tree below its
roots is meant, which is written as `root/**`. The same where the line first writes what a search
found into a file: `find /srv > list; xargs -a list rm`.
"""

from __future__ import annotations

import posixpath
from collections import deque
from collections.abc import Sequence
from typing import NamedTuple

from signoff.actions.known.selection import Choice, choices_of
from signoff.actions.programs.listings import LISTINGS, is_tree, listed_names, words_of
from signoff.actions.shell.command import Command, RedirectKind, Word
from signoff.values import replace

# Packers that are told names of files on their standard input, by these words.
_TAR = ("-T -", "--files-from=-", "--files-from -")
NAME_READERS = {"tar": _TAR, "gtar": _TAR, "bsdtar": _TAR, "zip": ("-@",), "7z": ("@-",)}
UNKNOWN = "\ufffd"
CERTAIN = frozenset({"find", "gfind", "bfs"})
# Robinhood and IBM Storage Scale search shared file systems in the words of `find`.
SEARCHES = CERTAIN | {"rbh-find", "mmfind"}
# lfs-find(1): `lfs find /lustre --atime +1`, with short options of its own.
_LUSTRE = {
    **{"-A": "-atime", "-C": "-ctime", "-M": "-mtime", "-n": "-name", "-t": "-type"},
    **{"-s": "-size", "-D": "-maxdepth", "-u": "-user", "-g": "-group", "-p": "-print0"},
    "-P": "-print",
}
FILTERS = frozenset({"sort", "uniq", "head", "tail", "tac", "grep", "egrep", "cat", "shuf"})
LEADING = frozenset({"-H", "-L", "-P"})
CODE_EDITORS = frozenset({"perl", "ruby"})  # what their code does to a whole tree is not told
LEADS = frozenset({"", "=", "@", ":", ","})  # what stands between an option and a file's name
_REPEATERS = frozenset({"xargs", "gxargs", "parallel"})
_TAKES_FILE = frozenset({"-a", "--arg-file", "::::"})
_ONLY_LOOK = frozenset({"wc", "head", "tail", "cat", "echo", "ls", "du"})
_WRITES = frozenset({RedirectKind.WRITE, RedirectKind.APPEND})
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
            texts = _search_words(self.commands[at])
            start = _start(texts)
            roots = [text for text in texts[:start] if text not in LEADING] or ["."]
            known = self.expressions[at] = Expression(roots, choices_of(texts[start:]))
        return known


def _is_search(command: Command) -> bool:
    if command.program == "lfs":
        return [word.text for word in command.words[1:2]] == ["find"]
    return command.program in SEARCHES


def _search_words(command: Command) -> list[str]:
    """Return the roots and the expression of a search, in the words of `find`."""
    texts = [word.text for word in command.words[1:]]
    if command.program != "lfs":
        return texts
    shortened = [text[1:] if text[:2] == "--" else text for text in texts[1:]]
    return [_LUSTRE.get(text, text) for text in shortened]


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
    if above and not word.sources and _is_search(commands[above[-1]]):
        search, expression = commands[above[-1]], line.expression(above[-1])
        folder = "" if command.cwd else search.cwd
        return _below_root(expression, before, behind, folder) or (word,)
    # `-F f=@NAME` and `--file=NAME` name the file that was found, `~/x/NAME` another one.
    if before not in {"", "./"} and before[-1:] not in LEADS:
        return (word,)
    lead = "" if before == "./" else before
    for at in _behind(word, above, commands):
        search = commands[at]
        if _is_search(search):
            selected = _selected(line.expression(at), behind)
            found = [replace(one, text=lead + one.text) for one in selected]
            is_sure = bool(word.sources) and search.program in CERTAIN
            # What a list or another search names beside them is not known.
            return tuple(found) if is_sure else (*found, word)
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
        if _is_search(commands[at]) or commands[at].program in LISTINGS:
            break
        at = commands[at].parent
    return found


def _behind(word: Word, above: Sequence[int], commands: Sequence[Command]) -> list[int]:
    """The commands whose output a word is; those that only sort or drop lines are seen through."""
    found: list[int] = []
    waiting = deque(word.sources or _writers(above, commands) or above[:1])
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
        elif _is_search(one) or one.program in LISTINGS:
            found.append(at)
    return found


def _writers(above: Sequence[int], commands: Sequence[Command]) -> list[int]:
    """The command that wrote the file whose lines a program like `xargs` takes as words."""
    repeater = commands[above[0]] if above else None
    if repeater is None or repeater.program not in _REPEATERS:
        return []
    texts = [word.text for word in repeater.words[1:]]
    pairs = zip(texts, [*texts[1:], ""], strict=True)
    named = [after for text, after in pairs if text in _TAKES_FILE]
    named += [text.partition("=")[2] for text in texts if text.startswith("--arg-file=")]
    if repeater.stdin is not None:
        named.append(repeater.stdin.path)
    names = frozenset(named) - {"", "-"}
    for at in range(above[0] - 1, -1, -1):
        one = commands[at]
        if any([file.kind in _WRITES and file.target.text in names for file in one.redirects]):
            return [] if one.is_background else [at]
        if one.program not in _ONLY_LOOK or one.redirects:
            break  # it may have changed the file
    return []


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
