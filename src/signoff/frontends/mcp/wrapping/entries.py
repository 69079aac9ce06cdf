"""One server in a client's configuration: as the user wrote it, and with signoff before it.

wrapped(ServerEntry(command="npx", args=("-y", "x")), name="x", own=("signoff",))
    -> ServerEntry(command="signoff", args=("mcp", "--name", "x", "--", "npx", "-y", "x"))
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from msgspec import Struct

from signoff.errors import BadSettings

PROXY = "mcp"
# `-I`: clients start servers in a project's folder, whose modules must not come first.
MODULE = ("-I", "-m", "signoff")


class ServerEntry(Struct, frozen=True):
    """The command that starts a server."""

    command: str
    args: tuple[str, ...] = ()


def own_words(*, is_shared: bool) -> tuple[str, ...]:
    """Return the words that start signoff.

    Args:
        is_shared: True for a file that other machines use too, where paths of this one mean
            nothing.

    Raises:
        BadSettings: the path of this Python is unknown.
    """
    if is_shared:
        return ("signoff",)
    if not sys.executable:
        raise BadSettings("cannot tell which Python runs signoff; start it by its full path")
    return (sys.executable, *MODULE)


def wrapped(entry: ServerEntry, *, name: str, own: Sequence[str]) -> ServerEntry:
    """Return an entry with signoff before its command; an older wrapping is renewed."""
    bare = unwrapped(entry)
    command, *rest = own
    words = (*rest, PROXY, "--name", name, "--", bare.command, *bare.args)
    return ServerEntry(command, words)


def unwrapped(entry: ServerEntry) -> ServerEntry:
    """Return an entry without signoff; unchanged if it has none."""
    if not is_wrapped(entry):
        return entry
    at = entry.args.index("--")
    command, *args = entry.args[at + 1 :]
    return ServerEntry(command, tuple(args))


def is_wrapped(entry: ServerEntry) -> bool:
    """Return whether signoff precedes a server's command in a known form."""
    args = entry.args
    if entry.command.rpartition("/")[2] == "signoff":
        begin = 0
    elif args[: len(MODULE)] == MODULE:
        begin = len(MODULE)
    else:
        return False
    is_ours = args[begin : begin + 1] == (PROXY,)
    return is_ours and "--" in args and args.index("--") + 1 < len(args)
