"""Where a program of the line comes from: what earlier commands of it fetched, decoded or built.

A download that is run is code from the network, under whatever name and in whatever folder. What
the line compiled from sources at hand is the session's own and runs like any build.

    curl -so node_modules/.bin/x URL && node_modules/.bin/x    -> EXECUTE, traits={REMOTE_CODE}
    gcc -o /tmp/t t.c && /tmp/t                                -> EXECUTE, understood
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence
from itertools import pairwise

from signoff.actions.operation import Operation, Reach, ResourceType, Trait, Verb
from signoff.actions.paths import is_inside, locate
from signoff.actions.place import Place
from signoff.actions.programs.identity import is_of_image, is_tool
from signoff.actions.shell.command import Command
from signoff.actions.shell.origins.carried import (
    carried,
    folders_above,
    given_away,
    matched,
    renamed,
)
from signoff.actions.shell.origins.entry_files import fetched_entries
from signoff.actions.shell.origins.foreign import (
    brings_versions,
    fetched_refs,
    files_of_refs,
    unread_patch,
)
from signoff.actions.shell.origins.marks import (
    ARCHIVE_ENDINGS,
    BUILT,
    DECODED,
    FETCHED,
    WrittenFiles,
    compressed,
    inputs_of,
    is_fetched,
    moved_to,
    trees_of,
    uncompressed,
)
from signoff.actions.vocabulary import words
from signoff.values import replace

PACKED = (*ARCHIVE_ENDINGS, ".deb", ".rpm", ".gem", ".AppImage")
SINGLE = 4096  # a single file: says nothing of what lies below its path
UNREAD = FETCHED | DECODED
VERSIONING = words("git patch gpatch")
COMPILERS = words(
    "gcc g++ cc c++ clang clang++ tcc icc icx gfortran flang ifort gdc dmd ldc2 nvcc hipcc mpicc "
    "mpicxx mpic++ mpif90 rustc go tinygo zig ghc ocamlopt ocamlfind nim nimble crystal swiftc "
    "gnatmake fpc v odin vala valac ld ld.lld lld gold mold cython nuitka pyinstaller kotlinc "
    "virtualenv"
)

# These download under a name of their own choice, by their first words.
CHOOSING = {
    "gh": ("release", "download"),
    "glab": ("release", "download"),
    "npm": ("pack",),
    "pip": ("download",),
    "pip3": ("download",),
    "gem": ("fetch",),
    "helm": ("pull",),
    "apt": ("download",),
    "apt-get": ("download",),
    "dnf": ("download",),
}
OWN_STARTERS = words("gradlew mvnw configure manage.py artisan")
FOLDER_OPTIONS = frozenset({"-d", "-D", "--dir", "--dest", "--destination", "--pack-destination"})


def note_chosen(command: Command, written: WrittenFiles) -> None:
    """Record that a folder's archives may be downloads whose names the program chose."""
    wanted = CHOOSING.get(command.program)
    if wanted is None:
        return
    texts = [word.text for word in command.words[1:]]
    named = [text for text in texts[len(wanted) :] if text[:1] not in {"-", "."}]
    if tuple(texts[: len(wanted)]) != wanted or not (named or len(wanted) > 1):
        return
    folder = next((b for a, b in pairwise(texts) if a in FOLDER_OPTIONS), "")
    written.add(f"{posixpath.normpath(posixpath.join(command.cwd, folder))}/*", FETCHED)


def _chosen(path: str, written: WrittenFiles) -> int:
    """Where a file comes from that may be a download with a name of its own choice."""
    folder, _, name = path.rpartition("/")
    if written.get(f"{folder}/*") is None or name in OWN_STARTERS:
        return 0
    return FETCHED if name.endswith(PACKED) or "." not in name else 0


def origins_of(
    command: Command,
    operations: Sequence[Operation],
    through: int,
    place: Place,
    written: WrittenFiles,
) -> int:
    """Return the origin bits of the files a command writes; `through`: those of its input."""
    if through & FETCHED == 0 and (written or place.facts.downloaded):
        for path in inputs_of(operations):
            through |= origin_of(path, place, written)
        if any(["*" in op.target or "?" in op.target for op in operations]) and (
            _reads_by_pattern(command, operations, fetched_paths(place, written))
        ):
            through |= FETCHED
    program = command.program
    if program not in COMPILERS and not _makes_environment(command):
        return through
    named = [locate(word.text, place).path for word in command.words[1:] if word.is_known]
    for path in (command.cwd, *named):
        if path:
            through |= _origins(path, place, written) & UNREAD
            through |= origin_of(path, place, written)
    return through | BUILT


def origin_of(path: str, place: Place, written: WrittenFiles) -> int:
    """Return `FETCHED` if this line or an earlier call downloaded the file, else 0."""
    if is_fetched(path, place):
        return FETCHED
    return _origins(path, place, written) & FETCHED if written else 0


def marked_writes(
    command: Command,
    operations: list[Operation],
    through: int,
    place: Place,
    written: WrittenFiles,
) -> list[Operation]:
    """Mark a command's writes with their origins, and record them for later commands."""
    origins = origins_of(command, operations, through, place, written)
    traits = frozenset(
        {Trait.FETCHED} if origins & FETCHED else {Trait.BUILT} if origins & BUILT else ()
    )
    out: list[Operation] = []
    for op in operations:
        if op.verb is not Verb.WRITE or not op.path:
            out.append(op)
            continue
        trees = trees_of(op, operations, place) if origins & FETCHED else ()
        is_new = through & FETCHED == 0 and origins & FETCHED != 0
        own = origins | SINGLE if is_new and op.path not in trees else origins
        written.add(op.path, own)
        if origins & FETCHED and (left := uncompressed(op)):
            written.add(left, own)
        if left := compressed(op):
            written.add(left, own)
        for tree in trees:
            written.add(tree, origins)
        out.append(replace(op, traits=op.traits | traits) if traits else op)
    if origins & FETCHED:
        for _, path in moved_to(out):
            written.add(path, origins)
    _carry(command, out, place, written)
    return out


def _carry(command: Command, out: Sequence[Operation], place: Place, written: WrittenFiles) -> None:
    """Keep where fetched files come to lie whose folder is copied, or whose name is changed."""
    downloaded = place.facts.downloaded
    if not written.fetched and not downloaded:
        return
    if downloaded and folders_above(downloaded).isdisjoint(given_away(out)):
        downloaded = frozenset()
    for old, new in (*carried(out, downloaded, written.fetched_below), *renamed(command)):
        if old in written.fetched or origin_of(old.rstrip("/"), place, written):
            single = 0 if new.endswith("/") else SINGLE
            written.add(new.rstrip("/"), FETCHED | single)


def fetched_paths(place: Place, written: WrittenFiles) -> list[str]:
    """Return what was fetched, in this line or by an earlier call; folders end in `/`."""
    return [*written.fetched, *place.facts.downloaded]


def _reads_by_pattern(
    command: Command, operations: Sequence[Operation], known: Sequence[str]
) -> bool:
    return any([op.verb is Verb.READ and any(matched(op, known, command.cwd)) for op in operations])


def with_origins(
    command: Command,
    operations: list[Operation],
    through: int,
    place: Place,
    written: WrittenFiles,
) -> list[Operation]:
    """Mark what a command installs, loads or applies with its origins."""
    if written or place.facts.downloaded:
        operations = _with_fetched_packages(command, operations, place, written)
        operations = [*operations, *fetched_entries(command, operations, place, written)]
    if command.program in VERSIONING and brings_versions(command):
        operations = _with_versions(command, operations, through, place, written)
    return operations


def _with_versions(
    command: Command,
    operations: list[Operation],
    through: int,
    place: Place,
    written: WrittenFiles,
) -> list[Operation]:
    """Follow what version control and `patch` bring from elsewhere, and keep it for the line."""
    for path in fetched_refs(command, place):
        written.add(path, FETCHED)
    known = fetched_paths(place, written)
    for path in files_of_refs(command, place, known):
        written.add(path.rstrip("/"), FETCHED | (0 if path.endswith("/") else SINGLE))
    is_unread = bool(through & FETCHED) or any(
        [op.verb is Verb.READ and origin_of(op.path, place, written) for op in operations]
    )
    return unread_patch(command, operations, is_fetched=is_unread)


def _makes_environment(command: Command) -> bool:
    """`python -m venv x`, `uv venv x`: interpreters of this machine, by another path."""
    texts = [word.text for word in command.words[1:4]]
    return texts[:2] == ["-m", "venv"] or (command.program == "uv" and texts[:1] == ["venv"])


def marked(
    command: Command,
    operations: Sequence[Operation],
    place: Place,
    written: WrittenFiles,
    searched: Sequence[str],
) -> list[Operation]:
    """Mark the files that a command runs with their origins.

    Args:
        written: origins by path of what the line wrote before.
        searched: folders that the line put on the search path.
    """
    found = [_after_writing(op, place, written) for op in operations] if written else [*operations]
    path = _program_path(command, place, written, searched)
    if not path:
        return found
    origins = _origins(path, place, written) | origin_of(path, place, written)
    if _is_own_build(path, place, written):
        origins |= BUILT
    if origins & UNREAD:
        if not any([op.verb is Verb.EXECUTE and op.path == path for op in found]):
            found.append(_unread(command, path, origins))
    elif origins & BUILT:
        found = [*_own_build(command, found, path)]
    return found


def _is_own_build(path: str, place: Place, written: WrittenFiles) -> bool:
    """Whether the session compiled a program in an earlier call, and nothing was put there since.

    A program is no text: what can be read was written there by somebody.
    """
    if path not in place.facts.built or path in written or is_fetched(path, place):
        return False
    fact = place.files.get(path)
    return fact is None or (fact.text is None and fact.real_path == path)


def _after_writing(op: Operation, place: Place, written: WrittenFiles) -> Operation:
    """Mark the running of a file that the same line wrote or unpacked before."""
    if op.verb is not Verb.EXECUTE or not op.path:
        return op
    origins = _origins(op.path, place, written)
    if op.path not in written and not origins & UNREAD:
        return op
    return replace(op, traits=op.traits | {_trait(origins)})


def _trait(origins: int) -> Trait:
    if origins & FETCHED:
        return Trait.REMOTE_CODE
    return Trait.DECODED if origins & DECODED else Trait.WRITTEN_NOW


def _program_path(
    command: Command, place: Place, written: WrittenFiles, searched: Sequence[str]
) -> str:
    """The file that runs, where the line may have written it; "" where it did not."""
    if not command.words or not command.words[0].is_known:
        return ""
    text = command.words[0].text
    if is_of_image(command, place):
        # A folder of this machine may be mounted there.
        return next((one for one in written if one.split("/")[-2:] == text.split("/")[-2:]), "")
    if "/" in text:
        return locate(text, replace(place, cwd=command.cwd), has_glob=False).path
    ending = f"/{text}"
    for path in written if text in written.names else ():
        is_named = path.endswith(ending)
        if is_named and (path[: -len(ending)] in searched or is_tool(path, place)):
            return path
    return next((path for path in _shadowing(text, searched) if is_fetched(path, place)), "")


def _shadowing(name: str, searched: Sequence[str]) -> Iterator[str]:
    """Yield where a program of a bare name would be found first."""
    yield from (f"{folder}/{name}" for folder in searched)


def _origins(path: str, place: Place, written: WrittenFiles) -> int:
    """Origins of a file, or of the folder it lies in: an archive unpacked, an environment made."""
    origins = written.get(path)
    if origins is not None and origins & UNREAD:
        return origins
    if chosen := _chosen(path, written):
        return chosen | (origins or 0)
    if origins is not None:
        return origins
    above = (place.project, place.home)
    for folder in written.around(path):
        origin = written[folder]
        if not origin & SINGLE and not any([is_inside(one, folder) for one in above]):
            return origin
    return 0


def _with_fetched_packages(
    command: Command, operations: list[Operation], place: Place, written: WrittenFiles
) -> list[Operation]:
    """Mark installing a package file that was fetched: it comes from no registry."""
    if not any([op.verb is Verb.INSTALL for op in operations]):
        return operations
    here = replace(place, cwd=command.cwd)
    is_offered = _offers_fetched(command, here)
    return [
        replace(op, traits=op.traits | {Trait.UNTRUSTED_SOURCE})
        if op.verb is Verb.INSTALL and (is_offered or _is_fetched_package(op, here, written))
        else op
        for op in operations
    ]


def _is_fetched_package(op: Operation, place: Place, written: WrittenFiles) -> bool:
    if "/" not in op.target and "." not in op.target:
        return False
    return bool(origin_of(locate(op.target.partition("[")[0], place).path, place, written))


def _offers_fetched(command: Command, place: Place) -> bool:
    """Tell whether packages are looked for in a folder that one was fetched into by itself."""
    before = ""
    for word in command.words[1:]:
        option, _, value = word.text.rpartition("=")
        if (option or before) == "--find-links":
            below = f"{locate(value, place).path}/"
            return any([path.startswith(below) for path in place.facts.downloaded])
        before = word.text
    return False


def _unread(command: Command, path: str, origins: int) -> Operation:
    return Operation(
        verb=Verb.EXECUTE,
        thing=ResourceType.CODE,
        target=command.words[0].text,
        path=path,
        reach=Reach.UNKNOWN,
        traits=frozenset({_trait(origins), Trait.NAMED}),
        reversible=False,
        understood=False,
        why=f"what is in `{command.words[0].text[:80]}` is not known",
        program=command.program,
        source=command.source,
        carriers=command.carriers,
        group=command.index,
    )


def _own_build(command: Command, operations: Sequence[Operation], path: str) -> Iterator[Operation]:
    """What runs a program built a moment ago: the program itself and the files it is given.

    What a program of that name does elsewhere says nothing of it.
    """
    name = command.program
    for op in operations:
        if op.verb is Verb.EXECUTE and op.path == path:
            yield replace(op, understood=True, why="", reversible=True, reach=Reach.PROJECT)
        elif op.path or op.program.split(" ", 1)[0] != name:
            yield op


def search_folders(command: Command, place: Place) -> tuple[str, ...]:
    """Return the folders a command adds to the PATH."""
    for name, value in command.assignments:
        if name == "PATH":
            return tuple(locate(part, place).path for part in value.text.split(":") if part)
    return ()
