"""The audit log of this user, opened for reading, and the keeper of its checkpoints."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

from signoff.build.stores import build_fleet_record, build_store
from signoff.effects.store import RecordEntry
from signoff.errors import StoreError
from signoff.frontends.cli.progress import progress
from signoff.frontends.client.places import Places
from signoff.settings import Settings, load_settings
from signoff.storage.commits.waiting_outcomes import WaitingOutcomes, load_outcomes
from signoff.storage.proof.checkpoints import CheckpointKeeper
from signoff.storage.proof.note import open_signer
from signoff.storage.reading import Readable, Record
from signoff.storage.sqlite import SqliteStore

if TYPE_CHECKING:  # an extra
    from signoff.storage.postgresql.record import PostgresRecord


def open_log(settings: Settings | None = None) -> Record:
    """Open the audit log of this machine: a file, or its part of the shared database.

    Raises:
        StoreError: there is none yet.
    """
    settings = settings or load_settings()
    path = settings.record_file
    # Opening would make an empty log, which a command that only reads must not.
    if settings.store is None and not os.path.exists(path):
        raise StoreError(f"there is no audit log at `{path}` yet: nothing was decided so far")
    return build_store(settings)


def open_all(settings: Settings | None = None) -> Readable:
    """Open the audit log of all machines that share the store; without one, that of this machine.

    Raises:
        StoreError: there is none yet.
    """
    settings = settings or load_settings()
    return open_log(settings) if settings.store is None else build_fleet_record(settings)


def read_all(settings: Settings | None = None, *, is_shown: bool = True) -> Iterator[RecordEntry]:
    """Yield all entries of `open_all`, with a progress line on a terminal.

    Args:
        is_shown: False if the caller prints lines meanwhile.
    """
    store = open_all(settings)
    with progress("reading the audit log", total=store.head().seq, is_shown=is_shown) as line:
        for count, entry in enumerate(store.entries(), 1):
            line.at(count)
            yield entry


def waiting_outcomes(settings: Settings | None = None) -> dict[str, str]:
    """Return how calls ended whose end the daemon knows and no entry holds yet, by decision id."""
    waiting = WaitingOutcomes()
    load_outcomes(waiting, Places((settings or load_settings()).state_dir).outcomes)
    return waiting.results()


def open_other_nodes() -> tuple[PostgresRecord, ...]:
    """Open the audit logs of the other machines that share the store; () without one."""
    settings = load_settings()
    if settings.store is None:
        return ()
    chains = build_fleet_record(settings).chains()
    return tuple(one for one in chains if one.node != settings.store.node)


def open_file(what: str) -> SqliteStore:
    """Open the audit log as a file.

    Args:
        what: the purpose, for the message.

    Raises:
        StoreError: there is none yet, or it is in the shared database.
    """
    store = open_log()
    if not isinstance(store, SqliteStore):
        raise StoreError(
            f"`signoff audit {what}` is for a record in a file; this one is in PostgreSQL:"
            " docs/operations.md says how to back it up and restore it"
        )
    return store


def open_keeper(store: Record, settings: Settings | None = None) -> CheckpointKeeper:
    """Open the keeper of checkpoints; its key is created if missing.

    Raises:
        StoreError: the key cannot be made or read.
    """
    settings = settings or load_settings()
    signer = open_signer(settings.checkpoint_key_file)
    return CheckpointKeeper(store, signer, folder=settings.checkpoints_dir)
