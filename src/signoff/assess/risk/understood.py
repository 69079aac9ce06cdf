"""The factors `function_name` and `arguments` of a call that was understood (design idea 2).

The act is the verb class of the worst Operation; the targets are how far the Operations reach.
The figures are chosen so that what the policy lets through comes out LOW on a first call
(0.55 * 0.30 + 0.05 * 0.25 + 0.02 + 0.09 = 0.2875) and what could not be understood at least
MEDIUM, also on the tenth.

    rm -rf build    -> act 0.55, targets 0
    rm -rf ~        -> act 0.95, targets 0.4
"""

from __future__ import annotations

from signoff.actions.known.agent_notes import is_own_note
from signoff.actions.operation import (
    FileKind,
    Operation,
    Operations,
    Reach,
    ResourceType,
    Trait,
    Verb,
)

# An MCP server's word for its own harmlessness is not counted, neither for nor against.
REASSURING_HINTS = frozenset({"readOnlyHint", "idempotentHint", "openWorldHint"})

NEARBY = frozenset({Reach.NONE, Reach.TEMP, Reach.PROJECT, Reach.LOOPBACK})
LOOKING = frozenset({Verb.INERT, Verb.READ, Verb.NETWORK_IN})
PRODUCTION_NAMES = frozenset({"production", "prod", "live"})

DESTRUCTIVE, GRAVE, MUTATING, READ, INERT = 0.95, 0.80, 0.55, 0.10, 0.05

ACTS = {
    Verb.INERT: INERT,
    Verb.READ: READ,
    Verb.NETWORK_IN: READ,
    Verb.PRIVILEGE: GRAVE,
    Verb.PERSIST: GRAVE,
    Verb.SPEND: GRAVE,
}

RUINOUS = frozenset(
    {
        Trait.LOSES_WORK,
        Trait.LOSES_HISTORY,
        Trait.SCHEMA_LOSS,
        Trait.WHOLE_STORE,
        Trait.UNBOUNDED,
        Trait.REMOTE_CODE,
        Trait.DECODED,
        Trait.REVERSE_SHELL,
        Trait.BACKDOOR,
        Trait.BLINDS,
        Trait.FORK_BOMB,
        Trait.SENDS_SECRET,
        Trait.SELF_APPROVAL,
    }
)
SERIOUS = frozenset(
    {
        Trait.BULK,
        Trait.AS_ROOT,
        Trait.UNTRUSTED_SOURCE,
        Trait.COVERT,
        Trait.METADATA_HOST,
        Trait.WEAKENS,
        Trait.OPENS_ACCESS,
        Trait.EXHAUSTS,
        Trait.RUNS_LATER,
        Trait.ENVIRONMENT,
        Trait.BY_PATTERN,
        Trait.COSTS,
        Trait.PROTECTED_BRANCH,
    }
)

WRITTEN_REACH = {
    Reach.HOME: 0.40,
    Reach.ELSEWHERE: 0.40,
    Reach.REMOTE: 0.50,
    Reach.UNKNOWN: 0.50,
    Reach.SYSTEM: 0.60,
    Reach.PRODUCTION: 0.70,
    Reach.GUARD: 0.90,
}
READ_REACH = {
    Reach.HOME: 0.05,
    Reach.ELSEWHERE: 0.05,
    Reach.REMOTE: 0.05,
    Reach.SYSTEM: 0.05,
    Reach.UNKNOWN: 0.05,
    Reach.PRODUCTION: 0.30,
    Reach.GUARD: 0.50,
}

SECRET_TRAITS = frozenset({Trait.READS_SECRET, Trait.SENDS_SECRET})
SECRET_KINDS = frozenset({FileKind.CREDENTIALS, FileKind.AUTHORIZED_KEYS})
RUNS_LATER_KINDS = frozenset(
    {
        FileKind.CI,
        FileKind.GIT_HOOK,
        FileKind.GIT_INTERNAL,
        FileKind.EDITOR_CONFIG,
        FileKind.AGENT_CONFIG,
        FileKind.SHELL_STARTUP,
        FileKind.SCHEDULE,
        FileKind.SYSTEM_CONFIG,
        FileKind.SYSTEM_BINARY,
        FileKind.ACCOUNTS,
        FileKind.BOOT,
        FileKind.AUDIT_LOG,
        FileKind.BACKUP,
        FileKind.DEVICE,
        FileKind.KERNEL,
        FileKind.GUARD,
    }
)
GRAVE_KINDS = SECRET_KINDS | RUNS_LATER_KINDS
GRAVE_THINGS = frozenset({ResourceType.CREDENTIAL, ResourceType.MONEY})
# Changes over the network that the policy lets through: a plain push of the current branch, and
# bounded statements on a development database.
ORDINARY_REMOTE = {
    (Verb.PUBLISH, ResourceType.REPOSITORY),
    (Verb.WRITE, ResourceType.DATABASE),
    (Verb.DELETE, ResourceType.DATABASE),
    (Verb.INSTALL, ResourceType.PACKAGE),
}

# What keeps or hands on what another part of the call reads.
KEEPING = frozenset({Verb.WRITE, Verb.NETWORK_OUT, Verb.PUBLISH, Verb.PERSIST})


def act_of(operations: Operations) -> tuple[float, str]:
    """Return the score (0..1) of the most severe Operation's verb, and its description."""
    worst, score = operations[0], _act(operations[0])
    for operation in operations[1:]:
        other = _act(operation)
        if other > score:
            worst, score = operation, other
    return score, f"{worst.verb} by `{(worst.program or worst.verb)[:60]}`"


def targets_of(operations: Operations, environment: str = "") -> tuple[float, str]:
    """Return the score (0..1) of what the Operations act on, and its description.

    Several targets score higher than one.
    """
    found: dict[str, float] = {}
    is_kept = any([operation.verb in KEEPING for operation in operations])
    is_production = bool(environment) and environment.strip().lower() in PRODUCTION_NAMES
    for operation in operations:
        if not is_production and _is_ordinary(operation):
            continue
        for label, score in _targets(operation, is_production=is_production):
            # What is only shown is read again; a copy of it may go anywhere.
            if label == "production read" and not is_kept:
                score = READ_REACH[Reach.REMOTE]
            # Each label once: many files of a home folder reach no further than one.
            found[label] = max(score, found.get(label, 0.0))
    if not found:
        return 0.0, "nearby"
    calm = 1.0
    for score in found.values():
        calm *= 1.0 - score
    return 1.0 - calm, ", ".join(found)


def _is_ordinary(operation: Operation) -> bool:
    """Tell, of most operations, that `_targets` finds nothing in them."""
    traits = operation.traits
    if operation.understood and operation.verb is Verb.INERT and Trait.DRY_RUN in traits:
        return SECRET_TRAITS.isdisjoint(traits)
    return (
        operation.understood
        and operation.reach in NEARBY
        and operation.file_kind not in GRAVE_KINDS
        and operation.thing not in GRAVE_THINGS
        and (not traits or SECRET_TRAITS.isdisjoint(traits))
    )


def _act(operation: Operation) -> float:
    """Return the score (0..1) of one Operation's verb and traits."""
    verb, traits = operation.verb, operation.traits
    if not operation.understood:
        # Before the dry run: what nobody understood may say `--dry-run` and act all the same.
        return GRAVE if RUINOUS.isdisjoint(traits) else DESTRUCTIVE
    if traits:
        if Trait.DRY_RUN in traits:
            return READ
        if not RUINOUS.isdisjoint(traits):
            return DESTRUCTIVE
    score = ACTS.get(verb, MUTATING)
    if verb in LOOKING:
        return score
    if verb is Verb.DELETE:
        return MUTATING if _is_mild_deletion(operation) else DESTRUCTIVE
    return score if SERIOUS.isdisjoint(traits) else max(score, GRAVE)


def _is_mild_deletion(operation: Operation) -> bool:
    """Tell a deletion that is undone cheaply from one that is not."""
    if operation.reversible or Trait.REBUILDABLE in operation.traits:
        return True
    if operation.thing is ResourceType.DATABASE and operation.reach in NEARBY:
        return not RUINOUS & operation.traits and Trait.UNBOUNDED not in operation.traits
    is_named = Trait.NAMED in operation.traits and Trait.BROAD not in operation.traits
    return is_named and operation.thing is ResourceType.FILE and operation.reach in NEARBY


def _targets(operation: Operation, *, is_production: bool) -> list[tuple[str, float]]:
    """Name and score what one Operation touches; what is nearby and ordinary gives nothing."""
    found: list[tuple[str, float]] = []
    traits = operation.traits
    looks = operation.verb in LOOKING or (bool(traits) and Trait.DRY_RUN in traits)
    if not operation.understood:
        found.append(("not understood", 0.50))
    if is_production and not looks:
        found.append(("production", WRITTEN_REACH[Reach.PRODUCTION]))
    elif operation.reach not in NEARBY:
        label = f"{operation.reach.value} {'read' if looks else 'changed'}"
        found.append((label, _reach(operation, looks=looks)))
    if _holds_secret(operation):
        found.append(("secrets", 0.70))
    elif operation.file_kind in RUNS_LATER_KINDS and not looks and not _is_own_log(operation):
        found.append((operation.file_kind.value, 0.50))
    # A balance or a receipt that is looked at moves nothing, in production as elsewhere.
    is_seen = operation.verb is Verb.READ and operation.reach is Reach.PRODUCTION
    if operation.thing is ResourceType.MONEY and not is_seen:
        found.append(("money", 0.50))
    return found


def _is_own_log(operation: Operation) -> bool:
    """Tell a project's own log or backup from the system's: only the name is alike."""
    return operation.file_kind in {FileKind.AUDIT_LOG, FileKind.BACKUP} and (
        operation.reach in NEARBY
    )


def _reach(operation: Operation, *, looks: bool) -> float:
    """Score how far an Operation reaches; a look inside a container stays in it."""
    if looks:
        if operation.reach is Reach.UNKNOWN and Trait.IN_CONTAINER in operation.traits:
            return READ_REACH[Reach.ELSEWHERE]
        return READ_REACH[operation.reach]
    is_mild = operation.reversible and not (RUINOUS | SERIOUS) & operation.traits
    is_ordinary = (operation.verb, operation.thing) in ORDINARY_REMOTE
    if operation.reach is Reach.REMOTE and is_mild and is_ordinary:
        return 0.05
    return 0.0 if is_own_note(operation) else WRITTEN_REACH[operation.reach]


def _lists_names(operation: Operation) -> bool:
    """Tell a look at which credentials there are, without their values."""
    return operation.verb is Verb.READ and operation.understood and not operation.path


def _holds_secret(operation: Operation) -> bool:
    """Tell whether an Operation touches credentials."""
    is_made_here = operation.verb is Verb.WRITE and operation.reach in {Reach.TEMP, Reach.PROJECT}
    is_secret = (
        (operation.file_kind in SECRET_KINDS and not is_made_here)
        or (operation.thing is ResourceType.CREDENTIAL and not _lists_names(operation))
        or not SECRET_TRAITS.isdisjoint(operation.traits)
    )
    return is_secret and operation.verb is not Verb.INERT
