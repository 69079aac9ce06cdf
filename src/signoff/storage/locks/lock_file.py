"""The locks in force, in one small file beside the record: the panic switch.

Every process looks at the file before each decision, so a lock holds within that moment, with or
without the daemon, and over restarts. A server may let one look hold for all calls that were sent
before it (`fs_probe/offloaded.py`). No file means no lock; a file that cannot be read, or says
what is not understood, locks everything: a switch that is broken is on.

    LockFile("/home/dev/.local/state/signoff/locks.json").add(Lock(scope=Scope.ALL))
"""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Annotated

import msgspec
from msgspec import Meta

from signoff.actions.action import Action
from signoff.documents.convert import FormatVersion, convert
from signoff.documents.node import FileForm, Node
from signoff.documents.reading import read_json
from signoff.errors import BadSettings, StoreError
from signoff.storage.fs_probe.probe import Moments, TickCache
from signoff.storage.locks.lock import EVERYTHING, NAME_LIMIT, Lock, LockScope
from signoff.storage.text_file import file_lock, make_folder, read_text, write_whole

FILE = "locks.json"
SIZE_LIMIT = 262_144  # bytes
# Beyond it one lock on everything stands for all: never fewer locks than were set.
LOCKS_LIMIT = 1_000
FORMAT = 1
FORM = FileForm(what="locks", expected="`version` and `locks`", error=BadSettings, is_typed=True)

Blank = Meta(min_length=0, max_length=10_000)
HoldLocks = Callable[[tuple[Lock, ...]], tuple[Lock, ...]]
Signature = tuple[int, int, int] | None


class LockEntry(msgspec.Struct, frozen=True, kw_only=True):
    """One lock, as in the file."""

    scope: LockScope
    name: Annotated[str, Meta(min_length=0, max_length=NAME_LIMIT)] = ""
    since: Annotated[str, Blank] = ""
    by: Annotated[str, Blank] = ""


class LocksDocument(msgspec.Struct, frozen=True, kw_only=True):
    """The whole file of locks."""

    version: FormatVersion
    locks: Node


class LockFile:
    """The locks of one installation (the panic switch): reads, sets and lifts them.

    Args:
        moments: returns the same object as long as a cached result may be reused.
        held: adds the locks that still hold although they are gone from the file.
    """

    def __init__(
        self, path: str, moments: Moments = object, held: HoldLocks = lambda locks: locks
    ) -> None:
        self.path = path
        self._held = held
        self._in_force = TickCache(self._look, moments)
        self._guard = threading.Lock()
        self._known: tuple[Signature, tuple[Lock, ...]] = (None, ())

    @classmethod
    def of(cls, state: str) -> LockFile:
        """Open the locks of a state folder. No setting is read, as settings may be broken."""
        return cls(os.path.join(state, FILE))

    def reason(self, action: Action) -> str:
        """Return why the action is locked, "" if it is not locked."""
        for lock in self.locks():
            if lock.holds(action):
                return lock.reason
        return ""

    def locks(self) -> tuple[Lock, ...]:
        """Return the locks in force; one lock on everything if the file cannot be read."""
        return self._held(self._in_force.now())

    def _look(self) -> tuple[Lock, ...]:
        """Look at the file, and read it if it is another one than before."""
        try:
            signature = _signature(self.path)
            known, locks = self._known
            # Modification time, size and inode together: a replaced file always has another inode.
            if signature == known:
                return locks
            # A link that leads nowhere is there and cannot be read: that is no "no lock".
            locks = () if signature is None else _read(self.path, is_needed=True)
        except (OSError, ValueError, StoreError):
            # Not kept as known: the next look reads the file again, and a repaired one unlocks.
            return (EVERYTHING,)
        self._known = (signature, locks)
        return locks

    def add(self, lock: Lock) -> None:
        """Set a lock; it applies from the next decision on.

        Raises:
            StoreError: it cannot be set.
        """
        with self._changing():
            try:
                kept = [one for one in _read(self.path) if one.target != lock.target]
            except (OSError, ValueError, StoreError):
                kept = [EVERYTHING]
            if len(kept) >= LOCKS_LIMIT:
                kept = [EVERYTHING]
            self._write([*kept, lock])

    def remove(self, lock: Lock) -> bool:
        """Lift a lock; a lock on everything lifts all. Return whether there was one.

        Raises:
            StoreError: it cannot be lifted.
        """
        with self._changing():
            if lock.scope is LockScope.ALL:
                # Not read from the file: a file that is broken must be possible to lift as well.
                found = self.locks()
                self._write([])
                return bool(found)
            try:
                before = _read(self.path)
            except (OSError, ValueError) as error:
                raise StoreError(f"`{self.path}` cannot be read; lift all locks") from error
            kept = [one for one in before if one.target != lock.target]
            self._write(kept)
            return len(kept) < len(before)

    def follow(self, before: tuple[Lock, ...], after: tuple[Lock, ...]) -> None:
        """Apply the difference between two sets of locks to the file; others stay.

        Raises:
            StoreError: it cannot be changed.
        """
        with self._changing():
            try:
                there = _read(self.path)
            except (OSError, ValueError, StoreError):
                return  # it locks everything until a person has looked at it
            # By value: the same lock that was set again since is another one, and stays.
            kept = [one for one in there if one in after or one not in before]
            targets = {one.target for one in kept}
            added = [one for one in after if one not in before and one.target not in targets]
            if added or len(kept) < len(there):
                found = [*kept, *added]
                self._write(found if len(found) <= LOCKS_LIMIT else [EVERYTHING])

    @contextmanager
    def _changing(self) -> Iterator[None]:
        """Let one process at a time change the file."""
        folder, name = os.path.split(self.path)
        try:
            # A file of its own: `_write` replaces the other, and a replaced file guards nothing.
            # NFS makes record locks of `flock`, which do not hold between threads of a process.
            with self._guard, file_lock(folder, f"{name}.lock", make=make_folder):
                yield
        except OSError as error:
            raise StoreError(f"cannot change `{self.path}`: {error}") from error

    def _write(self, locks: list[Lock]) -> None:
        """Write the file whole or not at all, durably."""
        said = {"version": FORMAT, "locks": [_plain(lock) for lock in locks]}
        write_whole(self.path, json.dumps(said, indent=1).encode())
        self._in_force.forget()


def _plain(lock: Lock) -> dict[str, str]:
    return {"scope": lock.scope.value, "name": lock.name, "since": lock.since, "by": lock.by}


def _signature(path: str) -> Signature:
    """Return what changes when the file does, None if there is none."""
    try:
        # Not `stat`: a dangling link must count as a file that cannot be read.
        found = os.lstat(path)
    except FileNotFoundError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino


def _read(path: str, *, is_needed: bool = False) -> tuple[Lock, ...]:
    """Read the file.

    Raises:
        StoreError: it cannot be read, or says what is not understood.
    """
    try:
        text = read_text(path, limit=SIZE_LIMIT)
        if text is None and not is_needed:
            return ()
        said = convert(read_json(text or "", file=path, form=FORM), LocksDocument)
        return tuple(_lock(node) for node in said.locks.items())
    except BadSettings as error:
        raise StoreError(f"{error}; until it is fixed everything is locked") from error


def _lock(node: Node) -> Lock:
    node.name = "a lock"
    said = convert(node, LockEntry)
    # A lock on an agent without a name would lock nobody, and look like one that holds.
    if (said.scope is LockScope.ALL) == bool(said.name):
        which = "names nothing" if said.scope is LockScope.ALL else "needs a name"
        raise node.refuse(f"a lock: scope `{said.scope}` {which}")
    return Lock(scope=said.scope, name=said.name, since=said.since[:64], by=said.by[:NAME_LIMIT])
