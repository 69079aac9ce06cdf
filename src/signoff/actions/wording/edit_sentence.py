"""The sentence for an edit whose new text would do something by itself once it runs.

The file comes first: a person who reads "Deletes `~`" looks for a command, and there is none.

    edit_sentence(action, operations, worst, because="", limit=90)
        -> "Writes `sitecustomize.py`: it deletes `~` and everything in it; cannot be undone"
"""

from __future__ import annotations

from collections.abc import Iterable

from signoff.actions.action import Action
from signoff.actions.operation import Operation, Operations, Trait, Verb
from signoff.actions.wording.objects import object_of
from signoff.actions.wording.sentence import SHORTEST_OBJECT, sentence
from signoff.values import replace

_PUTS = frozenset({Verb.WRITE, Verb.CONFIGURE})
_LONGEST_ACT = 60


def edit_sentence(
    action: Action, operations: Operations, worst: Operation, *, because: str, limit: int
) -> str:
    """Return the sentence for an edit that is about what its text does, "" for other edits.

    Args:
        action: a call of a file tool.
        operations: of the call, with secrets masked and paths as they are shown.
        worst: the one to name, masked as well.
        because: why it matters, if more is known than what follows from `worst`.
    """
    files = {op.path: op for op in operations if _is_written(op, action)}
    if not files or worst.program == action.tool:
        return ""
    if worst.path in files and worst.verb in _PUTS:
        return ""
    # The file itself runs: it is named once.
    is_itself = worst.target in _names(files.values())
    said = replace(worst, target="", path="") if is_itself else worst
    act = because if because.startswith("it ") else f"it {_lowered(sentence(said, _LONGEST_ACT))}"
    if len(files) > 1:
        return f"Changes {len(files)} files: one of them {act.removeprefix('it ')}"
    file = next(iter(files.values()))
    puts = "Changes" if Trait.PARTIAL in file.traits else "Writes"
    room = max(SHORTEST_OBJECT, limit - len(f"{puts} ``: {act}"))
    return f"{puts} {object_of(file.target, room)}: {act}"


def _names(files: Iterable[Operation]) -> frozenset[str]:
    """Return how files may be called: as shown, by path, or by the name alone."""
    return frozenset(
        name for op in files for name in (op.target, op.path, op.path.rpartition("/")[2])
    )


def _is_written(op: Operation, action: Action) -> bool:
    return op.program == action.tool and op.verb is Verb.WRITE and bool(op.path)


def _lowered(text: str) -> str:
    return f"{text[:1].lower()}{text[1:]}"
