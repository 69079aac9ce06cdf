"""What reaches a command by its input or from the network, and ends in a file that runs.

(crontab -l; echo '@reboot x') | crontab -      the text that `echo` adds is known
curl -s URL > .git/hooks/pre-push               -> WRITE, traits={UNTRUSTED_SOURCE}
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from signoff.actions.contents.text import NewText
from signoff.actions.operation import FileKind, Operation, Trait, Verb
from signoff.actions.paths import Located, locate
from signoff.actions.place import Place
from signoff.actions.shell.command import Command
from signoff.actions.shell.data_flow.edited import EDITS, edits_of
from signoff.values import replace

PRINTING = frozenset({"echo", "printf"})
READS_JOBS = frozenset({"crontab", "scrontab", "fcrontab"})
WRITES_INPUT = frozenset({"tee", "gtee", "sponge"}) | EDITS
START_UP = frozenset({FileKind.SCHEDULE, FileKind.GIT_HOOK, FileKind.SHELL_STARTUP})
_WRITE = Verb.WRITE


def with_input(command: Command, commands: Sequence[Command]) -> Command:
    """Give a command that reads jobs the part of its input that is known."""
    stream = command.stdin
    if stream is None or stream.text is not None or command.program not in READS_JOBS:
        return command
    printed = [
        " ".join([word.text for word in commands[at].words[1:]])
        for at in stream.sources
        if 0 <= at < len(commands) and commands[at].program in PRINTING
    ]
    sketch = "\n".join([stream.sketch, *printed])
    return replace(command, stdin=replace(stream, sketch=sketch))


def texts_written(command: Command, place: Place) -> Iterator[tuple[Located, NewText]]:
    """Yield each file that `tee` writes or an editing command changes, and the text."""
    if command.program in EDITS:
        yield from edits_of(command, place)
        return
    stream = command.stdin
    if stream is None or not stream.text:
        return
    texts = [word.text for word in command.words[1:] if word.is_known]
    is_whole = not {"-a", "--append", "-ai", "-ia"}.intersection(texts)
    for text in texts:
        if not text.startswith("-"):
            new = NewText(new=stream.text, is_whole=is_whole)
            yield locate(text, place, has_glob=False), new


def marked_start_up(operations: list[Operation], *, is_fetched: bool) -> list[Operation]:
    """Say of files that run by themselves that what is written came from the network."""
    if not is_fetched or not any([_starts(op) for op in operations]):
        return operations
    return [
        replace(op, traits=op.traits | {Trait.UNTRUSTED_SOURCE}) if _starts(op) else op
        for op in operations
    ]


def _starts(op: Operation) -> bool:
    return op.verb is _WRITE and op.file_kind in START_UP
