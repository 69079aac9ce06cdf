"""The bundle of a daemon: followed, recorded on the audit log, and ended by an admin.

bundles = DaemonBundle(settings, record)
bundles.watch.run(), bundles.problems
await bundles.leave("ada")
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence

from signoff.effects.admin_acts import AdminAct
from signoff.errors import StoreError
from signoff.frontends.fleet.bundle_pull import PulledBundle, kept_path
from signoff.frontends.fleet.bundle_watch import BundleWatch
from signoff.settings import Settings, load_settings
from signoff.storage.bundles.stored_bundle import forget

log = logging.getLogger(__name__)


class DaemonBundle:
    """Keeps a daemon's bundle up to date and records each change in the audit log."""

    def __init__(self, settings: Settings, record: Callable[[AdminAct], Awaitable[None]]) -> None:
        self.path, self.record = kept_path(settings), record
        self.watch = BundleWatch(settings, load=load_settings, taken=self._taken)

    @property
    def problems(self) -> Sequence[str]:
        """What is wrong with the bundle or its source; () if nothing."""
        return self.watch.problems

    async def leave(self, by: str) -> bool:
        """End the bundle on this machine; return False if there was none.

        Args:
            by: the admin.

        Raises:
            StoreError: it cannot be recorded or removed; it stays in force.
        """
        act = AdminAct(
            act="bundle.leave", by=by, said="own files alone from now on", channel="terminal"
        )
        await self.record(act)
        self.watch.forget()
        return await asyncio.to_thread(forget, self.path)

    async def _taken(self, pulled: PulledBundle) -> None:
        said = f"version {pulled.before} to {pulled.version}, digest {pulled.digest}"
        act = AdminAct(act="bundle.take", by="bundle", said=said)
        try:
            await self.record(act)
        except StoreError as error:
            # It is in force already, and calls are refused while the record cannot be written.
            log.error("a new bundle could not be recorded: %s", error)
