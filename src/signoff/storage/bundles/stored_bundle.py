"""The last good bundle of this machine, kept in the state folder, and what is in force of it.

A machine that once took a bundle stays under one: neither a missing section in `signoff.yaml` nor
other keys there end it. The keys are those it was enrolled with, or those a later bundle names.
What is kept is checked at each reading, as when it came.

    kept = read_kept("/home/dev/.local/state/signoff/bundle.json")
    kept = accepted(kept, text, keys=section.keys)     # BadBundle: older, forged, cut
    write_kept(path, kept)
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Sequence

import msgspec

from signoff.errors import BadSettings, StoreError
from signoff.storage.bundles.bundle import BUNDLE_LIMIT, BadBundle, Bundle, opened
from signoff.storage.text_file import make_own_folder, read_text, write_whole

FILE = "bundle.json"
NODE_BYTES = 8


class StoredBundle(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A bundle as it is stored on this machine.

    Args:
        node: names this machine where a release is for a share of the nodes.
        keys: public keys that bundles of this machine are signed by.
        group: of this machine, as the settings said it last.
        text: the bundle.
    """

    node: str
    keys: tuple[str, ...]
    group: str = ""
    text: str

    def opened(self) -> Bundle:
        """Return the bundle after checking its signature again.

        Raises:
            BadBundle: it was changed since it was stored.
        """
        # By the keys it came with: those it names itself hold for the next one.
        return opened(self.text, self.keys)


def read_kept(path: str) -> StoredBundle | None:
    """Return the stored bundle, None if this machine never took one.

    Raises:
        BadBundle: it exists and cannot be read.
    """
    try:
        text = read_text(path, limit=2 * BUNDLE_LIMIT + 65_536)
        return None if text is None else msgspec.json.decode(text, type=StoredBundle)
    except (BadSettings, msgspec.DecodeError, UnicodeError) as error:
        raise BadBundle(f"the kept bundle cannot be read: {error}") from error


def accepted(
    kept: StoredBundle | None, text: str, *, keys: Sequence[str], group: str = ""
) -> StoredBundle:
    """Return what to store after fetching a bundle: the new one, or `kept` if it is the same.

    Args:
        keys: keys in the settings; they count only while nothing is stored.

    Raises:
        BadBundle: it is older than the stored one, or not signed by a known key.
    """
    if kept is None:
        node = secrets.token_hex(NODE_BYTES)
        opened(text, keys)
        return StoredBundle(node=node, keys=tuple(keys), group=group, text=text)
    now = kept.opened()
    known = now.content.next_keys or kept.keys
    bundle = opened(text, tuple(dict.fromkeys((*known, *kept.keys))))
    if bundle.version < now.version:
        raise BadBundle(f"version {bundle.version} is older than {now.version}, which is in force")
    if bundle.version == now.version:
        if bundle.digest != now.digest:
            raise BadBundle(f"another bundle of version {now.version} is in force already")
        return msgspec.structs.replace(kept, group=group)
    if bundle.key not in known:
        raise BadBundle("the key of the bundle was replaced by another one")
    return msgspec.structs.replace(kept, keys=known, group=group, text=text)


def write_kept(path: str, kept: StoredBundle) -> None:
    """Store a bundle.

    Raises:
        StoreError: it cannot be written; what was kept before still is.
    """
    try:
        make_own_folder(os.path.dirname(path))
        write_whole(path, msgspec.json.encode(kept))
    except OSError as error:
        raise StoreError(f"cannot keep the bundle in `{path}`: {error.strerror}") from error


def forget(path: str) -> bool:
    """Delete the stored bundle; return False if there was none.

    Raises:
        StoreError: it cannot be deleted.
    """
    try:
        os.unlink(path)
    except FileNotFoundError:
        return False
    except OSError as error:
        raise StoreError(f"cannot remove `{path}`: {error.strerror}") from error
    return True
