"""What a search selects, handed to the commands that run on it.

A command behind `find -exec`, `fd -x`, `find | xargs` or `$(git ls-files)` gets a word that cannot
be told; the tests of the search say what kind of file it is. `find . -name '*.pyc' -exec rm {} ;`
means `rm ./*.pyc`, not to an unknown file; without a name test the whole tree below its
roots is meant, which is written as `root/**`. The same where the line first writes what a search
found into a file: `find /srv > list; xargs -a list rm`, or an earlier call of the session did.
"""

from __future__ import annotations

import posixpath
from collections import deque
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from signoff.actions.known.selection import Choice, choices_of
from signoff.actions.programs.listings import LISTINGS, is_tree, listed_names, words_of
from signoff.actions.shell.command import Command, RedirectKind, Word
from signoff.actions.shell.left_behind.listed_files import Listed, listed_files, names_files_only
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
NO_LISTS: Mapping[str, Listed] = {}
MAX_BEHIND = 6


class Expression(NamedTuple):
    """The words of a `find` expression, parsed."""

    roots: list[str]
    choices: tuple[Choice, ...]


class SearchedLine(NamedTuple):
    """A line, with the parsed expressions of its searches by command index.

    Args:
        lists: files in which earlier calls wrote what a search found, by absolute path.
    """

    commands: Sequence[Command]
    expressions: dict[int, Expression]
    lists: Mapping[str, Listed] = NO_LISTS

    def expression(self, at: int) -> Expression:
        """Return the expression of the search whose command has index `at`."""
        known = self.expressions.get(at)
        if known is None:
            known = self.expressions[at] = parsed_search(self.commands[at])
        return known


def searched_line(commands: Sequence[Command], created: Collection[str]) -> SearchedLine:
    """Return a line with the lists that earlier calls of the session wrote."""
    return SearchedLine(commands, {}, listed_files(created))


class Found(NamedTuple):
    """What filled a word: a search with its expression, or a listing, which has none.

    Args:
        is_sure: nothing but what the search names is in the word.
        folder: where an earlier call searched, "" = here.
    """

    search: Command
    expression: Expression | None
    is_sure: bool
    folder: str


def parsed_search(command: Command) -> Expression:
    """Return the roots and the tests of a search."""
    texts = _search_words(command)
    start = _start(texts)
    roots = [text for text in texts[:start] if text not in LEADING] or ["."]
    return Expression(roots, choices_of(texts[start:]))


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
    for one in islice(_behind(word, command, above, line), MAX_BEHIND):
        if one.expression is not None:
            selected = _selected(one.expression, behind, folder=one.folder)
            found = [replace(name, text=lead + name.text) for name in selected]
            # What a list or another search names beside them is not known.
            return tuple(found) if one.is_sure and found else (*found, word)
        names = listed_names(one.search)
        found = [replace(name, text=lead + name.text + behind) for name in names]
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


def _behind(
    word: Word, command: Command, above: Sequence[int], line: SearchedLine
) -> Iterator[Found]:
    """Yield the searches and listings whose output a word is.

    What only sorts or drops lines is seen through, and files that the session listed before.
    """
    commands = line.commands
    written = () if word.sources else _writers(above, commands)
    waiting = deque(word.sources or written or above[:1])
    is_sure = bool(word.sources) or any([_is_new(commands[at]) for at in written])
    if not word.sources and not written and above:
        yield from _earlier(_list_files(commands[above[0]]), commands[above[0]], line)
    # Each is looked at once: two groups that sort each other's output double the ways to a search.
    seen: set[int] = set()
    while waiting:
        at = waiting.popleft()
        if not 0 <= at < len(commands) or at in seen:
            continue
        seen.add(at)
        one = commands[at]
        if one.program in FILTERS and one.stdin is not None and one.stdin.sources:
            waiting.extend(one.stdin.sources)
        elif _is_search(one):
            is_all = one.program in CERTAIN and (not written or names_files_only(one))
            yield Found(one, line.expression(at), is_sure and is_all, "")
        elif one.program in LISTINGS:
            yield Found(one, None, is_sure=False, folder="")
        if one.program in FILTERS:
            yield from _earlier([text.text for text in one.words[1:]], one, line)


def _is_new(writer: Command) -> bool:
    """Tell whether the file a command writes held nothing before."""
    return all([file.kind is RedirectKind.WRITE for file in writer.redirects])


def _earlier(names: Sequence[str], reader: Command, line: SearchedLine) -> Iterator[Found]:
    """Yield the searches of earlier calls whose lists a command reads."""
    if not line.lists or not reader.cwd:
        return
    if reader.stdin is not None:
        names = [*names, reader.stdin.path]
    for name in names:
        listed = line.lists.get(posixpath.normpath(posixpath.join(reader.cwd, name)))
        if name and listed is not None:
            search = parsed_search(listed.search)
            yield Found(listed.search, search, listed.is_sure, listed.search.cwd)


def _list_files(repeater: Command) -> list[str]:
    """Return the files whose lines a program like `xargs` takes as words."""
    if repeater.program not in _REPEATERS:
        return []
    texts = [word.text for word in repeater.words[1:]]
    pairs = zip(texts, [*texts[1:], ""], strict=True)
    named = [after for text, after in pairs if text in _TAKES_FILE]
    named += [text.partition("=")[2] for text in texts if text.startswith("--arg-file=")]
    if repeater.stdin is not None:
        named.append(repeater.stdin.path)
    return [name for name in named if name not in {"", "-"}]


def _writers(above: Sequence[int], commands: Sequence[Command]) -> list[int]:
    """The command that wrote the file whose lines a program like `xargs` takes as words."""
    names = _list_files(commands[above[0]]) if above else []
    for at in range(above[0] - 1, -1, -1) if names else ():
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
