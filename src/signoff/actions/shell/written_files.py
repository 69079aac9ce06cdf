"""What the new content of a file does later: as a build file, a hook, a plug-in, a program.

A file that runs by itself, at the latest with the next ordinary step of the work, is judged by what
it will do then. Of a program that somebody has to start only the worst counts: it hands a shell
out or sends a secret; and it is asked about where it runs what it fetched or decoded.

    Makefile `\tsudo rm -rf /opt/x`      what `sudo rm -rf /opt/x` does, later
    addons/x/plugin.gd `OS.execute(..)`   what the line does that it hands to a shell, later
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from msgspec import Struct

from signoff.actions.contents import programs as config
from signoff.actions.contents.added import NewText, added_operations
from signoff.actions.contents.edits.joined_shells import joined_shell
from signoff.actions.contents.embedded import embedded_shell
from signoff.actions.contents.loaders.call_words import SHELL_DECODES
from signoff.actions.contents.loaders.concealment import is_concealed
from signoff.actions.contents.loaders.dialled_shells import dialled_shell
from signoff.actions.contents.loaders.judged import (
    Loader,
    is_worth_reading,
    loaders_in,
    runs_by_itself,
)
from signoff.actions.contents.loaders.lines import lines_in
from signoff.actions.contents.named_only.image_layers import layer_lines, stays_in_layer
from signoff.actions.contents.starting.files_within import files_within
from signoff.actions.contents.starting.guard_programs import (
    guard_lines,
    is_switched_on_too,
)
from signoff.actions.contents.starting.handed_lines import (
    handed_lines,
    is_too_long,
    joined_lines,
    lines_started,
)
from signoff.actions.contents.starting.loaded_files import is_loaded, is_read_by_shell
from signoff.actions.contents.starting.run_unasked import runs_unasked
from signoff.actions.operation import (
    FileKind,
    Operation,
    Operations,
    Reach,
    ResourceType,
    Trait,
    Verb,
)
from signoff.actions.paths import Located, locate
from signoff.actions.place import Place
from signoff.actions.programs.infra.modules import playbook_lines
from signoff.actions.shell.command import Opaque
from signoff.actions.vocabulary import lazy_re2
from signoff.values import replace

MAX_LATER_CHARS = 8_000
MAX_PYTHON_CHARS = 20_000  # of a build file; as much as the reader of Python takes at once
_PROGRAM_KINDS = frozenset({FileKind.BUILD, FileKind.MANIFEST, FileKind.EDITOR_CONFIG})
# Files that may be programs in a language that nobody reads here.
_CODE_KINDS = _PROGRAM_KINDS | {
    *(FileKind.SOURCE, FileKind.OTHER, FileKind.TOOL_CONFIG, FileKind.DATA, FileKind.SCHEDULE),
    *(FileKind.SHELL_STARTUP, FileKind.SYSTEM_CONFIG, FileKind.ENV),
}
# Shells have readers of their own, and their scripts are judged when they are run.
_SHELL_SCRIPTS = (".sh", ".bash", ".zsh", ".fish", ".ps1", ".psm1", ".bat", ".cmd", ".ipynb")
_SHELL_MARKS = ("sh", "sh -e", "sh -eu", "rc.common")
_UNREAD = frozenset({Trait.REMOTE_CODE, Trait.DECODED})
# Formats of machines and clusters, that hold files by their names.
_HOLDERS = frozenset({FileKind.DATA, FileKind.INFRA, FileKind.OTHER, FileKind.CONTAINER})
MAX_FILES_DEEP = 3
_WAYS_OUT = lazy_re2(r"/dev/tcp/|\b(?:nc|ncat|socat)\b|\bmkfifo\b|\bpty\.spawn|\bdup2\b")
_PLAYBOOKS = (".yml", ".yaml")
_IN_PLAYBOOK = lazy_re2(r"(?m)^\s*-?\s*(?:hosts|tasks|handlers|become):|^\s*-\s+name:")
# A text of several lines in PowerShell: data, for a file or a message.
_HERE_STRING = lazy_re2(r"(?s)@'\n.*?\n'@|@\"\n.*?\n\"@")
# Samples beside tests, which no test runner starts.
_SAMPLES = lazy_re2(
    r"(?i)\.(?:txt|jsonl?|ya?ml|md|rst|csv|tsv|snap|log|patch|diff|html?|xml|golden|out)$"
    r"|/(?:fixtures?|samples?|testdata|golden|snapshots?|__snapshots__)/"
)
_MACHINE = frozenset({Reach.SYSTEM, Reach.HOME})
_OFF = frozenset({Trait.WEAKENS, Trait.BLINDS})
_ERASES = frozenset({Verb.DELETE, Verb.WRITE})
_OUT = frozenset({Trait.REVERSE_SHELL, Trait.SENDS_SECRET, Trait.BACKDOOR})


class TextReaders(Struct, frozen=True, kw_only=True):
    """The functions that analyse a shell line and a text of code."""

    line: Callable[[str, Place, tuple[str, ...], int], Operations]
    code: Callable[[str, str, Place, int], Iterable[Operation]]


def run_later(
    text: str, where: Located, place: Place, readers: TextReaders, depth: int
) -> Iterator[Operation]:
    """Yield the effects of new file content when it is run, built or loaded."""
    # A script that is written elsewhere on the machine is there for another program.
    loaded = is_loaded(where, text) or (where.reach in _MACHINE and _is_script(text))
    yield from _program(text, where, place, readers, depth, loaded=loaded)
    yield from _embedded(text, where, place, readers, depth)
    if where.path.lower().endswith(_PLAYBOOKS) and _IN_PLAYBOOK.search(text):
        yield from _on_machines(text, place, readers, depth)
    if where.kind is FileKind.TEST and _SAMPLES.search(where.path) is None:
        yield from _started_by_test(text, place, readers, depth)
    is_code = where.kind in _CODE_KINDS
    if is_code and (loaded or not where.path.lower().endswith(_SHELL_SCRIPTS)):
        yield from _handed(text, where, place, readers, depth, loaded=loaded)
        yield from _stopped_by_code(text, where, place, readers, depth)
    if not loaded and (where.path.lower().endswith(_SHELL_SCRIPTS[:4]) or _is_script(text)):
        yield from _concealed_in_script(text, place, readers, depth)
    if is_worth_reading(text):
        yield from _hidden(text, where, loaded=loaded)
        yield from _lines_of_format(text, where, place, readers, depth, loaded=loaded)
    if where.kind in _HOLDERS:
        yield from _within(text, where, place, readers, depth)


def _embedded(
    text: str, where: Located, place: Place, readers: TextReaders, depth: int
) -> Iterator[Operation]:
    """Yield what the shell lines do that a known format has."""
    carriers = (f"{where.kind.value} file",)
    in_layer = layer_lines(text, where.path)
    read = 0
    for line in embedded_shell(text, where.kind):
        if (read := read + len(line)) > MAX_LATER_CHARS:
            why = f"more than {MAX_LATER_CHARS:,} characters of shell lines"
            yield opaque_part(Opaque(why=why, source=line[:200], carriers=carriers))
            return
        for op in readers.line(line, place, carriers, depth + 1):
            # What only reads does no harm later, and a build file is full of it.
            if op.verb in {Verb.INERT, Verb.READ} or (line in in_layer and stays_in_layer(op)):
                continue
            yield _later(op)


def _concealed_in_script(
    text: str, place: Place, readers: TextReaders, depth: int
) -> Iterator[Operation]:
    """Yield what no script of a project does openly: a shell handed out, a loader in code signs.

    All else that a shell script does is judged when it is run.
    """
    head = text[:MAX_LATER_CHARS]
    if _WAYS_OUT.search(head) is not None:
        for op in readers.line(head, place, ("shell script",), depth + 1):
            if Trait.REVERSE_SHELL in op.traits:
                yield _later(op)
    for line in head.replace("\\\n", " ").split("\n"):
        if SHELL_DECODES.search(line) is None or not is_concealed(line):
            continue
        for op in readers.line(line, place, ("shell script",), depth + 1):
            if Trait.REMOTE_CODE in op.traits:
                yield _later(op)


def _lines_of_format(
    text: str, where: Located, place: Place, readers: TextReaders, depth: int, *, loaded: bool
) -> Iterator[Operation]:
    """What shell lines fetch and run, or send, in a format that nobody reads here."""
    for line, is_recipe in lines_in(text, where):
        is_run = is_recipe or loaded or runs_by_itself(where) or is_concealed(line)
        for op in readers.line(line, place, (f"{where.kind.value} file",), depth + 1):
            if not _OUT.isdisjoint(op.traits) or (is_run and not _UNREAD.isdisjoint(op.traits)):
                yield _later(op)
            elif not _UNREAD.isdisjoint(op.traits):
                yield _asked(where, op)


def run_at_once(text: str, program: str) -> Iterator[Operation]:
    """Yield what code of any language fetches and runs, or sends, that a tool runs right away."""
    where = Located(path=program, reach=Reach.REMOTE, kind=FileKind.SOURCE)
    text = _HERE_STRING.sub("''", text)
    if joined_shell(text) or dialled_shell(text):
        yield replace(
            _told(where, Trait.REVERSE_SHELL, "joins a shell with a connection"),
            path="",
            program=program,
        )
    for found in loaders_in(text, where, loaded=True) if is_worth_reading(text) else ():
        yield replace(_found_in(where, found), path="", program=program)


def _hidden(text: str, where: Located, *, loaded: bool) -> Iterator[Operation]:
    """What code of any language fetches and runs, and what secrets it sends."""
    for found in loaders_in(text, where, loaded=loaded):
        op = _found_in(where, found)
        yield _later(op) if found.is_certain or found.is_secret else _asked(where, op)


def _found_in(where: Located, found: Loader) -> Operation:
    trait, why = Trait.REMOTE_CODE, "runs code that it fetched or decoded"
    if found.is_secret:
        trait, why = Trait.SENDS_SECRET, "sends secrets out"
    elif found.is_shell:
        trait, why = Trait.REVERSE_SHELL, "hands a shell to another machine"
    return replace(_told(where, trait, why), source=found.line[:200])


def _within(
    text: str, where: Located, place: Place, readers: TextReaders, depth: int
) -> Iterator[Operation]:
    """Yield the worst that files do which a configuration puts on a machine."""
    carriers = (f"{where.kind.value} file",)
    folder = where.path.rpartition("/")[0]
    for name, inner in files_within(text) if depth < MAX_FILES_DEEP else ():
        path = name if name[:1] == "/" else f"{folder}/{name}"
        at = locate(path, place, has_glob=False)
        found: list[Operation] = list(added_operations(at, NewText(new=inner), program="file"))
        if _is_script(inner) or name.endswith(_SHELL_SCRIPTS[:4]):
            found += readers.line(inner[:MAX_LATER_CHARS], place, carriers, depth + 1)
        else:
            found += run_later(inner, at, place, readers, depth + 1)
        for op in found:
            if not (_OUT | _UNREAD).isdisjoint(op.traits):
                yield _later(op)


def _on_machines(text: str, place: Place, readers: TextReaders, depth: int) -> Iterator[Operation]:
    """Yield the worst that the tasks of a playbook do to the machines they are sent to.

    To start, stop and install is what playbooks are for.
    """
    for line in playbook_lines(text):
        for op in readers.line(line, place, ("playbook",), depth + 1):
            is_gone = op.verb is Verb.DELETE and Trait.BROAD in op.traits and op.reach in _MACHINE
            is_off = op.thing is ResourceType.PROTECTION and Trait.WEAKENS in op.traits
            is_key = op.file_kind is FileKind.AUTHORIZED_KEYS and op.verb is Verb.WRITE
            if is_gone or is_off or is_key or not (_OUT | _UNREAD).isdisjoint(op.traits):
                yield _later(op)


def _handed(
    text: str, where: Located, place: Place, readers: TextReaders, depth: int, *, loaded: bool
) -> Iterator[Operation]:
    """What code does in a language that is not read, by the lines it hands over."""
    carriers = (f"{where.kind.value} file",)
    is_shell = loaded and (_is_script(text) or is_read_by_shell(where))
    whole = (text[:MAX_LATER_CHARS],) if is_shell else ()
    handed = () if _is_script(text) and loaded else handed_lines(text)
    lines = (*whole, *handed, *joined_lines(text)) if handed else whole
    for line in lines:
        is_sure = loaded or is_concealed(line)
        for op in readers.line(line, place, carriers, depth + 1):
            if not _OUT.isdisjoint(op.traits) or (is_sure and not _UNREAD.isdisjoint(op.traits)):
                yield _later(op)
            elif not _UNREAD.isdisjoint(op.traits):
                yield _asked(where, op)
    if is_too_long(text) and loaded:
        yield opaque_part(Opaque(why="a program longer than is read", carriers=carriers))


def _stopped_by_code(
    text: str, where: Located, place: Place, readers: TextReaders, depth: int
) -> Iterator[Operation]:
    """What programs do to guards, disks and backups of a machine that code starts."""
    lines = guard_lines(text, where.path)
    for line in lines:
        is_switch = is_switched_on_too(line, lines)
        for op in readers.line(line, place, (f"{where.kind.value} file",), depth + 1):
            is_off = op.thing is ResourceType.PROTECTION and not _OFF.isdisjoint(op.traits)
            is_lost = op.thing is ResourceType.BACKUP and Trait.WHOLE_STORE in op.traits
            is_disk = op.thing is ResourceType.DEVICE and op.target.startswith("/dev/")
            if is_disk and op.verb is Verb.DELETE and op.target.endswith("/"):
                yield _asked(where, op, "erases a disk")
            elif is_off and is_switch:
                yield _asked(where, op, "switches a guard off and on")
            elif is_off or is_lost or (is_disk and op.verb in _ERASES) or _is_way_in(op):
                yield _later(op)


def _is_way_in(op: Operation) -> bool:
    return Trait.BACKDOOR in op.traits and op.thing is ResourceType.ACCOUNT


def _started_by_test(
    text: str, place: Place, readers: TextReaders, depth: int
) -> Iterator[Operation]:
    """Yield what lines fetch and run, or send, that a test hands to a shell."""
    for line in lines_started(text):
        for op in readers.line(line, place, ("test file",), depth + 1):
            if not (_OUT | _UNREAD).isdisjoint(op.traits):
                yield _later(op)


def _is_script(text: str) -> bool:
    first = text[:100].partition("\n")[0]
    return first.startswith("#!") and first.rstrip().endswith(_SHELL_MARKS)


def _told(where: Located, trait: Trait, why: str) -> Operation:
    is_sent = trait is Trait.SENDS_SECRET
    return Operation(
        verb=Verb.NETWORK_OUT if is_sent else Verb.EXECUTE,
        thing=ResourceType.URL if is_sent else ResourceType.CODE,
        target=where.path,
        path="" if is_sent else where.path,
        reach=Reach.REMOTE,
        traits=frozenset({trait}),
        reversible=False,
        program="code",
        why=why,
    )


def _asked(
    where: Located, op: Operation, why: str = "runs code that was fetched or decoded"
) -> Operation:
    """Return the Operation for what a file's program may do once it is run."""
    return Operation(
        verb=Verb.CONFIGURE,
        thing=ResourceType.CODE,
        target=where.path,
        path=where.path,
        reach=where.reach,
        traits=frozenset({Trait.RUNS_LATER}),
        program=op.program,
        source=op.source,
        why=why,
    )


def _later(op: Operation) -> Operation:
    return replace(op, traits=op.traits | {Trait.RUNS_LATER})


def _program(
    text: str, where: Located, place: Place, readers: TextReaders, depth: int, *, loaded: bool
) -> Iterator[Operation]:
    """What a build or configuration file that is a program does the next time it is loaded."""
    if where.kind not in _PROGRAM_KINDS and not runs_unasked(where) and not loaded:
        return
    if where.kind is FileKind.BUILD and where.path.endswith(".py"):
        yield from _build_file(text, where, place, readers, depth)
        return
    language = config.language_of(where.path.rpartition("/")[2])
    told = config.program_text(text, language) if language else ""
    if told is None:
        yield opaque_part(Opaque(why="more lines that start programs than are read"))
        return
    if language == "python":
        told = config.whole_python(told)
    for op in readers.code(told, language, place, depth) if told else ():
        if op.understood and config.does_more_than_build(op):
            yield _later(op)


def _build_file(
    text: str, where: Located, place: Place, readers: TextReaders, depth: int
) -> Iterator[Operation]:
    """What a build file in Python does when it is loaded; the end of a long one is not known."""
    if len(text) > MAX_PYTHON_CHARS:
        why = f"a build file of more than {MAX_PYTHON_CHARS:,} characters"
        yield opaque_part(Opaque(why=why, carriers=(f"{where.kind.value} file",)))
    whole = config.whole_python(text[:MAX_PYTHON_CHARS])
    for op in readers.code(whole, "python", place, depth):
        if config.acts_when_loaded(op):
            yield _later(op)


def opaque_part(part: Opaque, group: int = 0) -> Operation:
    """Build the Operation for a part of a line or text that could not be parsed."""
    return Operation(
        verb=Verb.EXECUTE,
        thing=ResourceType.CODE,
        target=part.source[:80],
        reach=Reach.UNKNOWN,
        reversible=False,
        understood=False,
        program="shell",
        source=part.source,
        carriers=part.carriers,
        why=part.why,
        group=group,
    )
