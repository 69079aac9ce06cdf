"""Real daemons on one real PostgreSQL, each in a home of its own.

with nodes(2) as fleet:
    fleet.daemons[0].port, fleet.server.sql(...)
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from bench.fleet.cut import CuttableLink
from bench.ports import free_port
from bench.server import Target
from bench.warm_home import give_patterns
from postgres_server import USER, PostgresServer
from signoff.storage.postgresql.address import StoreAddress
from signoff.storage.postgresql.link import StoreLink
from signoff.storage.postgresql.migrating import prepare
from signoff.values import replace

START_S = 120.0
DATABASE = "fleet"
OWNER = "owner"


@dataclass(slots=True, kw_only=True)
class FleetNode:
    """A daemon that can be killed and started again."""

    name: str
    home: Path
    url: str
    program: tuple[str, ...] = ("-m", "signoff")
    settings: str = ""
    channels: tuple[str, ...] = ()
    tenant: str = ""
    port: int = field(default_factory=free_port)
    process: subprocess.Popen[bytes] | None = None

    @property
    def state(self) -> Path:
        """The state folder."""
        return self.home / ".local" / "state" / "signoff"

    @property
    def environment(self) -> dict[str, str]:
        """The environment of everything on this machine."""
        return {"PATH": os.environ["PATH"], "HOME": str(self.home)}

    @property
    def target(self) -> Target:
        """The same, as callers reach it."""
        assert self.process is not None
        token = (self.state / "token").read_text(encoding="ascii").strip()
        project = self.home / "project"
        (project / ".git").mkdir(parents=True, exist_ok=True)
        return Target(
            name=self.name,
            pid=self.process.pid,
            port=self.port,
            token=token,
            project=str(project),
        )

    def start(self) -> None:
        """Start it and wait until it serves."""
        config = self.home / ".config" / "signoff"
        config.mkdir(parents=True, exist_ok=True)
        asks = f"channels: [{', '.join(self.channels)}]\n"
        tenant = f", tenant: {self.tenant}" if self.tenant else ""
        said = f"store: {{url: '{self.url}', node: {self.name}{tenant}}}\n{asks}{self.settings}"
        (config / "signoff.yaml").write_text(said)
        give_patterns(self.home)
        with (self.home / "said").open("ab") as said_to:
            self.process = subprocess.Popen(
                [sys.executable, "-I", *self.program, "serve", "--port", str(self.port)],
                env=self.environment,
                stdout=said_to,
                stderr=said_to,
            )
        self.wait()

    def wait(self) -> None:
        """Wait until it serves."""
        until = time.monotonic() + START_S
        while b" 200 " not in self.get("/healthz"):
            assert time.monotonic() < until, (self.home / "said").read_text()[-2_000:]
            time.sleep(0.05)

    def get(self, path: str) -> bytes:
        """Return the answer to a GET, b"" if there is none."""
        with (
            contextlib.suppress(OSError),
            socket.create_connection(("127.0.0.1", self.port), timeout=10) as link,
        ):
            head = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nConnection: close\r\n"
            token = self.state / "token"
            if token.exists():
                head += f"Authorization: Bearer {token.read_text(encoding='ascii').strip()}\r\n"
            link.sendall(f"{head}\r\n".encode())
            found = b""
            while piece := link.recv(65_536):
                found += piece
            return found
        return b""

    def stop(self, number: signal.Signals = signal.SIGTERM) -> None:
        """End it."""
        if self.process is None:
            return
        self.process.send_signal(number)
        self.process.wait(60)
        self.process = None


def database_pids(server: PostgresServer) -> list[int]:
    """Return the processes of a server, the first one first: each is a group of its own."""
    assert server.process is not None
    first = server.process.pid
    return [first, *(int(one) for one in os.listdir("/proc") if _parent(one) == first)]


def kill_all(server: PostgresServer) -> None:
    """Kill every process of a server at once, as a machine that loses power does."""
    for pid in database_pids(server)[::-1]:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    server.stop(signal.SIGKILL)


def _parent(pid: str) -> int:
    try:
        stat = Path(f"/proc/{int(pid)}/stat").read_text(encoding="ascii", errors="replace")
    except (OSError, ValueError):
        return 0
    return int(stat.rpartition(")")[2].split()[1])


@dataclass(frozen=True, slots=True, kw_only=True)
class Fleet:
    """Nodes and their database."""

    server: PostgresServer
    daemons: tuple[FleetNode, ...]

    @property
    def address(self) -> StoreAddress:
        """The database, past everything that stands between it and the nodes."""
        return self.server.address(database=DATABASE, node="reader")


@contextlib.contextmanager
def nodes(
    count: int,
    *,
    database: Mapping[str, str] | None = None,
    program: tuple[str, ...] = ("-m", "signoff"),
    settings: str = "",
    through: CuttableLink | None = None,
    tenant: str = "",
) -> Iterator[Fleet]:
    """Run nodes on a new database.

    Args:
        database: settings of PostgreSQL.
        program: runs a daemon.
        settings: more lines of signoff.yaml.
        through: the network between nodes and database.
        tenant: whose nodes they are, with row-level security in force; "" = the default one.
    """
    server = PostgresServer(settings=dict(database or {}))
    with ExitStack() as stack:
        stack.callback(server.remove)
        server.make()
        server.start()
        server.sql("postgres", f"CREATE DATABASE {DATABASE}")
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="signoff-fleet-")))
        url = server.url(DATABASE)
        if tenant:
            _add_tenant(server, tenant)
            url = url.replace(f"//{USER}@", f"//{tenant}@")
        if through is not None:
            through.to_port = server.port
            url = url.replace(f":{server.port}/", f":{through.port}/")
        found = []
        for number in range(count):
            name = chr(ord("a") + number)
            (folder / name).mkdir()
            node = FleetNode(
                name=name,
                home=folder / name,
                url=url,
                program=program,
                settings=settings,
                tenant=tenant,
            )
            stack.callback(node.stop)
            node.start()
            found.append(node)
        yield Fleet(server=server, daemons=tuple(found))


def _add_tenant(server: PostgresServer, tenant: str) -> None:
    """Make the tables as a role that is no superuser, and let a role of this name in."""
    for role in (OWNER, tenant):
        server.sql("postgres", f"CREATE ROLE {role} LOGIN")
    server.sql("postgres", f"ALTER DATABASE {DATABASE} OWNER TO {OWNER}")
    link = StoreLink(replace(server.address(database=DATABASE), user=OWNER), prepare=prepare)
    link.run(lambda db: db.fetchval("SELECT 1"))
    link.close()
    add = f"SELECT signoff.add_tenant_role('{tenant}', '{tenant}')"
    server.sql(DATABASE, add, user=OWNER)
