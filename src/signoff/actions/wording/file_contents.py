"""What new text in a file means, in the words of the reader that found it.

meaning_of(op)                    ->  "it takes the check `jwt.verify` away", or ""
is_program_file("config/a.yaml")  ->  False
"""

from __future__ import annotations

from signoff.actions.contents.programs import language_of
from signoff.actions.file_endings import ENDINGS
from signoff.actions.operation import FileKind, Operation, Reach, ResourceType, Verb

_PROGRAMS = frozenset({FileKind.SOURCE, FileKind.BUILD})
_PAGES = frozenset({"html", "htm", "css", "scss", "sass", "less", "graphql", "gql", "proto"})
_IN_FILES = frozenset({ResourceType.CODE, ResourceType.PROTECTION})


def meaning_of(op: Operation) -> str:
    """Return what an added or removed line does, "" if that is not known or said elsewhere."""
    # Of production the sentence says it itself.
    if op.verb is not Verb.CONFIGURE or op.thing not in _IN_FILES or not op.path or not op.why:
        return ""
    if op.reach is Reach.PRODUCTION:
        return ""
    # A backtick in the text that was found would end its quotation (T-35).
    return f"it {op.why}" if op.why.count("`") in (0, 2) else ""


def is_program_file(path: str) -> bool:
    """Return whether a file is a program by its name, and not settings, data or a page."""
    name = path.rpartition("/")[2].lower()
    if language_of(name):
        return True
    # `.gitmodules` has no ending, `Makefile` neither: only the second is run.
    ending = name.rpartition(".")[2] if "." in name else ""
    if not ending:
        return True
    return ending not in _PAGES and ENDINGS.get(ending) in _PROGRAMS
