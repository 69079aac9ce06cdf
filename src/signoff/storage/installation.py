"""This installation: the key secrets are masked with, and where its records come from.

The key is made once, kept for its owner only, and never sent anywhere.
"""

from __future__ import annotations

import os
import platform
import secrets

from signoff.effects.store import Origin
from signoff.errors import StoreError
from signoff.storage.text_file import make_own_folder
from signoff.system.files import CLOEXEC, NOFOLLOW, NONBLOCK

BOOT_ID = "/proc/sys/kernel/random/boot_id"
KEY_BYTES = 32


def installation_key(path: str) -> bytes:
    """Return this installation's key; created if missing. If two processes create it, one wins.

    Raises:
        StoreError: it cannot be created or read, or is damaged.
    """
    try:
        if not os.path.lexists(path):
            _make(path)
        handle = os.open(path, os.O_RDONLY | NOFOLLOW | CLOEXEC | NONBLOCK)
        with open(handle, "rb") as source:
            # One more than there may be: a longer file is no key of ours.
            key = source.read(KEY_BYTES + 1)
    except OSError as error:
        raise StoreError(f"cannot use the key `{path}`: {error}") from error
    if len(key) != KEY_BYTES:
        # Not made anew by itself: what was sealed or masked with the old one would silently not
        # match.
        raise StoreError(f"the key `{path}` is damaged: remove it, and a new one is made")
    return key


def this_machine(version: str) -> Origin:
    """Return the origin of audit log entries written here.

    The boot id is "" on systems that have none.
    """
    try:
        with open(BOOT_ID, encoding="ascii") as source:
            boot_id = source.read(64).strip()
    except OSError:
        boot_id = ""
    return Origin(host=platform.node(), boot_id=boot_id, version=version)


def _make(path: str) -> None:
    """Write a new key aside and give it its name in one step, unless somebody else was faster."""
    folder = os.path.dirname(path)
    make_own_folder(folder)
    aside = f"{path}.{os.getpid()}.{secrets.token_hex(4)}"
    handle = os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | CLOEXEC, 0o600)
    try:
        with open(handle, "wb") as target:
            target.write(secrets.token_bytes(KEY_BYTES))
            target.flush()
            # Before it has its name: after a power cut an empty key would stop every start.
            os.fsync(handle)
        # `link` fails if the name exists, unlike a rename: two processes never use different keys.
        os.link(aside, path)
    except FileExistsError:
        return
    finally:
        os.unlink(aside)
