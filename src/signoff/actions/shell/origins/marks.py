"""Marks of files: what came from the network, by whatever way, and what the session compiled.

The mark stays with the content: a copy, an unpacked archive, a decoded or filtered text of what
was fetched was fetched too, in this line or in later calls. It wins over the text of the file, as
nobody looked at it.

    curl -o a URL ; cp a b ; sh b              b is fetched
    tar xzf a.tgz -C d    (a.tgz fetched)      all of d/ is fetched
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Collection, Iterator, Sequence

from signoff.actions.operation import Operation, Reach, ResourceType, Trait, Verb
from signoff.actions.paths import is_inside
from signoff.actions.place import Place
from signoff.actions.vocabulary import words

UNPACKERS = words(
    "tar bsdtar gtar unzip 7z 7za 7zz unrar unar cpio ar jar funzip dpkg-deb pax ditto "
    "shutil.unpack_archive"
)
MOVERS = frozenset({"mv", "rename", "mmv", "git mv", "os.rename", "os.replace", "shutil.move"})
# These change a file in its place: what is written is what was there.
IN_PLACE = words("gunzip bunzip2 unxz xz zstd unzstd lz4 uncompress gzip bzip2 ln")
ARCHIVE_ENDINGS = (
    *(".tar.gz", ".tar.bz2", ".tar.xz", ".tar.zst", ".tgz", ".tbz2", ".txz", ".tar", ".zip"),
    *(".7z", ".rar", ".gz", ".jar", ".whl"),
)
COMPRESSED = words(".gz .bz2 .xz .zst .lz4 .lzma .Z .br")
_READ, _WRITE = Verb.READ, Verb.WRITE
CARRYING = frozenset({Verb.NETWORK_OUT, Verb.NETWORK_IN})
HOSTED = frozenset({ResourceType.URL, ResourceType.CLOUD})  # what anybody may have put there
ELSEWHERE = frozenset({Reach.REMOTE, Reach.PRODUCTION})
RAW_CLIENTS = frozenset(
    ["nc", "ncat", "netcat", "telnet", "openssl", "socat", "nc.traditional", "nc.openbsd"]
)


FEW = 16
DECODED_MARK = "decoded:"  # of the path of a file, among what the session made
FETCHED, DECODED, BUILT = 1, 2, 64  # origins of a file, as in `data_flow/origins.py`


class WrittenFiles(dict[str, int]):
    """The files one line wrote, by path, with the sum of their origin bits.

    Names and fetched files are kept beside it: every command asks for them, and a script may have
    written hundreds of files by then.

    `changes` grows with every change. `pieces` are paths that stand for several files: `part_*`.
    """

    __slots__ = ("_order", "_sorted", "changes", "fetched", "names", "pieces")

    def __init__(self) -> None:
        super().__init__()
        self.names: set[str] = set()
        self.pieces: list[str] = []
        self.fetched: dict[str, int] = {}
        self.changes = 0
        self._order: dict[str, int] = {}
        self._sorted: list[str] = []

    def add(self, path: str, origins: int) -> None:
        """Add origin bits to a path."""
        known = self.get(path)
        if known is None:
            self._order[path] = len(self)
            if path[-1:] == "*":
                self.pieces.append(path)
        elif known | origins == known:
            return
        else:
            origins |= known
        self.changes += 1
        self[path] = origins
        self.names.add(path.rpartition("/")[2])
        if origins & FETCHED and path not in self.fetched:
            self.fetched[path] = len(self.fetched)
            insort(self._sorted, path)

    def fetched_below(self, below: str) -> list[str]:
        """Return the downloaded files below a folder (ending in `/`), in order."""
        found: list[str] = []
        for at in range(bisect_left(self._sorted, below), len(self._sorted)):
            if not self._sorted[at].startswith(below):
                break
            if self._sorted[at] != below:
                found.append(self._sorted[at])
        return sorted(found, key=self.fetched.__getitem__)

    def around(self, path: str) -> Sequence[str]:
        """Return the written paths that a path is or is inside of, in order."""
        if len(self) <= max(FEW, path.count("/")):
            return [one for one in self if is_inside(path, one)]
        ends = [at for at, char in enumerate(path) if char == "/"]
        above = {path, *(path[:at] for at in ends), *(path[: at + 1] for at in ends)}
        return sorted(filter(self.__contains__, above), key=self._order.__getitem__)


def decoded_before(created: Collection[str]) -> WrittenFiles:
    """Return the files that earlier calls decoded, as if the line had written them so."""
    written = WrittenFiles()
    for mark in created:
        if mark.startswith(DECODED_MARK):
            written.add(mark.removeprefix(DECODED_MARK), DECODED)
    return written


def fetches(op: Operation) -> bool:
    """Return whether an operation's output was written by others on another machine."""
    if op.verb is _READ:
        return op.thing in HOSTED and op.reach in ELSEWHERE
    if Trait.LISTENS in op.traits and op.program in RAW_CLIENTS:
        return True  # whoever connects says what comes out: `nc -l 4444 | sh`
    if op.verb not in CARRYING or op.reach is Reach.LOOPBACK:
        return False
    return op.verb is Verb.NETWORK_IN or op.program.split(" ", 1)[0] in RAW_CLIENTS


def is_fetched(path: str, place: Place) -> bool:
    """Return whether the session downloaded a file, or the whole folder it is in."""
    downloaded = place.facts.downloaded
    if not downloaded or not path:
        return False
    if path in downloaded:
        return True
    folder = path
    while folder:
        if f"{folder}/" in downloaded:
            return True
        folder = folder.rpartition("/")[0]
    return False


def inputs_of(operations: Sequence[Operation]) -> Iterator[str]:
    """Yield the paths whose content goes into what a command writes."""
    for op in operations:
        is_changed = op.verb is _WRITE and (op.program in MOVERS or op.program in IN_PLACE)
        if op.path and (op.verb is _READ or is_changed):
            yield op.path


def trees_of(op: Operation, operations: Sequence[Operation], place: Place) -> tuple[str, ...]:
    """Return the folders that one written path stands for, () for single files.

    For archives unpacked into the project, the folder is derived from the archive's name.
    """
    if op.program.split(" ", 1)[0] not in UNPACKERS and Trait.RECURSIVE not in op.traits:
        return ()
    if not any([is_inside(one, op.path) for one in (place.project, place.home)]):
        return (op.path,)
    read = [one.path for one in operations if one.verb is _READ and one.group == op.group]
    return tuple(f"{op.path.rstrip('/')}/{stem}" for path in read for stem in _stems(path))


def _stems(archive: str) -> Iterator[str]:
    """Yield how the folder in an archive is usually called: `tool-1.2.tar.gz` -> tool-1.2, tool."""
    name = archive.rpartition("/")[2]
    for ending in ARCHIVE_ENDINGS:
        if name.endswith(ending) and name != ending:
            stem = name[: -len(ending)]
            yield stem
            if ending == ".tgz":
                yield "package"  # the folder in every archive of npm
            short = stem.rstrip("0123456789.").removesuffix("-v").rstrip("-_")
            if short and short != stem:
                yield short
            return


def uncompressed(op: Operation) -> str:
    """Return the file that a decompression creates, "" for other operations."""
    if op.program not in IN_PLACE:
        return ""
    name, dot, ending = op.path.rpartition(".")
    return name if dot and f".{ending}" in COMPRESSED else ""


_PACKED = {
    **dict.fromkeys(("gzip", "pigz"), ".gz"),
    **{"bzip2": ".bz2", "xz": ".xz", "zstd": ".zst", "lz4": ".lz4", "compress": ".Z"},
}


def compressed(op: Operation) -> str:
    """Return the file that a compression creates, "" for other operations."""
    ending = _PACKED.get(op.program, "")
    return f"{op.path}{ending}" if ending and not op.path.endswith(ending) else ""


def moved_to(operations: Sequence[Operation]) -> Iterator[tuple[str, str]]:
    """Yield (old path, new path) of what a command moves, if its target is a folder."""
    for group in {op.group for op in operations if op.program in MOVERS}:
        paths = [
            op.path
            for op in operations
            if op.group == group and op.program in MOVERS and op.verb is _WRITE and op.path
        ]
        for path in paths[:-1]:
            yield path, f"{paths[-1]}/{path.rpartition('/')[2]}"
