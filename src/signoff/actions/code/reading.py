"""Inline code -> Operations, and the shell lines and SQL texts it would run.

One small file a language; the rest is the same for all: a call by name with the arguments that
are known is a call of a sink, sinks become Operations. What is unknown (syntax that cannot be read,
names worked out at run time, text that is built from unknown parts and then run) is not
understood. Text that is only printed is data.

    understand_code("import os; os.system('ls -la')", language="python", place=place)
        -> CodeReading(shell=("ls -la",), operations=(), sql=())
"""

from __future__ import annotations

from msgspec import Struct

from signoff.actions.code.literals import read_literals
from signoff.actions.code.recorder import Recorder
from signoff.actions.code.registry import reader_of
from signoff.actions.operation import Operations
from signoff.actions.place import Place

MAX_CHARS = 100_000
UNREAD = ("the text cannot be read", "the text is no Python that can be read")
LITERALS = "literals"  # of code that the caller already called opaque


class CodeReading(Struct, frozen=True, kw_only=True):
    """What a snippet does itself, and what it hands to a shell or a database."""

    operations: Operations = ()
    shell: tuple[str, ...] = ()
    sql: tuple[str, ...] = ()


def understand_code(
    text: str, *, language: str, place: Place, group: int = 0, carriers: tuple[str, ...] = ()
) -> CodeReading:
    """Take a snippet apart; what is unknown comes back as not understood."""
    recorder = Recorder(place, group=group, carriers=carriers, source=text[:200])
    reader = reader_of(language.lower())
    if language == LITERALS:
        read_literals(text, recorder)
    elif reader is None:
        recorder.opaque(f"code in `{language[:40]}` cannot be read", language[:40])
        read_literals(text, recorder)
    elif len(text) > MAX_CHARS:
        recorder.opaque("text is too long to be read", language)
    else:
        reader(text, recorder)
        if any([op.why.endswith(UNREAD) for op in recorder.operations]):
            read_literals(text, recorder)
    recorder.finish()
    return CodeReading(
        operations=recorder.operations,
        shell=tuple(dict.fromkeys(recorder.shell)),
        sql=tuple(dict.fromkeys(recorder.sql)),
    )
