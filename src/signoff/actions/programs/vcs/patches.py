"""Patches: which files they touch, and the lines they add.

Reads the `*** Begin Patch` form of coding agents and unified diffs.

    read_patch("*** Begin Patch\\n*** Delete File: a.py\\n*** End Patch")
        == (PatchedFile(path="a.py", is_deleted=True),)
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct, field

from signoff.actions.operation import Trait, Verb
from signoff.actions.paths import locate
from signoff.actions.place import Place
from signoff.actions.programs.acts import Effect
from signoff.actions.programs.call import ProgramCall
from signoff.actions.shell.command import Command, Word

MOST_FILES = 500
MAX_PATCH = 4_000_000
APPLIES = frozenset({"apply", "am"})

_ADD, _UPDATE, _DELETE, _MOVE = (
    "*** Add File: ",
    "*** Update File: ",
    "*** Delete File: ",
    "*** Move to: ",
)


class PatchedFile(Struct, frozen=True, kw_only=True):
    """One file that a patch changes."""

    path: str
    added: str = ""
    removed: str = ""
    moved_to: str = ""
    is_new: bool = False
    is_deleted: bool = False


class _PatchDraft(Struct):
    """A file of a patch while its lines are read."""

    path: str
    is_new: bool = False
    is_deleted: bool = False
    moved_to: str = ""
    added: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)

    def take(self, line: str) -> None:
        """Keep the text of an added or a removed line."""
        if line.startswith("+"):
            self.added.append(line[1:])
        elif line.startswith("-"):
            self.removed.append(line[1:])

    def done(self) -> PatchedFile:
        return PatchedFile(
            path=self.path,
            added="\n".join(self.added),
            removed="\n".join(self.removed),
            moved_to=self.moved_to,
            is_new=self.is_new,
            is_deleted=self.is_deleted,
        )


def read_patch(text: str) -> tuple[PatchedFile, ...] | None:
    """Return the files a patch changes, None if it cannot be parsed."""
    if len(text) > MAX_PATCH:
        return None
    lines = text.split("\n")
    reads = _agent_patch if "*** Begin Patch" in text else _unified_diff
    drafts = list(reads(lines))
    # A patch is read whole or not at all: what part of it does is no answer.
    if not drafts or len(drafts) > MOST_FILES or not all(draft.path for draft in drafts):
        return None
    return tuple(draft.done() for draft in drafts)


def patch_of(command: Command, place: Place) -> tuple[PatchedFile, ...]:
    """Return the files that a `patch`, `git apply` or `git am` changes, if its patch is known."""
    words = [word.text for word in command.words[1:]]
    if command.program == "git" and not APPLIES.intersection(words[:3]):
        return ()
    texts = [command.stdin.text or ""] if command.stdin is not None else []
    texts += [redirect.text or "" for redirect in command.redirects]
    for name in (*words, *(redirect.target.text for redirect in command.redirects)):
        fact = place.files.get(locate(name, place, has_glob=False).path) if name else None
        if fact is not None and fact.text:
            texts.append(fact.text)
    found = (read_patch(text) for text in texts if "+++ " in text or "rename " in text)
    return tuple(file for files in found for file in files or ())


def patched(call: ProgramCall) -> Iterator[Effect]:
    """Yield the files that a known patch creates, changes or moves."""
    for file in patch_of(call.command, call.place):
        yield call.on_file(Verb.WRITE, Word(text=file.moved_to or file.path), Trait.PARTIAL)


def _agent_patch(lines: list[str]) -> Iterator[_PatchDraft]:
    draft: _PatchDraft | None = None
    for line in lines:
        started = _started(line)
        if started is not None:
            if draft is not None:
                yield draft
            draft = started
        elif draft is not None:
            if line.startswith(_MOVE):
                draft.moved_to = line[len(_MOVE) :].strip()
            else:
                draft.take(line)
    if draft is not None:
        yield draft


def _started(line: str) -> _PatchDraft | None:
    if line.startswith(_ADD):
        return _PatchDraft(line[len(_ADD) :].strip(), is_new=True)
    if line.startswith(_UPDATE):
        return _PatchDraft(line[len(_UPDATE) :].strip())
    if line.startswith(_DELETE):
        return _PatchDraft(line[len(_DELETE) :].strip(), is_deleted=True)
    return None


def _unified_diff(lines: list[str]) -> Iterator[_PatchDraft]:
    old, draft = "", None
    for line in lines:
        if line.startswith("--- "):
            old = _diff_path(line)
        elif line.startswith("+++ "):
            if draft is not None:
                yield draft
            new = _diff_path(line)
            # git writes `/dev/null` for the side on which the file does not exist.
            draft = _PatchDraft(new or old, is_new=not old, is_deleted=not new)
        elif line.startswith(("rename to ", "copy to ")):
            yield _PatchDraft(line.partition(" to ")[2].strip())
        elif draft is not None:
            draft.take(line)
    if draft is not None:
        yield draft


def _diff_path(line: str) -> str:
    """The path after `---` or `+++`, "" for the side that does not exist."""
    # GNU diff puts a time behind a tab.
    path = line[4:].partition("\t")[0].strip().strip('"')
    if path == "/dev/null":
        return ""
    # What `patch -p1` and `git apply` drop: git's names for the two sides.
    return path[2:] if path.startswith(("a/", "b/")) else path
