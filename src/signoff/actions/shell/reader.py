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

from signoff.actions.shell.command import Command, Opaque, Reading, Word
from signoff.actions.shell.machine.builtins import STATEFUL
from signoff.actions.shell.machine.interpreter import Interpreter
from signoff.actions.shell.state import MAX_KEPT, Exhausted, Output, ShellFrame, ShellScope
from signoff.actions.shell.syntax.characters import odd_character, without_odd
from signoff.actions.shell.syntax.grammar import parse, read_pieces
from signoff.actions.shell.syntax.lexer import RESERVED, ShellLexer
from signoff.actions.shell.syntax.scan import MAX_STEPS, Fuel
from signoff.actions.shell.syntax.tree import Simple, Unreadable
from signoff.actions.shell.words.literals import literal_words, plain_words
from signoff.actions.shell.wrappers.inner import WrapperCall
from signoff.actions.shell.wrappers.table import CARRIERS
from signoff.values import replace

MAX_LENGTH = 200_000  # longer is opaque as a whole
MAX_ORDINARY = 2_000
# What can be made out of a text that is no valid line; that it was not read is said already.
MAX_PARTS = 40
MAX_GUESSED = 4_000

# A line is such if the match ends where it ends: `fullmatch` would try every shorter one as well.
_ORDINARY = re.compile(r"[A-Za-z0-9_./:@%+,-]+(?: [A-Za-z0-9_./:@%+,=^-][A-Za-z0-9_./:@%+,=^~-]*)*")
# The same with patterns, and quotes in which nothing is special; ASCII, so none of it is odd.
_QUOTED = re.compile(
    r"""[A-Za-z0-9_./:@%+,-]+(?: (?=[A-Za-z0-9_./:@%+,=~^*?'"-])[A-Za-z0-9_./:@%+,=~^*?-]*"""
    r"""(?:(?:'[ -&(-~]*'|"[ #%-\[\]-_a-~]*")[A-Za-z0-9_./:@%+,=~^*?-]*)*)*"""
)
_WORDS = re.compile(r"""[^ '"]+(?:(?:'[^']*'|"[^"]*")[^ '"]*)*|(?:(?:'[^']*'|"[^"]*")[^ '"]*)+""")
_CUTS = re.compile(r"[\n;|&()`]+")
# A subscript between quotes may hold a substitution: `printf -v 'a[$(id)]' x`.
_SPECIAL_WITH_QUOTES = RESERVED | STATEFUL
_SPECIAL = RESERVED | (STATEFUL - {"cp", "mv", "ln", "install", "printf", "test", "["})


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
        words = _ordinary_words(text)
        # Most calls are one plain command: that needs neither lexer nor interpreter.
        reading = _ordinary(words, text, cwd) if words else None
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


def _ordinary_words(text: str) -> tuple[Word, ...]:
    """The words of a line of plain and quoted words; none of any other line."""
    plain = _ORDINARY.match(text)
    if plain and plain.end() == len(text):
        return plain_words(text)
    quoted = _QUOTED.match(text)
    if not quoted or quoted.end() < len(text):
        return ()
    raws = _WORDS.findall(text)
    # A long word would fill the cache of words, though nobody sends it again.
    if max(map(len, raws)) > MAX_KEPT:
        return ()
    return tuple(literal_words(raws) or ())


def _ordinary(words: tuple[Word, ...], text: str, cwd: str) -> Reading | None:
    """One command of such words, if the whole way round would read the same."""
    program = words[0].text.rsplit("/", 1)[-1]
    special = _SPECIAL_WITH_QUOTES if "'" in text or '"' in text else _SPECIAL
    # What changes the shell, or is part of its grammar, needs the interpreter.
    if program in special or words[0].text in RESERVED:
        return None
    unfold = CARRIERS.get(program)
    if unfold is not None:
        call = WrapperCall(words=words, stdin=None, name=program, file_text=_nothing)
        # Something runs inside it; without that (`env` alone) a wrapper is a plain command.
        if unfold(call):
            return None
    return Reading(commands=(Command(words=words, cwd=cwd, source=text[:200]),))


def _nothing(_: Word) -> Word | None:
    return None


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
    return Reading(commands=tuple(reading.commands), opaque=tuple(reading.opaque))


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
