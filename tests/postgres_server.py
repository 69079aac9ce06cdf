"""A real PostgreSQL for tests: a scratch folder, its own port on loopback, gone afterwards.

It is started once a test process, by another user where this one is root, as it refuses root. Each
test gets a database of its own, an empty one or a copy (`made_tables.py`). Where it is not
installed, tests that need it say so. Its files stand in memory where there is plenty: a run makes
hundreds of databases, and syncing and removing them costs a disk more than filling them. A test
process that was killed leaves both behind; the next one ends and removes them.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import glob
import itertools
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from signoff.storage.postgresql.address import StoreAddress

BINARIES = (*sorted(glob.glob("/usr/lib/postgresql/*/bin"))[::-1], "/usr/local/bin", "/usr/bin")
USER = "signoff"
START_S = 60.0
MEMORY = "/dev/shm"
ROOM = 8 << 30  # a whole run takes a third of it
PREFIX = "signoff-postgres-"  # then the process id of its owner
_numbers = itertools.count()


def binaries() -> str:
    """Return the folder with the server's programs, "" if it is not installed."""
    return next((one for one in BINARIES if os.path.exists(os.path.join(one, "initdb"))), "")


@dataclass(slots=True)
class PostgresServer:
    """One server: started, killed and started again by tests."""

    folder: str = ""
    port: int = 0
    settings: Mapping[str, str] = field(default_factory=dict)
    process: subprocess.Popen[bytes] | None = None

    def make(self) -> None:
        """Make its files."""
        place = _roomy_memory()
        for left in abandoned(place or tempfile.gettempdir()):
            _end(left)
            shutil.rmtree(left, ignore_errors=True)
        self.folder = tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-", dir=place)
        user = _other_user()
        if user is not None:
            os.chown(self.folder, user.pw_uid, user.pw_gid)
        # The files of a test need not outlive a power cut, and syncing them takes seconds.
        options = ("-U", USER, "-A", "trust", "-E", "UTF8", "--no-sync", "--no-instructions")
        self._run("initdb", "-D", f"{self.folder}/data", *options)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]

    def start(self) -> None:
        """Start it, and wait until it answers."""
        options = {
            "listen_addresses": "127.0.0.1",
            "unix_socket_directories": self.folder,
            "port": str(self.port),
            "max_connections": "200",
            **self.settings,
        }
        arguments = [f"--{name}={value}" for name, value in options.items()]
        self.process = self._popen("postgres", "-D", f"{self.folder}/data", *arguments)
        until = time.monotonic() + START_S
        while self._popen("pg_isready", "-q", "-h", self.folder, "-p", str(self.port)).wait():
            assert time.monotonic() < until, self.log()
            time.sleep(0.1)

    def stop(self, number: signal.Signals = signal.SIGQUIT) -> None:
        """End it and everything it started."""
        if self.process is None:
            return
        if number is signal.SIGKILL:
            os.killpg(self.process.pid, number)
        else:
            self.process.send_signal(number)
        self.process.wait(START_S)
        self.process = None

    def remove(self) -> None:
        """End it and remove its files."""
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def log(self) -> str:
        """Return what it said."""
        return Path(self.folder, "log").read_text(errors="replace")[-4_000:]

    def sql(self, database: str, *texts: str, user: str = USER) -> str:
        """Run SQL, if nothing else is said as the owner of everything; return what it prints.

        Args:
            texts: each a transaction of its own, or a command of psql.
        """
        where = ("-h", self.folder, "-p", str(self.port), "-U", user, "-d", database)
        commands = [word for text in texts for word in ("-c", text)]
        return self._run("psql", "-v", "ON_ERROR_STOP=1", "-qAt", *where, *commands)

    def address(self, *, node: str = "a", database: str = "", copy_of: str = "") -> StoreAddress:
        """Return the address of a database, a new one if none is named: empty, or a copy."""
        if not database:
            database = self.new_name()
            self.sql("postgres", f"CREATE DATABASE {database} TEMPLATE {copy_of or 'template1'}")
        return StoreAddress(
            hosts=(("127.0.0.1", self.port),),
            user=USER,
            database=database,
            has_tls=False,
            node=node,
        )

    def new_name(self) -> str:
        """Return a name for a database that no other has."""
        return f"test_{os.getpid()}_{next(_numbers)}"

    def url(self, database: str) -> str:
        """Return the same as signoff.yaml says it."""
        return f"postgresql://{USER}@127.0.0.1:{self.port}/{database}"

    def _run(self, name: str, *arguments: str) -> str:
        done = self._popen(name, *arguments, is_read=True)
        said, _ = done.communicate(timeout=START_S)
        assert done.returncode == 0, said.decode(errors="replace")
        return said.decode().strip()

    def _popen(self, name: str, *arguments: str, is_read: bool = False) -> subprocess.Popen[bytes]:
        # A client runs as this user: Python starts it without a copy of all of its memory then.
        user = None if name == "psql" else _other_user()
        with open(f"{self.folder}/log", "ab") as said:
            return subprocess.Popen(
                [os.path.join(binaries(), name), *arguments],
                cwd=self.folder,
                user=user.pw_uid if user else None,
                group=user.pw_gid if user else None,
                extra_groups=[] if user else None,
                env={"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "HOME": self.folder},
                start_new_session=True,  # a kill takes all of its processes
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE if is_read else said,
                stderr=subprocess.STDOUT if is_read else said,
            )


def abandoned(place: str) -> list[Path]:
    """Return the folders of servers whose test process is gone."""
    return [
        folder
        for folder in Path(place).glob(f"{PREFIX}*-*")
        if (owner := folder.name.removeprefix(PREFIX).partition("-")[0]).isdecimal()
        and not Path("/proc", owner).exists()
        and Path("/proc/self").exists()
    ]


def _end(folder: Path) -> None:
    """Kill the server of a folder, if it still runs there and nowhere else."""
    with contextlib.suppress(OSError, ValueError):
        process = int((folder / "data" / "postmaster.pid").read_text().split("\n", 1)[0])
        if str(folder).encode() in Path("/proc", str(process), "cmdline").read_bytes():
            os.killpg(process, signal.SIGKILL)


def _roomy_memory() -> str | None:
    """Return the file system in memory, None where it is small or there is none."""
    try:
        found = os.statvfs(MEMORY)
    except OSError:
        return None
    return MEMORY if found.f_bavail * found.f_frsize >= ROOM else None


def _other_user() -> pwd.struct_passwd | None:
    """Return as whom the server runs, where this user is root."""
    if os.geteuid() != 0:
        return None
    names: Sequence[str] = ("postgres", "nobody")
    return next(one for one in pwd.getpwall() if one.pw_name in names)


@functools.cache
def _shared() -> PostgresServer:
    server = PostgresServer()
    atexit.register(server.remove)
    server.make()
    server.start()
    return server


def shared_server() -> PostgresServer:
    """Return the server of this test process, or skip the test."""
    if not binaries():
        pytest.skip("no PostgreSQL (apt-get install postgresql)")
    return _shared()
