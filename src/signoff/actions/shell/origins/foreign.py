"""What version control brings into a repository from a place that the session chose itself.

The project's own remotes are the project's. A remote that the session added, and what it fetched
by an address, were written by others: a file taken out of them was fetched, a patch from the
network changes files nobody named.

    git remote add x URL ; git checkout x/main -- run.sh      run.sh is fetched
    git fetch URL ; git show FETCH_HEAD:run.sh > a.sh         a.sh is fetched
    git pull URL ; make                                       asked: nobody read what it builds
    curl -o p.diff URL ; git apply p.diff                     not understood
"""

from __future__ import annotations

import posixpath
from collections.abc import Collection, Iterator, Sequence

from signoff.actions.operation import Operation, Verb
from signoff.actions.place import Place
from signoff.actions.shell.command import Command
from signoff.values import replace

_HEAD = "/.git/FETCH_HEAD"
WHOLE = "/.git/FETCHED_TREE"  # the work tree holds what an address gave
_REMOTES = "/.git/refs/remotes/"
_PATCHES = frozenset({"apply", "am"})
_TAKES_TREE = frozenset({"checkout", "switch", "merge", "reset", "rebase", "cherry-pick"})
_BRINGING = (
    _PATCHES | _TAKES_TREE | {"remote", "fetch", "pull", "restore", "worktree", "show", "cat-file"}
)
_FROM = frozenset({"-s", "--source"})
WHY = "applies a patch from the network that was not read"


def brings_versions(command: Command) -> bool:
    """Return, quickly, whether any function below may find something in a command."""
    return command.program != "git" or any([word.text in _BRINGING for word in command.words])


def fetched_refs(command: Command, place: Place) -> Iterator[str]:
    """Yield a mark, a path below `.git`, for each remote that a command adds or fetches."""
    root = place.project or command.cwd
    match _plain(command):
        case ["remote", "add" | "set-url", name, url, *_] if _is_elsewhere(url):
            yield f"{root}{_REMOTES}{name}/"
        case ["fetch" | "pull" as verb, *given] if any(map(_is_elsewhere, given[:2])):
            yield f"{root}{_HEAD}"
            if verb == "pull":
                yield f"{root}{WHOLE}"


def files_of_refs(command: Command, place: Place, known: Collection[str]) -> Iterator[str]:
    """Yield the files and work trees that a command checks out from a fetched remote.

    Args:
        known: marks of this line and earlier calls; a folder ends in `/`.
    """
    given = _plain(command) if known else []
    paths: list[str] = []
    match given:
        case [verb, ref] if verb in _TAKES_TREE and ref == "FETCH_HEAD":
            yield f"{place.project or command.cwd}{WHOLE}"
        case ["checkout", ref, *paths] if _is_foreign(ref, place, known):
            pass
        case ["restore", *paths] if any(
            [_is_foreign(text, place, known) for text in _sources(command)]
        ):
            pass
        case ["worktree", "add", path, ref, *_] if _is_foreign(ref, place, known):
            yield posixpath.normpath(posixpath.join(command.cwd, path)) + "/"
        case _:
            return
    for path in paths:
        if path != "--":
            yield posixpath.normpath(posixpath.join(command.cwd, path))


def prints_foreign(command: Command, place: Place, known: Collection[str]) -> bool:
    """Return whether a command prints a file of a fetched remote: `git show FETCH_HEAD:x`."""
    match _plain(command) if known else []:
        case ["show" | "cat-file" | "archive" | "diff" | "format-patch", *given]:
            return any([_is_foreign(text.partition(":")[0], place, known) for text in given])
    return False


def unread_patch(
    command: Command, operations: list[Operation], *, is_fetched: bool
) -> list[Operation]:
    """Mark that nobody has read what a downloaded patch changes."""
    if not is_fetched or not _applies(command):
        return operations
    return [
        replace(op, understood=False, why=WHY) if op.verb is Verb.WRITE else op for op in operations
    ]


def _applies(command: Command) -> bool:
    if command.program == "git":
        return not _PATCHES.isdisjoint(_plain(command)[:1])
    return command.program in {"patch", "gpatch"}


def _plain(command: Command) -> list[str]:
    """Return the words of a `git` call without options, [] for other programs."""
    if command.program != "git":
        return []
    return [word.text for word in command.words[1:] if word.text[:1] != "-" or word.text == "--"]


def _sources(command: Command) -> Sequence[str]:
    texts = [word.text for word in command.words]
    found = [text.partition("=")[2] for text in texts if text.startswith("--source=")]
    return [*found, *(texts[at + 1] for at, text in enumerate(texts[:-1]) if text in _FROM)]


def _is_elsewhere(url: str) -> bool:
    # `git@host:path` is an address as well (git-clone); a plain path is a repository on this
    # disk.
    return "://" in url or (":" in url and "@" in url)


def _is_foreign(ref: str, place: Place, known: Collection[str]) -> bool:
    root = place.project or place.cwd
    if ref.startswith("FETCH_HEAD"):
        return f"{root}{_HEAD}" in known
    name, slash, _ = ref.removeprefix("refs/remotes/").partition("/")
    return bool(slash) and f"{root}{_REMOTES}{name}/" in known
