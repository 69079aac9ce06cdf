"""A server for one application on sockets that are open already: uvicorn, with limits of our own.

server = build_server(app, connections=Connections(limit=1_024))
await server.serve(sockets=[listening])
server.should_exit = True        from anywhere on the loop: it ends in its own time
"""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import socket
import sys
from collections.abc import Iterator

import uvicorn
from starlette.types import ASGIApp

from signoff.serving.bounded import BoundedProtocol
from signoff.serving.connections import IDLE_S, Connections

if sys.platform != "win32":
    import resource

BACKLOG = 2_048  # many agents may start hooks in one moment; a full queue would refuse them
GRACE_S = 3  # for answers that are on their way when the server ends
ANSWER_WITHIN_S = 2.0  # for requests that are cancelled then, to say so
DESCRIPTORS = 65_536  # enough for all connections; where the system sets no limit, this is ours

# The slow hash of each confirmation code takes 16 MB for a moment. After the first, glibc would
# serve such blocks from memory that it keeps, once for each thread that has asked for one.
M_MMAP_THRESHOLD = -3  # of glibc's mallopt
LARGE = 1 << 20  # bytes


class QuietServer(uvicorn.Server):
    """A uvicorn server that installs no signal handlers: its process has its own."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Do nothing in place of installing signal handlers."""
        yield

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Shut down as uvicorn does, then let cancelled requests still send their answers."""
        await super().shutdown(sockets)
        if tasks := tuple(self.server_state.tasks):
            await asyncio.wait(tasks, timeout=ANSWER_WITHIN_S)


def build_server(
    app: ASGIApp,
    *,
    connections: Connections,
    tls: tuple[str, str] | None = None,
    key: bytes = b"",
) -> uvicorn.Server:
    """Build a uvicorn server; it listens once it is given sockets to serve.

    Args:
        connections: looks after the connections of this server, and of no other.
        tls: files of the certificate chain and its key (PEM), None for plain http.
        key: callers prove that they know it (`system/handshake.py`); b"" asks for no proof.
    """

    # A class for each server: uvicorn makes the instances, and hands them nothing of ours.
    class Protocol(BoundedProtocol):
        """The protocol of this server's connections."""

    Protocol.table, Protocol.key = connections, key
    return QuietServer(
        uvicorn.Config(
            connections.serving(app),
            http=Protocol,
            ws="none",
            lifespan="off",
            log_config=None,
            access_log=False,
            server_header=False,
            date_header=False,
            # Who calls is what the connection says; any caller can write `X-Forwarded-For`.
            proxy_headers=False,
            backlog=BACKLOG,
            timeout_keep_alive=int(IDLE_S),
            timeout_graceful_shutdown=GRACE_S,
            ssl_certfile=tls[0] if tls else None,
            ssl_keyfile=tls[1] if tls else None,
        )
    )


def has_ipv6_loopback() -> bool:
    """Return whether this machine has the address `::1`."""
    try:
        with socket.socket(socket.AF_INET6, socket.SOCK_STREAM) as probe:
            probe.bind(("::1", 0))
    except OSError:
        return False
    return True


def raise_descriptor_limit() -> int:
    """Raise the limit of open files to the most the system allows; return it.

    A login shell allows 1,024, which as many idle connections would use up.
    """
    if sys.platform == "win32":
        return DESCRIPTORS  # sockets have no such limit there
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = DESCRIPTORS if hard == resource.RLIM_INFINITY else min(hard, DESCRIPTORS)
    # A limit that is higher already is never lowered.
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return min(soft, DESCRIPTORS) if soft != resource.RLIM_INFINITY else DESCRIPTORS
    with contextlib.suppress(OSError, ValueError):  # macOS allows less than it says
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        return wanted
    return soft


def return_large_blocks() -> None:
    """Make malloc give large freed blocks back to the system at once.

    Large is a megabyte or more. Does nothing without glibc.
    """
    with contextlib.suppress(OSError, AttributeError, TypeError):
        # `None` is this process with its own C library; those of Alpine and macOS have no
        # `mallopt`.
        ctypes.CDLL(None).mallopt(M_MMAP_THRESHOLD, LARGE)
