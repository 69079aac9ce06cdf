"""Changes outside the machine: services, clouds, clusters, releases, money.

Finds: creating, changing and stopping remote things, publishing packages and releases, rewriting
published history, payments.
Why it matters: others see it at once and often it cannot be taken back.
Example: `terraform apply`, `npm publish`, `git push --force`, `kubectl scale deploy api`.
Does not find: reading, plans and dry runs, a plain push of the current branch.
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import Operation, Reach, ResourceType, Trait, Verb
from signoff.assess.detectors.detector import Detector, Evidence
from signoff.assess.detectors.evidence import in_operations, shell_call
from signoff.assess.finding import Finding, Severity

ID = "remote-change"
CHANGES = frozenset(
    {Verb.WRITE, Verb.CONFIGURE, Verb.CONTROL, Verb.EXECUTE, Verb.INSTALL, Verb.PERSIST}
)
HARMLESS = frozenset({Verb.READ, Verb.INERT})
FAR = frozenset({Reach.REMOTE, Reach.PRODUCTION})


def run(evidence: Evidence) -> Iterator[Finding]:
    """Return one finding for each Operation that changes another machine or a service."""
    return in_operations(evidence, ID, _line)


def _line(op: Operation) -> tuple[str, Severity] | None:
    if Trait.DRY_RUN in op.traits or op.verb in HARMLESS:
        return None
    if op.verb is Verb.SPEND or op.thing is ResourceType.MONEY:
        bulk = Trait.BULK in op.traits
        return "money", Severity.CRITICAL if bulk else Severity.HIGH
    if op.verb is Verb.PUBLISH:
        return _published(op)
    return _changed(op)


def _changed(op: Operation) -> tuple[str, Severity] | None:
    if Trait.ON_REMOTE_HOST in op.traits and op.verb not in {Verb.READ, Verb.INERT}:
        return "remote-host", Severity.HIGH
    if op.verb in CHANGES and op.reach in FAR:
        return "changed", Severity.HIGH if not op.reversible else Severity.MEDIUM
    if Trait.COSTS in op.traits:
        return "costs", Severity.MEDIUM
    return None


def _published(op: Operation) -> tuple[str, Severity] | None:
    if op.thing is not ResourceType.REPOSITORY:
        return "published", Severity.HIGH
    if not {Trait.FORCED, Trait.BROAD, Trait.LOSES_HISTORY}.isdisjoint(op.traits):
        return "forced-push", Severity.HIGH
    if op.reversible:
        return None
    # A merge is met alike, by a command line and by a tool whose name says `merge`.
    if Trait.PROTECTED_BRANCH in op.traits:
        return "published", Severity.HIGH
    return "pushed", Severity.MEDIUM


DETECTOR = Detector(
    id=ID,
    run=run,
    title="Something outside is changed",
    lines="changed costs forced-push money published pushed remote-host",
    cwe=("CWE-862",),
    asi=("ASI02",),
    marks=FAR | {Verb.SPEND, Verb.PUBLISH, ResourceType.MONEY, Trait.ON_REMOTE_HOST, Trait.COSTS},
    fires=(
        shell_call("terraform apply"),
        shell_call("npm publish"),
        shell_call("git push --force origin feature"),
    ),
    passes=(
        shell_call("terraform plan"),
        shell_call("npm pack --dry-run"),
        shell_call("git push origin feature"),
    ),
)
