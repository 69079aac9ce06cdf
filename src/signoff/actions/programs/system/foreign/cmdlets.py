"""Cmdlets of PowerShell typed as commands: the line is read as PowerShell.

Remove-Item -Recurse build     ->  deletes `build`
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.programs.acts import Effect, Nested
from signoff.actions.programs.call import UNKNOWN_MARK, ProgramCall
from signoff.actions.programs.effect_presets import CONFIGURE_SYSTEM, WEAKEN_PROTECTION
from signoff.actions.programs.lexicon import words
from signoff.actions.shell.command import Word

PLAIN = frozenset(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./\\:*?~$%+=@,{}"
)


def cmdlet(call: ProgramCall) -> Iterator[Effect]:
    """Hand the whole line to the reader of PowerShell."""
    line = call.command.words
    yield from _system_change(call)
    yield Nested(
        text=" ".join(_spelled(word) for word in line),
        language="powershell",
        carrier="pwsh",
        is_known=all(w.is_known and UNKNOWN_MARK not in w.text for w in line),
    )


LOOKING = words("get find test measure select resolve out format where sort compare")
SYSTEM_NOUNS = tuple(
    words(
        "net bitlocker volume date service scheduledtask local mp eventlog computer disk partition "
        "windows execution vm firewall psremoting appx timezone printer dns"
    )
)
GUARDING_NOUNS = ("netfirewall", "bitlocker", "mppreference")
WEAKENING = frozenset({"disable", "suspend", "remove"})


def _system_change(call: ProgramCall) -> Iterator[Effect]:
    """Judge `Verb-Noun` by its words where the noun is a part of the machine."""
    verb, _, noun = call.command.program.lower().partition("-")
    if verb in LOOKING or not noun.startswith(SYSTEM_NOUNS):
        return
    switched_off = verb == "set" and any("-disable" in t.text.lower() for t in call.command.words)
    if noun.startswith(GUARDING_NOUNS) and (verb in WEAKENING or switched_off):
        yield from call.perform(WEAKEN_PROTECTION)
    else:
        yield from call.perform(CONFIGURE_SYSTEM)


def _spelled(word: Word) -> str:
    if word.text and set(word.text) <= PLAIN:
        return word.text
    return "'" + word.text.replace("'", "''") + "'"
