"""A disk that is soon full, and a replica that takes over: for faults of the database."""

from __future__ import annotations

import contextlib
import ctypes
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from postgres_server import PostgresServer, binaries

CLONE_NEWNS = 0x00020000
SIZE = "400m"


@contextlib.contextmanager
def small_disk() -> Iterator[None]:
    """Have temporary files on a small disk of this process; needs root."""
    before = tempfile.tempdir
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(CLONE_NEWNS):
        raise OSError(ctypes.get_errno(), "cannot have a disk of its own")
    folder = tempfile.mkdtemp(prefix="signoff-disk-")
    subprocess.run(["mount", "--make-rprivate", "/"], check=True)
    mount = ["mount", "-t", "tmpfs", "-o", f"size={SIZE},mode=1777", "none", folder]
    subprocess.run(mount, check=True)
    tempfile.tempdir = folder
    try:
        yield
    finally:
        tempfile.tempdir = before
        subprocess.run(["umount", "--lazy", folder], check=True)
        os.rmdir(folder)


@dataclass(frozen=True, slots=True, kw_only=True)
class Replica:
    """A replica by streaming; the primary answers only what the replica has flushed, too."""

    server: PostgresServer

    @classmethod
    @contextlib.contextmanager
    def of(cls, primary: PostgresServer, *, is_synchronous: bool = True) -> Iterator[Replica]:
        """Make and start a replica."""
        server = PostgresServer(settings={**primary.settings, "hot_standby": "on"})
        server.make()
        data = f"{server.folder}/data"
        shutil.rmtree(data)
        try:
            _base_backup(primary, server, data)
            server.start()
            if is_synchronous:
                primary.sql("postgres", "ALTER SYSTEM SET synchronous_standby_names = '*'")
                primary.sql("postgres", "SELECT pg_reload_conf()")
                _wait_for(lambda: "sync" in _states(primary))
            yield cls(server=server)
        finally:
            server.remove()

    def promote(self) -> None:
        """Make it the primary."""
        # What was copied from the primary: it has no replica of its own.
        self.server.sql("postgres", "SELECT pg_promote()")
        _wait_for(lambda: self.server.sql("postgres", "SELECT pg_is_in_recovery()") == "f")
        self.server.sql("postgres", "ALTER SYSTEM SET synchronous_standby_names = ''")
        self.server.sql("postgres", "SELECT pg_reload_conf()")


def _base_backup(primary: PostgresServer, server: PostgresServer, data: str) -> None:
    where = f"host=127.0.0.1 port={primary.port} user=signoff application_name=replica"
    command = [
        os.path.join(binaries(), "pg_basebackup"),
        *("-D", data, "-R", "-X", "stream", "-c", "fast", "-d", where),
    ]
    owner = os.stat(server.folder)
    is_root = os.geteuid() == 0
    subprocess.run(
        command,
        check=True,
        user=owner.st_uid if is_root else None,
        group=owner.st_gid if is_root else None,
        extra_groups=[] if is_root else None,
        env={"PATH": os.environ["PATH"], "HOME": server.folder},
        cwd=server.folder,
        timeout=120,
    )
    assert (Path(data) / "standby.signal").exists()


def _states(primary: PostgresServer) -> str:
    return primary.sql("postgres", "SELECT string_agg(sync_state, ',') FROM pg_stat_replication")


def _wait_for(is_so: object, seconds: float = 60) -> None:
    assert callable(is_so)
    until = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < until, "the replica does not come to be"
        time.sleep(0.1)
