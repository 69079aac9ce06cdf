"""Reads a shell line into the commands it would run.

`read_shell` never raises: what it cannot read is in the result as an `Opaque`, and the
commands it could still make out stand beside it. Every text has limits; beyond them it is
opaque, never skipped.

    read_shell("cd src && rm -rf *", cwd="/home/dev/project")
        -> Command(cd src), Command(rm -rf *) with cwd="/home/dev/project/src"
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from signoff.actions.shell.command import Opaque, Reading
from signoff.actions.shell.machine.interpreter import Interpreter
from signoff.actions.shell.machine.ordinary import read_ordinary
from signoff.actions.shell.state import Exhausted, Output, ShellFrame, ShellScope
from signoff.actions.shell.syntax.characters import odd_character, without_odd
from signoff.actions.shell.syntax.grammar import parse, read_pieces
from signoff.actions.shell.syntax.lexer import ShellLexer
from signoff.actions.shell.syntax.scan import MAX_STEPS, Fuel
from signoff.actions.shell.syntax.tree import Simple, Unreadable
from signoff.values import replace

MAX_LENGTH = 200_000  # longer is opaque as a whole
MAX_ORDINARY = 2_000
# What can be made out of a text that is no valid line; that it was not read is said already.
MAX_PARTS = 40
MAX_GUESSED = 4_000

_CUTS = re.compile(r"[\n;|&()`]+")


def read_shell(
    text: str,
    *,
    cwd: str,
    variables: Mapping[str, str] | None = None,
    dialect: str = "bash",
    files: Mapping[str, str] | None = None,
) -> Reading:
    """Parse a shell line into the commands it would run. Never raises.

    What cannot be parsed is listed in `opaque` of the result.

    Args:
        cwd: absolute working folder, "" if unknown.
        variables: variables with known values.
        dialect: `zsh`, or anything else for bash.
        files: known texts of files, by absolute path.
    """
    if len(text) < MAX_ORDINARY:
        # Most calls are plain commands: they need neither lexer nor interpreter.
        reading = read_ordinary(text, cwd, variables or {}, has_files=bool(files))
        if reading is not None:
            return reading
    if len(text) > MAX_LENGTH:
        return Reading(opaque=(Opaque(why="too long to read", source=text[:200]),))
    scope = ShellScope.starting(cwd, variables or {})
    if files:
        scope.files.update((path, Output(known)) for path, known in files.items())
    why = odd_character(text)
    is_zsh = dialect == "zsh"
    if why is None:
        return _read(text, scope, is_zsh=is_zsh)
    # The line is asked about for its odd characters; what it does without them is judged too.
    reading = _read(without_odd(text), scope, is_zsh=is_zsh)
    return replace(reading, opaque=(*reading.opaque, Opaque(why=why, source=text[:200])))


def _read(text: str, scope: ShellScope, *, is_zsh: bool) -> Reading:
    reading = Interpreter(Fuel(), is_zsh=is_zsh)
    text = text.replace("\r\n", "\n")
    lexer = ShellLexer(text, reading.fuel)
    try:
        try:
            lexer.run()
            reading.run(read_pieces(lexer), text, scope, ShellFrame())
            reading.run_rest(scope, ShellFrame())
        except Exhausted:
            raise
        except Unreadable as error:
            reading.give_up(error.why, text, ShellFrame())
            _make_out(lexer, reading, scope)
    except (Unreadable, RecursionError) as error:
        why = error.why if isinstance(error, Unreadable) else "nested too deep"
        reading.give_up(why, text, ShellFrame())
    known = [(path, kept.text) for path, kept in scope.files.items() if kept.text is not None]
    return Reading(
        commands=tuple(reading.commands), opaque=tuple(reading.opaque), files=tuple(known)
    )


def _make_out(lexer: ShellLexer, reading: Interpreter, scope: ShellScope) -> None:
    """The commands of a text that is no valid line, as far as they can be made out."""
    text = lexer.text
    # The text is opaque already, so a small budget for what can be named in it will do.
    reading.fuel.left = MAX_STEPS // 8
    simple = [piece for piece in lexer.pieces.values() if isinstance(piece, Simple)]
    if lexer.current is not None:
        # The command in which the error stands was begun: its words so far count.
        lexer.current.end = lexer.pos
        simple.append(lexer.current)
    for piece in simple[:MAX_PARTS]:
        reading.run(piece, text, scope, ShellFrame())
    for part in _CUTS.split(text[lexer.pos : lexer.pos + MAX_GUESSED])[:MAX_PARTS]:
        try:
            reading.run(parse(part, reading.fuel), part, scope, ShellFrame())
        except Exhausted:
            raise
        except Unreadable:
            continue
