"""Safety nets that a session switched off: backup jobs, retention, versioning, locks on deletion.

Data that is deleted after its net is gone cannot be brought back: the two calls are one act. A net
that was switched on again counts as there. What a session remembers is a mark a change:

    net:1:off:*                the backup jobs of a machine or cluster, whatever they protect
    net:1:off:ledger-docs      the net of what is named so
    net:2:on:ledger-docs       it is there again

    net_marks(operations, call, known)     the marks of one call
    missing_nets(known)                    {"*"}: whose nets are off now
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from signoff.actions.facts import next_number, numbered_marks
from signoff.actions.operation import Operation, Operations, Reach, ResourceType, Trait, Verb
from signoff.actions.vocabulary import lazy_re, words
from signoff.assess.combined.call import TRIAL, Call, arguments_of, cached_per_call, tool_name

PREFIX = "net:"
EVERYTHING = "*"
NAMES_LIMIT = 8  # names of one change that are remembered
# To `\b` an underscore is a letter: `backup_job`.
_JOB = lazy_re(
    r"(?i)(?<![a-z])(?:back[-_ ]?ups?|restic|borg(?:matic|backup)?|pgbackrest|barman|wal-g|velero"
    r"|snapper|sanoid|syncoid|duplicity|duplicati|rsnapshot|veeam|bacula|bareos|kopia|timeshift"
    r"|litestream|snapshots?|archive_(?:mode|command))(?![a-z])"
)
_PROPERTY = lazy_re(
    r"(?i)(?<![a-z])(?:versioning|retention(?:[-_ ]period)?|delet(?:e|ion)[-_ ]?protection"
    r"|termination[-_ ]protection|object[-_ ]?lock|legal[-_ ]?hold|soft[-_ ]?delete"
    r"|point[-_ ]?in[-_ ]?time[-_ ]?recovery|pitr)(?![a-z])|--(?:no-)?backup(?![a-z])"
)
_OFF = lazy_re(
    r"(?i)(?<![a-z])(?:stop|disabled?|mask|suspend(?:ed)?|paused?|delete|remove|off|false|unset"
    r"|cancel)(?![a-z])|--no-|[=: ]\"?0d?(?![\w.])"
)
_ON = lazy_re(
    r"(?i)(?<![a-z])(?:start|enabled?|unmask|resumed?|on|true|create)(?![a-z])"
    r"|--backup(?![a-z])|[=: ]\"?[1-9]"
)
_GOES_ON = lazy_re(r"(?i)\"(?:suspend(?:ed)?|paused?|disabled?)\"\s*:\s*(?:false|0)\b")
_NAME = lazy_re(r"(?<![\w.-])[A-Za-z0-9][\w.-]{2,80}")
_CHANGES = frozenset({Verb.WRITE, Verb.CONFIGURE, Verb.CONTROL, Verb.DELETE, Verb.EXECUTE})
# Of a commit only its message could speak of a net.
_NO_NETS = frozenset(
    {ResourceType.FILE, ResourceType.BACKUP, ResourceType.CODE, ResourceType.REPOSITORY}
)
# Words of commands, which name no thing.
_COMMON = words(
    "true false enabled disabled suspended status name names all delete remove update patch modify "
    "force yes apply immediately skip final snapshot recursive cascade purge json default prod "
    "production null none"
)
_STORES = frozenset(
    {ResourceType.CLOUD, ResourceType.VOLUME, ResourceType.DEVICE, ResourceType.MACHINE}
)
_KEPT_IN_CLUSTER = lazy_re(
    r"(?i)\b(?:pvc|pv|persistentvolumes?(?:claims?)?|statefulsets?|sts|ns|namespaces?)\b"
)
_WHOLE = frozenset({Trait.SCHEMA_LOSS, Trait.UNBOUNDED, Trait.WHOLE_STORE})


def may_change_net(op: Operation) -> bool:
    """Return whether an operation can be about a safety net; a cheap test before `net_marks`."""
    return op.verb in _CHANGES and op.thing not in _NO_NETS and Trait.DRY_RUN not in op.traits


def net_marks(operations: Operations, call: Call, known: Collection[str]) -> Iterator[str]:
    """Yield a mark for each safety net that a call switches off, or on again.

    Args:
        known: what the session remembers; a change is numbered behind those of before.
    """
    number = next_number(known, PREFIX)
    for op in operations:
        if not may_change_net(op):
            continue
        text = _text_of(op, call)
        names = _protected(text, op)
        if not names or TRIAL.search(text) is not None:
            continue
        if state := _state(text):
            for name in names:
                yield f"{PREFIX}{number}:{state}:{name}"
                number += 1


def missing_nets(known: Collection[str]) -> frozenset[str]:
    """Return the names of what lost its safety net in this session; `*` for everything."""
    last = {name: state for state, name in numbered_marks(known, PREFIX)}
    return frozenset([name for name, state in last.items() if state == "off"])


def keeps_data(op: Operation, call: Call) -> bool:
    """True if what is deleted keeps data that somebody would want back: a store, not a row."""
    if op.reach is Reach.LOOPBACK or not _missing(call):
        return False
    if Trait.IN_CONTAINER in op.traits or TRIAL.search(op.target) is not None:
        return False
    if op.thing is ResourceType.DATABASE:
        return not _WHOLE.isdisjoint(op.traits)
    if op.thing is ResourceType.CLUSTER:
        return _KEPT_IN_CLUSTER.search(op.target) is not None
    return op.thing is ResourceType.BACKUP or op.thing in _STORES


def has_lost_net(op: Operation, call: Call) -> bool:
    """True if the session switched off what would have brought it back."""
    missing = _missing(call)
    return EVERYTHING in missing or not missing.isdisjoint(_names(_text_of(op, call), op))


@cached_per_call
def _missing(call: Call) -> frozenset[str]:
    return missing_nets(call.facts.created)


def _text_of(op: Operation, call: Call) -> str:
    """Return what a shell line says of an Operation; of a tool its name and arguments."""
    if "command" in call.action.arguments:
        return f"{op.source} {op.target}"
    return f"{tool_name(call)} {arguments_of(call)}"


def _protected(text: str, op: Operation) -> list[str]:
    """Return the names of what a net protects that a text is about, [] if it is about none."""
    if _PROPERTY.search(text) is not None:
        return _names(text, op)[:NAMES_LIMIT]
    return [EVERYTHING] if _JOB.search(text) is not None else []


def _state(text: str) -> str:
    if _GOES_ON.search(text) is not None:
        return "on"
    if _OFF.search(text) is not None:
        return "off"
    return "on" if _ON.search(text) is not None else ""


def _names(text: str, op: Operation) -> list[str]:
    """Return the words of a text that may name a thing: no program, option, key or word of nets."""
    program = frozenset(op.program.split())
    found = [name for name in _NAME.findall(_KEYS.sub(" ", text)) if name not in program]
    # `aws_db_instance.orders` and `prod.orders` are `orders` as well.
    found += [name.rpartition(".")[2] for name in found if "." in name]
    return list(dict.fromkeys(name.casefold() for name in found if not _is_common(name)))


# Options, keys of JSON, and `Key=`.
_KEYS = lazy_re(r"(?:^|(?<=[\s'\"]))--?[\w-]+|\"[\w-]+\"\s*:|[\w-]+=")


def _is_common(name: str) -> bool:
    is_net: re.Match[str] | None = _PROPERTY.search(name) or _JOB.search(name)
    return is_net is not None or name.casefold() in _COMMON or name.replace("-", "_") in _COMMON
