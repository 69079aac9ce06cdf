"""Remotes of a repository that the session itself set up, and pushes to them.

A plain push of the current branch passes: it goes where the project is kept. Where the session gave
the remote its address, a push sends the project's sources to a place that nobody confirmed.

    remote:<name>        the session gave this remote an address elsewhere; `*` = every address

    remote_marks(commands)               the marks of one line
    given_remotes(created)               the names in the marks of a session
    remotes_given(command)               ("fork",) for `git remote add fork https://host/x.git`
    is_given(command, known)             whether a push goes to one of them
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from signoff.actions.known.hosts import HostClass
from signoff.actions.shell.command import Command, operands
from signoff.actions.urls import look_at_url

REMOTE = "remote:"
EVERY = "*"
_DEFAULT = "origin"
_VALUES = frozenset({"-C", "-c", "-t", "-m", "-o", "--push-option", "--receive-pack", "--repo"})


def remote_marks(commands: Sequence[Command]) -> Iterator[str]:
    """Yield a mark for each remote to which a line gives an address on another machine."""
    for command in commands:
        if command.program == "git":
            yield from [f"{REMOTE}{name}" for name in remotes_given(command)]


def given_remotes(created: Collection[str]) -> set[str]:
    """Return the names of the remotes to which the session gave an address."""
    return {mark.removeprefix(REMOTE) for mark in created if mark.startswith(REMOTE)}


def remotes_given(command: Command) -> Iterator[str]:
    """Yield the names of remotes to which a git command gives an address on another machine."""
    words = _given(command)
    if words[:1] == ["remote"] and words[1:2] in (["add"], ["set-url"]) and len(words) > 3:
        if _is_elsewhere(words[3]):
            yield words[2]
    elif words[:1] == ["config"] and len(words) > 2:
        words = words[2:] if words[1] == "set" else words[1:]
        part, _, rest = words[0].partition(".")
        name, _, key = rest.rpartition(".")
        given = words[1] if len(words) > 1 else ""
        is_address = key.lower() in {"url", "pushurl"} and _is_elsewhere(given)
        # A refspec with `+` forces every later push.
        if part == "remote" and (is_address or (key.lower() == "push" and given[:1] == "+")):
            yield name
        # git-config(1): addresses that begin so are written as the name in the key.
        elif part == "url" and key.lower() in {"insteadof", "pushinsteadof"}:
            yield EVERY


def is_given(command: Command, known: Collection[str]) -> bool:
    """Return whether a push goes to a remote that the session set up.

    Args:
        known: names of such remotes.
    """
    words = _given(command)
    if not known or words[:1] != ["push"]:
        return False
    return EVERY in known or (words[1] if len(words) > 1 else _DEFAULT) in known


def _given(command: Command) -> list[str]:
    return operands([word.text for word in command.words[1:]], _VALUES)


def _is_elsewhere(address: str) -> bool:
    """Tell `https://host/x.git` and `git@host:x.git`; a path is a repository of this machine."""
    _, scheme, _ = address.partition("://")
    if not scheme:
        host, colon, _ = address.partition(":")
        return bool(colon) and "/" not in host and host not in {"localhost", "127.0.0.1"}
    return look_at_url(address).host_class is not HostClass.LOOPBACK and address[:5] != "file:"
