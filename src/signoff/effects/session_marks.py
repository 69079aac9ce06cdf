"""What a call leaves behind beside written files: copies of what was fetched, programs, folders.

marks_of(assessment).fetched      ("/p/b", "/p/tool/")   a copy, and a folder unpacked as a whole
marks_of(assessment).built        programs compiled from sources at hand
marks_of(assessment).created      folders made where nothing was
marks_of(assessment).moved        what was moved somewhere and is no work of the session
marks_of(assessment).secrets      where secrets lie now; what became of them in repositories
"""

from __future__ import annotations

import posixpath
from collections.abc import Collection, Iterator, Sequence

from msgspec import Struct

from signoff.actions.contents.starting.named_programs import DECODED_MARK, loaded_by
from signoff.actions.contents.starting.unread_modules import carried_in_code
from signoff.actions.contents.starting.unread_names import may_run
from signoff.actions.facts import Facts
from signoff.actions.lookups import OUTPUT_OPTIONS, makes_keys, names_output
from signoff.actions.operation import Operation, Operations, Reach, ResourceType, Trait, Verb
from signoff.actions.paths import folders_from, is_inside, locate
from signoff.actions.place import Place
from signoff.actions.shell.command import Command
from signoff.actions.shell.data_flow.feeding import upstream_of
from signoff.actions.shell.data_flow.staged import (
    HOLD,
    Index,
    events_of,
    known_secrets,
    root_of,
    with_secrets,
)
from signoff.actions.shell.origins.carried import COPIERS, carried, renamed
from signoff.actions.shell.origins.cloned import cloned_into, looked_into
from signoff.actions.shell.origins.decoding import COMPRESSORS, DECODERS, decodes
from signoff.actions.shell.origins.foreign import fetched_refs, files_of_refs
from signoff.actions.shell.origins.marks import (
    MOVERS,
    compressed,
    is_fetched,
    moved_to,
    trees_of,
    uncompressed,
)
from signoff.actions.shell.owned.own_keys import PREFIX, keys_made
from signoff.actions.understand import place_of
from signoff.actions.vocabulary import words
from signoff.assess.assessed import Assessed
from signoff.assess.assessment import Assessment
from signoff.values import replace

FOLDER_MAKERS = frozenset(
    {
        "mkdir",
        "git worktree",
        "os.mkdir",
        "os.makedirs",
        "pathlib.Path.mkdir",
        "fs.mkdirSync",
        "fs.mkdir",
    }
)
# What these put somewhere is another folder or stays one of others.
NO_MAKERS = MOVERS | words("ln link mount chmod chown touch")
OWN = frozenset({Reach.PROJECT, Reach.TEMP})


class SessionMarks(Struct, frozen=True, kw_only=True, gc=False):
    """Absolute paths grouped by what a call did with them; a downloaded folder ends in `/`."""

    fetched: tuple[str, ...] = ()
    built: tuple[str, ...] = ()
    created: tuple[str, ...] = ()
    moved: tuple[str, ...] = ()
    secrets: tuple[str, ...] = ()


NO_MARKS = SessionMarks()


def marks_of(assessment: Assessed) -> SessionMarks:
    """Return the paths that a session must remember of a call that ran."""
    operations = assessment.operations
    place = place_of(assessment.action, assessment.facts)
    written = [op for op in operations if op.verb is Verb.WRITE and op.path]
    return SessionMarks(
        fetched=tuple(_fetched(written, assessment, place)),
        built=(
            *(op.path for op in written if Trait.BUILT in op.traits),
            *_built_elsewhere(operations, place),
        ),
        created=(
            *_created(written, assessment),
            *_terminals(assessment),
            *_keys(assessment, place),
            *_unread(assessment),
        ),
        moved=tuple(_moved(written, assessment.facts)),
        secrets=(*_staged(written, assessment, place), *_secrets(written, assessment, place)),
    )


def _fetched(written: list[Operation], assessment: Assessed, place: Place) -> Iterator[str]:
    operations = assessment.operations
    found = [op for op in written if Trait.FETCHED in op.traits]
    marks: list[str] = []
    for op in found:
        marks.append(op.path)
        if left := uncompressed(op):
            marks.append(left)
        marks += [f"{tree}/" for tree in trees_of(op, operations, place)]
    marks += [path for _, path in moved_to(found)]
    marks += _cloned(assessment, place)
    marks += looked_into(operations, place.facts.downloaded)
    # With what earlier calls fetched: a copy of a copy is still nobody's own work.
    known = (*marks, *place.facts.downloaded)
    yield from marks
    if known:
        yield from carried_in_code(operations, known)
        yield from [new for _, new in carried(operations, known)]
        yield from [new for old, new in _renamed(assessment) if _is_known(old, known, place)]


def _is_known(path: str, known: Collection[str], place: Place) -> bool:
    return path in known or is_fetched(path, place)


def _renamed(assessment: Assessed) -> Iterator[tuple[str, str]]:
    for command in assessment.commands if isinstance(assessment, Assessment) else ():
        yield from renamed(command)


def _built_elsewhere(operations: Operations, place: Place) -> Iterator[str]:
    """Yield where programs come to lie that an earlier call compiled, as they are copied."""
    built = {*place.facts.built, *(op.path for op in operations if _is_output(op, place))}
    if not built:
        return
    yield from [new for _, new in carried(operations, built)]
    for source in operations:
        if source.path in built and source.verb is not Verb.EXECUTE:
            name = source.path.rpartition("/")[2]
            for op in operations:
                is_copy = op.verb is Verb.WRITE and op.path and op is not source
                if is_copy and op.group == source.group and op.program in COPIERS:
                    yield op.path
                    yield f"{op.path.rstrip('/')}/{name}"


def _is_output(op: Operation, place: Place) -> bool:
    """Tell whether a file is read that a build of the project left: what may run there may so here.

    A text is judged as what it says, and what was fetched or written there is no output.
    """
    if op.verb is not Verb.READ or op.reach is not Reach.PROJECT or not op.path:
        return False
    if Trait.REBUILDABLE not in op.traits or Trait.NAMED not in op.traits:
        return False
    if op.path in place.facts.written or is_fetched(op.path, place):
        return False
    fact = place.files.get(op.path)
    return fact is None or (fact.text is None and fact.real_path == op.path)


def _cloned(assessment: Assessed, place: Place) -> Iterator[str]:
    known = set(place.facts.downloaded)
    for command in assessment.commands if isinstance(assessment, Assessment) else ():
        found = [*fetched_refs(command, place), *files_of_refs(command, place, known)]
        if folder := cloned_into(command):
            found.append(f"{folder}/")
        known.update(found)
        yield from found


def _staged(written: list[Operation], assessment: Assessed, place: Place) -> Iterator[str]:
    """Yield what a call changes of the secrets in repositories, as numbered marks."""
    indexes: dict[str, Index] = {}
    told = {op.group for op in assessment.operations if _is_told(op)}
    # `cp .env docs/a.txt && git add docs/a.txt`: the call itself made the copy.
    place = with_secrets(place, {op.path for op in written if Trait.HOLDS_SECRET in op.traits})
    for command in assessment.commands if isinstance(assessment, Assessment) else ():
        if command.program != "git":
            continue
        root = root_of(command, place)
        if root not in indexes:
            indexes[root] = Index(root, place.facts.secrets_read)
        events = events_of(command, place)
        if command.index in told:
            events = [*events, HOLD]
        yield from filter(None, map(indexes[root].take, events))


def _is_told(op: Operation) -> bool:
    """Tell `git notes add -m "$(cat .env)"`: what is told to a repository is published with it."""
    return op.thing is ResourceType.REPOSITORY and Trait.HOLDS_SECRET in op.traits


def _secrets(written: list[Operation], assessment: Assessed, place: Place) -> Iterator[str]:
    """Yield where files come to lie that hold secrets, as they are compressed, renamed, copied."""
    made = [op for op in written if Trait.HOLDS_SECRET in op.traits]
    yield from filter(None, map(compressed, made))
    known = {*(op.path for op in made), *known_secrets(place.facts.secrets_read)}
    if known:
        yield from [new for _, new in carried(assessment.operations, known)]
        yield from [new for old, new in _renamed(assessment) if old in known]


def _created(written: list[Operation], assessment: Assessed) -> Iterator[str]:
    """Yield the folders a call makes; one that was there, or may have been, is nobody's work.

    Only a path that was looked at and found missing counts: see `lookups.may_make_folders`.
    """
    makers = [op for op in written if op.reach in OWN and _makes_folder(op)]
    made = [op.path for op in makers]
    made += _outputs(assessment)
    if not made:
        return
    # What the call itself took away before was not there when it was made.
    cleared = {op.path for op in assessment.operations if op.verb is Verb.DELETE and op.path}
    for path in made:
        # `mkdir -p a/b` makes `a` as well, if it was looked at and was not there.
        for one in (path, *_above(path, assessment.action.cwd)):
            fact = assessment.facts.files.get(one)
            if one in cleared or (fact is not None and not fact.exists):
                yield one


def _makes_folder(op: Operation) -> bool:
    """Tell whether a folder may come to be by a write: by its program, or as it is filled."""
    if op.program in FOLDER_MAKERS:
        return True
    # A name with an ending is that of a file.
    return op.program not in NO_MAKERS and "." not in op.path.rpartition("/")[2]


def _above(path: str, folder: str) -> Iterator[str]:
    """Yield the folders between a path and the folder a call ran in."""
    for above in folders_from(posixpath.dirname(path)):
        if above == folder or not is_inside(above, folder):
            return
        yield above


def _terminals(assessment: Assessed) -> Iterator[str]:
    """Yield the terminal sessions a call starts, as `tmux:<name>`."""
    for command in assessment.commands if isinstance(assessment, Assessment) else ():
        texts = [word.text for word in command.words]
        if texts[:1] == ["tmux"] and texts[1:2] in (["new"], ["new-session"]) and "-s" in texts:
            yield from [f"tmux:{name}" for name in texts[texts.index("-s") + 1 :][:1]]


def _keys(assessment: Assessed, place: Place) -> Iterator[str]:
    """Yield the keys that a call makes where nothing was, as `key:<path>`."""
    if isinstance(assessment, Assessment) and makes_keys(assessment.action.text("command")):
        yield from [f"{PREFIX}{path}" for path in keys_made(assessment.commands, place)]


def _unread(assessment: Assessed) -> Iterator[str]:
    """Yield the programs a call decodes into files, and the unread ones that settings start."""
    if not isinstance(assessment, Assessment):
        return
    folder, facts = assessment.action.cwd, assessment.facts
    for command in assessment.commands:
        if _is_decoding(command, assessment.commands):
            yield from [f"{DECODED_MARK}{path}" for path in _programs_of(command, assessment)]
        texts = [word.text for word in command.words]
        yield from loaded_by(texts, command.cwd or folder, facts)


def _is_decoding(command: Command, commands: Sequence[Command]) -> bool:
    """Tell whether what a command puts out was decoded by it, or by one that feeds it."""
    feeding = [command, *(commands[at] for at in upstream_of(command.index, commands))]
    return any([one.program in DECODERS - COMPRESSORS and decodes(one) for one in feeding])


def _programs_of(command: Command, assessment: Assessed) -> Iterator[str]:
    """Yield the files a command writes that may be programs by their names."""
    for op in assessment.operations:
        is_new = op.verb is Verb.WRITE and op.group == command.index and op.path != ""
        if is_new and may_run(op.path):
            yield op.path


def _outputs(assessment: Assessed) -> Iterator[str]:
    """Yield the folders that programs of a line are told to put their output in."""
    if not isinstance(assessment, Assessment) or not names_output(
        assessment.action.text("command")
    ):
        return
    place = place_of(assessment.action, assessment.facts)
    for command in assessment.commands:
        here = replace(place, cwd=command.cwd)
        for at, word in enumerate(command.words):
            option, _, value = word.text.partition("=")
            behind = command.words[at + 1 : at + 2]
            if option in OUTPUT_OPTIONS and (value or (behind and behind[0].is_known)):
                located = locate(value or behind[0].text, here, has_glob=False)
                if located.reach in OWN and not located.is_root_of_reach:
                    yield located.path


def _moved(written: list[Operation], facts: Facts) -> Iterator[str]:
    """Yield where things of others come to lie."""
    movers = [op for op in written if op.program in MOVERS]
    for source, path in moved_to(movers):
        if source not in facts.written:
            yield path
            # The folder as well: what lies in it now is not all of the session's making.
            yield path.rpartition("/")[0]
