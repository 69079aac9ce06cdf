"""The shared store of several machines, as `signoff doctor` looks at it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

from signoff.build.stores import build_shared_record, shared_link
from signoff.errors import StoreError
from signoff.frontends.doctor.check import DoctorCheck
from signoff.settings import Settings
from signoff.storage.postgresql.address import StoreAddress
from signoff.storage.postgresql.fleet_key import OTHER_KEY, read_fleet_key
from signoff.values import count_of

if TYPE_CHECKING:  # it takes the extra `postgresql`, which few have
    from signoff.storage.postgresql.link import Db

ABOUT = "store"
FACTS = """
    SELECT current_setting('server_version') AS version,
        (SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = current_user) AS is_exempt,
        (SELECT count(*) FROM nodes) AS nodes, (SELECT fingerprint FROM fleet_key) AS fingerprint
    """


def check_store(settings: Settings, store: StoreAddress) -> Iterator[DoctorCheck]:
    """Yield checks of this machine's access to the shared database."""
    try:
        facts = shared_link(settings).run(_facts)
        lost = build_shared_record(settings).loss()
    except StoreError as error:
        fix = "until it is fixed every call is refused; see docs/operations.md"
        yield DoctorCheck(about=ABOUT, is_good=False, said=str(error), fix=fix)
        return
    if wrong := _wrong_key(store, facts["fingerprint"]):
        fix = "until it is fixed nobody is asked on this machine; see docs/operations.md"
        yield DoctorCheck(about=ABOUT, is_good=False, said=wrong, fix=fix)
    said = f"PostgreSQL {facts['version']} at {store.shown}, {count_of(facts['nodes'], 'node')}"
    if store.tenant:
        said += f" of tenant {store.tenant}, kept apart by row-level security"
    yield DoctorCheck(about=ABOUT, is_good=not lost, said=lost or said, fix=lost and "see there")
    if facts["is_exempt"] and not store.is_local:
        fix = "give signoff a role of its own that owns its database: docs/operations.md"
        said = (
            f"`{store.user}` is a superuser of the database or has BYPASSRLS: it sees all tenants"
        )
        yield DoctorCheck(about=ABOUT, is_good=False, said=said, fix=fix)
    # What stays on this machine needs no encryption on its way.
    if not store.has_tls and not store.is_local:
        said = "the connection to the database is not encrypted (`tls=off`)"
        yield DoctorCheck(
            about=ABOUT, is_good=False, said=said, fix="take `tls=off` out of the URL"
        )


def _wrong_key(store: StoreAddress, fingerprint: str | None) -> str:
    """Return what is wrong with the key that nodes have, "" if nothing is."""
    # Without the file requests stay on this machine, which docs/operations.md says.
    if not os.path.lexists(store.key_file):
        return ""
    try:
        own = read_fleet_key(store.key_file, tenant=store.tenant).fingerprint
    except StoreError as error:
        return str(error)
    return OTHER_KEY if fingerprint not in (None, own) else ""


async def _facts(db: Db) -> Db:
    return await db.fetchrow(FACTS)
