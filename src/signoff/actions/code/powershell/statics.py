"""What a PowerShell text does through the framework and libraries, where no cmdlet says it.

A text in quotes is data: what is looked for has to stand where a command or a call stands.

    record_statics("$s.ClearLog('Security')", recorder)     the event log is erased
"""

from __future__ import annotations

import re

from signoff.actions.code.recorder import Recorder
from signoff.actions.operation import Reach, ResourceType, Trait, Verb

_QUOTED = re.compile(r"'[^'\n]*'|\"[^\"\n]*\"")
# System.Diagnostics.EventLog and EventLogSession (.NET API): `Clear`, `Delete`, `ClearLog`.
_CLEARS_LOG = re.compile(
    r"\.clearlog\s*\(|\[(?:system\.)?diagnostics\.eventlog\]\s*::\s*delete\s*\("
)
_LISTS_LOGS = re.compile(
    r"\[(?:system\.)?diagnostics\.eventlog\]\s*::\s*geteventlogs\b"
    r"|\bnew-object\s+(?:-typename\s+)?(?:system\.)?diagnostics\.eventlog\b|\bget-eventlog\s+-list\b"
)
_CLEARS = re.compile(r"\.clear\s*\(\s*\)")
_START = r"(?:^|[;|&{(\n])\s*(?:[a-z]:)?[\w.\\/-]*?"
# The process that keeps the passwords of everybody logged in; 24 is the number of MiniDump.
_DUMPS_MEMORY = re.compile(
    _START + r"(?:\brundll32(?:\.exe)?\s+\S*\bcomsvcs(?:\.dll)?\s*,?\s*(?:minidump|#\+?(?:0*24))\b"
    r"|\bprocdump(?:64)?(?:\.exe)?\s[^|;\n]*\blsass\b|\bout-minidump\b[^|;\n]*\blsass\b)"
)


def record_statics(text: str, recorder: Recorder) -> None:
    """Write down what erases backups and logs, or takes passwords out of the memory."""
    lower = text.lower()
    if "shadowcopy" in lower and ("delete()" in lower or "remove-" in lower):
        recorder.operate(
            Verb.DELETE, "Win32_ShadowCopy", thing=ResourceType.BACKUP, reach=Reach.SYSTEM,
            traits=frozenset({Trait.WHOLE_STORE}), reversible=False,
        )  # fmt: skip
    plain = _QUOTED.sub("''", lower)
    if _CLEARS_LOG.search(plain) or (_LISTS_LOGS.search(plain) and _CLEARS.search(plain)):
        recorder.operate(
            Verb.DELETE, "Diagnostics.EventLog", thing=ResourceType.PROTECTION,
            reach=Reach.SYSTEM, traits=frozenset({Trait.BLINDS}), reversible=False,
        )  # fmt: skip
    if _DUMPS_MEMORY.search(plain):
        recorder.operate(
            Verb.READ, "MiniDump", thing=ResourceType.CREDENTIAL, target="lsass",
            reach=Reach.SYSTEM, traits=frozenset({Trait.READS_SECRET}),
        )  # fmt: skip
