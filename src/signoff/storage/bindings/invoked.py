"""What a call would start, and on which files: by name and by folder. Reads no files.

What a shell starts for a bare name hangs on the folder of the command and on PATH, which the line
itself may change for what follows. A PATH the line sets is looked through beside the one the call
starts with: which of them is in force at a command is not distinguished.

    invoked_by(Action(tool="Bash", arguments={"command": "cd a; PATH=b:$PATH make x"}, cwd="/w"))
        -> Invoked(programs=(ProgramName(name="make", cwd="/w/a", ...), ...),
                   operands=(("x", "/w/a"), ...))
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from signoff.actions.action import Action
from signoff.actions.facts import Facts
from signoff.actions.shell.command import Command

LIMIT = 64
NAME_LIMIT = 1_024
PATHS_LIMIT = 8
UNKNOWN = "\ufffd"  # stands for what the shell reader could not tell
SEARCH_VARIABLE = "PATH"


class ProgramName(Struct, frozen=True, kw_only=True):
    """One program as a call names it.

    Args:
        cwd: absolute folder in force, "" once it is unknown.
        search_paths: values of PATH it may be looked for on; "" is the one the call starts with,
            and the character U+FFFD in one stands for it.
    """

    name: str
    cwd: str = ""
    search_paths: tuple[str, ...] = ("",)


class Invoked(Struct, frozen=True, kw_only=True):
    """What a call would run: its programs, and words that may be files, with their folders."""

    programs: tuple[ProgramName, ...] = ()
    operands: tuple[tuple[str, str], ...] = ()


def invoked_by(action: Action) -> Invoked:
    """Return the programs and files a call would use, without repeats, at most `LIMIT` each."""
    # Much is loaded to understand a call; commands that answer requests understand none.
    from signoff.actions.understand import understand  # noqa: PLC0415 - see above

    commands = understand(action, Facts()).commands
    paths = ("", *_paths_set(commands))
    named = (
        ProgramName(name=name, cwd=command.cwd, search_paths=("",) if "/" in name else paths)
        for command in commands
        if (name := _name(command))
    )
    operands = (operand for command in commands for operand in _operands(command))
    return Invoked(
        programs=tuple(dict.fromkeys(named))[:LIMIT],
        operands=tuple(dict.fromkeys(operands))[:LIMIT],
    )


def _name(command: Command) -> str:
    """Return the program as written, "" where it is unknown."""
    if not command.words or not command.words[0].is_known:
        return ""
    name = command.words[0].text
    return name if _is_usable(name) else ""


def _operands(command: Command) -> Iterator[tuple[str, str]]:
    """Yield the words of a command that could be files, and what it reads from."""
    words = [word.text for word in command.words[1:] if word.is_known]
    if command.stdin is not None:
        words.append(command.stdin.path)
    for word in words:
        # An option is no file; a file named like one is reached as `./-x`, which is taken.
        if _is_usable(word) and not word.startswith("-"):
            yield word, command.cwd


def _paths_set(commands: tuple[Command, ...]) -> tuple[str, ...]:
    """Return the values the line gives to PATH."""
    values = (
        word.text
        for command in commands
        for name, word in command.assignments
        if name == SEARCH_VARIABLE and "\0" not in word.text
    )
    return tuple(dict.fromkeys(values))[:PATHS_LIMIT]


def _is_usable(word: str) -> bool:
    """Tell whether the system could be asked about it at all."""
    # The system refuses a NUL with a ValueError, and an address is on another machine.
    return 0 < len(word) <= NAME_LIMIT and "\0" not in word and "://" not in word
