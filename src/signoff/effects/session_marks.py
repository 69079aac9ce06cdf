"""What a call leaves behind beside written files: copies of what was fetched, programs, folders.

marks_of(assessment).fetched      ("/p/b", "/p/tool/")   a copy, and a folder unpacked as a whole
marks_of(assessment).built        programs compiled from sources at hand
marks_of(assessment).created      folders made where nothing was
marks_of(assessment).moved        what was moved somewhere and is no work of the session
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from dataclasses import dataclass

from signoff.actions.facts import Facts
from signoff.actions.lookups import LIMIT, paths_to_look_at
from signoff.actions.operation import Operation, Operations, Reach, Trait, Verb
from signoff.actions.place import Place
from signoff.actions.shell.origins.cloned import cloned_into
from signoff.actions.shell.origins.marks import MOVERS, moved_to, trees_of
from signoff.actions.understand import place_of
from signoff.assess.assessed import Assessed
from signoff.assess.assessment import Assessment
from signoff.values import fast_frozen

FOLDER_MAKERS = frozenset(
    {"mkdir", "os.mkdir", "os.makedirs", "pathlib.Path.mkdir", "fs.mkdirSync", "fs.mkdir"}
)
OWN = frozenset({Reach.PROJECT, Reach.TEMP})


@fast_frozen
@dataclass(frozen=True, slots=True, kw_only=True)
class SessionMarks:
    """Absolute paths by what is true of them; a fetched folder ends in `/`."""

    fetched: tuple[str, ...] = ()
    built: tuple[str, ...] = ()
    created: tuple[str, ...] = ()
    moved: tuple[str, ...] = ()


NO_MARKS = SessionMarks()


def marks_of(assessment: Assessed) -> SessionMarks:
    """Return what is to be remembered of a call that happened."""
    operations = assessment.operations
    place = place_of(assessment.action, assessment.facts)
    written = [op for op in operations if op.verb is Verb.WRITE and op.path]
    return SessionMarks(
        fetched=(*_fetched(written, operations, place), *_cloned(assessment)),
        built=tuple(op.path for op in written if Trait.BUILT in op.traits),
        created=tuple(_created(written, assessment)),
        moved=tuple(_moved(written, assessment.facts)),
    )


def _fetched(written: list[Operation], operations: Operations, place: Place) -> Iterator[str]:
    found = [op for op in written if Trait.FETCHED in op.traits]
    for op in found:
        yield op.path
        for tree in trees_of(op, operations, place):
            yield f"{tree}/"
    if found:
        for _, path in moved_to(found):
            yield path


def _cloned(assessment: Assessed) -> Iterator[str]:
    for command in assessment.commands if isinstance(assessment, Assessment) else ():
        if command.program == "git" and (folder := cloned_into(command)):
            yield f"{folder}/"


def _created(written: list[Operation], assessment: Assessed) -> Iterator[str]:
    """Yield the folders a call makes; one that was there, or may have been, is nobody's work."""
    made = [op for op in written if op.program in FOLDER_MAKERS and op.reach in OWN]
    looked = paths_to_look_at(assessment.action) if made else ()
    if not looked or len(looked) >= LIMIT:
        return
    folder = assessment.action.cwd
    known = {posixpath.normpath(posixpath.join(folder, path)) for path in looked}
    for op in made:
        fact = assessment.facts.files.get(op.path)
        if op.path in known and (fact is None or not fact.exists):
            yield op.path


def _moved(written: list[Operation], facts: Facts) -> Iterator[str]:
    """Yield where things of others come to lie."""
    movers = [op for op in written if op.program in MOVERS]
    for source, path in moved_to(movers):
        if source not in facts.written:
            yield path
            yield path.rpartition("/")[0]
