"""What cannot be understood: asked about, never skipped.

Finds: text that is hidden by encoding or comes from variables outside, `eval` of unknown text,
programs whose name cannot be told, lines that cannot be parsed or are too large, invisible and
look-alike characters.
Why it matters: what a guard cannot read it cannot judge (CWE-116); attackers know that.
Example: `$(printf '\\x72m') -rf x`, `eval "$CMD"`, a line of 400 commands.
Does not find: unknown programs called plainly with plain words, unknown variables as operands of
programs that only read or print.
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.action import Action
from signoff.actions.operation import Trait
from signoff.assess.detectors.detector import Detector, Evidence
from signoff.assess.detectors.evidence import found
from signoff.assess.finding import Finding, Severity

ID = "opaque"


def run(evidence: Evidence) -> Iterator[Finding]:
    """Yield one finding for each Operation that was not understood."""
    for op in evidence.operations:
        if Trait.HIDDEN in op.traits and not op.understood:
            yield found(ID, "hidden", Severity.CRITICAL, op)
        elif not op.understood:
            yield found(ID, "not-understood", Severity.HIGH, op)


def _bash(command: str) -> Action:
    return Action(tool="Bash", arguments={"command": command}, cwd="/home/dev/project")


DETECTOR = Detector(
    id=ID,
    run=run,
    title="It cannot be understood",
    cwe=("CWE-116", "CWE-95"),
    asi=("ASI02", "ASI05"),
    fires=(
        _bash('eval "$CMD"'),
        _bash("$RUNNER --all"),
        _bash("cat list.txt | sh"),
    ),
    passes=(
        _bash('echo "$CMD"'),
        _bash("cat list.txt | sort"),
        _bash('ls "$DIR"'),
    ),
)
