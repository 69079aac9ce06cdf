"""The audit log of this user, opened for reading, and the keeper of its checkpoints."""

from __future__ import annotations

import os

from signoff.errors import StoreError
from signoff.settings import Settings, load_settings
from signoff.storage.proof.checkpoints import CheckpointKeeper
from signoff.storage.proof.note import open_signer
from signoff.storage.sqlite import SqliteStore


def open_log() -> SqliteStore:
    """Open the audit log of this machine.

    Raises:
        StoreError: there is none yet.
    """
    path = load_settings().record_file
    if not os.path.exists(path):
        raise StoreError(f"there is no record at `{path}` yet")
    return SqliteStore(path)


def open_keeper(store: SqliteStore, settings: Settings | None = None) -> CheckpointKeeper:
    """Open the keeper of checkpoints; a key is made if there is none.

    Raises:
        StoreError: the key cannot be made or read.
    """
    settings = settings or load_settings()
    signer = open_signer(settings.checkpoint_key_file)
    return CheckpointKeeper(store, signer, folder=settings.checkpoints_dir)
