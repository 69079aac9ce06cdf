"""One daemon a store: the lock, and those who only look who holds it."""

from __future__ import annotations

import fcntl
import os
import socket
import sys
import threading
import time
from pathlib import Path

import pytest

from signoff.errors import StoreError
from signoff.frontends.client.places import Places
from signoff.frontends.server.instance import foreign_holder, only_instance, running_process


@pytest.fixture
def places(tmp_path: Path) -> Places:
    """Return the places of a daemon that never ran."""
    made = Places(str(tmp_path / "state"))
    made.make()
    return made


def test_one_who_looks_keeps_no_daemon_from_starting(places: Places) -> None:
    """`signoff status` at that very moment holds the lock too, and lets go at once."""
    handle = os.open(places.lock, os.O_RDWR | os.O_CREAT, 0o600)
    fcntl.flock(handle, fcntl.LOCK_SH)

    def let_go() -> None:
        time.sleep(0.2)
        os.close(handle)

    looker = threading.Thread(target=let_go)
    looker.start()
    with only_instance(places):
        assert os.getpid() == running_process(places)
    looker.join()


def test_there_is_one_daemon(places: Places) -> None:
    """The second one is told which runs; after the end nobody is taken for it."""
    with only_instance(places):
        with pytest.raises(StoreError, match=str(os.getpid())), only_instance(places):
            pass
        assert os.getpid() == running_process(places)

    assert 0 == running_process(places)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells who holds a lock")
def test_another_program_that_locks_the_file_is_no_daemon(places: Places) -> None:
    """The number in the file is of a daemon that ended: it may be any process by now."""
    Path(places.lock).write_text("1\n", encoding="ascii")
    handle = os.open(places.lock, os.O_RDWR)
    fcntl.flock(handle, fcntl.LOCK_EX)
    try:
        found = running_process(places), foreign_holder(places)
        with pytest.raises(StoreError, match="is no signoff server"), only_instance(places):
            pass
    finally:
        os.close(handle)

    assert found == (0, os.getpid())


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells who holds a lock")
def test_who_writes_another_number_has_no_other_process_ended(places: Places) -> None:
    """`signoff down` ends the process that listens and holds the lock."""
    with only_instance(places), socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
        listener.bind(places.socket)
        listener.listen()
        Path(places.lock).write_text("1\n", encoding="ascii")

        assert running_process(places) == os.getpid()
