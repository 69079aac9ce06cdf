"""A daemon whose disk was full goes on by itself; until then nothing is let through."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from bench.ports import free_port, is_listening
from bench.warm_home import give_patterns
from live_daemon import LiveDaemon, wait_until

SETUP = 'cp -a "$1" "$2" && mount -t tmpfs -o size=24m,mode=700 none "$1" && cp -a "$2/." "$1" && '
pytestmark = pytest.mark.skipif(
    os.geteuid() != 0 or shutil.which("unshare") is None, reason="it takes root to mount a disk"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class OnSmallDisk(LiveDaemon):
    """A daemon whose state lies on a small disk that only its processes see."""

    holder: int

    @property
    def state(self) -> Path:
        """The state folder, as this process reaches it."""
        return Path(f"/proc/{self.holder}/root{self.home}/.local/state/signoff")


@pytest.fixture
def small(home: Path) -> Iterator[OnSmallDisk]:
    """Run the daemon."""
    give_patterns(home)
    state = home / ".local" / "state" / "signoff"
    port = free_port()
    command = [sys.executable, "-I", "-m", "signoff", "serve", "--port", str(port)]
    shell = ["sh", "-c", SETUP + 'shift 2 && exec "$@"', "sh", str(state), str(home / "copy")]
    process = subprocess.Popen(
        ["unshare", "--mount", *shell, *command],
        env={"PATH": os.environ["PATH"], "HOME": str(home)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    daemon = OnSmallDisk(home=home, port=port, holder=process.pid)
    try:
        wait_until(lambda: is_listening(port))
        yield daemon
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(timeout=60)
        finally:
            process.kill()
            process.wait()


def verdict(daemon: LiveDaemon, number: int) -> str:
    """Return what is said to a harmless call."""
    return str(daemon.act(f"echo {number}", session_id="disk").said["verdict"])


def test_a_daemon_goes_on_once_its_disk_has_space(small: OnSmallDisk) -> None:
    """No restart: calls are refused, then decided and recorded again; the record is whole."""
    before = verdict(small, 0)
    filler = small.state / "filler"
    with contextlib.suppress(OSError), filler.open("wb", buffering=0) as full:
        while True:
            full.write(b"x" * 4_096)
    meanwhile = [verdict(small, number) for number in range(1, 120)]
    status = small.request("GET", "/v1/status").said["problems"]
    ready = small.request("GET", "/readyz")
    filler.unlink()
    wait_until(lambda: small.request("GET", "/readyz").status == 200)
    wait_until(lambda: verdict(small, 200) == "allow")

    assert 503 == ready.status
    assert ("allow", "deny") == (before, meanwhile[-1])
    assert any("every call is refused" in problem for problem in status)
    assert ["allow"] * 3 == [verdict(small, number) for number in range(201, 204)]
    # The next checkpoint is signed within ten seconds.
    wait_until(lambda: small.request("GET", "/v1/status").said["problems"] == [])
