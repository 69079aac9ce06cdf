"""With which roles a node of a tenant works and which it refuses; nodes of the version before."""

from __future__ import annotations

import pytest

from postgres_server import USER, shared_server
from signoff.effects.store import RecordDraft, SessionKey, SessionUpdate
from signoff.errors import StoreError
from signoff.storage.postgresql.address import StoreAddress
from signoff.storage.postgresql.link import StoreLink
from signoff.storage.postgresql.migrating import _migrate, migrations
from signoff.storage.postgresql.record import PostgresRecord
from signoff.values import replace
from store_tenants import StoreTenants, made_tenants, owned_database, tenant_link
from store_version_before import TABLES_BEFORE, version_before

KEY = SessionKey(agent="claude", session="s1")


@pytest.fixture
def tenants() -> StoreTenants:
    """Give a database with one tenant."""
    return made_tenants("payments")


def started(address: StoreAddress) -> str:
    """Start a node; return why it does not, "" if it does."""
    link = tenant_link(address)
    try:
        PostgresRecord(link).append_now(RecordDraft(content={}))
    except StoreError as error:
        return str(error)
    finally:
        link.close()
    return ""


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ("ALTER ROLE {role} SUPERUSER", "`{role}` is a superuser"),
        ("ALTER ROLE {role} BYPASSRLS", "`{role}` has BYPASSRLS"),
        ("ALTER ROLE {role} CREATEROLE", "`{role}` has CREATEROLE"),
        ("ALTER ROLE {role} REPLICATION", "`{role}` has REPLICATION"),
        ("GRANT {owner} TO {role}", "`{owner}` owns the database"),
        ("GRANT {user} TO {role}", "`{user}` is a superuser"),
        ("GRANT pg_read_server_files TO {role}", "reaches the files of the server"),
        ("ALTER DATABASE {base} OWNER TO {role}", "`{role}` owns the database"),
        ("ALTER TABLE signoff.grants OWNER TO {role}", "`{role}` owns the tables"),
        ("GRANT {owner} TO pg_monitor; GRANT pg_monitor TO {role}", "`{owner}` owns the database"),
    ],
)
def test_a_role_that_is_not_bound_is_refused(tenants: StoreTenants, change: str, why: str) -> None:
    """By the node that starts with it, and where it is to be let in."""
    address = tenants["payments"]
    names = {
        "role": address.user,
        "owner": tenants.default.user,
        "user": USER,
        "base": address.database,
    }
    assert "" == started(address)
    tenants.as_superuser(change.format(**names))
    try:
        assert why.format(**names) in started(address)
        with pytest.raises(AssertionError, match="row-level security does not bind role"):
            tenants.as_superuser(f"SELECT add_tenant_role('payments', '{address.user}')")
    finally:
        # Of the whole server, which other tests use.
        tenants.as_superuser(f"REVOKE {tenants.default.user} FROM pg_monitor")


def test_a_role_works_for_its_tenant_alone(tenants: StoreTenants) -> None:
    """Whatever the settings of its node say, and not at all once it was taken away."""
    tenants.add("search")
    address = tenants["payments"]

    assert "works for tenant `payments`, but `store.tenant` is `search`" in started(
        replace(address, tenant="search")
    )
    assert "works for tenant `payments`, but there is no `store.tenant`" in started(
        replace(address, tenant="")
    )
    assert "the owner" not in started(tenants.default)
    assert "owns the database" in started(replace(tenants.default, tenant="payments"))
    tenants.as_owner(f"SELECT remove_tenant_role('{address.user}')")
    assert "may not see the tables" in started(address)


def test_a_role_nobody_let_in_sees_nothing(tenants: StoreTenants) -> None:
    """Also where somebody gave it rights on all tables."""
    role = f"{tenants.default.database}_stray"
    tenants.server.sql("postgres", f"CREATE ROLE {role} LOGIN")
    stray = replace(tenants["payments"], user=role)
    assert "may not see the tables" in started(stray)
    for given in ("ALL TABLES", "ALL SEQUENCES"):
        tenants.as_owner(f"GRANT ALL ON {given} IN SCHEMA signoff TO {role}")
    tenants.as_owner(f"GRANT USAGE ON SCHEMA signoff TO {role}")

    assert "works for no tenant" in started(stray)
    assert "" == started(tenants["payments"])
    found = tenants.server.sql(stray.database, "SELECT count(*) FROM signoff.records", user=role)
    assert "0" == found


def test_two_roles_may_work_for_one_tenant(tenants: StoreTenants) -> None:
    """And for the default one: then no node needs the rights of who owns the tables."""
    first = tenants["payments"]
    second = tenants.add("payments", role=f"{first.database}_second")
    plain = f"{first.database}_plain"
    tenants.server.sql("postgres", f"CREATE ROLE {plain} LOGIN")
    tenants.as_owner(f"SELECT add_tenant_role('', '{plain}')")

    assert ["", "", ""] == [
        started(one)
        for one in (first, replace(second, node="b"), replace(tenants.default, user=plain))
    ]
    assert "2" == tenants.sql("payments", "SELECT count(*) FROM nodes")


def test_a_superuser_serves_no_tenant_and_not_beside_them() -> None:
    """Neither lets the database in a tenant, nor goes on once there is one."""
    server = shared_server()
    address = server.address()
    server.sql("postgres", f"CREATE ROLE {address.database}_payments LOGIN")
    add = f"SELECT signoff.add_tenant_role('payments', '{address.database}_payments')"
    assert "" == started(address)

    with pytest.raises(AssertionError, match="the tables belong to a superuser"):
        server.sql(address.database, add)

    tenants = made_tenants()
    superuser = replace(tenants.default, user=USER)
    link = tenant_link(superuser)
    link.run(lambda db: db.fetchval("SELECT 1"))
    with pytest.raises(AssertionError, match="connected with a role that sees all tenants"):
        tenants.add("payments")
    link.close()
    tenants.as_owner(f"SELECT add_tenant_role('payments', '{tenants.default.database}_payments')")
    assert "would see the rows of all tenants" in started(superuser)
    assert "" == started(tenants.default)


def test_no_row_level_security_before_there_is_a_tenant() -> None:
    """Backups by who owns the tables go on; with a tenant they refuse to be half of it."""
    tenants = made_tenants()
    rows = "SET row_security = off; SELECT count(*) FROM records"
    assert "0" == tenants.as_owner(rows)

    tenants.add("payments")
    with pytest.raises(AssertionError, match="affected by row-level security"):
        tenants.as_owner(rows)


def test_rows_and_nodes_of_before_belong_to_the_default_tenant() -> None:
    """The version before goes on beside tenants, in its chain and with its sessions."""
    tenants = owned_database()
    known = migrations()[:TABLES_BEFORE]
    update = SessionUpdate(key=KEY, function="f")
    draft = RecordDraft(content={"n": 1}, session_update=update)
    old = PostgresRecord(StoreLink(tenants.default, prepare=lambda db: _migrate(db, known)))
    with version_before():
        assert 1 == old.append_now(draft).seq
    assert "" == started(replace(tenants.default, node="new"))
    tenants.add("payments")
    assert "" == started(tenants["payments"])
    with version_before():
        assert 2 == old.append_now(draft).seq
    assert old.verify().ok
    old.link.close()

    link = tenant_link(tenants.default)
    new = PostgresRecord(link)
    assert 3 == new.append_now(draft).seq
    assert "3|3" == tenants.as_owner(
        "SELECT (SELECT count(*) FROM records WHERE node = 'a'), count FROM session_facts"
    )
    link.close()
