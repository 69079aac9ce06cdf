"""The daemon's process: one store, one lock, two sockets, until it is told to end.

The TCP socket on loopback is for everything that shows the token; the Unix socket in the state
folder is for whoever may enter that folder. Both are open before the engines are loaded: callers
wait in line and are answered by a daemon that is ready.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import os
import signal
import socket
import sys
from collections.abc import Iterator, Sequence
from importlib import metadata

import uvicorn
import uvloop
from starlette.routing import Route

from signoff.actions.action import Action
from signoff.actions.facts import Facts
from signoff.approvals import Approvals
from signoff.challenge.channel import PushChannel
from signoff.challenge.channels.console import open_console
from signoff.challenge.words.asking import QuestionChannel
from signoff.errors import BadSettings, BrokenReader, StoreError
from signoff.frontends.client.places import ADDRESS_LIMIT, Places
from signoff.frontends.hosts.registry import HOSTS
from signoff.frontends.server.api import ApiRoutes
from signoff.frontends.server.app import build_app, describe
from signoff.frontends.server.idempotency import IdempotencyStore
from signoff.frontends.server.instance import close_to_others, only_instance
from signoff.frontends.server.logs import open_log
from signoff.frontends.server.metrics import Metrics
from signoff.frontends.server.people.channel_manager import ChannelManager, OwnChannels
from signoff.frontends.server.people.stops import Stops
from signoff.frontends.server.project_runtimes import ProjectRuntimes
from signoff.frontends.server.sessions import Session, Sessions, write_whole
from signoff.frontends.server.wire.connections import Connections
from signoff.frontends.server.wire.listening import BACKLOG, build_server, raise_descriptor_limit
from signoff.frontends.server.wire.seals import Seals
from signoff.frontends.server.wire.shield import Shield
from signoff.frontends.server.wire.signing_in import SigningIn
from signoff.frontends.web.building import DaemonContext, Inbox, build_inbox
from signoff.frontends.web.services import ProjectRules
from signoff.redaction.redact import Redactor
from signoff.settings import ChannelName, Settings
from signoff.storage.group_commit import GroupCommit
from signoff.storage.installation import installation_key
from signoff.storage.locks.lock_file import LockFile
from signoff.storage.sqlite import SqliteStore
from signoff.values import replace
from signoff.wiring import build_story

log = logging.getLogger(__name__)

LOOPBACK = "127.0.0.1"
# Connections at once, where the system lets this process open so many files.
TCP_CONNECTIONS, UNIX_CONNECTIONS = 4_096, 2_048
READER_PATIENCE_S = 0.05
SAVE_EVERY_S = 2.0
# A decision makes thousands of short-lived values and no cycles. Those of 64 requests at once are
# some 4,000: looked for cycles far above that, or every turn would stop for it.
GC_THRESHOLDS = (20_000, 10, 50)
# The thread that commits gives the interpreter away at each statement: its batch waits no longer.
SWITCH_S = 0.0005


def serve(settings: Settings, *, port: int | None = None) -> None:
    """Serve until a signal ends it.

    Args:
        port: on loopback, instead of the configured one.

    Raises:
        StoreError: another daemon runs on this store, or its files cannot be used.
        BadSettings: the port is taken.
    """
    places = Places(settings.state_dir)
    places.make()
    close_to_others()
    os.chdir(places.state)
    with only_instance(places), contextlib.ExitStack() as stack:
        settings = settings if port is None else replace(settings, port=port)
        tcp = stack.enter_context(_tcp_socket(settings.port))
        unix = stack.enter_context(_unix_socket(places.socket))
        uvloop.run(_Daemon(settings, places).run(tcp, unix))


class _Daemon:
    """Builds what is served, and serves it."""

    inbox: Inbox | None

    def __init__(self, settings: Settings, places: Places) -> None:
        key = installation_key(settings.key_file)
        self.places, self.settings = places, settings
        self.token = places.token()
        self.metrics = Metrics(version=metadata.version("signoff"))
        open_log(places.log, Redactor(key), tell=self.metrics.failed)
        self.stores = _stores(settings)
        store = GroupCommit(self.stores[0], reader=self.stores[1])
        denials = settings.limits.alert_after_denials
        self.sessions = Sessions(alert_after=denials, alert=self._alert)
        self.sessions.load(places.sessions)
        self.inbox, self.console = None, open_console()
        self.remote = ChannelManager(
            settings,
            record=self.stores[1],
            status=self._status,
            own=OwnChannels(
                inbox=lambda approvals: self._open_inbox(settings, approvals),
                terminal=self.console,
                in_words=lambda: self._web_questions(settings),
            ),
            asking=self.sessions.asking,
        )
        self.guards = ProjectRuntimes(
            config_dir=settings.config_dir,
            port=settings.port,
            store=store,
            handlers=(self.metrics, self.sessions),
            ladders=self.remote,
        )
        self.api = ApiRoutes(
            guards=self.guards,
            store=store,
            approval_service=IdempotencyStore(),
            sessions=self.sessions,
            metrics=self.metrics,
            locks=LockFile(settings.locks_file),
            channels=self.remote,
            looking=self.guards.looking,
            stops=Stops(
                counts=self.sessions,
                story=build_story(settings, self.stores[1]),
                people=self.remote.in_words,
            ),
            hosts=HOSTS,
            home=settings.home,
            record=settings.record_file,
            openapi=lambda: describe(self.metrics.version),
        )

    async def run(self, tcp: socket.socket, unix: socket.socket) -> None:
        """Serve both sockets until a signal comes."""
        await self._warm_up()
        await self.remote.resume()  # before anything is served: what runs from now on is ours
        shield = Shield(port=tcp.getsockname()[1], token=self.token, hosts=HOSTS)
        site = self.inbox.site if self.inbox else None
        share = raise_descriptor_limit() // 4
        servers = (
            build_server(
                build_app(self.api, shield=shield, site=site),
                connections=Connections(limit=min(2 * share, TCP_CONNECTIONS)),
            ),
            build_server(
                build_app(self.api, shield=None, local=self._local()),
                connections=Connections(limit=min(share, UNIX_CONNECTIONS)),
            ),
        )
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self._end, servers)
        log.info("serving on %s and %s", tcp.getsockname(), self.places.socket)
        self._tell_problems()
        if self.console is not None:
            self.console.print(f"serving on port {tcp.getsockname()[1]}; Control-C ends it")
        async with asyncio.TaskGroup() as group:
            chores = [
                group.create_task(chore)
                for chore in (
                    self.guards.keep_current(),
                    self._keep_sessions(),
                    self.remote.run(),
                )
            ]
            await asyncio.gather(servers[0].serve(sockets=[tcp]), servers[1].serve(sockets=[unix]))
            for chore in chores:
                chore.cancel()
        self._save_sessions(self.sessions.text())
        self.remote.close()
        for store in self.stores:
            store.close()
        log.info("ended")

    def _tell_problems(self) -> None:
        """Say at the start what is wrong with settings and rules, in the log and on a terminal."""
        for problem in self.guards.problems:
            log.warning("%s", problem)
            if self.console is not None:
                self.console.print(f"PROBLEM {problem}")

    def _open_inbox(self, settings: Settings, approvals: Approvals) -> Sequence[PushChannel]:
        """Build the inbox; it is one of the channels where it is configured as one."""
        known = DaemonContext(
            record=self.stores[2],
            sessions=lambda: self.sessions.listed(self.remote.waiting()),
            in_force=lambda: [
                ProjectRules(
                    project=root, pack=guard.settings.pack.value, rules=guard.rules.current()
                )
                for root, guard in self.guards.kept()
            ],
            problems=lambda: (*self.guards.problems, *self.remote.problems),
        )
        self.inbox = build_inbox(settings, approvals, known)
        return (self.inbox.live,) if ChannelName.WEB in settings.channels else ()

    def _web_questions(self, settings: Settings) -> Sequence[QuestionChannel]:
        """Return the inbox as those who are asked in words, where it is a channel."""
        if self.inbox is None or ChannelName.WEB not in settings.channels:
            return ()
        return (self.inbox.parts.questions,)

    def _local(self) -> Sequence[Route]:
        """Return what is served to processes of this user on the Unix socket alone."""
        if self.inbox is None:
            return ()
        parts = self.inbox.parts
        signing_in = SigningIn(
            links=parts.links, people=parts.people, agents=self.api.agents, port=self.settings.port
        )
        seals = Seals(seal=self.remote.approvals.seal)
        return (
            Route("/v1/sign-in-links", signing_in.answer, methods=["POST"]),
            Route("/v1/seals", seals.answer, methods=["POST"]),
        )

    def _end(self, servers: tuple[uvicorn.Server, ...]) -> None:
        """Begin to end: pages that listen are let go, or the servers would wait for them."""
        if self.inbox is not None:
            self.inbox.live.close()
        for server in servers:
            server.should_exit = True

    async def _warm_up(self) -> None:
        """Load parsers and engines by one judgement, so that the first caller need not wait."""
        with contextlib.suppress(BadSettings, BrokenReader):
            guard = await self.guards.at("")
            line = {"command": "git status && cat a | grep b > c"}
            guard.gate.judge(Action(tool="Bash", arguments=line, cwd="/"), Facts())
        gc.collect()
        gc.freeze()
        gc.set_threshold(*GC_THRESHOLDS)
        sys.setswitchinterval(SWITCH_S)

    async def _keep_sessions(self) -> None:
        """Write what is known of sessions now and then, until cancelled."""
        while True:
            await asyncio.sleep(SAVE_EVERY_S)
            if self.sessions.is_changed:
                self.sessions.is_changed = False
                await asyncio.to_thread(self._save_sessions, self.sessions.text())

    def _save_sessions(self, text: str) -> None:
        try:
            write_whole(self.places.sessions, text)
        except OSError as error:
            log.warning("sessions are not saved: %s", error)

    def _status(self) -> Sequence[str]:
        """Say what is in force, for whoever asks on a channel."""
        locks = [str(lock) for lock in self.api.locks.locks()]
        problems = (*self.guards.problems, *self.remote.problems)
        return (
            f"signoff {self.metrics.version}, up {self.metrics.uptime_s:.0f} s",
            f"decided {self.metrics.decisions}, pending {sum(self.remote.waiting().values())},"
            f" sessions {len(self.sessions.listed())}",
            *locks,
            *(f"PROBLEM {problem}" for problem in problems),
        )

    def _alert(self, session: Session) -> None:
        self.metrics.alerts += 1
        said = "session `%s` of `%s` was refused %d times; last tool `%s`, project `%s`"
        log.warning(
            said, session.session, session.host, session.denials, session.last_tool, session.project
        )
        self.remote.alert_denials(
            session=session.session,
            agent=session.host,
            denials=session.denials,
            last_tool=session.last_tool,
        )


def _stores(settings: Settings) -> tuple[SqliteStore, SqliteStore, SqliteStore]:
    """Return connections to the record: one writes, one reads on the loop, one off the loop."""
    path, patience_s = settings.record_file, settings.limits.busy_timeout_s
    return (
        SqliteStore(path, busy_timeout_s=patience_s),
        SqliteStore(path, busy_timeout_s=READER_PATIENCE_S),
        SqliteStore(path, busy_timeout_s=patience_s),
    )


def _tcp_socket(port: int) -> socket.socket:
    """Return the socket on loopback.

    Raises:
        BadSettings: the port is taken.
    """
    tcp = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    tcp.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        tcp.bind((LOOPBACK, port))
    except OSError as error:
        tcp.close()
        said = f"cannot listen on {LOOPBACK}:{port}: {error.strerror}"
        more = "`signoff up --port N` takes another, as does `server: {port: N}`"
        raise BadSettings(f"{said}; {more}") from error
    return tcp


@contextlib.contextmanager
def _unix_socket(path: str) -> Iterator[socket.socket]:
    """Make the Unix socket, for its owner only, and take it away at the end.

    Raises:
        StoreError: it cannot be made.
    """
    unix = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    # A path that is too long for the system is given from its folder, in which we are.
    address = path if len(os.fsencode(path)) <= ADDRESS_LIMIT else os.path.basename(path)
    mask = os.umask(0o177)
    try:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(path)
        unix.bind(address)
        unix.listen(BACKLOG)
    except OSError as error:
        unix.close()
        raise StoreError(f"cannot make the socket `{path}`: {error}") from error
    finally:
        os.umask(mask)
    try:
        yield unix
    finally:
        unix.close()
        with contextlib.suppress(FileNotFoundError):
            os.unlink(path)
