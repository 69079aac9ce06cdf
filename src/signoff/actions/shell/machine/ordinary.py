"""Plain commands, one or several in a list or a pipeline, read without a tree.

Most lines of agents are such: words in which nothing is expanded, joined by `&&`, `||`, `;` or `|`.
A line is read here only where the lexer and the interpreter would read the same; `read_ordinary`
returns None for every other line.

    read_ordinary("cd src && ls -la | head -5", "/home/dev/project", {}, has_files=False)
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import pairwise
from typing import NamedTuple

from signoff.actions.shell.command import Command, Reading, Stream, Word
from signoff.actions.shell.machine.builtins import STATEFUL
from signoff.actions.shell.machine.folders import change
from signoff.actions.shell.machine.outputs import output_of
from signoff.actions.shell.state import MAX_KEPT, ShellScope
from signoff.actions.shell.syntax.lexer import RESERVED
from signoff.actions.shell.words.literals import literal_words, plain_words
from signoff.actions.shell.wrappers.inner import WrapperCall
from signoff.actions.shell.wrappers.table import CARRIERS

MAX_LISTED = 40  # commands of one line; the interpreter counts those of longer lines

# A line is such if the match ends where it ends: `fullmatch` would try every shorter one as well.
_ORDINARY = re.compile(r"[A-Za-z0-9_./:@%+,-]+(?: [A-Za-z0-9_./:@%+,=^-][A-Za-z0-9_./:@%+,=^~-]*)*")
# The same with patterns, and quotes in which nothing is special; ASCII, so none of it is odd.
_QUOTED = re.compile(
    r"""[A-Za-z0-9_./:@%+,-]+(?: (?=[A-Za-z0-9_./:@%+,=~^*?'"-])[A-Za-z0-9_./:@%+,=~^*?-]*"""
    r"""(?:(?:'[ -&(-~]*'|"[ #%-\[\]-_a-~]*")[A-Za-z0-9_./:@%+,=~^*?-]*)*)*"""
)
_WORDS = re.compile(r"""[^ '"]+(?:(?:'[^']*'|"[^"]*")[^ '"]*)*|(?:(?:'[^']*'|"[^"]*")[^ '"]*)+""")
_LINK = re.compile(r" ?(;) | (&&|\|\|?) ")
# A subscript between quotes may hold a substitution: `printf -v 'a[$(id)]' x`.
_SPECIAL_WITH_QUOTES = RESERVED | STATEFUL
_SPECIAL = RESERVED | (STATEFUL - {"cp", "mv", "ln", "install", "printf", "test", "["})
_SPECIAL_IN_LIST = _SPECIAL_WITH_QUOTES | {".", "source"}


class _ListedCommand(NamedTuple):
    """One command of a line, and the operator behind it, "" behind the last."""

    text: str
    link: str


def read_ordinary(
    text: str, cwd: str, variables: Mapping[str, str], *, has_files: bool
) -> Reading | None:
    """Parse a line of plain commands quickly; None if it has anything else.

    Args:
        has_files: texts of files are known, so that a script may be followed.
    """
    plain = _ORDINARY.match(text)
    if plain and plain.end() == len(text):
        return _alone(plain_words(text), text, cwd)
    quoted = _QUOTED.match(text)
    if not quoted:
        return None
    if quoted.end() == len(text):
        return _alone(_words(text), text, cwd)
    parts = None if has_files else _parts(text, quoted.end())
    return _listed(parts, cwd, variables) if parts else None


def _words(text: str) -> tuple[Word, ...]:
    """The words of a command of plain and quoted words; none if one is too long."""
    raws = _WORDS.findall(text)
    # A long word would fill the cache of words, though nobody sends it again.
    if max(map(len, raws)) > MAX_KEPT:
        return ()
    return tuple(literal_words(raws) or ())


def _alone(words: tuple[Word, ...], text: str, cwd: str) -> Reading | None:
    """Return the reading of a single command with these words."""
    if not words:
        return None
    program = words[0].text.rsplit("/", 1)[-1]
    special = _SPECIAL_WITH_QUOTES if "'" in text or '"' in text else _SPECIAL
    # What changes the shell, or is part of its grammar, needs the interpreter.
    if program in special or words[0].text in RESERVED or _carries(program, words, None):
        return None
    return Reading(commands=(Command(words=words, cwd=cwd, source=text[:200]),))


def _carries(program: str, words: tuple[Word, ...], stdin: Stream | None) -> bool:
    """Tell whether something runs inside a command; `env` alone is a plain command."""
    unfold = CARRIERS.get(program)
    if unfold is None:
        return False
    call = WrapperCall(words=words, stdin=stdin, name=program, file_text=_nothing)
    return bool(unfold(call))


def _nothing(_: Word) -> Word | None:
    return None


def _parts(text: str, end: int) -> list[_ListedCommand] | None:
    """The commands of a list whose first one ends at `end`; None if it is no plain list."""
    parts: list[_ListedCommand] = []
    start = 0
    while len(parts) < MAX_LISTED - 1:
        link = _LINK.match(text, end)
        if link is None:
            return None
        parts.append(_ListedCommand(text[start:end], link[1] or link[2]))
        start = link.end()
        command = _QUOTED.match(text, start)
        if command is None:
            return None
        end = command.end()
        if end == len(text):
            parts.append(_ListedCommand(text[start:], ""))
            return None if _is_nested(parts) else parts
    return None


def _is_nested(parts: list[_ListedCommand]) -> bool:
    """Tell whether the grammar nests a pipeline and a list: `a | b | c && d`."""
    links = [part.link for part in parts]
    return "|" in links and ("&&" in links or "||" in links) and ("|", "|") in pairwise(links)


def _listed(parts: list[_ListedCommand], cwd: str, variables: Mapping[str, str]) -> Reading | None:
    """The commands of a list or pipeline; none of them may change the shell but a first `cd`."""
    scope = ShellScope.starting(cwd, variables)
    commands: list[Command] = []
    stdin: Stream | None = None
    for part in parts:
        words = _words(part.text)
        first = words[0].text if words else ""
        name = first.rsplit("/", 1)[-1]
        is_move = name == "cd" and not commands and _moves_all(parts)
        if not is_move and (not name or name in _SPECIAL_IN_LIST or first in RESERVED):
            return None
        if _carries(name, words, stdin):
            return None
        source, at = part.text[:200].rstrip(), len(commands)
        commands.append(
            Command(words=words, stdin=stdin, cwd=scope.folder, index=at, source=source)
        )
        if is_move:
            change(words[1:], scope)
        if part.link == "|":
            output = output_of(words, name, stdin, scope)
            output.sources = (at,)
            stdin = output.stream
        else:
            stdin = None
    return Reading(commands=tuple(commands))


def _moves_all(parts: list[_ListedCommand]) -> bool:
    """Tell whether all that stands behind a first `cd` runs in its folder."""
    links = {part.link for part in parts[1:]}
    # `cd a && grep x y && b ; c`: where `c` runs depends on which of them failed.
    return parts[0].link == ";" or (parts[0].link == "&&" and links.isdisjoint((";", "||")))
