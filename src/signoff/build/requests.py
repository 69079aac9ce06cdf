"""Settings in, what keeps requests and grants out: a file of this machine, or what nodes share.

They are shared where the store is, and this node has the key that all nodes have (`store.key`).

    stores = build_requests(settings, ledger)
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial

from msgspec import Struct

from signoff.build.stores import shared_link
from signoff.challenge.pending import WaitingLimits
from signoff.challenge.people.recheck import ExecutionTokenStore
from signoff.challenge.proofs.ledger import RequestLedger
from signoff.challenge.proofs.seal import Seal
from signoff.challenge.terms.grant import GrantStore
from signoff.channels.context import AccountLease
from signoff.settings import Settings
from signoff.storage.approvals.answer_store import AnswerStore
from signoff.storage.approvals.database import DATABASE_FILE, Database
from signoff.storage.approvals.execution_tokens import SqliteExecutionTokens
from signoff.storage.approvals.ports import RequestStore
from signoff.storage.approvals.requests import SqliteRequests
from signoff.storage.approvals.standing import SqliteGrants
from signoff.storage.confirmed.fleet import FleetStanding
from signoff.storage.postgresql.fleet_key import FleetKey, read_fleet_key


class RequestStores(Struct, frozen=True, kw_only=True):
    """The stores of approval requests and everything that belongs to them.

    Args:
        database: the file of this machine; policies and mode are always there.
        room: how many requests and calls may wait.
        answers: under request ids, where nodes share them; None = each process keeps its own.
        fleet: locks, policies, mode and trust of all nodes, in a process that has their key.
        lease: gives the lease of an account of a messenger, where nodes share them.
    """

    database: Database
    room: WaitingLimits
    requests: RequestStore
    execution_tokens: ExecutionTokenStore
    grants: GrantStore
    answers: AnswerStore | None = None
    fleet: FleetStanding | None = None
    lease: Callable[[str], AccountLease] | None = None


def shares_requests(settings: Settings) -> bool:
    """Return whether this node shares its requests with other nodes through a database."""
    return settings.store is not None and os.path.lexists(settings.store.key_file)


def build_daemon_seal(settings: Settings) -> Seal:
    """Build the daemon's seal: with a key of its own, or the one that all nodes share.

    Raises:
        StoreError: the key of the nodes cannot be used, or an extra is not installed.
    """
    if not shares_requests(settings):
        return Seal.fresh()
    key = _fleet_key(settings)
    return Seal(key.seals, codes_key=key.codes)


def build_requests(
    settings: Settings, ledger: RequestLedger, *, seal: Seal | None = None
) -> RequestStores:
    """Build the stores of approval requests; nothing is opened before it is used.

    Args:
        seal: of this process; with the key of the nodes, which is compared with theirs.

    Raises:
        StoreError: the key of the nodes cannot be used, or an extra is not installed.
    """
    limits = settings.limits
    path = os.path.join(settings.state_dir, DATABASE_FILE)
    database = Database(path, busy_timeout_s=limits.busy_timeout_s)
    room = WaitingLimits(overall=limits.waiting, per_session=limits.waiting_per_session)
    if shares_requests(settings):
        return _shared(settings, ledger, database, room, seal=seal)
    return RequestStores(
        database=database,
        room=room,
        requests=SqliteRequests(database, ledger=ledger, room=room),
        execution_tokens=SqliteExecutionTokens(database),
        grants=SqliteGrants(database, alarms=ledger.alarms),
    )


def build_fleet(settings: Settings) -> FleetStanding | None:
    """Build the view of what all nodes share, for a process outside the daemon.

    Returns None on a machine that shares nothing.

    Raises:
        StoreError: the key of the nodes cannot be used, or an extra is not installed.
    """
    if not shares_requests(settings):
        return None
    from signoff.storage.postgresql.approvals.standing import watched_rows  # noqa: PLC0415 - an extra
    from signoff.storage.postgresql.approvals.tables import RequestTables  # noqa: PLC0415 - an extra

    key = _fleet_key(settings)
    tables = RequestTables(shared_link(settings), fingerprint=key.fingerprint)
    return FleetStanding(watched_rows(tables), key.standing)


def _shared(
    settings: Settings,
    ledger: RequestLedger,
    database: Database,
    room: WaitingLimits,
    *,
    seal: Seal | None,
) -> RequestStores:
    from signoff.storage.postgresql.approvals.account_leases import PostgresLease  # noqa: PLC0415 - an extra
    from signoff.storage.postgresql.approvals.answers import (  # noqa: PLC0415 - an extra
        PostgresAnswers,
    )
    from signoff.storage.postgresql.approvals.grants import (  # noqa: PLC0415 - an extra
        PostgresExecutionTokens,
        PostgresGrants,
    )
    from signoff.storage.postgresql.approvals.requests import (  # noqa: PLC0415 - an extra
        PostgresRequests,
    )
    from signoff.storage.postgresql.approvals.standing import PostgresRows  # noqa: PLC0415 - an extra
    from signoff.storage.postgresql.approvals.tables import RequestTables  # noqa: PLC0415 - an extra

    sealing = seal if seal is not None and seal.is_shared else None
    key = _fleet_key(settings) if sealing else None
    tables = RequestTables(shared_link(settings), fingerprint=key.fingerprint if key else "")
    requests = PostgresRequests(tables, ledger=ledger, room=room)
    fleet, lease = None, None
    if key is not None:
        fleet = FleetStanding(PostgresRows(tables, requests.watch), key.standing, ledger.alarms)
        lease = partial(PostgresLease, tables.link)
    return RequestStores(
        database=database,
        room=room,
        requests=requests,
        execution_tokens=PostgresExecutionTokens(tables),
        grants=PostgresGrants(tables, requests.watch, alarms=ledger.alarms),
        answers=PostgresAnswers(tables, seal=sealing, alarms=ledger.alarms) if sealing else None,
        fleet=fleet,
        lease=lease,
    )


def _fleet_key(settings: Settings) -> FleetKey:
    store = settings.store
    return read_fleet_key(store.key_file, tenant=store.tenant) if store else read_fleet_key("")
