"""Secrets in a repository: staged, committed on which branch, taken out again, and so in a push.

What `git` did since a secret was staged is kept as numbered marks below the repository's index, in
order, and played again. So a push is refused while its branch holds the secret, and passes once
it was unstaged, reset or amended away, or where another branch is pushed.

    git add -f .env ; git commit -m x ; git push          leaves
    git add -f .env ; git reset ; git push                does not
    git switch -c x ; git add -f .env ; git commit -m x ; git push origin main      does not
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import TypeAlias

from signoff.actions.known.file_kinds import SECRET_KINDS
from signoff.actions.paths import is_inside, locate
from signoff.actions.place import Place
from signoff.actions.shell.command import Command, operands
from signoff.actions.shell.secret_copies.added_secrets import copies_in, secrets_added
from signoff.actions.vocabulary import lazy_re, words
from signoff.values import replace

INDEX = "/.git/index"
EVENTS_LIMIT = 500
_BACK = lazy_re(r"(?:HEAD|@)(?:(?P<carets>\^+)|~(?P<count>\d*))")
_PUBLISHED = lazy_re(r"(?:refs/remotes/)?(?:origin|upstream)/|@\{u(?:pstream)?\}|HEAD@\{u")
_HASH = lazy_re(r"[0-9a-f]{7,40}\Z|ORIG_HEAD\Z")
_ALL = lazy_re(r"-\w*a\w*")
_VALUES = words("-m --message -F --file --author --date -o --push-option --source")
_FIRST = ("add ", "hold", "switch ", "create ")  # what happened before a secret came is no matter
# The commands of `git` that can be such a first one.
BEGINNING = words("add stage notes tag switch checkout stash commit")
HOLD = "hold"
# What is told to these is published with the next push: messages, names of branches and tags.
TOLD_TO = words("commit notes tag branch switch checkout stash")
MESSAGE = "/:message"  # what a commit says, among what it holds
_GIVES_TEXT = words("-m --message -F --file -C --reuse-message")
_STASH = "stash@"  # what was put aside is no branch, and can be pushed by its name all the same
_HIDDEN = "?"  # the branch the session began on: its name is not known
_EVERYWHERE = frozenset({"--all", "--mirror", "--branches", "--tags", "--follow-tags"})


class Index:
    """The staged and committed secrets of one repository, updated per command."""

    def __init__(self, root: str, marks: Iterable[str]) -> None:
        self._folder = f"{root}{INDEX}/"
        self._events = sorted(mark for mark in marks if mark.startswith(self._folder))
        self._staged: set[str] = set()
        self._dropped: set[str] = set()
        self._held: dict[str, int] = {}  # commits since, by branch
        self._paths: dict[str, set[str]] = {}
        self._branch = _HIDDEN
        self._players: dict[str, Callable[[str], None]] = {
            "add": self._add,
            "drop": self._drop,
            "commit": self._commit,
            "amend": lambda _: self._commit("", is_amended=True),
            "hold": self._hold,
            "merge": self._merge,
            "back": self._go_back,
            "soft": lambda steps: self._go_back(steps, keeps=True),
            "switch": self._switch,
            "create": self._create,
            "copy": self._copy,
            "gone": self._forget,
            "clean": self._clean,
            "stash": self._stash,
            "unstash": self._unstash,
        }
        for mark in self._events[:EVENTS_LIMIT]:
            self._play(mark[len(self._folder) :].partition(" ")[2])

    @property
    def has_secret(self) -> bool:
        """Whether a secret is staged, or committed on some branch."""
        return bool(self._staged or self._held)

    @property
    def is_held(self) -> bool:
        """Whether the branch of the work tree holds a secret in a commit."""
        return self._branch in self._held

    def take(self, event: str) -> str:
        """Apply one event; return its mark for later calls, "" if nothing changed."""
        if not event or not (self._events or begins([event])):
            return ""
        mark = f"{self._folder}{len(self._events):04} {event}"
        self._events.append(mark)
        self._play(event)
        return mark

    def leaves(self, texts: Sequence[str]) -> bool:
        """Return whether a push publishes a secret.

        Args:
            texts: the words after `push`.
        """
        if not self._held:
            return False
        if not _EVERYWHERE.isdisjoint(texts):
            return True
        plain = operands(texts, _VALUES)
        named = [text.lstrip("+").partition(":")[0] for text in plain[1:]]
        if not named:
            return self.is_held
        return any(map(self._is_held_by, filter(None, named)))

    def _is_held_by(self, name: str) -> bool:
        name = name.removeprefix("refs/heads/").removeprefix("refs/tags/")
        if name in {"HEAD", "@", self._branch}:
            return self.is_held
        if name in self._held or "*" in name or "@{" in name or name.startswith("refs/"):
            return True
        # A name nobody gave in this session may be that of the branch it began on.
        return _HIDDEN in self._held and name not in self._paths

    def _play(self, event: str) -> None:
        kind, _, rest = event.partition(" ")
        play = self._players.get(kind)
        if play is not None:
            play(rest)

    def _add(self, path: str) -> None:
        self._staged.add(path)
        self._dropped.discard(path)

    def _hold(self, _: str) -> None:
        self._held[self._branch] = 1
        self._paths.setdefault(self._branch, set()).add("*")

    def _merge(self, name: str) -> None:
        if self._is_held_by(name) and not self.is_held:
            self._held[self._branch] = 1
            self._paths[self._branch] = set(self._paths.get(name, {"*"}))

    def _switch(self, name: str) -> None:
        self._branch = name
        self._paths.setdefault(name, set())

    def _create(self, name: str) -> None:
        self._copy(name)
        self._branch = name

    def _forget(self, name: str) -> None:
        self._held.pop(name, None)

    def _stash(self, _: str) -> None:
        if self._staged:
            self._held[_STASH], self._paths[_STASH] = 1, set(self._staged)
            self._staged.clear()

    def _unstash(self, _: str) -> None:
        if _STASH in self._held:
            self._staged |= self._paths[_STASH]

    def _clean(self, _: str) -> None:
        self._held.clear()
        self._staged.clear()

    def _drop(self, path: str) -> None:
        inside = {one for one in self._staged if not path or is_inside(one, path)}
        self._staged -= inside
        self._dropped |= inside or {path}

    def _commit(self, _: str, *, is_amended: bool = False) -> None:
        branch, staged = self._branch, set(self._staged)
        self._staged.clear()
        # An amended commit replaces the last one only: with two since, the secret is in an older
        # one.
        if is_amended and self._held.get(branch) == 1:
            left = {
                one
                for one in self._paths.get(branch, ())
                if not any(not path or is_inside(one, path) for path in self._dropped)
            }
            self._paths[branch] = left | staged
            if not self._paths[branch]:
                del self._held[branch]
        elif staged and not self._held.get(branch):
            self._held[branch], self._paths[branch] = 1, staged
        elif branch in self._held and not is_amended:
            self._held[branch] += 1
        self._dropped.clear()

    def _go_back(self, steps: str, *, keeps: bool = False) -> None:
        count = int(steps)
        depth = self._held.get(self._branch, 0)
        if not keeps:
            self._staged.clear()
        # 0 stands for the published state, which is before every commit of the session.
        if depth and (count == 0 or count >= depth):
            del self._held[self._branch]
            if keeps:
                self._staged |= self._paths.get(self._branch, set()) - {MESSAGE}
        elif depth:
            self._held[self._branch] = depth - count

    def _copy(self, name: str) -> None:
        self._paths[name] = set(self._paths.get(self._branch, ()))
        if self._branch in self._held:
            self._held[name] = self._held[self._branch]


def begins(events: Iterable[str]) -> bool:
    """Return whether any of these events starts the tracking of a repository."""
    return any([event.startswith(_FIRST) for event in events])


def root_of(command: Command, place: Place) -> str:
    """Return the repository a `git` command works in."""
    folder = command.cwd
    texts = [word.text for word in command.words]
    if texts[1:2] == ["-C"] and texts[2:3]:
        folder = posixpath.normpath(posixpath.join(folder, texts[2]))
    project = place.project or place.cwd
    return project if not folder or is_inside(folder, project) else folder


def known_secrets(marks: Iterable[str]) -> frozenset[str]:
    """Return the paths of secrets, without repositories that hold none any more."""
    marks = frozenset(marks)
    if not any([f"{INDEX}/" in mark for mark in marks]):
        return marks
    roots = {mark.partition(f"{INDEX}/")[0] for mark in marks if f"{INDEX}/" in mark}
    held = {f"{root}{INDEX}" for root in roots if Index(root, marks).has_secret}
    return frozenset(held.union(mark for mark in marks if f"{INDEX}/" not in mark))


def with_secrets(place: Place, paths: Collection[str]) -> Place:
    """Return a place whose session knows of further secrets: `cp .env docs/a.txt` makes one."""
    if place.facts.secrets_read.issuperset(paths):
        return place
    known = place.facts.secrets_read.union(paths)
    return replace(place, facts=replace(place.facts, secrets_read=known))


def events_of(command: Command, place: Place) -> list[str]:
    """Return the events for `Index` that a `git` command causes."""
    texts = [word.text for word in command.words[1:]]
    while texts[:1] and texts[0][:1] == "-":
        del texts[: 2 if texts[0] in {"-C", "-c"} else 1]
    reading = _READING.get(texts[0]) if texts else None
    if reading is None:
        return []
    here = place if place.cwd == command.cwd else replace(place, cwd=command.cwd)
    return reading(texts[0], texts[1:], here)


def _added(_: str, given: Sequence[str], place: Place) -> list[str]:
    return [f"add {path}" for path in secrets_added(given, place)]


def _committed(_: str, given: Sequence[str], place: Place) -> list[str]:
    events: list[str] = []
    if any([text == "--all" or _ALL.fullmatch(text) for text in given]):
        copies = copies_in(place.project or place.cwd, place)
        events += [f"add {path}" for path in copies]
    events += [f"add {MESSAGE}"] if _is_given_secret(given, place) else []
    if "--amend" not in given:
        return [*events, "commit"]
    is_said_anew = not _GIVES_TEXT.isdisjoint([text.partition("=")[0] for text in given])
    return [f"drop {MESSAGE}", *events, "amend"] if is_said_anew else [*events, "amend"]


def _annotated(verb: str, given: Sequence[str], place: Place) -> list[str]:
    if _is_given_secret(given, place):
        return [HOLD]
    names = operands(given, _VALUES)
    return [f"copy {names[0]}"] if verb == "tag" and names and "-d" not in given else []


def _is_given_secret(given: Sequence[str], place: Place) -> bool:
    """Return whether a message is read from a secret: `-F .env`, `--file=.env`."""
    named = [text for before, text in pairwise(given) if before in {"-F", "--file"}]
    named += [text.partition("=")[2] for text in given if text.startswith("--file=")]
    return any([_is_secret(text, place) for text in named])


def _is_secret(text: str, place: Place) -> bool:
    at = locate(text, place)
    return at.read_kind in SECRET_KINDS or at.path in place.facts.secrets_read


def _undone(verb: str, given: Sequence[str], place: Place) -> list[str]:
    paths = [text for text in operands(given, _VALUES) if text != "--"]
    if verb == "restore":
        is_staged = not {"--staged", "-S", "-SW", "-WS"}.isdisjoint(given)
        return _dropped(paths, place) if is_staged else []
    if verb == "update-index":
        return _dropped(paths, place) if "--force-remove" in given else []
    if verb == "rm":
        return _dropped(paths, place)
    to = paths[0] if paths and _is_commit(paths[0], given) else ""
    if paths[1:] or (paths and not to):
        return _dropped(paths[1:] if to else paths, place)
    return _reset(to, is_soft="--soft" in given)


def _reset(to: str, *, is_soft: bool) -> list[str]:
    if to in {"", "HEAD", "@"}:
        return [] if is_soft else ["drop "]
    found = _BACK.fullmatch(to)
    if found is not None:
        carets, count = found["carets"], found["count"]
        steps = len(carets) if carets else int(count or 1) if count != "0" else 0
        return [f"{'soft' if is_soft else 'back'} {min(steps, 999)}"] if steps else ["drop "]
    if _PUBLISHED.match(to):
        return ["soft 0" if is_soft else "back 0"]
    return [] if is_soft else ["drop "]  # how far back another commit lies is not known


def _is_commit(text: str, given: Sequence[str]) -> bool:
    if "--" in given:
        return given.index(text) < given.index("--")
    return text in {"HEAD", "@"} or any(
        pattern.match(text) is not None for pattern in (_BACK, _PUBLISHED, _HASH)
    )


def _dropped(paths: Sequence[str], place: Place) -> list[str]:
    return [f"drop {locate(text, place).path}" for text in paths]


def _switched(_: str, given: Sequence[str], _place: Place) -> list[str]:
    if "--" in given:
        return []
    names = operands(given, _VALUES)
    if {"-b", "-B", "-c", "-C", "--create", "--orphan"}.isdisjoint(given):
        return [f"switch {names[0]}"] if len(names) == 1 and "." not in names[0] else []
    if names[1:] or "--orphan" in given:
        return [f"switch {names[0]}"]  # begins elsewhere
    return [f"create {names[0]}"] if names else []


def _branched(_: str, given: Sequence[str], _place: Place) -> list[str]:
    names = operands(given, _VALUES)
    if not {"-d", "-D", "--delete"}.isdisjoint(given):
        return [f"gone {name}" for name in names]
    return [f"copy {names[0]}"] if len(names) == 1 and given[:1] == names else []


def _merged(_: str, given: Sequence[str], _place: Place) -> list[str]:
    return [f"merge {name}" for name in operands(given, _VALUES)[:1]]


def _stashed(_: str, given: Sequence[str], place: Place) -> list[str]:
    if given[:1] in (["pop"], ["apply"]):
        return ["unstash"]
    # `git stash push .env` puts a file aside that was never staged.
    named = [text for text in operands(given[1:], _VALUES) if _is_secret(text, place)]
    if given[:1] == ["push"] and named:
        return [*(f"add {locate(text, place).path}" for text in named), "stash"]
    return ["stash"] if given[:1] in ([], ["push"], ["save"]) or given[0][:1] == "-" else []


def _rewritten(_verb: str, _given: Sequence[str], _place: Place) -> list[str]:
    return ["clean"]


_Reading: TypeAlias = Callable[[str, Sequence[str], Place], list[str]]
_READING: Mapping[str, _Reading] = {
    **dict.fromkeys(("add", "stage"), _added),
    "commit": _committed,
    **dict.fromkeys(("notes", "tag"), _annotated),
    **dict.fromkeys(("rm", "restore", "reset", "update-index"), _undone),
    **dict.fromkeys(("switch", "checkout"), _switched),
    "branch": _branched,
    **dict.fromkeys(("merge", "cherry-pick"), _merged),
    "stash": _stashed,
    **dict.fromkeys(("filter-repo", "filter-branch"), _rewritten),
}
