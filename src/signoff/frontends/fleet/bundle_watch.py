"""Follows the bundle while the daemon runs: pulls it, and puts it back where it was removed.

What came is in force for every project within a second, as a changed file is. What cannot be had or
is refused is a problem that `signoff status` shows, and changes nothing.

    watch = BundleWatch(load_settings, tell=log)
    asyncio.create_task(watch.run())
"""

from __future__ import annotations

import asyncio
import logging
import os
import time
from collections.abc import Awaitable, Callable

from signoff.errors import SignoffError
from signoff.frontends.fleet.bundle_pull import PulledBundle, kept_path, pull
from signoff.settings import USER_FILE, Settings
from signoff.storage.bundles.bundle import BadBundle
from signoff.storage.bundles.stored_bundle import StoredBundle, read_kept, write_kept
from signoff.storage.text_file import signature_of

log = logging.getLogger(__name__)

LOOK_EVERY_S = 0.5
RESTART = "takes effect when the daemon starts next (`signoff down; signoff up`)"

Taken = Callable[[PulledBundle], Awaitable[None]]


class BundleWatch:
    """Keeps the bundle of this machine up to date.

    Args:
        settings: as at the daemon's start.
        load: reads them again.
        taken: called with each new version.
    """

    def __init__(self, settings: Settings, *, load: Callable[[], Settings], taken: Taken) -> None:
        self._started, self._now, self._load, self._taken = settings, settings, load, taken
        self._path = kept_path(settings)
        self._user_file = os.path.join(settings.config_dir, USER_FILE)
        self._seen: object = None
        self._last: StoredBundle | None = None
        self._due_s = float("-inf")
        self._problem = ""

    @property
    def problems(self) -> tuple[str, ...]:
        """What is wrong with the bundle or its source; () if nothing."""
        bundle = self._now.bundle
        said = (bundle.problem if bundle else "", self._problem, self._waiting())
        return tuple(f"bundle: {one}" for one in said if one)

    async def run(self) -> None:
        """Fetch regularly until cancelled."""
        while True:
            await self.look()
            await asyncio.sleep(LOOK_EVERY_S)

    async def look(self) -> None:
        """Reread changed settings, and fetch if it is time."""
        await asyncio.to_thread(self._follow)
        source = self._now.bundle_source
        if source is None or time.monotonic() < self._due_s:
            return
        self._due_s = time.monotonic() + source.every_s
        try:
            pulled = await pull(self._now, self._last)
        except SignoffError as error:
            self._failed(f"{error}; {self._in_force()}")
            return
        self._last, self._problem = pulled.kept, ""
        if pulled.is_new:
            log.info("bundle: version %d is in force", pulled.version)
            await asyncio.to_thread(self._follow)
            await self._taken(pulled)

    def forget(self) -> None:
        """Drop the bundle: an admin ended it."""
        self._last = None

    def _follow(self) -> None:
        """Read settings and what is kept, where a file changed."""
        seen = signature_of(self._user_file), signature_of(self._path)
        if seen == self._seen:
            return
        is_first, self._seen = self._seen is None, seen
        try:
            self._restore()
            before, self._now = self._now.bundle_source, self._load()
        except SignoffError as error:
            self._failed(str(error))  # of settings that are refused, as `signoff status` says too
            return
        if is_first or before != self._now.bundle_source:
            self._due_s = float("-inf")

    def _restore(self) -> None:
        """Put back what was in force, where it is gone, damaged or older."""
        try:
            kept = read_kept(self._path)
            version = kept.opened().version if kept else 0
        except BadBundle:
            kept, version = None, 0
        if self._last is not None and version < self._last.opened().version:
            log.warning("bundle: what was kept is gone, damaged or older, and is put back")
            write_kept(self._path, self._last)
            self._seen = None
        elif kept is not None:
            self._last = kept

    def _in_force(self) -> str:
        bundle = self._now.bundle
        version = bundle.version if bundle else 0
        return f"version {version} stays in force" if version else "no bundle is in force yet"

    def _waiting(self) -> str:
        """Say what of the bundle does not hold yet."""
        was, now = self._started, self._now
        same = (was.approval, was.model_approves) == (now.approval, now.model_approves)
        return "" if same else f"how people or models are asked was changed and {RESTART}"

    def _failed(self, said: str) -> None:
        if said != self._problem:
            log.warning("bundle: %s", said)
        self._problem = said
