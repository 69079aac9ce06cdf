"""Variables that turn an allowed program into another one.

Finds: assignments that load foreign code, move the places where programs are looked for, name
programs that others will run, or steer the agent.
Why it matters: the next harmless command runs something else (CWE-427, CVE-2026-22708).
Example: `LD_PRELOAD=/tmp/x.so ls`, `export PATH=.:$PATH`, `GIT_SSH_COMMAND='sh x' git fetch`.
Does not find: `PYTHONPATH=src`, `PAGER=cat`, `NODE_ENV=test`, folders of the project in PATH.
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.action import Action
from signoff.actions.operation import Trait
from signoff.assess.detectors.detector import Detector, Evidence
from signoff.assess.detectors.evidence import found
from signoff.assess.finding import Finding, Severity

ID = "environment-poisoning"


def run(evidence: Evidence) -> Iterator[Finding]:
    """Yield one finding for each poisoned variable."""
    for op in evidence.operations:
        if Trait.ENVIRONMENT in op.traits:
            yield found(ID, "variable", Severity.CRITICAL, op, because=op.why)


def _bash(command: str) -> Action:
    return Action(tool="Bash", arguments={"command": command}, cwd="/home/dev/project")


DETECTOR = Detector(
    id=ID,
    run=run,
    title="A variable changes what programs do",
    cwe=("CWE-426", "CWE-427"),
    asi=("ASI05", "ASI02"),
    verbs=frozenset(),
    traits=frozenset({Trait.ENVIRONMENT}),
    fires=(
        _bash("LD_PRELOAD=/tmp/hook.so ls"),
        _bash("export PATH=.:$PATH"),
        _bash("GIT_SSH_COMMAND='sh /tmp/x' git fetch"),
    ),
    passes=(
        _bash("PYTHONPATH=src pytest -q"),
        _bash("PAGER=cat git log -3"),
        _bash("NODE_ENV=test npm test"),
    ),
)
