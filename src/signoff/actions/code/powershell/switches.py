"""Protections and records that a statement of PowerShell switches off, whatever cmdlet it calls.

The first two lose a protection, the last only looks:

    Set-AdminAuditLogConfig -UnifiedAuditLogIngestionEnabled $false
    Invoke-CimMethod -ClassName MSFT_MpPreference ... @{ExclusionPath = 'C:\\'}
    Get-Mailbox | Where-Object { $_.AuditEnabled -eq $false }
"""

from __future__ import annotations

import re
from itertools import islice

from signoff.actions.code.recorder import Recorder
from signoff.actions.lexicon.guards import guard_off, hints_at_guard, is_record
from signoff.actions.operation import Reach, ResourceType, Trait, Verb

_MOST_STATEMENTS = 60
_TOKEN = re.compile(
    r"'(?:[^'\n]|'')*'|\"[^\"\n]*\"|@\{[^{}]*\}|\{[^{}]*\}|[|;\n]|[^\s|;'\"{}]+|[{}]"
)
_ENDS = frozenset({"|", ";", "\n", "{", "}"})
_CHANGES = (
    *("set-", "new-", "add-", "update-", "invoke-", "disable-", "remove-", "unregister-"),
    *("stop-", "clear-", "suspend-", "edit-", "start-", "register-", "grant-"),
)


def record_switches(text: str, recorder: Recorder) -> None:
    """Write down the protections that the statements of a text switch off."""
    if not hints_at_guard(text):
        return
    words: list[str] = []
    for token in islice(_TOKEN.findall(text), 4_000):
        if token in _ENDS:
            _statement(words, recorder)
            words = []
        elif len(words) < _MOST_STATEMENTS:
            words.append(token)
    _statement(words, recorder)


def _statement(words: list[str], recorder: Recorder) -> None:
    """Judge one statement; only what a cmdlet that changes something is given counts."""
    if not words or not words[0].lower().startswith(_CHANGES):
        return
    lowered = [word.lower() for word in words]
    if "-whatif" in lowered or "-whatif:$true" in lowered:
        return
    name = guard_off([words[0], *[_bare(word) for word in words[1:]]])
    if not name:
        return
    recorder.operate(
        Verb.CONFIGURE, words[0], thing=ResourceType.PROTECTION, target=name, reach=Reach.SYSTEM,
        traits=frozenset({Trait.BLINDS if is_record(name) else Trait.WEAKENS}), reversible=False,
    )  # fmt: skip


def _bare(word: str) -> str:
    return word[1:-1] if word[:1] in "'\"" and len(word) > 1 else word
