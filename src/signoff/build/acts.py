"""Writes an administrative act of a command to the audit log, where no daemon does it.

record_own_act(settings, AdminAct(act="mcp.login", by="uid:1000", said=url, channel="terminal"))
"""

from __future__ import annotations

from signoff import __version__
from signoff.build.stores import build_store
from signoff.effects.admin_acts import AdminAct, record_act
from signoff.settings import Settings
from signoff.storage.installation import this_machine
from signoff.sync import run_now


def record_own_act(settings: Settings, act: AdminAct) -> None:
    """Write an administrative act to the audit log of these settings; blocks.

    Raises:
        StoreError: it is not durable; then it must not be done.
    """
    run_now(note_own_act(settings, act))


async def note_own_act(settings: Settings, act: AdminAct) -> None:
    """Write an administrative act to the audit log, from async code.

    Raises:
        StoreError: it is not durable; then the act must not be done.
    """
    store = build_store(settings)
    try:
        await record_act(store, act, this_machine(__version__))
    finally:
        # A shared store has one link in a process, which a daemon goes on using.
        if settings.store is None:
            store.close()
