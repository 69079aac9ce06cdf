"""Which files are the notes an agent keeps for itself: plans, to-do lists, memory of a project.

Only texts in the folders that agents keep for this in a home. Settings, hooks, skills, commands
and the instructions of the same agents are not notes.

    is_own_note(WRITE ~/.claude/plans/x.md)     True
    is_own_note(WRITE ~/.claude/settings.json)  False
"""

from __future__ import annotations

from signoff.actions.operation import FileKind, Operation, Reach
from signoff.actions.vocabulary import lazy_re

# Texts only, by their endings: a script or a hook below the same folder is no note.
_FOLDERS = (
    r"(?:/(?:home|Users)|[A-Za-z]:/[Uu]sers)/[^/]+/\.(?:"
    r"claude/(?:plans|todos|tasks|projects/[^/]+/memory)"
    r"|codex/(?:plans|memories)"
    r"|cursor/plans"
    r"|gemini/(?:plans|tmp/[^/]+/(?:plans|memory)|antigravity(?:-cli)?/brain)"
    r"|(?:copilot|factory|qwen|kiro|windsurf|opencode|roo|cline)/(?:plans|todos|memory|memories)"
    r")"
)
_NOTES = lazy_re(_FOLDERS + r"/(?:[^/]+/)*[^/]+\.(?:md|markdown|txt|json)")
_NOTE_FOLDERS = lazy_re(_FOLDERS + r"(?:/[^/]+)*")


def is_own_note(op: Operation) -> bool:
    """Return whether an Operation is on an agent's own notes in the user's home."""
    if op.reach is Reach.HOME and op.program == "mkdir":
        return _NOTE_FOLDERS.fullmatch(op.path) is not None
    if op.reach is not Reach.HOME or op.file_kind is not FileKind.AGENT_NOTES:
        return False
    return _NOTES.fullmatch(op.path) is not None
