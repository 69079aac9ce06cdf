"""Cmdlets of PowerShell typed as commands: the line is read as PowerShell.

Remove-Item -Recurse build     ->  deletes `build`
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.programs.acts import Effect, Nested
from signoff.actions.programs.call import UNKNOWN_MARK, ProgramCall
from signoff.actions.shell.command import Word

PLAIN = frozenset(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./\\:*?~$%+=@,{}"
)


def cmdlet(call: ProgramCall) -> Iterator[Effect]:
    """Hand the whole line to the reader of PowerShell."""
    line = call.command.words
    yield Nested(
        text=" ".join(_spelled(word) for word in line),
        language="powershell",
        carrier="pwsh",
        is_known=all(w.is_known and UNKNOWN_MARK not in w.text for w in line),
    )


def _spelled(word: Word) -> str:
    if word.text and set(word.text) <= PLAIN:
        return word.text
    return "'" + word.text.replace("'", "''") + "'"
