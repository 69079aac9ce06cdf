"""Writing outside the project.

Finds: creating, changing, moving or linking files in the home folder, in system folders and
elsewhere, and writes whose place is unknown.
Why it matters: the project is what the agent was given; the rest belongs to somebody (CWE-22).
Example: `cp app /usr/local/bin/`, a Write to `../../.profile`, `> "$OUT"`.
Does not find: reading, temporary folders, harmless devices such as `/dev/null`.
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.action import Action
from signoff.actions.known.agent_notes import is_own_note
from signoff.actions.operation import FileKind, Operation, Reach, ResourceType, Trait, Verb
from signoff.assess.detectors.detector import Detector, Evidence
from signoff.assess.detectors.evidence import found
from signoff.assess.finding import Finding, Severity

ID = "path-escape"
CRITICAL_KINDS = frozenset(
    {FileKind.ACCOUNTS, FileKind.BOOT, FileKind.KERNEL, FileKind.SYSTEM_BINARY}
)
OUTSIDE = frozenset({Reach.SYSTEM, Reach.PRODUCTION, Reach.HOME, Reach.ELSEWHERE, Reach.UNKNOWN})


def run(evidence: Evidence) -> Iterator[Finding]:
    """Yield one finding for each Operation that writes outside the project."""
    for op in evidence.operations:
        if (
            op.reach in OUTSIDE
            and op.verb is Verb.WRITE
            and op.thing in {ResourceType.FILE, ResourceType.CODE}
        ):
            line = None if is_own_note(op) else _line(op)
            if line is not None:
                yield found(ID, line[0], line[1], op)


def _line(op: Operation) -> tuple[str, Severity] | None:
    # These files are the container's own then, and gone with it.
    contained = Trait.IN_CONTAINER in op.traits
    if op.file_kind in CRITICAL_KINDS and op.reach is Reach.SYSTEM and not contained:
        return "system-critical", Severity.CRITICAL
    match op.reach:
        case Reach.SYSTEM | Reach.PRODUCTION:
            return "system", Severity.HIGH
        case Reach.HOME:
            is_secret = op.file_kind is FileKind.CREDENTIALS
            return ("home-credentials", Severity.HIGH) if is_secret else ("home", Severity.MEDIUM)
        case Reach.ELSEWHERE:
            return "elsewhere", Severity.MEDIUM
        case Reach.UNKNOWN:
            return "unknown", Severity.MEDIUM
        case _:
            return None


def _write(path: str) -> Action:
    return Action(
        tool="Write", arguments={"file_path": path, "content": "x"}, cwd="/home/dev/project"
    )


DETECTOR = Detector(
    id=ID,
    run=run,
    title="Writing outside the project",
    lines="elsewhere home home-credentials system system-critical unknown",
    cwe=("CWE-22", "CWE-59"),
    asi=("ASI02",),
    marks=OUTSIDE,
    fires=(
        _write("/usr/local/bin/tool"),
        _write("/home/dev/project/../other/notes.txt"),
        _write("/etc/hosts"),
    ),
    passes=(
        _write("/home/dev/project/src/a.py"),
        _write("/tmp/out.txt"),  # noqa: S108 - an example of a call, nothing is written
        _write("notes/../README.md"),
    ),
)
