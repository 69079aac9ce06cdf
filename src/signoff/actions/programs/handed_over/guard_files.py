"""signoff's own files as arguments of a command that runs unread code: it could change them.

go run x.go ~/.local/state/signoff/token        judged as a write to that file
make F=~/.config/signoff/rules.yaml             likewise
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from signoff.actions.operation import FileKind, Operation, ResourceType, Verb
from signoff.actions.place import Place
from signoff.actions.programs.call import ProgramCall
from signoff.actions.shell.command import Command, Word
from signoff.values import replace

MOST_WORDS = 64
HARMLESS = frozenset({Verb.INERT, Verb.READ})
_PLACED = ("/", "~", ".")


def handed_guard_files(
    command: Command, place: Place, found: Sequence[Operation]
) -> Iterator[Operation]:
    """Yield operations on signoff's files that a command names but no operation covers."""
    # The shell does a redirection, and not the program: `printf '%s' x > y` prints.
    own = [op.verb for op in found if op.program != "redirection"]
    if HARMLESS.issuperset(own):
        return
    verb = Verb.WRITE if any([_runs_code(op) for op in found]) else Verb.READ
    known = {op.path for op in found if op.path}
    call = ProgramCall(
        name=command.program,
        command=command,
        place=place,
    )
    for word in command.words[1 : MOST_WORDS + 1]:
        operation = call.on_file(verb, named) if (named := _named(word)) else None
        if operation is None or operation.file_kind is not FileKind.GUARD:
            continue
        if operation.path not in known:
            yield operation


def _runs_code(op: Operation) -> bool:
    return op.verb is Verb.EXECUTE and op.thing is ResourceType.CODE


def _named(word: Word) -> Word | None:
    """Return what may be the path of a file in a word: `x`, `--file=x`, `F=x`."""
    text = word.text
    if not word.is_known or " " in text:  # a text, not a name: `-m 'dd if=/x'`
        return None
    if text[:1] not in _PLACED:
        text = text.partition("=" if "=" in text else "@")[2]
    return replace(word, text=text) if text[:1] in _PLACED and "/" in text else None
