"""Paths: text as written -> where it points, how far it reaches, what kind of file it is.

Pure string work: nothing is looked up, links are known only from `Place.files`. What cannot be
told (no current folder, an unknown variable, a NUL) has reach UNKNOWN, never a guess.

    locate("../.ssh/id_rsa", place).path == "/home/dev/.ssh/id_rsa"
    locate("~/*", place).is_root_of_reach
"""

from __future__ import annotations

import posixpath
import unicodedata
from collections.abc import Mapping
from functools import lru_cache

from msgspec import Struct

from signoff.actions.facts import FileFact
from signoff.actions.known.file_kinds import PathProperties, look, look_at_glob, worse_kind
from signoff.actions.known.reaches import KnownFolders, Parts, folders_of, parts_of
from signoff.actions.lexicon.unicode_forms import compatible
from signoff.actions.operation import FileKind, Reach
from signoff.actions.place import Place, is_on_drive
from signoff.actions.windows.forms import readings
from signoff.actions.windows.variables import folder_of
from signoff.values import replace

UNKNOWN_PART = "\ufffd"  # stands for what the shell reader could not tell
MAX_PATH = 8192  # longer than PATH_MAX on every system

# Reaches by how much harm they allow; the later is the worse.
_HARM: tuple[Reach, ...] = (
    Reach.NONE,
    Reach.TEMP,
    Reach.PROJECT,
    Reach.LOOPBACK,
    Reach.ELSEWHERE,
    Reach.HOME,
    Reach.REMOTE,
    Reach.UNKNOWN,
    Reach.SYSTEM,
    Reach.PRODUCTION,
    Reach.GUARD,
)
_HARM_RANK: Mapping[Reach, int] = {reach: rank for rank, reach in enumerate(_HARM)}

_GUARD = FileKind.GUARD
_OVERRULING = frozenset({Reach.GUARD, Reach.NONE, Reach.REMOTE})  # say what kind of file it is
_MAX_CACHED = 512
_MAX_KEPT = 256  # characters of a folder whose parents are kept
_GLOB_CHARS = frozenset("*?[")


class Located(Struct, frozen=True, kw_only=True, gc=False):
    """Where a path points, and what kind of place that is.

    Args:
        path: absolute and normalised, "" if unknown.
        is_root_of_reach: it is, or its glob covers, a whole reach or a broad part of one: `/`,
            a home folder, the project, a system folder.
        is_rebuildable: build output, caches, dependencies, logs: a command recreates it.
        is_exact: False if a glob or unknown part stands for more names; `path` is then the
            fixed folder before it.
        depth: number of components below the folder that gives the reach.
        has_links: True if the file is known to have other names (hard links).
        secret: kind of a secret file the glob also covers, if `kind` is another.
    """

    path: str
    reach: Reach
    kind: FileKind
    is_root_of_reach: bool = False
    is_rebuildable: bool = False
    is_exact: bool = True
    depth: int = 0
    has_links: bool = False
    secret: FileKind | None = None

    @property
    def read_kind(self) -> FileKind:
        """Its kind for reading: a secret takes precedence over other kinds."""
        return self.kind if self.secret is None or self.kind is _GUARD else self.secret


def is_inside(path: str, folder: str) -> bool:
    """Tell whether `path` is `folder` or below it; both absolute and normalised."""
    return path == folder or path.startswith(folder if folder.endswith("/") else folder + "/")


def locate(text: str, place: Place, *, has_glob: bool = True) -> Located:
    """Resolve `text`, a path as written in a call, to its absolute path, kind and reach.

    Args:
        has_glob: True if `*`, `?` and `[` are patterns; False where the tool takes them
            literally.
        place: folders in force, and facts about links.
    """
    if not text or len(text) > MAX_PATH or "\0" in text:
        return _unknown(text)
    folders = folders_of(place)
    plain = _expand(text, place) if text[0] in "~$%\\" or "\\" in text else text
    if plain.startswith("//") and "\\" in text and not place.is_on_windows:
        return replace(_judge(plain, folders, has_glob=has_glob), reach=Reach.REMOTE)
    located = _locate_plain(plain, place, folders, has_glob=has_glob)
    if not text.isascii():
        located = _with_lookalikes(located, plain, place, has_glob=has_glob)
    elif _has_dropped_ends(plain):
        located = worse(
            located, _locate_plain(_without_ends(plain), place, folders, has_glob=has_glob)
        )
    return _with_facts(located, text, place, folders) if place.files else located


def worse(one: Located, other: Located) -> Located:
    """Merge two readings of one path, taking the more severe of each property."""
    first, second = (
        (one, other) if _HARM_RANK[one.reach] >= _HARM_RANK[other.reach] else (other, one)
    )
    return replace(
        first,
        kind=worse_kind(first.kind, second.kind),
        is_root_of_reach=one.is_root_of_reach or other.is_root_of_reach,
        is_rebuildable=one.is_rebuildable and other.is_rebuildable,
        is_exact=one.is_exact and other.is_exact,
        has_links=one.has_links or other.has_links,
        secret=one.secret or other.secret,
    )


def _locate_on_drives(
    plain: str, place: Place, folders: KnownFolders, *, has_glob: bool
) -> Located:
    """Judge a path of Windows by the worst of what it may name."""
    is_told = plain[0] != UNKNOWN_PART
    found = readings(plain, place.cwd, (place.project, place.home)) if is_told else []
    located: Located | None = None
    for one in found:
        seen = _judge_cached(one.path, folders, has_glob)
        if one.is_remote and seen.reach is not Reach.GUARD:
            seen = replace(seen, reach=Reach.REMOTE)
        located = seen if located is None else worse(located, seen)
    return located or _unknown(plain)


def _locate_plain(plain: str, place: Place, folders: KnownFolders, *, has_glob: bool) -> Located:
    if place.is_on_windows:
        return _locate_on_drives(plain, place, folders, has_glob=has_glob)
    if plain[:1] == "/":
        absolute = plain
    elif is_on_drive(plain):
        absolute = "/" + plain
    elif not place.cwd or plain[0] == UNKNOWN_PART:
        return _unknown(plain)
    else:
        absolute = f"{place.cwd}/{plain}"
    if "/proc/" in absolute:
        absolute = _through_proc(absolute, place.cwd)
    if len(absolute) > _MAX_CACHED:
        return _judge(absolute, folders, has_glob=has_glob)
    return _judge_cached(absolute, folders, has_glob)


def _judge(absolute: str, folders: KnownFolders, *, has_glob: bool) -> Located:
    normal = _normal(absolute)
    lower = normal.lower()
    parts = parts_of(normal)
    folded = parts if lower == normal else parts_of(lower)
    if UNKNOWN_PART in normal or (has_glob and not _GLOB_CHARS.isdisjoint(normal)):
        return _judge_open(parts, folded, folders, has_glob=has_glob)
    reach = folders.reach(parts, folded)
    start = folders.local_from(folded, reach)
    seen = look(folded, local_from=start)
    is_root = folders.is_root(parts, folded, reach)
    return _located(_joined(parts), reach, seen, is_root=is_root, depth=len(parts) - start)


def _judge_open(parts: Parts, folded: Parts, folders: KnownFolders, *, has_glob: bool) -> Located:
    """A path with globs or unknown parts: judged at its static folder."""
    static = _static_depth(parts, has_glob=has_glob)
    reach = folders.reach(parts[:static], folded[:static])
    start = folders.local_from(folded[:static], reach)
    seen = look_at_glob(folded, local_from=start)
    is_root = _covers_all(parts[static]) and folders.is_root(parts[:static], folded[:static], reach)
    is_root &= not (reach is Reach.PROJECT and seen.is_rebuildable and parts[-1].isalnum())
    depth = len(parts) - start
    located = _located(_joined(parts[:static]), reach, seen, is_root=is_root, depth=depth)
    return replace(located, is_exact=False, secret=seen.secret)


def _located(
    path: str, reach: Reach, seen: PathProperties, *, is_root: bool, depth: int
) -> Located:
    kind = seen.kind
    if kind is _GUARD or reach in _OVERRULING:
        guards = kind is _GUARD or reach is Reach.GUARD
        kind, reach = (_GUARD, Reach.GUARD) if guards else (FileKind.OTHER, reach)
    return Located(
        path=path,
        reach=reach,
        kind=kind,
        is_root_of_reach=is_root,
        is_rebuildable=seen.is_rebuildable and not is_root,
        depth=depth,
    )


@lru_cache(maxsize=4096)
def _judge_cached(absolute: str, folders: KnownFolders, has_glob: bool) -> Located:  # noqa: FBT001 - positional keys are the cheap ones
    return _judge(absolute, folders, has_glob=has_glob)


def _normal(absolute: str) -> str:
    normal = posixpath.normpath(absolute)
    if normal[:2] == "//":
        normal = normal[1:]
    if normal.startswith("/System/Volumes/Data/"):
        normal = normal[20:]
    if normal[:9] in ("/private/", "/Private/") and normal[9:].partition("/")[0] in (
        "tmp",
        "var",
        "etc",
    ):
        return normal[8:]
    return normal


def _joined(parts: Parts) -> str:
    path = "/".join(parts)
    return path if parts and parts[0][1:] == ":" else "/" + path


def _static_depth(parts: Parts, *, has_glob: bool) -> int:
    for at, part in enumerate(parts):
        if UNKNOWN_PART in part or (has_glob and not _GLOB_CHARS.isdisjoint(part)):
            return at
    return len(parts)


def _covers_all(part: str) -> bool:
    """Whether a glob or unknown component has no letters of its own to name anything."""
    return not any(char.isalnum() for char in part)


def _expand(text: str, place: Place) -> str:
    """Put in what the shell would: home, known variables, slashes for backslashes."""
    if text[0] in "$%" and (found := folder_of(text, on_windows=place.is_on_windows)):
        folder, end = found
        text = folder + text[end:]
    # One backslash is the root of the drive in force.
    is_rooted = text[0] == "\\" and text[1:2] not in ("\\", "/", "?")
    text = text.replace("\\", "/")
    if is_rooted and place.is_on_windows:
        return (place.cwd[:2] if is_on_drive(place.cwd) else "C:") + text
    if text[0] in "$%":
        return UNKNOWN_PART + text
    if text[0] != "~":
        return text
    user, _, rest = text[1:].partition("/")
    return f"{_home_of(user, place)}/{rest}"


def _home_of(user: str, place: Place) -> str:
    """What `~user` stands for; other homes are taken to lie beside the user's own."""
    match user:
        case "":
            return place.home
        case "+":
            return place.cwd or UNKNOWN_PART
        case "-":
            return UNKNOWN_PART
        case "root":
            return "/root"
        case _:
            homes = "/home" if place.home == "/root" else posixpath.dirname(place.home)
            return f"{homes}/{user}"


def _through_proc(absolute: str, cwd: str) -> str:
    """Follow `/proc/<process>/root` and `/cwd` in the order the kernel would."""
    done: list[str] = []
    for part in absolute.split("/"):
        if part in ("", "."):
            continue
        if part == "..":
            del done[-1:]
            continue
        done.append(part)
        if len(done) >= 3 and done[0] == "proc":
            done = _proc_link(done, cwd)
    return "/" + "/".join(done)


def _proc_link(done: list[str], cwd: str) -> list[str]:
    if len(done) == 5 and done[2] == "task":
        done = [*done[:2], done[4]]
    if len(done) != 3:
        return done
    match done[2]:
        case "root":
            return []
        case "cwd":
            return [part for part in cwd.split("/") if part] if cwd else [UNKNOWN_PART]
        case "fd":
            return ["dev", "fd"]
        case _:
            return done


def _has_dropped_ends(plain: str) -> bool:
    """Whether a component ends in what some file systems drop: dots, blanks, `:stream`."""
    return (
        plain[-1] in ". "
        or "./" in plain
        or " /" in plain
        or (":" in plain and plain.rfind(":") != 1)
    )


def _without_ends(plain: str) -> str:
    cleaned: list[str] = []
    for part in plain.split("/"):
        bare = part.rstrip(". ")
        start = 1 if cleaned else 2  # at the start a colon may stand behind a drive
        if bare[1:] != ":" and ":" in bare[start:]:
            bare = bare[: bare.index(":", start)]
        cleaned.append(bare or part.rstrip(" ") or part)
    return "/".join(cleaned)


def _with_lookalikes(located: Located, plain: str, place: Place, *, has_glob: bool) -> Located:
    """Also read the path as a file system that folds Unicode forms would."""
    folded = "".join(
        char
        for char in compatible(plain).replace("\u2024", ".")
        if unicodedata.category(char) != "Cf"
    )
    if folded == plain or not folded:
        return located
    return worse(located, _locate_plain(folded, place, folders_of(place), has_glob=has_glob))


def _with_facts(located: Located, text: str, place: Place, folders: KnownFolders) -> Located:
    """Judge by the worse of the path as written and the file it really is."""
    # A name is known as it was in the call's own folder: behind a `cd` it is another file. Only
    # `link/..` is told by the name alone.
    fact = place.files.get(located.path) if ".." not in text else None
    fact = fact or place.files.get(text) or place.files.get(located.path)
    if fact is not None:
        located = _with_real(located, fact.real_path, fact, folders)
    else:
        folder, behind = _known_folder(located.path, place.files)
        if folder is not None:
            located = _with_real(located, f"{folder.real_path}/{behind}", folder, folders)
    return located


def _with_real(located: Located, real: str, fact: FileFact, folders: KnownFolders) -> Located:
    if real and real != located.path and (real[0] == "/" or is_on_drive(real)):
        located = worse(located, _judge(real, folders, has_glob=False))
    if fact.link_count > 1 and not fact.is_directory:
        located = replace(located, has_links=True)
    return located


def _known_folder(path: str, files: Mapping[str, FileFact]) -> tuple[FileFact | None, str]:
    parent = path.rpartition("/")[0]
    above = _kept_folders(parent) if len(parent) <= _MAX_KEPT else folders_from(parent)
    if not files.keys().isdisjoint(above):
        for folder in above:
            fact = files.get(folder)
            if fact is not None:
                return fact, path[len(folder) + 1 :]
    return None, ""


def folders_from(folder: str) -> tuple[str, ...]:
    """Return a folder and its parents without the root; also for paths that start with `//`."""
    found: list[str] = []
    while folder:
        found.append(folder)
        folder = folder.rpartition("/")[0]
    return tuple(found)


_kept_folders = lru_cache(maxsize=256)(folders_from)


def _unknown(text: str) -> Located:
    """A path that is unknown; what its last names say is kept."""
    shown = text[:MAX_PATH].partition("\0")[0].replace("\\", "/")
    parts = tuple(part for part in shown.split("/") if part not in ("", ".", ".."))
    kind = look_at_glob([part.lower() for part in parts]).kind
    guarded = kind is FileKind.GUARD
    return Located(
        path="", reach=Reach.GUARD if guarded else Reach.UNKNOWN, kind=kind, is_exact=False
    )
