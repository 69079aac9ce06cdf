"""Who is at the other end of the Unix socket: a process, its terminal, and what started it.

The system says which process connected; no caller can say it is another one. A person counts as
there if that process is in the foreground of a terminal and no agent is among the processes
that started it. What is then shown is written to that terminal by the daemon itself, so that the
socket carries nothing worth reading.

    peer = peer_of(transport)
    terminal = terminal_of(peer, agents=agents)      raises NobodyThere
    write_to(terminal, "...")
"""

from __future__ import annotations

import math
import os
import socket
import stat
import struct
import subprocess
import sys
import time
from collections import OrderedDict
from collections.abc import Callable

from msgspec import Struct

from signoff.errors import SignoffError
from signoff.system.files import CLOEXEC, NOCTTY, NONBLOCK, own_uid

PEER = "signoff.peer"  # in a request's scope: the process that connected, if the system says it
LOOK_AGAIN_S = 30.0
LEVELS = 64  # processes above another one that are looked at
AGENTS_KEPT = 256
# They stand between an agent and its hook; the agent is the first process above them.
LAUNCHERS = frozenset(
    {"sh", "bash", "dash", "zsh", "fish", "ksh", "ash", "busybox", "env", "timeout"}
    | {"sh.exe", "bash.exe", "cmd.exe", "powershell.exe", "pwsh.exe", "env.exe", "conhost.exe"}
)
IS_WINDOWS = sys.platform == "win32"
SOL_LOCAL, LOCAL_PEERCRED, LOCAL_PEERPID = 0, 1, 2  # as macOS numbers them
XUCRED = 76  # bytes of what it says of a user: a version, the user, groups
CONSOLE = "console of process "  # before a process id, where terminals have no paths
PS_WITHIN_S = 2.0  # of `ps`, on macOS; without its answer the process is unknown


class UnknownPeer(SignoffError):
    """Nothing proves that a person is at the other end of a connection."""


class Peer(Struct, frozen=True, kw_only=True):
    """Process id and user id of the process that connected."""

    pid: int
    uid: int


class Process(Struct, frozen=True, kw_only=True):
    """What the system reports about one process.

    Args:
        started: start time; tells it from a later process with the same id.
        terminal: path of its controlling terminal, "" if it has none.
        is_in_front: True if it is in the terminal's foreground process group.
        is_top: Windows: True for the desktop and the system's own, which no agent is above.
    """

    pid: int
    name: str
    parent: int
    started: str
    terminal: str = ""
    is_in_front: bool = False
    is_top: bool = False


class Agents:
    """The known agent processes: those that have started one of signoff's hooks."""

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        # With the time of its start: the system gives a process number to another one later.
        self._known: OrderedDict[tuple[int, str], None] = OrderedDict()
        self._noted: OrderedDict[tuple[str, str], float] = OrderedDict()

    def note(self, session: tuple[str, str], peer: Peer | None) -> None:
        """Remember which agent started a hook: its first ancestor that is not a shell.

        Each session is looked at only now and then, as looking costs more than a decision.

        Args:
            session: host and session id.
            peer: the hook's process; None is ignored.
        """
        now_s = self._clock()
        if peer is None or now_s - self._noted.get(session, -math.inf) < LOOK_AGAIN_S:
            return
        self._noted[session] = now_s
        hook = process_of(peer.pid)
        above = process_of(hook.parent, child=hook) if hook is not None else None
        while above is not None and above.name in LAUNCHERS:
            above = process_of(above.parent, child=above)
        # Process 1 adopts orphans: as an agent it would make every process on the machine one of
        # an agent.
        if above is not None and above.pid > 1 and not above.is_top:
            self._known[above.pid, above.started] = None
        for kept in (self._noted, self._known):
            while len(kept) > AGENTS_KEPT:
                kept.popitem(last=False)

    def started(self, process: Process) -> bool:
        """Return whether a process is a known agent or a descendant of one.

        On Windows also where the desktop is not above it: who started it is unknown then.
        """
        above: Process | None = process
        for _ in range(LEVELS):
            if above is None:
                return IS_WINDOWS
            if above.pid <= 1 or above.is_top:
                return False
            if (above.pid, above.started) in self._known:
                return True
            above = process_of(above.parent, child=above)
        return True  # nobody has so many processes above


def peer_of(sock: object) -> Peer | None:
    """Return the process at the other end of a Unix socket, None for any other connection.

    On Windows that of any loopback connection.
    """
    if sys.platform == "win32":
        from signoff.serving.windows_peers import peer_at  # noqa: PLC0415 - only there

        try:
            found = peer_at(sock.getpeername()[1])  # type: ignore[attr-defined]  # it is a socket
        except OSError:
            return None
        return Peer(pid=found[0], uid=found[1]) if found else None
    if getattr(sock, "family", None) != socket.AF_UNIX:
        return None
    with socket.socket(fileno=os.dup(sock.fileno())) as end:  # type: ignore[attr-defined]  # it is one
        try:
            if sys.platform == "linux":
                told = end.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12)
                pid, uid, _ = struct.unpack("3i", told)
            else:
                pid = end.getsockopt(SOL_LOCAL, LOCAL_PEERPID)
                _, uid = struct.unpack_from(
                    "=II", end.getsockopt(SOL_LOCAL, LOCAL_PEERCRED, XUCRED)
                )
        except (OSError, struct.error):
            return None
    return Peer(pid=pid, uid=uid)


def uid_of_tcp(client: tuple[str, int], server: tuple[str, int]) -> int | None:
    """Return the user id at the other end of a local TCP connection; None if unknown.

    Only Linux reports it.

    Args:
        client, server: address and port of both ends.
    """
    for table, is_mapped in (("/proc/net/tcp", False), ("/proc/net/tcp6", True)):
        try:
            # As the client's own end is listed: its address first.
            wanted = [_in_table(client, is_mapped), _in_table(server, is_mapped)]
            with open(table, encoding="ascii") as source:
                for line in source:
                    fields = line.split()
                    if fields[1:3] == wanted:
                        return int(fields[7])
        except (OSError, ValueError, IndexError):
            continue
    return None


def _in_table(address: tuple[str, int], is_mapped: bool) -> str:  # noqa: FBT001 - beside its table
    """Return an address as `/proc/net/tcp` has it: words of 32 bits in the machine's order.

    Raises:
        OSError: it is no address of that table.
    """
    host, port = address
    if ":" in host:
        raw = socket.inet_pton(socket.AF_INET6, host) if is_mapped else b""
    else:
        raw = socket.inet_pton(socket.AF_INET, host)
        # An IPv6 socket may have connected to an IPv4 address (RFC 4291, 2.5.5.2).
        raw = bytes(10) + b"\xff\xff" + raw if is_mapped else raw
    words = [int.from_bytes(raw[at : at + 4], sys.byteorder) for at in range(0, len(raw), 4)]
    return "".join(f"{word:08X}" for word in words) + f":{port:04X}"


def terminal_of(peer: Peer | None, agents: Agents, *, is_any_user: bool = False) -> str:
    """Return the path of the caller's terminal, if a person sits there.

    Args:
        is_any_user: other users than this process's own and root may sit there.

    Raises:
        NobodyThere: the caller has none, is in its background, or was started by an agent.
    """
    process = process_of(peer.pid) if peer is not None else None
    is_known = peer is not None and (is_any_user or peer.uid in (own_uid(), 0))
    if peer is None or process is None or not is_known:
        raise UnknownPeer("the system does not say which process asks")
    if not process.terminal or not process.is_in_front:
        raise UnknownPeer(
            "this is shown only to a person at a terminal, and there is no terminal here"
        )
    if agents.started(process):
        raise UnknownPeer(
            "this terminal was started by an agent: run the command in a terminal of your own"
        )
    return process.terminal


def write_to(terminal: str, text: str) -> None:
    """Write to a terminal.

    Args:
        terminal: path of the terminal device.

    Raises:
        NobodyThere: it cannot be written to.
    """
    if sys.platform == "win32":
        from signoff.serving.windows_peers import write_to_console  # noqa: PLC0415 - only there

        try:
            return write_to_console(int(terminal.removeprefix(CONSOLE)), text)
        except OSError as error:
            raise UnknownPeer(f"the console cannot be written to: {error}") from error
    # It must not become the daemon's own terminal; one that Ctrl-S has stopped must not stop the
    # daemon.
    flags = os.O_WRONLY | NOCTTY | NONBLOCK | CLOEXEC
    try:
        handle = os.open(terminal, flags)
        try:
            # The path may name another file by now, and the text is worth reading.
            if not os.isatty(handle):
                raise UnknownPeer(f"`{terminal}` is no terminal")
            os.write(handle, text.encode("utf-8", "backslashreplace"))
        finally:
            os.close(handle)
    except OSError as error:
        raise UnknownPeer(f"the terminal `{terminal}` cannot be written to: {error}") from error


def process_of(pid: int, *, child: Process | None = None) -> Process | None:
    """Return what the system reports about a process; None if it does not exist.

    Args:
        child: a process it is the parent of; on Windows a number that was given to a later
            process is seen by it.
    """
    if pid <= 0:
        return None
    if sys.platform == "win32":
        return _windows_process(pid, child)
    if os.path.isdir("/proc/self"):
        return _by_proc(pid)
    return _by_ps(pid)


def _windows_process(pid: int, child: Process | None) -> Process | None:
    if sys.platform == "win32":
        from signoff.serving import windows_peers  # noqa: PLC0415 - only there

        found = windows_peers.process_at(pid)
        if found is None or (child is not None and found.started > int(child.started)):
            return None
        is_shown = child is None and windows_peers.has_console(pid)
        return Process(
            pid=pid,
            name=found.name,
            parent=found.parent,
            started=f"{found.started:020d}",
            terminal=f"{CONSOLE}{pid}" if is_shown else "",
            is_in_front=is_shown,
            is_top=windows_peers.is_top(found.name),
        )
    return None


def _by_proc(pid: int) -> Process | None:
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
            # The last bracket: a program's own name may hold one (proc(5)).
            head, _, tail = file.read(4_096).rpartition(")")
    except OSError:
        return None
    fields = tail.split()
    # proc(5) counts from 1, and the state, here 0, is its field 3: terminal 7, group 5,
    # foreground group 8.
    number, group, front = int(fields[4]), fields[2], fields[5]
    return Process(
        pid=pid,
        name=head.partition("(")[2],
        parent=int(fields[1]),
        started=fields[19],
        terminal=_terminal_path(pid, number) if number else "",
        is_in_front=bool(number) and group == front,
    )


def _terminal_path(pid: int, number: int) -> str:
    """Return the path of a terminal by its number, as the process sees it or as we do."""
    # proc(5): the major number is in bits 15 to 8, the minor one in 31 to 20 and 7 to 0.
    major, minor = (number >> 8) & 0xFFF, (number & 0xFF) | ((number >> 12) & 0xFFF00)
    # Pseudo terminals have eight major numbers of 256 each (devices.txt of the Linux kernel).
    if 136 <= major <= 143:
        name = f"/dev/pts/{(major - 136) * 256 + minor}"
    elif major == 4:
        name = f"/dev/tty{minor}" if minor < 64 else f"/dev/ttyS{minor - 64}"
    else:
        return ""
    # A container has its own `/dev/pts`, where the same name is another terminal.
    for path in (f"/proc/{pid}/root{name}", name):
        try:
            found = os.stat(path)
        except OSError:
            continue
        # The number comes from the kernel; a file of that name could be anything.
        if stat.S_ISCHR(found.st_mode) and found.st_rdev == os.makedev(major, minor):
            return path
    return ""


def _by_ps(pid: int) -> Process | None:
    """Ask `ps`, where there is no `/proc`."""
    # `=` leaves out the heading; `comm` is last, because it alone may hold spaces.
    columns = "ppid=,pgid=,tpgid=,tty=,lstart=,comm="
    try:
        done = subprocess.run(  # noqa: S603 - our own words
            # By its whole path: no other `ps` may speak for the system.
            ["/bin/ps", "-o", columns, "-p", str(pid)],
            capture_output=True,
            text=True,
            check=False,
            timeout=PS_WITHIN_S,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return read_ps(pid, done.stdout)


def read_ps(pid: int, text: str) -> Process | None:
    """Parse one output line of `ps` about a process; None if it does not fit."""
    fields = text.split()
    if len(fields) < 10:
        return None
    parent, group, front, tty = fields[:4]
    # How `ps` writes that there is none: `??` on macOS, `?` or `-` elsewhere.
    has_terminal = tty not in ("?", "??", "-")
    return Process(
        pid=pid,
        name=fields[9].rpartition("/")[2].lstrip("-"),
        parent=int(parent),
        started=" ".join(fields[4:9]),
        terminal=f"/dev/{tty}" if has_terminal else "",
        is_in_front=has_terminal and group == front,
    )
