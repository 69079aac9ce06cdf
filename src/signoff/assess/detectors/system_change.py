"""Changes of the machine and of configuration beyond the project.

Finds: services, power, kernel, boot, mounts, network, users; stopping processes by pattern;
user-wide tool configuration; installs of system packages are left to `supply-chain`.
Why it matters: it outlives the task and touches everybody on the machine.
Example: `systemctl stop nginx`, `reboot`, `pkill -f node`, `git config --global ...`.
Does not find: status and listings, the project's own servers and jobs, `kill PID`.
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import Operation, Reach, ResourceType, Trait, Verb
from signoff.assess.detectors.detector import Detector, Evidence
from signoff.assess.detectors.evidence import in_operations, shell_call
from signoff.assess.finding import Finding, Severity

ID = "system-change"
CHANGES = frozenset({Verb.CONTROL, Verb.CONFIGURE, Verb.WRITE, Verb.EXECUTE})
NEAR = frozenset({Reach.PROJECT, Reach.TEMP, Reach.NONE, Reach.LOOPBACK})
LEFT_TO_OTHERS = frozenset(
    {
        ResourceType.FILE,
        ResourceType.CODE,
        ResourceType.ACCOUNT,
        ResourceType.PROTECTION,
        ResourceType.GUARD,
    }
)

_RESTARTS = frozenset({"reboot", "soft-reboot", "shutdown", "init", "telinit", "kexec"})


def run(evidence: Evidence) -> Iterator[Finding]:
    """Return one finding for each Operation that changes the machine."""
    return in_operations(evidence, ID, _line)


def _line(op: Operation) -> tuple[str, Severity] | None:
    if op.verb not in CHANGES or Trait.DRY_RUN in op.traits:
        return None
    if op.thing is ResourceType.PROCESS:
        return _process(op)
    if (op.thing is ResourceType.MACHINE and op.verb is not Verb.EXECUTE) or _restarts_far(op):
        return "machine", Severity.CRITICAL
    return _changed(op)


def _restarts_far(op: Operation) -> bool:
    """Tell a restart that a shell for many machines carries: `pdsh -w n[1-9] reboot`."""
    is_one = op.verb is Verb.CONTROL and op.thing is ResourceType.SERVICE and not op.reversible
    is_far = Trait.ON_REMOTE_HOST in op.traits
    return is_one and is_far and op.program.rpartition(" ")[2] in _RESTARTS


def _changed(op: Operation) -> tuple[str, Severity] | None:
    if Trait.LISTENS in op.traits:
        return "listens", Severity.MEDIUM
    if Trait.GLOBAL in op.traits:
        return "global-configuration", Severity.MEDIUM
    # What is remote belongs to `remote-change`.
    if op.thing in LEFT_TO_OTHERS or op.reach in NEAR or op.reach is Reach.REMOTE:
        return None
    if op.verb in {Verb.CONTROL, Verb.CONFIGURE}:
        return f"{op.thing.value}", Severity.MEDIUM if op.reversible else Severity.HIGH
    return None


def _process(op: Operation) -> tuple[str, Severity] | None:
    if Trait.BROAD in op.traits:
        return "all-processes", Severity.CRITICAL
    if not {Trait.BY_PATTERN, Trait.FORCED}.isdisjoint(op.traits):
        return "processes-by-pattern", Severity.MEDIUM
    return ("process", Severity.MEDIUM) if op.reach is Reach.UNKNOWN else None


DETECTOR = Detector(
    id=ID,
    run=run,
    title="The machine is changed",
    lines=(
        "all-processes backup cloud cluster container credential database device "
        "global-configuration image listens machine message money network nothing package "
        "process processes-by-pattern repository service setting url volume"
    ),
    cwe=("CWE-15",),
    asi=("ASI02",),
    marks=frozenset({Verb.CONTROL, Verb.CONFIGURE, ResourceType.PROCESS, ResourceType.MACHINE})
    | {Trait.LISTENS, Trait.GLOBAL},
    fires=(
        shell_call("systemctl stop nginx"),
        shell_call("reboot"),
        shell_call("pkill -f node"),
    ),
    passes=(
        shell_call("systemctl status nginx"),
        shell_call("kill 4242"),
        shell_call("git config user.name dev"),
    ),
)
