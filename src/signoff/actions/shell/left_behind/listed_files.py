"""Files into which a session wrote the names that a search found, for a later call that reads them.

`find build -name '*.o' > list` and, a call later, `xargs -a list rm` are one act. What a session
remembers is a numbered mark a list:

    listed:1:/tmp/list:sure<tab>/p<tab>find build -name '*.o'

`may` stands for a list that may hold more: it was appended to, or a program has run since.

    list_marks(commands, operations, facts)    the marks of one call
    listed_files(created)                      {"/tmp/list": Listed(is_sure=True, search=...)}
"""

from __future__ import annotations

import posixpath
import shlex
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from signoff.actions.facts import Facts, next_number, numbered_marks
from signoff.actions.operation import Operation, Operations, Verb
from signoff.actions.shell.command import Command, RedirectKind, Word
from signoff.actions.vocabulary import words

PREFIX = "listed:"
SEARCHES = words("find gfind bfs")
_KEEPING = words("sort uniq head tail tac grep egrep cat shuf")
_SURE, _MAY = "sure", "may"
_MOST, LINE_LIMIT, LISTS_LIMIT = 4, 500, 8


class Listed(NamedTuple):
    """What a file lists: the search that filled it, and whether it can hold nothing else."""

    is_sure: bool
    search: Command


def list_marks(commands: Sequence[Command], operations: Operations, facts: Facts) -> Iterator[str]:
    """Yield a mark for each list of files that a call writes, and each one it may have changed."""
    number = next_number(facts.created, PREFIX)
    made = dict(_made(commands))
    for path, rest in {**_changed(operations, facts, made), **made}.items():
        yield f"{PREFIX}{number}:{path}:{rest}"
        number += 1


def listed_files(created: Collection[str]) -> Mapping[str, Listed]:
    """Return the lists that a session wrote, by absolute path."""
    known = _known(created)
    return {path: listed for path, rest in known.items() for listed in _listed(rest)}


def _known(created: Collection[str]) -> dict[str, str]:
    if not any([mark.startswith(PREFIX) for mark in created]):
        return {}
    return dict(numbered_marks(created, PREFIX)[-LISTS_LIMIT:])


def _listed(rest: str) -> Iterator[Listed]:
    state, _, said = rest.partition("\t")
    cwd, _, line = said.partition("\t")
    if line:
        texts = shlex.split(line)
        search = Command(words=tuple([Word(text=text) for text in texts]), cwd=cwd)
        yield Listed(state == _SURE, search)


def _made(commands: Sequence[Command]) -> Iterator[tuple[str, str]]:
    for command in commands:
        for file in command.redirects if command.cwd else ():
            if file.kind is RedirectKind.READ or not file.target.is_known:
                continue
            path = posixpath.normpath(posixpath.join(command.cwd, file.target.text))
            search = _search_of(command, commands)
            if search is not None and ":" not in path:
                line = shlex.join([word.text for word in search.words])
                is_new = file.kind is RedirectKind.WRITE and not command.is_background
                is_new = is_new and names_files_only(search)
                if len(line) <= LINE_LIMIT:
                    yield path, f"{_SURE if is_new else _MAY}\t{search.cwd}\t{line}"


def names_files_only(search: Command) -> bool:
    """Return whether a search names no folders: a folder in a list stands for all it holds."""
    return " -type f " in f"{' '.join([word.text for word in search.words])} "


def _search_of(command: Command, commands: Sequence[Command]) -> Command | None:
    """Return the search whose names a command prints, all or some of them."""
    for _ in range(_MOST):
        texts = [word.text for word in command.words[1:]]
        if command.program in SEARCHES:
            is_plain = all([word.is_known for word in command.words]) and command.cwd
            return command if is_plain and not any([t[:5] == "-exec" for t in texts]) else None
        sources = command.stdin.sources if command.stdin is not None else ()
        if command.program not in _KEEPING or len(sources) != 1:
            return None
        if not 0 <= sources[0] < len(commands):
            return None
        command = commands[sources[0]]
    return None


def _changed(operations: Operations, facts: Facts, made: Collection[str]) -> dict[str, str]:
    """Return the lists that hold something else now, or may do so, with what is left of them."""
    known = _known(facts.created)
    if not known:
        return {}
    written = {op.path for op in operations if op.verb in {Verb.WRITE, Verb.DELETE} and op.path}
    is_open = any([_may_change(op, facts) for op in operations])
    found = {path: "" for path in known if path in written and path not in made}
    for path, rest in known.items() if is_open else ():
        if path not in found and rest.startswith(_SURE):
            found[path] = rest.replace(_SURE, _MAY, 1)
    return found


def _may_change(op: Operation, facts: Facts) -> bool:
    """Tell whether a program runs that the session wrote, or one that nobody understands."""
    return not op.understood or (op.verb is Verb.EXECUTE and op.path in facts.written)
