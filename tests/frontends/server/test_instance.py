"""One daemon a store: the lock, and those who only look who holds it."""

from __future__ import annotations

import fcntl
import os
import threading
import time
from pathlib import Path

import pytest

from signoff.errors import StoreError
from signoff.frontends.client.places import Places
from signoff.frontends.server.instance import only_instance, running_process


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
