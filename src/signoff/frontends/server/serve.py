"""The daemon's process: one lock, its sockets, until it is told to end. `build.py` builds the rest.

The TCP sockets on loopback are for everything that shows the token; the Unix socket in the state
folder is for whoever may enter that folder, that of the system's service for every user. All are
open before the engines are loaded: callers wait in line and are answered by a daemon that is ready.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import gc
import logging
import os
import socket
import sys
from collections.abc import Iterator, Sequence

import uvicorn
from starlette.routing import Route
from starlette.types import ASGIApp

from signoff.actions.action import Action
from signoff.actions.facts import Facts
from signoff.build.stores import refuse_wrong_tenant
from signoff.errors import BadSettings, BrokenReader
from signoff.frontends.client.hook_tokens import PATH as HOOK_TOKENS
from signoff.frontends.client.places import Places
from signoff.frontends.server.app import build_app
from signoff.frontends.server.build import Daemon
from signoff.frontends.server.instance import close_to_others, only_instance
from signoff.frontends.server.user_hooks import UserHooks
from signoff.frontends.server.wire.callers import SharedSocket
from signoff.frontends.server.wire.service_tokens import ServiceTokens
from signoff.frontends.server.wire.shield import PublicFence, Shield
from signoff.serving.connections import Connections
from signoff.serving.listening import (
    build_server,
    has_ipv6_loopback,
    raise_descriptor_limit,
    return_large_blocks,
)
from signoff.serving.local_socket import keep_port, listening
from signoff.serving.passed_sockets import close_all, continuity_of, passed_sockets
from signoff.serving.time_limit import end_endless_work
from signoff.settings import Settings
from signoff.storage.text_file import write_whole
from signoff.system.files import own_uid
from signoff.system.processes import on_end, run
from signoff.values import replace

log = logging.getLogger(__name__)

LOOPBACKS = ((socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1"))
NO_IPV6 = frozenset({errno.EAFNOSUPPORT, errno.EADDRNOTAVAIL, errno.EPROTONOSUPPORT}) | {
    getattr(errno, name, -1) for name in ("WSAEAFNOSUPPORT", "WSAEADDRNOTAVAIL")
}
# Connections at once, where the system lets this process open so many files.
TCP_CONNECTIONS, UNIX_CONNECTIONS = 16_384, 14_336
PUBLIC_CONNECTIONS = 128
SAVE_EVERY_S = 2.0
# A decision makes thousands of short-lived values and no cycles. Those of 64 requests at once are
# some 4,000: looked for cycles far above that, or every turn would stop for it.
GC_THRESHOLDS = (20_000, 10, 50)
# The thread that commits gives the interpreter away at each statement: its batch waits no longer.
SWITCH_S = 0.0005


def serve(settings: Settings, *, port: int | None = None) -> None:
    """Run the daemon until a signal ends it.

    Args:
        port: on loopback, instead of the configured one.

    Raises:
        StoreError: another daemon runs on this store, its files cannot be used, or the database
            would not keep this node to its tenant.
        BadSettings: the port is taken.
    """
    places = Places(settings.state_dir)
    places.make()
    close_to_others()
    # Words of a call must not keep the loop busy for good (T-66).
    end_endless_work()
    # A socket whose path is too long is named from here: see `_unix_socket`.
    os.chdir(places.state)
    # The lock before the sockets: nobody removes the socket of a daemon that runs.
    with only_instance(places), contextlib.ExitStack() as stack:
        settings = settings if port is None else replace(settings, port=port)
        passed = _passed(settings.port, is_service=places.is_service)
        tcp = [stack.enter_context(one) for one in passed or _tcp_sockets(settings.port)]
        local = stack.enter_context(listening(places.socket, is_shared=places.is_service))
        if places.is_service:  # programs that know the state folder alone look for it there
            _link(places.socket)
        refuse_wrong_tenant(settings)
        daemon = Daemon(settings, places, continuity=continuity_of(passed))
        public: list[socket.socket] = []
        if daemon.inbox is not None and daemon.inbox.public is not None:
            public.append(
                stack.enter_context(listening(places.inbox_socket, is_shared=True)).socket
            )
        process = _Process(daemon, places, local.key, is_port_kept=bool(passed))
        run(process.run(tcp, local.socket, public))


class _Process:
    """Runs a daemon until the process gets a signal."""

    def __init__(self, daemon: Daemon, places: Places, key: bytes, *, is_port_kept: bool) -> None:
        self._is_port_kept, self._key = is_port_kept, key
        self._daemon, self._places, self._token = daemon, places, places.token()

    async def run(
        self,
        tcp: Sequence[socket.socket],
        unix: socket.socket,
        public: Sequence[socket.socket] = (),
    ) -> None:
        """Serve all sockets until a signal comes.

        Args:
            public: a TLS proxy passes on what it gets to it.
        """
        await self._warm_up()
        daemon, port = self._daemon, tcp[0].getsockname()[1]
        await daemon.remote.resume()  # before anything is served: what runs from now on is ours
        servers = self._servers(port)
        loop = asyncio.get_running_loop()
        on_end(loop, lambda: self._end(servers))
        log.info("serving on %s and %s", tcp[0].getsockname(), self._places.socket)
        self._tell_problems()
        if daemon.console is not None:
            daemon.console.print(f"serving on port {port}; Control-C ends it")
        async with asyncio.TaskGroup() as group:
            chores = [
                group.create_task(chore)
                for chore in (
                    daemon.guards.keep_current(),
                    self._keep_sessions(),
                    daemon.remote.run(),
                    daemon.decoys.run(),
                    daemon.checkpoints.run(),
                    daemon.bundles.watch.run(),
                    *(push.run() for push in daemon.pushes),
                )
            ]
            served = zip(servers, (tcp, [unix], public), strict=False)
            await asyncio.gather(*(self._serve(one, opened, servers) for one, opened in served))
            for chore in chores:
                chore.cancel()
        await daemon.checkpoints.look(is_last=True)
        self._save_sessions(daemon.sessions.text())
        self._save_outcomes()
        daemon.close()
        log.info("ended")

    def _servers(self, port: int) -> tuple[uvicorn.Server, ...]:
        """Return the server for the port, with shield and inbox, the one for the socket, and one
        for a public name where there is one.
        """
        return_large_blocks()
        # Half for TCP, a quarter for the Unix socket, and a quarter for files.
        daemon, share = self._daemon, raise_descriptor_limit() // 4
        # Hooks that wait hold a connection each, and leave room for those that do not.
        daemon.remote.approvals.waiting.most_held = 3 * min(share, UNIX_CONNECTIONS) // 4
        inbox = daemon.inbox.parts.origin if daemon.inbox is not None else None
        user_hooks = self._user_hooks(port)
        shield = Shield(
            port=port,
            token=self._token,
            hosts=daemon.api.hosts,
            inbox=inbox,
            service=ServiceTokens(self._places.state),
            hook_users=user_hooks.peer if user_hooks is not None else None,
        )
        return (
            build_server(
                build_app(daemon.api, shield=shield, site=daemon.site),
                connections=Connections(limit=min(2 * share, TCP_CONNECTIONS)),
            ),
            build_server(
                self._local_app(user_hooks),
                connections=Connections(limit=min(share, UNIX_CONNECTIONS)),
                key=self._key,
            ),
            *self._public_servers(),
        )

    def _public_servers(self) -> Iterator[uvicorn.Server]:
        """Yield the server of the inbox under its public name, if it has one."""
        public = self._daemon.inbox and self._daemon.inbox.public
        if public:
            yield build_server(
                build_app(self._daemon.api, shield=PublicFence(public.origin), site=public.site),
                # The internet must leave room for those who ask for decisions.
                connections=Connections(limit=PUBLIC_CONNECTIONS),
            )

    def _user_hooks(self, port: int) -> UserHooks | None:
        """Return what knows users by their hooks on the port, where this is a service."""
        users = self._daemon.agent_users
        if users is None:
            return None
        return UserHooks(
            token=self._token,
            own_uid=own_uid(),
            users=users,
            hosts=frozenset(self._daemon.api.hosts),
            port=port,
            is_port_kept=self._is_port_kept,
        )

    def _local_app(self, user_hooks: UserHooks | None) -> ASGIApp:
        """Return what is served on the Unix socket: everything, or to each user what is theirs."""
        daemon, local = self._daemon, [*self._daemon.local_routes()]
        if user_hooks is not None:
            local.append(Route(HOOK_TOKENS, user_hooks.answer, methods=["POST"]))
        app = build_app(daemon.api, shield=None, local=local)
        return app if daemon.agent_users is None else SharedSocket(app, daemon.agent_users)

    def _tell_problems(self) -> None:
        """Say at the start what is wrong with settings and rules, in the log and on a terminal."""
        for problem in self._daemon.guards.problems:
            log.warning("%s", problem)
            if self._daemon.console is not None:
                self._daemon.console.print(f"PROBLEM {problem}")

    async def _serve(
        self,
        server: uvicorn.Server,
        sockets: Sequence[socket.socket],
        servers: tuple[uvicorn.Server, ...],
    ) -> None:
        """Serve some sockets; if that ends unasked, the whole daemon ends, for a new one to start.

        A daemon without its port would look well to hooks and show nobody their requests.
        """
        await server.serve(sockets=list(sockets))
        if not server.should_exit or not all(one.should_exit for one in servers):
            log.error("a server ended unasked; the daemon ends")
            self._end(servers)

    def _end(self, servers: tuple[uvicorn.Server, ...]) -> None:
        """Begin to end: close pages that listen, or the servers would wait for them."""
        log.info("ending")
        if self._daemon.inbox is not None:
            self._daemon.inbox.live.close()
        for server in servers:
            server.should_exit = True

    async def _warm_up(self) -> None:
        """Load parsers and engines by one judgement, so that the first caller need not wait."""
        with contextlib.suppress(BadSettings, BrokenReader):
            guard = await self._daemon.guards.at("")
            line = {"command": "git status && cat a | grep b > c"}
            guard.gate.judge(Action(tool="Bash", arguments=line, cwd="/"), Facts())
        gc.collect()
        # What is loaded stays to the end, so the collector need not look at it.
        gc.freeze()
        gc.set_threshold(*GC_THRESHOLDS)
        sys.setswitchinterval(SWITCH_S)

    async def _keep_sessions(self) -> None:
        """Write what is known of sessions now and then, until cancelled."""
        sessions = self._daemon.sessions
        while True:
            await asyncio.sleep(SAVE_EVERY_S)
            if sessions.is_changed:
                # Before the text is made: what changes during the write is written the next time.
                sessions.is_changed = False
                await asyncio.to_thread(self._save_sessions, sessions.text())
            if self._daemon.outcomes.is_changed:
                await asyncio.to_thread(self._save_outcomes)

    def _save_sessions(self, text: str) -> None:
        try:
            write_whole(self._places.sessions, text.encode(), is_durable=False)
        except OSError as error:
            log.warning("sessions are not saved: %s", error)

    def _save_outcomes(self) -> None:
        """Write the outcomes that no entry of the record holds yet."""
        outcomes = self._daemon.outcomes
        # As with sessions.
        outcomes.is_changed = False
        try:
            write_whole(self._places.outcomes, outcomes.encode(), is_durable=False)
        except OSError as error:
            log.warning("outcomes of calls are not saved: %s", error)


def _passed(port: int, *, is_service: bool) -> Sequence[socket.socket]:
    """Return the port's sockets that the service manager holds; none where it does not hold all.

    Raises:
        BadSettings: what was passed cannot be used.
    """
    passed = passed_sockets()
    wanted = {
        (family, address, port) for family, address in LOOPBACKS[: 2 if has_ipv6_loopback() else 1]
    }
    found = {(one.family, *one.getsockname()[:2]) for one in passed}
    # In user mode an agent of this user could pass sockets that it keeps, too.
    if not passed or (is_service and found == wanted):
        return passed
    log.warning("the sockets that were passed are not used: `sudo signoff service install` helps")
    close_all(passed)
    return ()


def _tcp_sockets(port: int) -> Sequence[socket.socket]:
    """Return the sockets on loopback: IPv4, and IPv6 where this machine has it.

    Browsers try both for a name under `localhost`: whoever had one of them would get their pages.

    Raises:
        BadSettings: the port is taken.
    """
    opened: list[socket.socket] = []
    for family, address in LOOPBACKS:
        try:
            opened.append(_tcp_socket(family, address, port))
        except OSError as error:
            # Only of the second: without IPv4 there is no daemon.
            if opened and error.errno in NO_IPV6:
                continue
            for one in opened:
                one.close()
            said = f"cannot listen on {address}:{port}: {error.strerror}"
            more = "`signoff up --port N` takes another, as does `server: {port: N}`"
            raise BadSettings(f"{said}; {more}") from error
    return opened


def _tcp_socket(family: socket.AddressFamily, address: str, port: int) -> socket.socket:
    """Return a socket bound to a loopback address.

    Raises:
        OSError: it cannot be bound.
    """
    tcp = socket.socket(family, socket.SOCK_STREAM)
    try:
        keep_port(tcp)
        if family is socket.AF_INET6:
            tcp.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        tcp.bind((address, port))
    except OSError:
        tcp.close()
        raise
    return tcp


def _link(path: str) -> None:
    """Lead from the working folder, which is the state folder, to the socket."""
    name = os.path.basename(path)
    with contextlib.suppress(FileNotFoundError):
        os.unlink(name)
    os.symlink(path, name)
