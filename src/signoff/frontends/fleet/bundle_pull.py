"""Takes a bundle: fetched, checked, and kept only where everything about it is right.

pulled = await pull(settings)
pulled.version, pulled.is_new
"""

from __future__ import annotations

import asyncio
import os

from msgspec import Struct

from signoff.build.scoring import check_bundle
from signoff.errors import BadSettings, SignoffError
from signoff.sections import BundleSection
from signoff.settings import Settings
from signoff.storage.bundles.bundle import BadBundle, BundleContent
from signoff.storage.bundles.fetching import fetched
from signoff.storage.bundles.stored_bundle import (
    FILE,
    StoredBundle,
    accepted,
    read_kept,
    write_kept,
)
from signoff.storage.text_file import file_lock

LOCK = "bundle.lock"


class PulledBundle(Struct, frozen=True, kw_only=True):
    """The result of fetching a bundle.

    Args:
        before: version in force until then, 0 if none.
    """

    kept: StoredBundle
    version: int
    digest: str
    before: int

    @property
    def is_new(self) -> bool:
        """Whether the version in force has changed."""
        return self.version != self.before


def kept_path(settings: Settings) -> str:
    """Return the path of the stored bundle."""
    return os.path.join(settings.state_dir, FILE)


async def pull(settings: Settings, last: StoredBundle | None = None) -> PulledBundle:
    """Fetch the bundle of the settings and store it; an invalid one changes nothing.

    Args:
        last: the bundle this process saw in force last.

    Raises:
        SignoffError: it could not be fetched or is not valid; the message says why.
    """
    source = settings.bundle_source
    if source is None:
        raise BadSettings("signoff.yaml has no section `bundle`: nothing says where bundles are")
    text = await fetched(source.url or source.path)
    return await asyncio.to_thread(take, settings, source, text, last)


def take(
    settings: Settings, source: BundleSection, text: str, last: StoredBundle | None = None
) -> PulledBundle:
    """Store a fetched bundle.

    Args:
        text: the bundle.

    Raises:
        SignoffError: it is not valid.
    """
    with file_lock(settings.state_dir, LOCK):
        path = kept_path(settings)
        there = _readable(path)
        kept = newest(there, last)
        before = kept.opened().version if kept else 0
        fresh = accepted(kept, text, keys=source.keys, group=source.group)
        bundle = fresh.opened()
        if bundle.version != before:
            _check(bundle.content)
        if fresh != there:  # else every look would make each project read its settings again
            write_kept(path, fresh)
    return PulledBundle(kept=fresh, version=bundle.version, digest=bundle.digest, before=before)


def newest(*found: StoredBundle | None) -> StoredBundle | None:
    """Return the bundle with the highest version, None if there is none."""
    kept = [one for one in found if one is not None]
    return max(kept, key=lambda one: one.opened().version, default=None)


def _readable(path: str) -> StoredBundle | None:
    """Return what is kept; what is damaged is replaced by what the known keys have signed."""
    try:
        kept = read_kept(path)
        if kept is not None:
            kept.opened()
    except BadBundle:
        return None
    return kept


def _check(content: BundleContent) -> None:
    try:
        check_bundle(content)
    except SignoffError as error:
        raise BadBundle(f"version {content.version} cannot be used here: {error}") from error
