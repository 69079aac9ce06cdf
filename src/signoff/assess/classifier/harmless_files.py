"""New files in which nothing is done: scripts that only look, policies that only refuse.

The words of such files are those of grave calls, as they search for the same or forbid it. The
rules have read each command and each statement of them, so their words say nothing more.
"""

from __future__ import annotations

from signoff.actions.action import Action
from signoff.actions.contents.named_only.refusals import only_refuses
from signoff.actions.facts import Facts
from signoff.actions.looking.scripts import only_looks, only_runs_project
from signoff.actions.operation import FileKind, Operation, Operations, Reach, Verb
from signoff.actions.tools.files import FILE_TOOLS, changes_of
from signoff.actions.understand import place_of

_INSIDE = frozenset({Reach.PROJECT, Reach.TEMP})
_KINDS = frozenset({FileKind.SOURCE, FileKind.INFRA, FileKind.DATA, FileKind.OTHER})


def holds_no_act(action: Action, operations: Operations) -> bool:
    """Return whether all that a call does is to write files of the project that do nothing."""
    if action.tool not in FILE_TOOLS or not all(map(_is_plain_write, operations)):
        return False
    place = place_of(action, Facts())
    edits = changes_of(action, place)
    return bool(edits) and all(
        [
            edit.text.is_whole
            and (
                only_refuses(edit.text.new, edit.where.path)
                or only_looks(edit.text.new, edit.where.path, place)
                or only_runs_project(edit.text.new, edit.where.path, place)
            )
            for edit in edits
        ]
    )


def _is_plain_write(op: Operation) -> bool:
    is_inside = op.reach in _INSIDE and op.file_kind in _KINDS
    return op.verb is Verb.WRITE and op.understood and is_inside and not op.traits
