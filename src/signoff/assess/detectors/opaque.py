"""What cannot be understood: asked about, never skipped.

Finds: text that is hidden by encoding or comes from variables outside, `eval` of unknown text,
programs whose name is unknown, lines that cannot be parsed, invisible and look-alike
characters, calls of more text than anybody can review.
Why it matters: what a guard cannot read it cannot judge (CWE-116); attackers know that.
Example: `$(printf '\\x72m') -rf x`, `eval "$CMD"`, a line of 400 commands.
Does not find: unknown programs called plainly with plain words, unknown variables as operands of
programs that only read or print.
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import Trait
from signoff.assess.detectors.detector import REVIEWABLE, CallMark, Detector, Evidence
from signoff.assess.detectors.evidence import found, shell_call
from signoff.assess.finding import Finding, Severity

ID = "opaque"


def run(evidence: Evidence) -> Iterator[Finding]:
    """Yield a finding for each Operation that could not be parsed, one for a call too large."""
    size = sum(map(len, evidence.texts.values()))
    if size > REVIEWABLE:
        yield Finding(
            detector=ID,
            category=f"{ID}.too-large",
            severity=Severity.CRITICAL,
            evidence=f"{size:,} characters are more than anybody can review",
        )
    for op in evidence.operations:
        if Trait.HIDDEN in op.traits and not op.understood:
            yield found(ID, "hidden", Severity.CRITICAL, op)
        elif not op.understood:
            yield found(ID, "not-understood", Severity.HIGH, op)


DETECTOR = Detector(
    id=ID,
    run=run,
    title="It cannot be understood",
    lines="hidden not-understood too-large",
    cwe=("CWE-116", "CWE-95"),
    asi=("ASI02", "ASI05"),
    marks=frozenset({CallMark.UNREVIEWED}),
    fires=(
        shell_call('eval "$CMD"'),
        shell_call("$RUNNER --all"),
        shell_call("cat list.txt | sh"),
    ),
    passes=(
        shell_call('echo "$CMD"'),
        shell_call("cat list.txt | sort"),
        shell_call('ls "$DIR"'),
    ),
)
