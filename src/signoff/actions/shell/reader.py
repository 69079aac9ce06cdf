"""Reads a shell line into the commands it would run.

`read_shell` never raises: what it cannot read stands in the result as an `Opaque`, and the
commands it could still make out stand beside it. Every text has limits; beyond them it is
opaque, never skipped.

    read_shell("cd src && rm -rf *", cwd="/home/dev/project")
        -> Command(cd src), Command(rm -rf *) with cwd="/home/dev/project/src"
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from signoff.actions.shell.builtins import STATEFUL
from signoff.actions.shell.carriers.table import CARRIERS
from signoff.actions.shell.command import Command, Opaque, Reading
from signoff.actions.shell.interpreter import Interpreter
from signoff.actions.shell.state import Frame, Scope, plain_word
from signoff.actions.shell.syntax.grammar import parse
from signoff.actions.shell.syntax.lexer import RESERVED
from signoff.actions.shell.syntax.scan import Fuel
from signoff.actions.shell.syntax.tree import Unreadable

MAX_LENGTH = 200_000
MAX_PARTS = 40

_ORDINARY = re.compile(r"[A-Za-z0-9_./:@%+,-]++(?: [A-Za-z0-9_./:@%+,=-]++)*+")
_CUTS = re.compile(r"[\n;|&()`]++")
_SPECIAL = RESERVED | STATEFUL | CARRIERS.keys()


def read_shell(
    text: str, *, cwd: str, variables: Mapping[str, str] | None = None, dialect: str = "bash"
) -> Reading:
    """Take a line apart into the commands it would run; never raises."""
    if len(text) < 2_000 and _ORDINARY.fullmatch(text):
        words = text.split(" ")
        if words[0].rsplit("/", 1)[-1] not in _SPECIAL:
            made = tuple(plain_word(word) for word in words)
            return Reading(commands=(Command(words=made, cwd=cwd, source=text[:200]),))
    if len(text) > MAX_LENGTH:
        return Reading(opaque=(Opaque(why="too long to read", source=text[:200]),))
    if (why := odd_character(text)) is not None:
        return Reading(opaque=(Opaque(why=why, source=text[:200]),))
    return _read(text, Scope.starting(cwd, variables or {}), dialect)


def _read(text: str, scope: Scope, dialect: str) -> Reading:
    reading = Interpreter(Fuel(), dialect)
    try:
        try:
            reading.run(parse(text, reading.fuel), text, scope, Frame())
            reading.run_uncalled(Frame())
        except Unreadable as error:
            reading.give_up(error.why, text, Frame())
            _make_out(text, reading, scope)
    except (Unreadable, RecursionError) as error:
        why = error.why if isinstance(error, Unreadable) else "nested too deep"
        reading.give_up(why, text, Frame())
    return Reading(commands=tuple(reading.commands), opaque=tuple(reading.opaque))


def _make_out(text: str, reading: Interpreter, scope: Scope) -> None:
    """The commands of a text that is no valid line, as far as they can be guessed at."""
    reading.fuel.left = max(reading.fuel.left, 0) // 2
    for part in _CUTS.split(text[:4_000])[:MAX_PARTS]:
        try:
            reading.run(parse(part, reading.fuel), part, scope, Frame())
        except Unreadable:
            continue


def odd_character(text: str) -> str | None:
    """Why a text is not to be read at all, None if nothing in it is odd."""
    if text.isascii():
        return "a NUL character" if "\0" in text else None
    return None
