"""Deletion and overwriting that cannot be undone cheaply.

Finds: deleting or emptying files beyond what a command rebuilds, disks and volumes, repositories
and their history, databases, backups, containers, cloud and cluster resources; exhausting the
machine (fork bombs, endless writes).
Why it matters: this is the loss nobody can give back; agents do it by a wrong path or variable.
Example: `rm -rf ~`, `find / -delete`, `git reset --hard`, `DROP DATABASE app`.
Does not find: named files and build output inside the project, temporary files, and words of
destruction inside quoted data.
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import FileKind, Operation, Reach, ResourceType, Trait, Verb
from signoff.actions.shell.left_behind.mounts import loses_mounted
from signoff.actions.shell.left_behind.moved_work import loses_work
from signoff.actions.vocabulary import lazy_re
from signoff.assess.detectors.detector import Detector, Evidence
from signoff.assess.detectors.evidence import found, shell_call
from signoff.assess.detectors.own_work import is_own_work
from signoff.assess.finding import Finding, Severity

ID = "destructive"
Line = tuple[str, Severity] | None

LOST_SYSTEM = ("system-files", Severity.CRITICAL)
LOST_HOME = ("home-files", Severity.CRITICAL)
LOST_OTHERS = ("foreign-files", Severity.CRITICAL)
OUTSIDE = ("outside-project", Severity.HIGH)
OUTSIDE_REBUILDABLE = ("outside-rebuildable", Severity.MEDIUM)
PROJECT_TREE = ("project-tree", Severity.HIGH)
PROJECT_BROAD = ("project-broad", Severity.HIGH)
TEMP_BROAD = ("temporary-broad", Severity.MEDIUM)
REPOSITORY_STATE = ("repository-state", Severity.HIGH)
# What a merge, rebase or pick that is under way remembers, and what is staged.
UNDER_WAY = frozenset(
    {
        *("index", "ORIG_HEAD", "AUTO_MERGE", "SQUASH_MSG", "MERGE_HEAD", "MERGE_MSG"),
        *("MERGE_MODE", "MERGE_RR", "CHERRY_PICK_HEAD", "REVERT_HEAD", "REBASE_HEAD"),
        *("rebase-merge", "rebase-apply", "sequencer"),
    }
)
COPIES = frozenset({"modules", "worktrees"})  # one submodule or linked work tree
LOST = {
    Reach.HOME: LOST_HOME,
    Reach.ELSEWHERE: LOST_OTHERS,
    Reach.REMOTE: LOST_OTHERS,
    Reach.SYSTEM: LOST_SYSTEM,
    Reach.PRODUCTION: LOST_SYSTEM,
}
SINGLE_FILES = frozenset(
    {FileKind.LOCK, FileKind.MANIFEST, FileKind.SOURCE, FileKind.DOC, FileKind.DATA, FileKind.LOG}
    | {FileKind.TEST}
)
CONTENT = frozenset({FileKind.SOURCE, FileKind.DOC, FileKind.DATA})
SERIOUS = frozenset({FileKind.BOOT, FileKind.ACCOUNTS, FileKind.SYSTEM_BINARY})
TRIGGERS = frozenset(
    {
        *(Trait.FORK_BOMB, Trait.EXHAUSTS, Trait.WHOLE_STORE, Trait.LOSES_HISTORY),
        *(Trait.LOSES_WORK, Trait.SCHEMA_LOSS, Trait.UNBOUNDED),
    }
)
# The address of one record; the ports are those of stores, whose indexes have numbers as well.
ONE_RECORD = lazy_re(
    r"^(?:https?://)?[^/]*:(?!9[23]00|7700|6333|8086|5984|8108|8529|8123)\d+/\S*"
    r"/(?:\d+|[0-9a-f]{8}-[0-9a-f-]{27}|[A-Za-z]+[-_]\d+)(?:\?[^\s*]*)?$"
)
MOVED_TREE = ("project-tree", Severity.HIGH)
UNTOLD = ("target-unknown", Severity.HIGH)


def run(evidence: Evidence) -> Iterator[Finding]:
    """Yield one finding for each Operation that destroys data."""
    for op in evidence.operations:
        line = _moved_line(op, evidence) or _line(op)
        if line is not None and not (line is PROJECT_TREE and is_own_work(op, evidence)):
            yield found(ID, line[0], line[1], op)


def _moved_line(op: Operation, evidence: Evidence) -> Line:
    """Return the line of a deletion that takes along what the session had put there."""
    if Trait.DRY_RUN in op.traits:
        return None
    mounted = loses_mounted(op, evidence.facts)
    if mounted:
        return LOST_OTHERS if mounted == "foreign" else MOVED_TREE
    lost = loses_work(op, evidence.facts)
    if not lost:
        return None
    return ("repository", Severity.CRITICAL) if lost == "history" else MOVED_TREE


def _line(op: Operation) -> Line:
    if not {Trait.FORK_BOMB, Trait.EXHAUSTS}.isdisjoint(op.traits):
        return "exhaustion", Severity.CRITICAL
    return None if Trait.DRY_RUN in op.traits else _lost_line(op)


def _lost_line(op: Operation) -> Line:
    on_disk = op.thing is ResourceType.DEVICE or op.file_kind is FileKind.DEVICE
    if on_disk and op.verb in {Verb.DELETE, Verb.WRITE}:
        return "disk", Severity.CRITICAL
    if op.thing is ResourceType.REPOSITORY:
        return _repository_line(op)
    if op.verb is Verb.DELETE:
        return (
            _file_line(op)
            if op.thing in {ResourceType.FILE, ResourceType.CODE}
            else _resource_line(op)
        )
    if op.thing is ResourceType.DATABASE:
        return _database_line(op)
    return None


def _repository_line(op: Operation) -> Line:
    if op.reach is Reach.REMOTE and op.verb is Verb.DELETE:
        if not {Trait.WHOLE_STORE, Trait.PROTECTED_BRANCH}.isdisjoint(op.traits):
            return "remote-history", Severity.CRITICAL
        return "remote-ref", Severity.HIGH
    is_whole = op.verb is Verb.DELETE and op.path.endswith("/.git")
    if Trait.WHOLE_STORE in op.traits or (is_whole and op.reach is not Reach.TEMP):
        return "repository", Severity.CRITICAL
    if Trait.LOSES_HISTORY in op.traits:
        protected = Trait.PROTECTED_BRANCH in op.traits
        return "history", Severity.CRITICAL if protected else Severity.HIGH
    if Trait.LOSES_WORK in op.traits:
        return "uncommitted-work", Severity.HIGH
    return None


def _file_line(op: Operation) -> Line:
    line = _file_line_by_reach(op)
    if line is None or line[1] is not Severity.CRITICAL:
        return line
    if Trait.IN_CONTAINER in op.traits and op.reach is not Reach.HOME:
        return "container-files", Severity.HIGH
    return line


def _file_line_by_reach(op: Operation) -> Line:
    if op.reach is Reach.NONE:
        return None
    if op.reach is Reach.TEMP:
        return TEMP_BROAD if Trait.BROAD in op.traits else None
    # One file of these kinds is as bad as a tree: without it the machine does not start.
    whole = not {Trait.RECURSIVE, Trait.BROAD}.isdisjoint(op.traits) or op.file_kind in SERIOUS
    whole = whole or (op.path == "/" and op.file_kind in CONTENT)  # `find / -name '*.txt'`
    rebuildable = Trait.REBUILDABLE in op.traits and Trait.BROAD not in op.traits
    if op.reach is Reach.PROJECT:
        return _project_line(op, rebuildable=rebuildable, whole=whole)
    if op.reach not in LOST:
        return UNTOLD
    if rebuildable:
        return OUTSIDE_REBUILDABLE
    return LOST[op.reach] if whole else OUTSIDE


def _project_line(op: Operation, *, rebuildable: bool, whole: bool) -> Line:
    if op.file_kind is FileKind.GIT_INTERNAL:
        return REPOSITORY_STATE if _is_under_way(op) else ("repository", Severity.CRITICAL)
    if rebuildable:
        return None
    if Trait.BROAD in op.traits:
        return PROJECT_BROAD
    return PROJECT_TREE if whole and not _is_one_file(op) else None


def _is_under_way(op: Operation) -> bool:
    """Whether a file of `.git` says what is staged or under way, and none of what is committed."""
    _, mark, inside = op.path.rpartition("/.git/")
    first, _, below = inside.partition("/")
    is_state = first in UNDER_WAY or (first in COPIES and bool(below))
    return bool(mark) and Trait.NAMED in op.traits and is_state


def _is_one_file(op: Operation) -> bool:
    """Whether a recursive deletion names a single file by a known ending: `rm -rf a.lock`."""
    return op.file_kind in SINGLE_FILES and "." in op.path.rsplit("/", 1)[-1][1:]


def _resource_line(op: Operation) -> Line:
    if op.thing is ResourceType.BACKUP:
        routine = Trait.BY_PATTERN in op.traits
        return ("backup-retention", Severity.HIGH) if routine else ("backup", Severity.CRITICAL)
    if op.reach is Reach.PRODUCTION:
        return "production", Severity.CRITICAL
    if Trait.WHOLE_STORE in op.traits:
        return "whole-store", Severity.CRITICAL
    if op.thing in {ResourceType.CONTAINER, ResourceType.IMAGE}:
        return _container_line(op)
    if op.thing is ResourceType.DATABASE:
        return _database_line(op)
    return _other_line(op)


def _other_line(op: Operation) -> Line:
    if op.thing in {ResourceType.PACKAGE, ResourceType.PROCESS}:
        return ("system-package", Severity.MEDIUM) if op.reach is Reach.SYSTEM else None
    if Trait.REBUILDABLE in op.traits or op.reach is Reach.TEMP:
        return None
    if op.reach is Reach.LOOPBACK and ONE_RECORD.search(op.target) is not None:
        return None  # one record of a development server, told by its number
    if op.reach is Reach.PROJECT and op.reversible:
        return None
    severity = Severity.MEDIUM if op.thing is ResourceType.NOTHING else Severity.HIGH
    return "resource", severity


def _container_line(op: Operation) -> Line:
    if Trait.REBUILDABLE in op.traits:
        return None
    is_named = bool(op.target) and op.thing is ResourceType.CONTAINER
    heavy = Trait.BROAD in op.traits or (Trait.FORCED in op.traits and not is_named)
    return ("container", Severity.MEDIUM) if heavy or not op.reversible else None


def _database_line(op: Operation) -> Line:
    traits = op.traits
    if Trait.WHOLE_STORE in traits:
        return "database", Severity.CRITICAL
    lossy = not {Trait.SCHEMA_LOSS, Trait.UNBOUNDED}.isdisjoint(traits)
    if lossy and (op.reach is Reach.PRODUCTION or Trait.HIDDEN in traits):
        return "rows-hidden-or-production", Severity.CRITICAL
    if lossy:
        return "rows", Severity.HIGH
    return None


DETECTOR = Detector(
    id=ID,
    run=run,
    title="Deletion that cannot be undone",
    lines=(
        "backup backup-retention container container-files database disk exhaustion "
        "foreign-files history home-files outside-project outside-rebuildable production "
        "project-broad project-tree remote-history remote-ref repository repository-state "
        "resource rows rows-hidden-or-production system-files system-package target-unknown "
        "temporary-broad uncommitted-work whole-store"
    ),
    cwe=("CWE-732", "CWE-404"),
    asi=("ASI02", "ASI05"),
    marks=TRIGGERS | {Verb.DELETE, ResourceType.DEVICE, FileKind.DEVICE},
    fires=(
        shell_call("rm -rf ~/Documents"),
        shell_call("find / -xdev -type f -delete"),
        shell_call("git reset --hard HEAD~3"),
    ),
    passes=(
        shell_call("rm -rf build dist"),
        shell_call('git commit -m "rm -rf / is refused now"'),
        shell_call("find . -name '*.pyc' -delete"),
    ),
)
