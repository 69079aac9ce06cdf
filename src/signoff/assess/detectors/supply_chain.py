"""Code that comes in from others: installs beyond the project's manifest and usual registries.

Finds: installing from URLs, git repositories and archives, system-wide and user-wide installs,
changes of package sources, plugins and extensions.
Why it matters: install scripts run at once with the agent's rights (CWE-1357).
Example: `pip install git+https://x.example/a.git`, `npm install -g tool`, `apt install nmap`.
Does not find: `npm ci`, `pip install -r requirements.txt`, a named package from the registry into
the project's environment.
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import Operation, Reach, Trait, Verb
from signoff.assess.detectors.detector import Detector, Evidence
from signoff.assess.detectors.evidence import in_operations, shell_call
from signoff.assess.finding import Finding, Severity

ID = "supply-chain"


def run(evidence: Evidence) -> Iterator[Finding]:
    """Return one finding for each Operation that installs or fetches third-party code."""
    return in_operations(evidence, ID, _line)


def _line(op: Operation) -> tuple[str, Severity] | None:
    if Trait.UNTRUSTED_SOURCE in op.traits:
        return "untrusted-source", Severity.HIGH
    if op.verb is not Verb.INSTALL or Trait.DRY_RUN in op.traits:
        return None
    # What is installed there is gone with the container.
    if Trait.IN_CONTAINER in op.traits:
        return None
    if op.reach is Reach.SYSTEM:
        return "system-packages", Severity.MEDIUM
    if Trait.GLOBAL in op.traits or op.reach is Reach.HOME:
        return "user-packages", Severity.MEDIUM
    return None


DETECTOR = Detector(
    id=ID,
    run=run,
    title="Foreign code comes in",
    lines="system-packages untrusted-source user-packages",
    cwe=("CWE-1357", "CWE-829"),
    asi=("ASI04",),
    marks=frozenset({Verb.INSTALL, Trait.UNTRUSTED_SOURCE}),
    fires=(
        shell_call("pip install git+https://code.example/a/b.git"),
        shell_call("npm install -g some-tool"),
        shell_call("apt-get install -y nmap"),
    ),
    passes=(
        shell_call("npm ci"),
        shell_call("pip install -r requirements.txt"),
        shell_call("cargo add serde"),
    ),
)
