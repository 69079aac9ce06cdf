"""The bundle of a daemon: followed, recorded on the audit log, and ended by an admin.

bundles = DaemonBundle(settings, effects)
bundles.watch.run(), bundles.problems
await bundles.leave("ada")
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence

from signoff.effects.admin_acts import AdminAct, record_act
from signoff.effects.dispatch import Effects
from signoff.errors import StoreError
from signoff.frontends.fleet.bundle_pull import PulledBundle, kept_path
from signoff.frontends.fleet.bundle_watch import BundleWatch
from signoff.settings import Settings, load_settings
from signoff.storage.bundles.kept import forget

log = logging.getLogger(__name__)


class DaemonBundle:
    """Follows the bundle; every change of it is an entry of the audit log."""

    def __init__(self, settings: Settings, effects: Effects) -> None:
        self.path, self._effects = kept_path(settings), effects
        self.watch = BundleWatch(settings, load=load_settings, taken=self._taken)

    @property
    def problems(self) -> Sequence[str]:
        """What is wrong with the bundle or where it comes from."""
        return self.watch.problems

    async def leave(self, by: str) -> bool:
        """End the bundle on this machine for an admin; False if there is none.

        Raises:
            StoreError: it cannot be recorded or removed; it stays in force.
        """
        act = AdminAct(
            act="bundle.leave", by=by, said="own files alone from now on", channel="terminal"
        )
        await record_act(self._effects.store, act, self._effects.origin)
        self.watch.forget()
        return await asyncio.to_thread(forget, self.path)

    async def _taken(self, pulled: PulledBundle) -> None:
        said = f"version {pulled.before} to {pulled.version}, digest {pulled.digest}"
        act = AdminAct(act="bundle.take", by="bundle", said=said)
        try:
            await record_act(self._effects.store, act, self._effects.origin)
        except StoreError as error:
            # It is in force already, and calls are refused while the record cannot be written.
            log.error("a new bundle could not be recorded: %s", error)
