"""Variables that turn an allowed program into another one.

Finds: assignments that load foreign code, move the places where programs are looked for, name
programs that others will run, or steer the agent.
Why it matters: the next harmless command runs something else (CWE-427, CVE-2026-22708).
Example: `LD_PRELOAD=/tmp/x.so ls`, `export PATH=.:$PATH`, `GIT_SSH_COMMAND='sh x' git fetch`.
Does not find: `PYTHONPATH=src`, `PAGER=cat`, `NODE_ENV=test`, folders of the project in PATH.
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import Trait
from signoff.assess.detectors.detector import Detector, Evidence
from signoff.assess.detectors.evidence import found, shell_call
from signoff.assess.finding import Finding, Severity

ID = "environment-poisoning"


def run(evidence: Evidence) -> Iterator[Finding]:
    """Yield one finding for each environment variable set to a dangerous value."""
    for op in evidence.operations:
        if Trait.ENVIRONMENT in op.traits:
            yield found(ID, "variable", Severity.CRITICAL, op, because=op.why)


DETECTOR = Detector(
    id=ID,
    run=run,
    title="A variable changes what programs do",
    lines="variable",
    cwe=("CWE-426", "CWE-427"),
    asi=("ASI05", "ASI02"),
    marks=frozenset({Trait.ENVIRONMENT}),
    fires=(
        shell_call("LD_PRELOAD=/tmp/hook.so ls"),
        shell_call("export PATH=.:$PATH"),
        shell_call("GIT_SSH_COMMAND='sh /tmp/x' git fetch"),
    ),
    passes=(
        shell_call("PYTHONPATH=src pytest -q"),
        shell_call("PAGER=cat git log -3"),
        shell_call("NODE_ENV=test npm test"),
    ),
)
