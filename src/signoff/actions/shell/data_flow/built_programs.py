"""Programs in a folder in which the same line builds the project's sources.

cmake -S test -B /tmp/b && ninja -C /tmp/b && /tmp/b/unit_tests      what the line built
git worktree add /tmp/w HEAD; cd /tmp/w; cmake -B b; make -C b; b/t  the project's sources as well
git clone URL /tmp/x && cmake -S /tmp/x -B /tmp/b && /tmp/b/tool     the sources of others
/tmp/b/unit_tests                                                    what was there

The build has to be configured or told its folder by literal words, on sources in the project or in
a linked work tree that the line adds; nothing else may come into the folder, nor from the network.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping, Sequence

from signoff.actions.operation import Operation, Reach, Trait, Verb
from signoff.actions.paths import is_inside
from signoff.actions.shell.command import Command
from signoff.actions.vocabulary import words
from signoff.values import replace

# Options whose value is the folder that a program builds in.
_BUILDS_IN: Mapping[str, frozenset[str]] = {
    "cmake": words("-B --build"),
    "ninja": words("-C"),
    **dict.fromkeys(("make", "gmake"), words("-C --directory")),
    "meson": words("-C"),
    "cargo": words("--target-dir"),
    "swift": words("--scratch-path --build-path"),
    "zig": words("--prefix -p"),
    "xcodebuild": words("-derivedDataPath"),
    "dotnet": words("-o --output --artifacts-path"),
    "stack": words("--work-dir --local-bin-path"),
    "cabal": words("--builddir"),
    "dune": words("--build-dir"),
}
# These are told the sources as well; without one of these the folder they stand in is built.
_SOURCES: Mapping[str, frozenset[str]] = {"cmake": words("-S")}
_CONFIGURE = words("cmake meson cargo swift zig xcodebuild dotnet stack cabal dune")
_BRINGS = frozenset({Verb.NETWORK_IN, Verb.INSTALL})
_FOREIGN = frozenset(
    {
        *(Trait.REMOTE_CODE, Trait.DECODED, Trait.FETCHED, Trait.WRITTEN_NOW, Trait.HIDDEN),
        *(Trait.AS_ROOT, Trait.READS_SECRET, Trait.SENDS_SECRET),
    }
)
_MOST_WORDS = 100


def of_built_programs(
    operations: tuple[Operation, ...], commands: tuple[Command, ...], project: str
) -> tuple[Operation, ...]:
    """Return the operations of a line, with programs that the line built as understood."""
    waiting = [op for op in operations if _may_be_built(op)]
    if not waiting or any(map(_brings, operations)):
        return operations
    trees = (project, *_linked_trees(commands))
    folders = [
        folder
        for one in commands
        if any([is_inside(source, tree) for source in _sources(one) for tree in trees if tree])
        for folder in _folders(one)
    ]
    building = {one.index for one in commands if one.program in _BUILDS_IN}
    written = [
        op.path
        for op in operations
        if op.verb is Verb.WRITE and op.path and op.group not in building
    ]
    own = [one for one in folders if not any([is_inside(path, one) for path in written])]
    return tuple([_built(op) if _may_be_built(op) and _is_in(op, own) else op for op in operations])


def _may_be_built(op: Operation) -> bool:
    is_run = op.verb is Verb.EXECUTE and not op.understood and bool(op.path)
    return is_run and _FOREIGN.isdisjoint(op.traits)


def _brings(op: Operation) -> bool:
    return op.verb in _BRINGS and op.reach not in (Reach.LOOPBACK, Reach.NONE)


def _is_in(op: Operation, folders: Sequence[str]) -> bool:
    return any([is_inside(op.path, one) and op.path != one for one in folders])


def _built(op: Operation) -> Operation:
    return replace(op, understood=True, why="", reversible=True, reach=Reach.PROJECT)


def _linked_trees(commands: Sequence[Command]) -> Iterator[str]:
    """Yield the folders into which git puts the project's own files."""
    for one in commands:
        texts = [word.text for word in one.words[1:_MOST_WORDS]]
        if one.program == "git" and texts[:2] == ["worktree", "add"]:
            yield from [_at(one, word.text) for word in one.words[3:6] if word.is_known]


def _sources(command: Command) -> Iterator[str]:
    """Yield where the sources of a build lie: a named folder, or where it stands."""
    if command.program not in _CONFIGURE or not command.cwd:
        return
    texts = [word.text for word in command.words[1:_MOST_WORDS]]
    if "--build" in texts:
        return
    named = list(_values(command, _SOURCES.get(command.program, frozenset())))
    if command.program == "meson" and texts[:1] == ["setup"]:
        named = [_at(command, text) for text in texts[2:3] if text[:1] != "-"]
    yield from named or [command.cwd]


def _folders(command: Command) -> Iterator[str]:
    yield from _values(command, _BUILDS_IN[command.program])
    if command.program == "meson":
        yield from [_at(command, word.text) for word in command.words[2:3] if word.is_known]


def _values(command: Command, options: frozenset[str]) -> Iterator[str]:
    given = command.words[1:_MOST_WORDS]
    for at, word in enumerate(given):
        name, mark, value = word.text.partition("=")
        short = next((one for one in options if len(one) == 2 and name.startswith(one)), "")
        if name in options:
            value = value if mark else "".join([one.text for one in given[at + 1 : at + 2]])
        elif short:
            value = word.text[2:]
        else:
            continue
        if value and "\ufffd" not in value:
            yield _at(command, value)


def _at(command: Command, text: str) -> str:
    return posixpath.normpath(posixpath.join(command.cwd, text))
