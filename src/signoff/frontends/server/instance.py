"""One daemon a store: a lock the system itself lets go of when the process ends.

with only_instance(places):
    ...
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from signoff.errors import StoreError
from signoff.frontends.client.places import Places
from signoff.serving.lock_holder import LockHolder, holder_of
from signoff.system.files import CLOEXEC, NOFOLLOW, write_at
from signoff.system.locks import try_lock, unlock
from signoff.system.processes import ask_to_end, end_now

POLL_S = 0.02
LOCK_TRIES = 100  # of a start, while others look who holds the lock
PR_SET_DUMPABLE = 4  # of `linux/prctl.h`


@contextmanager
def only_instance(places: Places) -> Iterator[None]:
    """Hold the daemon's lock for the block.

    Raises:
        StoreError: another daemon holds it.
    """
    handle = os.open(places.lock, os.O_RDWR | os.O_CREAT | CLOEXEC | NOFOLLOW, 0o600)
    try:
        if not _is_locked_here(handle):
            raise StoreError(_locked_said(handle, places))
        # Only now: before it held the lock, the number in it was that of the running daemon.
        os.ftruncate(handle, 0)
        write_at(handle, f"{os.getpid()}\n".encode(), 0)
        yield
    finally:
        os.close(handle)


def _locked_said(handle: int, places: Places) -> str:
    """Say who holds the lock, and what to do."""
    holder = holder_of(handle, places.socket)
    # One that has just taken it writes its number next.
    for _ in range(LOCK_TRIES // 10):
        if holder.is_daemon:
            return (
                f"another signoff server (process {holder.pid}) runs on `{places.state}`;"
                " `signoff status` shows it, `signoff down` ends it"
            )
        time.sleep(POLL_S)
        holder = holder_of(handle, places.socket)
    return foreign_said(holder.pid, places)


def foreign_said(pid: int, places: Places) -> str:
    """Return a message that a program which is no daemon holds the lock."""
    return (
        f"process {pid} locks `{places.lock}` and is no signoff server:"
        " end that process, then run `signoff up`"
    )


def foreign_holder(places: Places) -> int:
    """Return the process id of a program that holds the lock and is no daemon; 0 if none."""
    holder = _looked_up(places)
    return holder.pid if holder is not None and not holder.is_daemon else 0


def _is_locked_here(handle: int) -> bool:
    """Take the lock; False if a daemon holds it. Others hold it only while they look who does."""
    for _ in range(LOCK_TRIES):
        if try_lock(handle):
            return True
        # What can be shared is no daemon's.
        if not try_lock(handle, is_shared=True):
            return False
        unlock(handle)
        time.sleep(POLL_S)
    return False


def close_to_others() -> None:
    """Keep other processes of this user from tracing this one, where the system can.

    On Linux a process that may not be dumped is traced, and its memory and environment read, by
    root only. What the daemon holds are keys.
    """
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None, use_errno=True).prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)


def running_process(places: Places) -> int:
    """Return the process id of the running daemon, which holds the lock file; 0 if none."""
    holder = _looked_up(places)
    # Another program may hold it; the number in the file is then of a daemon that has ended.
    return holder.pid if holder is not None and holder.is_daemon else 0


def _looked_up(places: Places) -> LockHolder | None:
    """Return who holds the lock, None if nobody does."""
    try:
        handle = os.open(places.lock, os.O_RDWR | CLOEXEC | NOFOLLOW)
    except OSError:
        return None
    try:
        # Shared, so that two who look at once do not take each other for a daemon.
        if not try_lock(handle, is_shared=True):
            return holder_of(handle, places.socket)
    finally:
        os.close(handle)
    return None


def end_process(places: Places, *, patience_s: float) -> bool:
    """Stop the running daemon, by force after `patience_s`; return whether one ran."""
    pid = running_process(places)
    if not pid:
        return False
    ask_to_end(pid)
    # Asked again: another daemon may have started, and must not be killed.
    if not _is_gone(places, patience_s) and running_process(places) == pid:
        end_now(pid)
        _is_gone(places, patience_s)
    return True


def _is_gone(places: Places, patience_s: float) -> bool:
    """Wait until no daemon runs; tell whether that came to be."""
    deadline = time.monotonic() + patience_s
    while running_process(places):
        if time.monotonic() > deadline:
            return False
        time.sleep(POLL_S)
    return True
