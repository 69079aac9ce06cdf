"""The daemon's port: whether it is free, who has it, and another one, kept in `signoff.yaml`.

Agents' hooks over HTTP carry the port, so it does not move by itself once anybody may have been
told it. Before that (no daemon has started yet, no token was made, no port was chosen) a port
that another program has is nobody's loss: the next free one is taken and kept.

    settle_port(settings)       -> 4441, where 4440 is another user's; 0 where nothing changed
"""

from __future__ import annotations

import contextlib
import errno
import os
import socket
from collections.abc import Iterator
from pathlib import Path

from signoff.documents.node import Node
from signoff.documents.reading import read_yaml
from signoff.errors import BadSettings
from signoff.frontends.hosts.installing.files import changed
from signoff.sections import USER_KEYS
from signoff.settings import FORM, PORT, PORT_RANGE, USER_FILE, Settings
from signoff.storage.text_file import make_folder
from signoff.system.files import own_uid

LOOPBACKS = ((socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1"))
TRIED = 100  # ports after the usual one
LISTENS = "0A"  # a socket's state in /proc/net/tcp
LISTED_LIMIT = 1 << 20  # the list may be long; sockets that listen come first in it


def is_taken(port: int) -> bool:
    """Return whether a program listens on this loopback port."""
    return any(_is_taken(family, address, port) for family, address in LOOPBACKS)


def _is_taken(family: socket.AddressFamily, address: str, port: int) -> bool:
    try:
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            # Else a daemon that has just ended would still hold its port, in TIME_WAIT
            # (socket(7)).
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if family is socket.AF_INET6:
                probe.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            probe.bind((address, port))
    except OSError as error:
        # Without IPv6 the address itself is refused, and nobody can listen there.
        return error.errno == errno.EADDRINUSE
    return False


def free_port() -> int:
    """Return the first free port after the default one, 0 if none is near."""
    ports = range(PORT + 1, min(PORT + TRIED, PORT_RANGE[1]) + 1)
    return next((port for port in ports if not is_taken(port)), 0)


def whose_port(port: int) -> str:
    """Return whose program listens on a port, in words, as far as the system tells."""
    try:
        with open("/proc/net/tcp", encoding="ascii") as file:
            lines = file.read(LISTED_LIMIT).splitlines()[1:]
    except (OSError, UnicodeError):
        return "another program"
    for fields in map(str.split, lines):
        # Fields of proc_pid_net(5): 1 the local address in hex, 3 the state, 7 the user's number.
        if len(fields) > 7 and fields[1].endswith(f":{port:04X}") and fields[3] == LISTENS:
            mine = int(fields[7]) == own_uid()
            return "another program of yours" if mine else f"a program of user {fields[7]}"
    return "another program"


def taken_said(port: int) -> str:
    """Return a message that a port is taken and how to move the daemon."""
    other = free_port() or "N"
    return (
        f"port {port} is taken by {whose_port(port)}: `signoff up --port {other}` has your daemon"
        " listen there from now on"
    )


def settle_port(settings: Settings) -> int:
    """Choose and store another port if the default is taken; return it, else 0.

    Only before the first start and if no settings name a port, so that nobody relies on the
    default.

    Raises:
        BadSettings: the settings cannot be read or written.
    """
    # The token is made at the first start, and for each hook over HTTP.
    is_known = os.path.lexists(os.path.join(settings.state_dir, "token"))
    path = Path(settings.config_dir, USER_FILE)
    if is_known or settings.port != PORT or _is_chosen(path) or not is_taken(PORT):
        return 0
    port = free_port()
    if port:
        keep_port(settings, port)
    return port


def keep_port(settings: Settings, port: int) -> None:
    """Store a port in the settings, for the daemon's next start.

    Raises:
        BadSettings: the settings cannot be read or written; they are unchanged then.
    """
    path = Path(settings.config_dir, USER_FILE)
    make_folder(str(path.parent))
    changed(path, lambda text: with_port(text, port, file=str(path)))


@contextlib.contextmanager
def kept_if_started(settings: Settings) -> Iterator[None]:
    """Restore the settings if the block, which starts the daemon, fails."""
    path = Path(settings.config_dir, USER_FILE)
    before = path.read_bytes() if path.exists() else None
    try:
        yield
    except BaseException:
        after = path.read_bytes() if path.exists() else None
        if before is None and after is not None:
            path.unlink()
        elif before is not None and after != before:
            changed(path, lambda _: before.decode())
        raise


def with_port(text: str, port: int, *, file: str = USER_FILE) -> str:
    """Return the text of the settings with this port; the rest is unchanged.

    Raises:
        BadSettings: they cannot be read, or changed without risk.
    """
    line = f"server: {{port: {port}}}\n"
    if not text.strip():
        return line
    try:
        node = _port_node(text, file)
        if node is None:
            new = f"{text.rstrip()}\n{line}"
        else:
            new = text[: node.start] + str(port) + text[node.end :]
        # Read back: a section `server` without a port has a second one behind it now.
        written = _port_node(new, file)
    except BadSettings as error:
        raise BadSettings(f"{error}; write `{line.strip()}` into it by hand") from error
    if written is None or written.written != str(port):
        raise BadSettings(f"there is no sure place for `{line.strip()}`: write it in by hand")
    return new


def _is_chosen(path: Path) -> bool:
    """Tell whether the user's settings name a port."""
    try:
        text = path.read_text(encoding="utf-8")
        return bool(text.strip()) and _port_node(text, str(path)) is not None
    except FileNotFoundError:
        return False
    except (OSError, UnicodeError, BadSettings) as error:
        raise BadSettings(f"{path} cannot be read: {error}") from error


def _port_node(text: str, file: str) -> Node | None:
    """Return where the port stands, None if nowhere."""
    found = read_yaml(text, file=file, form=FORM).fields(allowed=USER_KEYS)
    port = found["server"].fields().get("port") if "server" in found else None
    return port if port is not None and port.is_scalar else None
