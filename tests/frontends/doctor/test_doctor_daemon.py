"""The doctor tells a daemon that guards from one that hangs, cannot start or has a problem."""

from __future__ import annotations

import fcntl
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from bench.warm_home import give_patterns

from signoff.frontends.client.places import Places
from signoff.frontends.doctor.check import DoctorCheck
from signoff.frontends.doctor.daemon import check_daemon
from signoff.settings import Settings, load_settings
from signoff.storage.locks.lock import Lock, LockScope
from signoff.storage.locks.lock_file import LockFile


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """Return the settings of a home of its own, on a port nobody listens on."""
    monkeypatch.setenv("HOME", str(tmp_path))
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    configure(tmp_path, f"server: {{port: {port}}}\n")
    return load_settings()


def configure(home: Path, text: str) -> None:
    """Write the settings of this home."""
    file = home / ".config" / "signoff" / "signoff.yaml"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


def bad(settings: Settings) -> list[DoctorCheck]:
    """Return what the doctor complains of."""
    return [check for check in check_daemon(settings) if not check.is_good]


@contextmanager
def running(settings: Settings) -> Iterator[None]:
    """Run a daemon meanwhile."""
    give_patterns(Path(settings.home))
    _signoff(settings, "up")
    try:
        yield
    finally:
        _signoff(settings, "down")


def _signoff(settings: Settings, word: str) -> None:
    subprocess.run(
        [sys.executable, "-I", "-m", "signoff", word],
        env={"HOME": settings.home, "PATH": os.defpath},
        check=True,
        timeout=60,
        capture_output=True,
    )


def test_one_that_does_not_run_yet_is_no_problem(settings: Settings) -> None:
    """It is started at a call."""
    assert [] == bad(settings)


def test_one_that_must_run_and_does_not_is_a_problem(settings: Settings) -> None:
    """Where nothing starts it, every call is refused."""
    configure(Path(settings.home), "hosts: {without_daemon: refuse}\n")

    assert ["run `signoff up`"] == [check.fix for check in bad(load_settings())]


def test_a_port_that_is_taken_is_named(settings: Settings) -> None:
    """A daemon that could not start is no daemon that is started at a call."""
    with socket.create_server(("127.0.0.1", settings.port)):
        (found,) = bad(settings)

    assert f"another program of yours listens on port {settings.port}" in found.said
    assert "run `signoff up --port " in found.fix


def test_one_that_hangs_is_named(settings: Settings) -> None:
    """Its place is held, and nobody answers."""
    Path(settings.state_dir).mkdir(parents=True)
    handle = os.open(Places(settings.state_dir).lock, os.O_RDWR | os.O_CREAT)
    os.write(handle, b"%d\n" % os.getpid())
    fcntl.flock(handle, fcntl.LOCK_EX)
    try:
        (found,) = bad(settings)
    finally:
        os.close(handle)

    assert f"process {os.getpid()} holds its place and does not answer" in found.said
    assert "run `signoff up`" in found.fix


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells who holds a lock")
def test_a_program_that_locks_its_place_is_named(settings: Settings) -> None:
    """The number in the file is of a daemon that ended, and of any process by now."""
    Path(settings.state_dir).mkdir(parents=True)
    handle = os.open(Places(settings.state_dir).lock, os.O_RDWR | os.O_CREAT)
    os.write(handle, b"4321\n")
    fcntl.flock(handle, fcntl.LOCK_EX)
    try:
        (found,) = bad(settings)
    finally:
        os.close(handle)

    assert f"process {os.getpid()} locks `" in found.said
    assert "end that process" in found.fix


def test_what_it_calls_a_problem_is_passed_on(settings: Settings) -> None:
    """Rules that broke while it runs: the last good ones stay, and the doctor says so."""
    with running(settings):
        before = bad(settings)
        Path(settings.rules_file).write_text("version: 1\nrules: [", encoding="utf-8")
        said = [check.said for check in _after_a_look(settings)]

    assert [] == before
    assert any("rules.yaml" in one for one in said)


def test_locks_are_named(settings: Settings) -> None:
    """One on a tool is as somebody wanted it, one on everything hides what else is wrong."""
    locks = LockFile(settings.locks_file)
    Path(settings.state_dir).mkdir(parents=True)
    locks.add(Lock(scope=LockScope.TOOL, name="Bash"))
    of_a_tool = bad(settings)
    locks.add(Lock(scope=LockScope.ALL))

    assert [] == of_a_tool
    assert ["everything is locked"] == [check.said for check in bad(settings)]


def _after_a_look(settings: Settings) -> list[DoctorCheck]:
    """Return the complaints once the daemon has looked at its files again."""
    until = time.monotonic() + 60
    while not (found := bad(settings)) and time.monotonic() < until:
        time.sleep(0.05)
    return found
