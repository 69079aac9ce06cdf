"""Switching off or blinding protection.

Finds: firewalls, antivirus, SELinux, audit and logs switched off or emptied, shell history
removed, checks weakened in code and configuration (TLS verification, authentication, CSRF).
Why it matters: it is the step before the attack, and what hides it (CWE-693, CWE-778).
Example: `setenforce 0`, `history -c`, `verify=False` added to a client.
Does not find: reading of logs and rules, tests about such settings.
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import FileKind, Operation, Reach, ResourceType, Trait, Verb
from signoff.actions.wording.phrases import BLINDED
from signoff.actions.wording.sentence import say
from signoff.assess.detectors.detector import Detector, Evidence
from signoff.assess.detectors.evidence import found, shell_call
from signoff.assess.finding import Finding, Severity

ID = "defence-tampering"
BLINDS = "logging or monitoring stops"
HARMLESS = frozenset({Verb.READ, Verb.INERT})
RECORDS = frozenset({FileKind.SHELL_HISTORY, FileKind.AUDIT_LOG})

ABOVE_RECORDS = frozenset({"/", "/var", "/private/var"})  # a search for logs from here finds all


def run(evidence: Evidence) -> Iterator[Finding]:
    """Yield one finding for each Operation that weakens a protection."""
    for op in evidence.operations:
        line = _line(op)
        if line is not None:
            says_nothing = line[0] == "blinded" and Trait.WEAKENS not in op.traits
            because = BLINDS if says_nothing and not say(op).startswith(BLINDED) else ""
            yield found(ID, line[0], line[1], op, because=because)


def _line(op: Operation) -> tuple[str, Severity] | None:
    if op.verb in HARMLESS:
        return None
    if Trait.BLINDS in op.traits:
        return "blinded", Severity.CRITICAL
    if _is_record(op):
        return "record", Severity.CRITICAL
    if Trait.WEAKENS in op.traits:
        far = op.reach in {Reach.SYSTEM, Reach.PRODUCTION, Reach.REMOTE}
        strong = far and op.thing is ResourceType.PROTECTION
        return ("switched-off", Severity.CRITICAL) if strong else ("weakened", Severity.HIGH)
    if op.thing is ResourceType.PROTECTION:
        return "protection", Severity.HIGH
    return None


def _is_record(op: Operation) -> bool:
    """Whether it is a record of the system or the user, and not a log of one's own work."""
    if op.file_kind is FileKind.LOG:
        return op.path in ABOVE_RECORDS
    return op.file_kind in RECORDS and op.reach not in {Reach.PROJECT, Reach.TEMP}


DETECTOR = Detector(
    id=ID,
    run=run,
    title="Protection is switched off",
    lines="blinded protection record switched-off weakened",
    cwe=("CWE-693", "CWE-778", "CWE-295"),
    asi=("ASI08", "ASI10"),
    marks=RECORDS | {FileKind.LOG} | {Trait.BLINDS, Trait.WEAKENS, ResourceType.PROTECTION},
    fires=(
        shell_call("setenforce 0"),
        shell_call("history -c"),
        shell_call("rm -f ~/.bash_history"),
    ),
    passes=(
        shell_call("getenforce"),
        shell_call("tail -n 50 app.log"),
        shell_call("grep -rn 'verify=False' src"),
    ),
)
