"""What a file is, by its path alone: components in, `FileKind` out.

Names are compared case-blind, without the trailing dots, blanks and stream suffixes that some
file systems drop. The strongest meaning wins (`file_names.RANKING`); what makes a file
dangerous wins over what makes it boring, so a key in a build folder stays a key.

    kind_of(("home", "dev", ".ssh", "id_ed25519")) is FileKind.CREDENTIALS
"""

from __future__ import annotations

import fnmatch
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from signoff.actions.file_endings import (
    DEPENDENCY_FOLDERS,
    DOC_FOLDERS,
    ENDINGS,
    PUBLIC_STEMS,
    REBUILT_ENDINGS,
    REBUILT_FOLDERS,
    REBUILT_NAMES,
    REBUILT_OFTEN,
    SOURCE_FOLDERS,
    TEST_FOLDERS,
)
from signoff.actions.file_names import (
    AFFIXED,
    AT_ROOT,
    EXAMPLE_ENDINGS,
    IN_FOLDER,
    IN_HOME,
    NAMED,
    RANKING,
)
from signoff.actions.operation import FileKind

_Runs = dict[str, tuple[tuple[tuple[str, ...], FileKind], ...]]

RANK: Mapping[FileKind, int] = {kind: place for place, kind in enumerate(RANKING)}
_OTHER_RANK = RANK[FileKind.OTHER]
# Kinds of folders that say little about the files in them: an ending tells more.
_YIELDING = frozenset({FileKind.BACKUP, FileKind.INFRA})
# Kinds that count only below the project or home folder itself, not for where that folder is.
_LOCAL = frozenset({FileKind.AGENT_NOTES, FileKind.INFRA, FileKind.BACKUP})
_MAX_GLOB = 64


def _by_first(keys: Iterable[tuple[str, FileKind]]) -> _Runs:
    runs: _Runs = {}
    for key, kind in keys:
        first, *rest = key.replace("+", " ").split("/")
        runs[first] = (*runs.get(first, ()), (tuple(rest), kind))
    return runs


_ANYWHERE = _by_first((k, v) for k, v in IN_FOLDER.items() if not k.startswith("/"))
_ROOTED = _by_first(
    [*((k[1:], v) for k, v in IN_FOLDER.items() if k.startswith("/")), *AT_ROOT.items()]
)
_BY_INITIALS: dict[str, tuple[tuple[str, str, FileKind], ...]] = {}
for _start, _end, _kind in AFFIXED:
    _BY_INITIALS[_start[:3]] = (*_BY_INITIALS.get(_start[:3], ()), (_start, _end, _kind))
_CLOSED_PROC = frozenset({"environ", "mem", "maps", "cmdline", "auxv"})


def worse_kind(one: FileKind, other: FileKind) -> FileKind:
    """The stronger of two kinds."""
    return one if RANK[one] <= RANK[other] else other


def kind_of(parts: Sequence[str], *, local_from: int = 0) -> FileKind:
    """Tell the kind of the file at absolute components `parts`.

    Args:
        local_from: index of the first component inside the project or home folder.
    """
    if not parts:
        return FileKind.OTHER
    folded = [part.lower() for part in parts]
    name = folded[-1]
    strong = _strong_kind(folded, name, local_from)
    if strong is None:
        return _plain_kind(folded, name, local_from)
    if strong in _YIELDING:
        plain = _plain_kind(folded, name, local_from)
        return strong if plain in (FileKind.OTHER, FileKind.DATA, FileKind.INFRA) else plain
    return strong


def _strong_kind(folded: list[str], name: str, local_from: int) -> FileKind | None:
    best = _OTHER_RANK
    rooted = _ROOTED.get(folded[0])
    if rooted is not None:
        best = min(best, _run_rank(rooted, folded, 0, local_from=0))
    for at, part in enumerate(folded):
        runs = _ANYWHERE.get(part)
        if runs is not None:
            best = min(best, _run_rank(runs, folded, at, local_from=local_from))
    kind = NAMED.get(name) or _affixed(name)
    if kind is not None:
        best = min(best, RANK[kind])
    if local_from == len(folded) - 1 and name in IN_HOME and folded[0] in ("home", "users", "root"):
        best = min(best, RANK[IN_HOME[name]])
    if best == _OTHER_RANK:
        return None
    strong = RANKING[best]
    if strong in (FileKind.CREDENTIALS, FileKind.ENV) and _is_public(name):
        return FileKind.DATA
    if strong is FileKind.KERNEL and name in _CLOSED_PROC and folded[0] == "proc":
        return FileKind.CREDENTIALS if name in ("environ", "mem") else strong
    return strong


def _run_rank(
    runs: tuple[tuple[tuple[str, ...], FileKind], ...],
    folded: list[str],
    at: int,
    *,
    local_from: int,
) -> int:
    best = _OTHER_RANK
    for rest, kind in runs:
        if rest and tuple(folded[at + 1 : at + 1 + len(rest)]) != rest:
            continue
        if at < local_from and kind in _LOCAL:
            continue
        best = min(best, RANK[kind])
    return best


def _affixed(name: str) -> FileKind | None:
    for start, end, kind in _BY_INITIALS.get(name[:3], ()):
        if name.startswith(start) and name.endswith(end):
            return kind
    return None


def _is_public(name: str) -> bool:
    return name.endswith(EXAMPLE_ENDINGS) or name.startswith("known_hosts")


def _plain_kind(folded: list[str], name: str, local_from: int) -> FileKind:
    inner = folded[local_from:-1]
    if is_rebuildable(folded, local_from=local_from):
        return FileKind.LOG if name.endswith(".log") else FileKind.GENERATED
    stem, dot, ending = name.rpartition(".")
    kind = ENDINGS.get(ending, FileKind.OTHER) if dot and stem else FileKind.OTHER
    if kind is FileKind.CREDENTIALS:
        return _key_kind(stem, inner)
    if not TEST_FOLDERS.isdisjoint(inner) or _is_test_name(stem):
        return FileKind.TEST
    if not DOC_FOLDERS.isdisjoint(inner) and kind is not FileKind.SOURCE:
        return FileKind.DOC
    if kind is FileKind.BACKUP and local_from:
        return FileKind.DATA
    return kind


def _key_kind(stem: str, inner: list[str]) -> FileKind:
    """A key by its ending: public halves and test fixtures are data."""
    if stem in PUBLIC_STEMS:
        return FileKind.DATA
    return FileKind.CREDENTIALS if TEST_FOLDERS.isdisjoint(inner) else FileKind.TEST


def _is_test_name(stem: str) -> bool:
    return stem.startswith("test_") or stem.endswith(
        ("_test", ".test", ".spec", "_spec", ".cy", "_tests")
    )


def is_rebuildable(folded: Sequence[str], *, local_from: int = 0) -> bool:
    """Whether a command makes this file or folder again: build output, caches, dependencies."""
    inner = folded[local_from:]
    if not inner:
        return False
    name = inner[-1]
    if name in REBUILT_NAMES or (
        "." in name[1:] and name.rpartition(".")[2] in REBUILT_ENDINGS
    ):
        return True
    if name.endswith((".egg-info", ".dist-info", ".dSYM")):
        return True
    in_source = False
    for part in inner:
        if part in REBUILT_FOLDERS or (part in REBUILT_OFTEN and not in_source):
            return True
        in_source = in_source or part in SOURCE_FOLDERS
    return False


def is_dependency(parts: Sequence[str]) -> bool:
    """Whether a path lies in a folder of installed third-party packages."""
    return not DEPENDENCY_FOLDERS.isdisjoint(parts)


def glob_kind(parts: Sequence[str], *, local_from: int = 0) -> FileKind:
    """The strongest kind a path with glob characters in its components may expand to."""
    best = kind_of(parts, local_from=local_from)
    for at, part in enumerate(parts):
        if "*" in part or "?" in part or "[" in part:
            for name in _names_matching(part.lower()):
                tried = (*parts[:at], name, *parts[at + 1 :])
                best = worse_kind(best, kind_of(tried, local_from=local_from))
    return best


_GUARDED_KINDS = frozenset(RANKING[: RANK[FileKind.SHELL_HISTORY] + 1])


def _guarded_components() -> tuple[str, ...]:
    names = {n for n, kind in NAMED.items() if kind in _GUARDED_KINDS}
    for table in (IN_FOLDER, AT_ROOT):
        for key, kind in table.items():
            if kind in _GUARDED_KINDS:
                names.update(part for part in key.split("/") if part)
    return tuple(sorted(names))


_GUARDED_COMPONENTS = _guarded_components()


@lru_cache(maxsize=512)
def _names_matching(glob: str) -> tuple[str, ...]:
    """Protected component names that `glob` covers; none where it covers nearly everything."""
    letters = sum(1 for char in glob if char.isalnum())
    if letters < 2 or len(glob) > _MAX_GLOB:
        return ()
    hidden = glob.startswith(".")
    return tuple(
        name
        for name in _GUARDED_COMPONENTS
        if name.startswith(".") <= hidden and fnmatch.fnmatchcase(name, glob)
    )[:8]
