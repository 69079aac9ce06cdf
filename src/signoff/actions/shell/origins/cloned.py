"""Running what was cloned a moment ago: `git clone URL && cd x && ./configure`.

The text of a repository that the same line fetches is known to nobody. A script of it that runs
is code from the network; a build in its folder runs what was written now.

    git clone https://g.example/x && ./x/install.sh   -> EXECUTE, traits={REMOTE_CODE}
"""

from __future__ import annotations

import posixpath
from collections.abc import Collection, Sequence

from signoff.actions.operation import Operation, Trait, Verb
from signoff.actions.shell.command import Command
from signoff.values import replace

# How each program is told to bring a repository, by its first words.
CLONERS = {
    "git": frozenset({"clone"}),
    "gh": frozenset({"clone"}),
    "glab": frozenset({"clone"}),
    "hg": frozenset({"clone"}),
    "svn": frozenset({"checkout", "co", "export"}),
    "jj": frozenset({"clone"}),
    "bzr": frozenset({"branch", "checkout", "export"}),
    "fossil": frozenset({"clone", "open"}),
    "darcs": frozenset({"clone", "get"}),
}
BY_NAME = frozenset({"gh", "glab"})  # these know a repository by `owner/name`
BUILDERS = frozenset({"make", "gmake", "ninja", "just", "rake", "cmake", "scons", "meson"})
VALUES = frozenset(
    {"-b", "--branch", "--depth", "-o", "--origin", "-c", "--config", "-j", "--jobs"}
)


def mark_cloned(
    commands: Sequence[Command],
    by_command: list[list[Operation]],
    downloaded: Collection[str] = (),
) -> None:
    """Add what running in a folder cloned by the same line or session means, in place.

    Args:
        downloaded: what the session fetched; folders end in `/`.
    """
    folders = [path[:-1] for path in downloaded if path.endswith("/")]
    for at, command in enumerate(commands):
        if folders:
            by_command[at] = [_marked(op, command, folders) for op in by_command[at]]
        if folder := cloned_into(command):
            folders.append(folder)


def cloned_into(command: Command) -> str:
    """The folder that `git clone` and its like make, "" for anything else or an unknown one."""
    telling = CLONERS.get(command.program)
    if telling is None or not command.cwd:
        return ""
    texts = [word.text for word in command.words[1:]]
    at = next((n for n, text in enumerate(texts) if text in telling), None)
    if at is None:
        return ""
    texts = texts[at + 1 :]
    plain = [
        text
        for n, text in enumerate(texts)
        if text[:1] != "-" and not (n and texts[n - 1] in VALUES)
    ]
    is_named = command.program in BY_NAME
    if not plain or not (is_named or "://" in plain[0] or "@" in plain[0]):
        return ""
    name = plain[0].rstrip("/").rsplit("/", 1)[-1].rsplit(":", 1)[-1].removesuffix(".git")
    return posixpath.normpath(posixpath.join(command.cwd, plain[1] if plain[1:] else name))


def _marked(op: Operation, command: Command, folders: Sequence[str]) -> Operation:
    if op.verb is not Verb.EXECUTE:
        return op
    if op.path:
        is_script = any(_is_inside(op.path, folder) for folder in folders)
    else:
        is_script = command.program in {"configure", "autogen.sh", "bootstrap"} and _is_here(
            command, folders
        )
    if is_script:
        return replace(op, traits=op.traits | {Trait.REMOTE_CODE}, reversible=False)
    if command.program not in BUILDERS or not _is_here(command, folders):
        return op
    why = "builds what was cloned a moment ago"
    traits = op.traits | {Trait.WRITTEN_NOW}
    return replace(op, traits=traits, understood=False, why=why, reversible=False)


def _is_here(command: Command, folders: Sequence[str]) -> bool:
    return any(_is_inside(command.cwd, folder) for folder in folders)


def _is_inside(path: str, folder: str) -> bool:
    return path == folder or path.startswith(f"{folder}/")
