"""Acting with more rights than the agent was given.

Finds: anything but reading with sudo, doas, su or as another user; privileged containers;
widening of permissions, roles and grants.
Why it matters: with root every other limit is void (CWE-250).
Example: `sudo systemctl restart nginx`, `docker run --privileged -v /:/host alpine`, `chmod 777 x`.
Does not find: `sudo -l`, reading as root, `chmod +x` of a file in the project.
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import Operation, Reach, ResourceType, Trait, Verb
from signoff.assess.detectors.detector import Detector, Evidence
from signoff.assess.detectors.evidence import in_operations, shell_call
from signoff.assess.finding import Finding, Severity

ID = "privilege"
HARMLESS = frozenset({Verb.READ, Verb.INERT})


def run(evidence: Evidence) -> Iterator[Finding]:
    """Return one finding for each Operation that uses or extends privileges."""
    return in_operations(evidence, ID, _line)


def _line(op: Operation) -> tuple[str, Severity] | None:
    if Trait.OPENS_ACCESS in op.traits:
        return _opened(op)
    if Trait.AS_ROOT in op.traits and op.verb not in HARMLESS:
        return "as-root", Severity.HIGH
    if op.verb is Verb.PRIVILEGE:
        return "raised", Severity.HIGH
    if op.thing is ResourceType.ACCOUNT and op.verb not in HARMLESS:
        near = op.reach in {Reach.PROJECT, Reach.TEMP}
        return None if near and op.reversible else ("account", Severity.HIGH)
    return None


def _opened(op: Operation) -> tuple[str, Severity]:
    far = op.reach in {Reach.SYSTEM, Reach.PRODUCTION, Reach.REMOTE}
    wide = not {Trait.BROAD, Trait.RECURSIVE}.isdisjoint(op.traits)
    home = op.reach is Reach.HOME and wide
    if (far and op.thing is not ResourceType.ACCOUNT) or home:
        return "opened-to-all", Severity.CRITICAL
    if op.reach is Reach.SYSTEM and wide:
        return "opened-to-all", Severity.CRITICAL
    return "opened", Severity.HIGH


DETECTOR = Detector(
    id=ID,
    run=run,
    title="More rights than given",
    lines="account as-root opened opened-to-all raised",
    cwe=("CWE-250", "CWE-269", "CWE-732"),
    asi=("ASI03",),
    marks=frozenset({Trait.OPENS_ACCESS, Trait.AS_ROOT, Verb.PRIVILEGE, ResourceType.ACCOUNT}),
    fires=(
        shell_call("sudo systemctl restart nginx"),
        shell_call("chmod -R 777 /srv"),
        shell_call("docker run --privileged alpine id"),
    ),
    passes=(
        shell_call("sudo -n ls /root/logs"),
        shell_call("chmod +x scripts/run.sh"),
        shell_call("docker run --rm alpine id"),
    ),
)
