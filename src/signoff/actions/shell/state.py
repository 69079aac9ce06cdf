"""What the interpreter carries along: variables, folders, functions, and where output goes.

Nothing here leaves `shell/`. A `ShellScope` is changed as commands run and copied where the shell
would fork; `merge` joins two possible pasts by forgetting what differs.

    scope.merge(before)   after `[ -f x ] && d=/tmp`: `d` is `/tmp` or unset, so it is unknown
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TypeAlias

from msgspec import Struct, field

from signoff.actions.place import is_on_drive
from signoff.actions.shell.command import Redirect, Stream, Word
from signoff.actions.shell.syntax.tree import Node, Unreadable
from signoff.actions.windows.forms import plain_path

MAX_DEPTH = 12  # of functions, wrappers and substitutions; deeper is not understood
MAX_KEPT = 200  # characters: longer paths would fill a cache with what somebody sent once
MAX_MAYBE = 3  # values that a variable may have; `unknown` is judged beside them
UNKNOWN_TEXT = "\ufffd"
Descriptors: TypeAlias = Mapping[str, Stream | Redirect]  # by number; `0` after `exec <`
_USED = re.compile(r"\$\{?([A-Za-z_][A-Za-z0-9_]*)")
UNKNOWN = Word(text=UNKNOWN_TEXT, is_known=False)


class Exhausted(Unreadable):
    """The budget of the whole line is used up; no part of it is parsed further."""


def unknown(sources: tuple[int, ...] = (), raw: str = "") -> Word:
    """Return a word with an unknown value; `sources` are the commands its value comes from."""
    return Word(text=UNKNOWN_TEXT, is_known=False, sources=sources, raw=raw)


@lru_cache(maxsize=64)
def _starting(cwd: str, variables: tuple[tuple[str, str], ...]) -> ShellScope:
    """The state a line starts with, to be copied."""
    known = {"TMPDIR": "/tmp", "PWD": cwd, **dict(variables)}  # noqa: S108 - the usual default
    words = {name: Word(text=text) for name, text in known.items()}
    return ShellScope(folder=cwd, variables=words, exported=frozenset(known))


@lru_cache(maxsize=4096)
def _absolute(path: str, folder: str) -> str:
    if is_on_drive(folder):
        path = plain_path(path)
    if path.startswith("/") or (is_on_drive(folder) and is_on_drive(path)):
        return posixpath.normpath(path)
    # The home is not known here, and joined to the folder it would be a file called `~`.
    if path == "~" or path.startswith("~/"):
        return ""
    return posixpath.normpath(posixpath.join(folder, path)) if folder else ""


class Output(Struct):
    """The standard output of a command; `text` is None if it is not known.

    `sketch` is what is known all the same, with U+FFFD for the rest: `/tmp/�` of `mktemp`.
    """

    text: str | None = ""
    sources: tuple[int, ...] = ()
    is_decoded: bool = False
    sketch: str = ""

    def joined(self, other: Output) -> Output:
        """Return this output followed by the other."""
        # Nothing was printed yet: what follows keeps its sketch.
        if not self.sources and self.text == "":
            return Output(other.text, other.sources, other.is_decoded, other.sketch)
        both = self.text is not None and other.text is not None
        text = f"{self.text}{other.text}" if both else None
        return Output(text, self.sources + other.sources, self.is_decoded or other.is_decoded)

    @property
    def stream(self) -> Stream:
        """Return this output as the standard input of the next command."""
        return Stream(text=self.text, sources=self.sources, is_decoded=self.is_decoded)


class Feed:
    """Standard input shared by the commands of a group or loop; `read` consumes lines of it."""

    __slots__ = ("rest", "stream")

    def __init__(self, stream: Stream) -> None:
        self.stream = stream
        self.rest = stream.text

    def line(self) -> str | None:
        """Consume and return the next line; None if it is unknown or there is none."""
        if not self.rest:
            return None
        line, _, self.rest = self.rest.partition("\n")
        return line


class Lines:
    """Input lines that commands in a branch, which may not run, may have consumed."""

    __slots__ = ("feed", "is_unsure", "rest")

    def __init__(self, feed: Feed | None) -> None:
        self.feed = feed
        self.rest = feed.rest if feed is not None else None
        self.is_unsure = False

    def kept(self, *, is_certain: bool) -> None:
        """Accept what was consumed; uncertain branches make it unknown."""
        if self.feed is not None and self.feed.rest != self.rest:
            self.is_unsure = self.is_unsure or not is_certain
            self.rest = self.feed.rest

    def put_back(self) -> None:
        """Restore the lines for the next branch."""
        if self.feed is not None and self.feed.rest != self.rest:
            self.is_unsure = True
            self.feed.rest = self.rest

    def settle(self) -> None:
        """Make the next input unknown if any branch consumed lines."""
        if self.feed is not None and self.is_unsure:
            self.feed.rest = None


class ShellFrame(Struct, frozen=True, gc=False):
    """The surroundings of a node while a line is read.

    Args:
        carriers: wrapper commands around it, outermost first.
        parent: index of the innermost wrapper command, -1 = the line itself.
        calls: names of the functions it runs in.
    """

    carriers: tuple[str, ...] = ()
    parent: int = -1
    depth: int = 0
    is_background: bool = False
    feed: Feed | None = None
    calls: tuple[str, ...] = ()

    def fed(self, stream: Stream) -> ShellFrame:
        """Return a copy whose standard input is `stream`."""
        return ShellFrame(
            self.carriers, self.parent, self.depth, self.is_background, Feed(stream), self.calls
        )


class ShellScope(Struct):
    """The state of one shell while a line is read.

    Args:
        folder: the working folder, "" once it is unknown.
        parameters: `$1`, `$2` ...
        files: text this line wrote, by absolute path; shared by copies, as processes share a disk.
        programs: programs this line copied, by absolute path; shared likewise.
        exported: variables and functions (`name()`) that other programs inherit.
        tricky: variables that do not simply hold what is assigned (read-only, integer, references).
        hidden: outer values of the variables that a running function has made local.
        exits: states in which a function or loop may have been left.
        maybe: possible values of variables that are not exactly known.
    """

    folder: str
    variables: dict[str, Word] = field(default_factory=dict)
    arrays: dict[str, tuple[Word, ...]] = field(default_factory=dict)
    parameters: tuple[Word, ...] = ()
    functions: dict[str, Node] = field(default_factory=dict)
    aliases: dict[str, str] = field(default_factory=dict)
    files: dict[str, Output] = field(default_factory=dict)
    programs: dict[str, Word] = field(default_factory=dict)
    exported: frozenset[str] = frozenset()
    tricky: frozenset[str] = frozenset()
    hidden: dict[str, Word | None] | None = None
    exits: list[ShellScope] = field(default_factory=list)
    before: str = ""
    stack: tuple[str, ...] = ()
    maybe: dict[str, tuple[Word, ...]] = field(default_factory=dict)
    descriptors: Descriptors = field(default_factory=dict)

    @staticmethod
    def starting(cwd: str, variables: Mapping[str, str]) -> ShellScope:
        """Return the state at the start of a line."""
        made = _starting(cwd, tuple(variables.items())).copy()
        made.files, made.programs, made.exits = {}, {}, []  # which copies share
        return made

    def copy(self) -> ShellScope:
        """Return an independent copy; written files stay shared."""
        return ShellScope(
            self.folder,
            self.variables.copy(),
            self.arrays.copy(),
            self.parameters,
            self.functions.copy(),
            self.aliases.copy(),
            self.files,
            self.programs,
            self.exported,
            self.tricky,
            self.hidden,
            self.exits,
            self.before,
            self.stack,
            self.maybe.copy(),
            self.descriptors,
        )

    def child(self) -> ShellScope:
        """Return the state of a shell started from here: only exported variables remain."""
        made = self.copy()
        made.variables = {n: w for n, w in self.variables.items() if n in self.exported}
        made.arrays, made.aliases = {}, {}
        if made.functions:
            made.functions = {n: f for n, f in made.functions.items() if f"{n}()" in self.exported}
        # A new process returns from no function of its parent.
        made.hidden, made.exits = None, []
        return made

    def enter(self, parameters: tuple[Word, ...], own_name: Word) -> None:
        """Begin a script: its parameters, and the name by which it is run."""
        self.parameters = parameters
        self.variables["0"] = own_name
        if own_name.is_known and "/" in own_name.text:
            self.arrays["BASH_SOURCE"] = (own_name,)

    def forget(self) -> None:
        """Make everything the line set unknown, as something unknown ran in this shell."""
        # Kept, as without these nearly every path of the line would be unknown.
        for name in self.variables.keys() - {"HOME", "PWD", "OLDPWD", "USER", "TMPDIR"}:
            self.variables[name] = UNKNOWN
        self.arrays = dict.fromkeys(self.arrays, (UNKNOWN,))
        self.parameters = (UNKNOWN,)

    def merge(self, other: ShellScope, *, keeps_folder: bool = False) -> None:
        """Make unknown what differs between this and another possible state."""
        if self.variables != other.variables:
            self._merge_variables(other, {"PWD", "OLDPWD"} if keeps_folder else set())
        for name in self.arrays.keys() | other.arrays.keys():
            if self.arrays.get(name) != other.arrays.get(name):
                self.arrays[name] = (UNKNOWN,)
        if self.parameters != other.parameters:
            self.parameters = (UNKNOWN,)
        if not keeps_folder and self.folder != other.folder:
            self.move_to("")
        if self.stack != other.stack:
            self.stack = ()
        # A function that only one of both pasts has may be called, so it is kept.
        self.functions = {**other.functions, **self.functions}
        self.aliases = {**other.aliases, **self.aliases}

    def _merge_variables(self, other: ShellScope, kept: set[str]) -> None:
        for name in (self.variables.keys() | other.variables.keys()) - kept:
            mine, theirs = self.variables.get(name), other.variables.get(name)
            if mine is not theirs and mine != theirs:
                sources = (mine.sources if mine else ()) + (theirs.sources if theirs else ())
                self.variables[name] = unknown(sources)
                values = (*self.maybe.get(name, ()), mine, theirs)
                self.maybe[name] = tuple(v for v in values if v and v.is_known)[:MAX_MAYBE]

    def assign(self, name: str, value: Word) -> None:
        """Set a variable in the scope it belongs to."""
        # To bash, an array and a plain variable of one name are the same variable.
        self.arrays.pop(name, None)
        self.maybe.pop(name, None)
        self.variables[name] = value

    def awaits(self, text: str) -> bool:
        """Return whether a text uses a variable that has no value yet."""
        return any(
            name not in self.variables and name not in self.arrays for name in _USED.findall(text)
        )

    def move_to(self, folder: str) -> None:
        """Change the working folder; "" = unknown."""
        self.before = self.folder
        self.folder = folder
        self.variables["PWD"] = Word(text=folder) if folder else UNKNOWN
        self.variables["OLDPWD"] = Word(text=self.before) if self.before else UNKNOWN

    def absolute(self, path: str) -> str:
        """Return `path` as an absolute path, "" if it is relative to an unknown folder."""
        find = _absolute if len(path) <= MAX_KEPT else _absolute.__wrapped__
        return find(path, self.folder)


def possible(scope: ShellScope, raws: Sequence[str]) -> Iterator[ShellScope]:
    """Yield the states in which unknown variables in these words have each possible value."""
    used = [name for name in scope.maybe if any("$" in raw and name in raw for raw in raws)]
    for n in range(max((len(scope.maybe[name]) for name in used), default=0)):
        state = scope.copy()
        # Copied here: a trial with a value that may not be must not write into the line's own
        # state.
        state.maybe, state.files, state.programs = {}, scope.files.copy(), scope.programs.copy()
        for name in used:
            if values := scope.maybe[name][n:]:
                state.variables[name] = values[0]
        yield state


class Before:
    """Saves variables, as assignments before a command hold for that command only."""

    __slots__ = ("exported", "variables")

    def __init__(self, scope: ShellScope) -> None:
        self.variables = scope.variables.copy()
        self.exported = scope.exported

    def restore(self, scope: ShellScope, raws: list[str]) -> None:
        """Undo these assignments."""
        scope.exported = self.exported
        for raw in raws:
            # `a[1]=x` and `a+=x` assign to `a`.
            name = raw.partition("=")[0].partition("[")[0].rstrip("+")
            if name in self.variables:
                scope.variables[name] = self.variables[name]
            else:
                scope.variables.pop(name, None)


def leave(scope: ShellScope, exits: list[ShellScope]) -> None:
    """Merge the states at which a function or loop may have ended early."""
    for state in scope.exits:
        scope.merge(state)
    scope.exits = exits


def differs(scope: ShellScope, before: ShellScope) -> bool:
    """Return whether a known variable differs from an earlier state."""
    return (
        any(scope.variables.get(name) != word for name, word in before.variables.items())
        or any(scope.arrays.get(name) != words for name, words in before.arrays.items())
        or scope.parameters != before.parameters
        or scope.folder != before.folder
    )
