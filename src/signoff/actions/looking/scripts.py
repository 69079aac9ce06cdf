"""Files with a script of which every command only reads, prints or writes a report.

What such a script names it searches for: `system:anonymous` in a listing of rights, a registry key
that hides accounts. One command that acts, or that nobody understands, and the script is no look.

    only_looks("kubectl get clusterrolebindings -o json | jq .items\\n", "who.sh", place)    True
    only_looks("kubectl delete ns shop\\n", "who.sh", place)                                  False
"""

from __future__ import annotations

from signoff.actions.looking.cmdlets import only_looking_cmdlets
from signoff.actions.operation import (
    FileKind,
    Operation,
    Operations,
    Reach,
    ResourceType,
    Trait,
    Verb,
)
from signoff.actions.place import Place
from signoff.actions.shell.meaning import understand_shell
from signoff.actions.tools.files import FileEdit
from signoff.actions.vocabulary import lazy_re2

LONGEST = 16_000  # characters of a script
_SHELL = lazy_re2(r"(?i)\.(?:sh|bash|ksh|zsh)$")
_SHEBANG = lazy_re2(r"^#![^\n]*\b(?:ba|z|da|k|a)?sh\b")
_POWERSHELL = lazy_re2(r"(?i)\.ps1$")
_LOOKS = frozenset({Verb.READ, Verb.INERT})
_REPORTS = frozenset({FileKind.DATA, FileKind.LOG, FileKind.DOC, FileKind.GENERATED})
_INSIDE = frozenset({Reach.PROJECT, Reach.TEMP})
_GRAVE = frozenset(
    {Trait.READS_SECRET, Trait.HOLDS_SECRET, Trait.SENDS_SECRET, Trait.SENDS_FILES, Trait.COVERT}
    | {Trait.METADATA_HOST, Trait.REMOTE_CODE, Trait.DECODED, Trait.FETCHED, Trait.RUNS_LATER}
)
# What texts of settings name, and what a search may name as well.
_NAMED = frozenset({Trait.BACKDOOR, Trait.OPENS_ACCESS, Trait.WEAKENS, Trait.BLINDS})


def only_looks(text: str, path: str, place: Place) -> bool:
    """Return whether a whole file is a script that only looks."""
    if len(text) > LONGEST:
        return False
    if _POWERSHELL.search(path) is not None:
        return only_looking_cmdlets(text)
    if _SHELL.search(path) is None and _SHEBANG.search(text) is None:
        return False
    operations = understand_shell(text, place).operations
    return all(map(_is_look, operations)) and any([op.verb is Verb.READ for op in operations])


def only_runs_project(text: str, path: str, place: Place) -> bool:
    """Return whether a whole file is a shell script that only looks and runs the project's code.

    `ruff check . && pytest -q` in `scripts/check.sh`: tools that signoff knows, on files that it
    has judged when they were written.
    """
    if len(text) > LONGEST or _SHELL.search(path) is None:
        return False
    operations = understand_shell(text, place).operations
    return bool(operations) and all([_is_look(op) or _is_own_run(op) for op in operations])


def _is_own_run(op: Operation) -> bool:
    is_own = op.verb is Verb.EXECUTE and op.thing is ResourceType.CODE
    return is_own and op.understood and op.reach is Reach.PROJECT and not op.traits


def _is_look(op: Operation) -> bool:
    if not op.understood or not _GRAVE.isdisjoint(op.traits):
        return False
    if op.verb in _LOOKS:
        return True
    is_report = op.file_kind in _REPORTS and bool(op.path)
    return op.verb is Verb.WRITE and is_report and op.reach in _INSIDE


def without_names(operations: Operations, edits: tuple[FileEdit, ...], place: Place) -> Operations:
    """Return the Operations of new files without what a script that only looks merely names."""
    if not any(map(_only_named, operations)):
        return operations
    looking = {
        edit.where.path
        for edit in edits
        if edit.text.is_whole and only_looks(edit.text.new, edit.where.path, place)
    }
    return tuple([op for op in operations if not (_only_named(op) and op.path in looking)])


def _only_named(op: Operation) -> bool:
    """Tell what the words of a new text mean from what its commands do."""
    return op.verb is Verb.CONFIGURE and bool(op.path) and not _NAMED.isdisjoint(op.traits)
