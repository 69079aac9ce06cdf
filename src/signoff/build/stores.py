"""Settings in, what keeps decisions and requests out: files of this machine, or a shared database.

record = build_store(settings)
shared = shared_link(settings)      # StoreError without `store: postgresql://...`
"""

from __future__ import annotations

import logging
import os
from functools import cache, partial
from typing import TYPE_CHECKING
from urllib.parse import quote

from msgspec import Struct

from signoff.errors import StoreError, WrongTenant
from signoff.settings import Settings
from signoff.storage.commits.seen_head import SeenHead
from signoff.storage.commits.waiting_outcomes import WaitingOutcomes
from signoff.storage.group_commit import GroupCommit
from signoff.storage.postgresql.address import StoreAddress
from signoff.storage.reading import Record
from signoff.storage.sqlite import SqliteStore

if TYPE_CHECKING:  # asyncpg is an extra
    from signoff.storage.postgresql.commit import FleetCommit
    from signoff.storage.postgresql.fleet_record import FleetRecord
    from signoff.storage.postgresql.link import StoreLink
    from signoff.storage.postgresql.record import PostgresRecord

log = logging.getLogger(__name__)

# Who reads on the loop must not wait for a writer: the loop serves everybody.
READER_PATIENCE_S = 0.05
SEEN = "store"  # names the file with the newest entry seen, beside that of `record.db`


def build_store(settings: Settings) -> Record:
    """Build the audit log's store; nothing is opened before it is used."""
    if settings.store is not None:
        return build_shared_record(settings)
    return SqliteStore(settings.record_file, busy_timeout_s=settings.limits.busy_timeout_s)


class DaemonRecord(Struct, frozen=True, kw_only=True):
    """The audit log as a daemon uses it.

    Args:
        commit: writes decisions.
        reader: reads on the event loop.
        history: reads on other threads, for work that no decision waits for.
    """

    commit: GroupCommit | FleetCommit
    reader: Record
    history: Record

    def close(self) -> None:
        """Close files and connections."""
        self.commit.close()
        for one in (self.reader, self.history):
            one.close()


def build_daemon_record(settings: Settings, outcomes: WaitingOutcomes) -> DaemonRecord:
    """Build a daemon's audit log.

    Args:
        outcomes: of earlier calls, to be recorded with the next ones.

    Raises:
        StoreError: the extra `postgresql` is needed and not installed.
    """
    if settings.store is not None:
        from signoff.storage.postgresql.commit import FleetCommit  # noqa: PLC0415 - an extra

        record = build_shared_record(settings)
        commit = FleetCommit(record, outcomes=outcomes)
        return DaemonRecord(commit=commit, reader=record, history=record)
    path, patience_s = settings.record_file, settings.limits.busy_timeout_s
    writer, reader, history = (
        SqliteStore(path, busy_timeout_s=one) for one in (patience_s, READER_PATIENCE_S, patience_s)
    )
    grouped = GroupCommit(writer, reader=reader, outcomes=outcomes)
    return DaemonRecord(commit=grouped, reader=reader, history=history)


def record_shown(settings: Settings) -> str:
    """Return where the audit log is, for messages: a path or a database."""
    store = settings.store
    if store is None:
        return settings.record_file
    tenant = f", tenant {store.tenant}" if store.tenant else ""
    return f"{store.shown}, node {store.node}{tenant}"


def build_shared_record(settings: Settings) -> PostgresRecord:
    """Build this node's audit log in the shared database.

    Raises:
        StoreError: the extra `postgresql` is not installed, or no store is configured.
    """
    from signoff.storage.postgresql.record import PostgresRecord  # noqa: PLC0415 - see above

    link = shared_link(settings)
    # By node: its name may hold a slash, and two nodes have two chains.
    name = f"{SEEN}-{quote(link.address.scoped(link.address.node), safe='')}"
    return PostgresRecord(link, seen=SeenHead(os.path.join(settings.state_dir, name)))


def build_fleet_record(settings: Settings) -> FleetRecord:
    """Build the reader of the audit logs of all nodes.

    Raises:
        StoreError: the extra `postgresql` is not installed, or no store is configured.
    """
    from signoff.storage.postgresql.fleet_record import FleetRecord  # noqa: PLC0415 - an extra

    return FleetRecord(shared_link(settings))


def shared_link(settings: Settings) -> StoreLink:
    """Return this process's connections to the shared database.

    Raises:
        StoreError: the extra `postgresql` is not installed, or no store is configured.
    """
    if settings.store is None:
        raise StoreError("no store is configured (`store:` in signoff.yaml)")
    return _link(settings.store, settings.limits.busy_timeout_s)


def refuse_wrong_tenant(settings: Settings) -> None:
    """Raise if the database would let this node see another tenant's rows.

    A store that cannot be reached is no reason: calls are refused until it can, and then it is
    looked at before anything is written.

    An unreachable database does not raise: calls are denied until it answers, and then it is
    checked before anything is written.

    Raises:
        WrongTenant: the role, or what the database says of its tables, is the wrong one.
    """
    if settings.store is None:
        return
    try:
        shared_link(settings).run(_nothing)
    except WrongTenant:
        raise
    except StoreError as error:
        log.warning("not known yet whose rows this node sees: %s", error)


async def _nothing(_: object) -> None:
    """Connect: the first connection is checked."""


@cache
def _link(address: StoreAddress, timeout_s: float) -> StoreLink:
    from signoff.storage.postgresql.link import StoreLink  # noqa: PLC0415 - see above
    from signoff.storage.postgresql.migrating import prepare  # noqa: PLC0415 - see above

    return StoreLink(address, timeout_s=timeout_s, prepare=partial(prepare, tenant=address.tenant))
