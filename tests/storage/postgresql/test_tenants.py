"""Tenants of one database: none reads, changes or hears of rows of another, by plain SQL either."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import suppress

import pytest

from postgres_server import USER
from signoff.assess.level import Challenge, Level
from signoff.challenge.card import Card
from signoff.challenge.pending import (
    Context,
    Given,
    NewRequest,
    RequestState,
    Settlement,
)
from signoff.challenge.proofs.seal import Seal
from signoff.challenge.terms.grant import NewGrant
from signoff.challenge.terms.step import ProofKind, ProofStep
from signoff.effects.store import RecordDraft, SessionKey, SessionUpdate
from signoff.errors import StoreError
from signoff.storage.approvals.answer_store import AnswerLease, IdempotentRequest
from signoff.storage.confirmed.fleet import SharedRow
from signoff.storage.postgresql.approvals.account_leases import PostgresLease
from signoff.storage.postgresql.approvals.answers import PostgresAnswers
from signoff.storage.postgresql.approvals.grants import PostgresExecutionTokens, PostgresGrants
from signoff.storage.postgresql.approvals.requests import PostgresRequests
from signoff.storage.postgresql.approvals.standing import PostgresRows
from signoff.storage.postgresql.approvals.tables import RequestTables
from signoff.storage.postgresql.fleet_record import FleetRecord
from signoff.storage.postgresql.link import Db
from signoff.storage.postgresql.record import PostgresRecord
from store_tenants import StoreTenants, made_tenants, tenant_link

REFUSED = "permission denied|must be owner|violates row-level|affected by row-level"
KEY = SessionKey(agent="claude", session="s1")
STEP = ProofStep(kind=ProofKind.CONFIRM)
OWN = ("migrations", "tenants", "tenant_roles")  # the tables that hold nothing of a tenant


class TenantNode:
    """A node of a tenant, which has written to each table."""

    def __init__(self, tenants: StoreTenants, name: str) -> None:
        self.name = name
        self.link = tenant_link(tenants[name] if name else tenants.default)
        self.tables = RequestTables(self.link, fingerprint=f"key of {name}")
        self.record = PostgresRecord(self.link)
        self.requests = PostgresRequests(self.tables)
        self.grants = PostgresGrants(self.tables, self.requests.watch)
        self.tokens = PostgresExecutionTokens(self.tables)
        self.answers = PostgresAnswers(self.tables, seal=Seal(b"k" * 32))
        self.rows = PostgresRows(self.tables, self.requests.watch)

    def fill(self) -> None:
        """Write to each table."""
        update = SessionUpdate(key=KEY, function=f"of {self.name}")
        self.record.append_now(RecordDraft(content={"of": self.name}, session_update=update))
        asyncio.run(self._ask())
        self.tokens.leave(f"{self.name}-1", "files")
        now_s = self.requests.moment().wall_s
        self.grants.add(NewGrant(digest="d", said=self.name, expires_s=now_s + 60, seal=self.name))
        row = SharedRow(kind="locks", version=1, content=self.name.encode(), seal="s")
        assert self.rows.put([row], {"locks": 0})

    async def _ask(self) -> None:
        for number in (1, 2):
            await self.requests.open(asked(f"{self.name}-{number}"))
        given = Given(step=0, approver="ada", channel="web", verdict="allow")
        settled = Settlement(given=given, to=RequestState.APPROVED)
        await self.requests.shown(f"{self.name}-1", "ada")
        await self.requests.tried(f"{self.name}-1", "ada", "wrong")
        assert await self.requests.settle(f"{self.name}-1", settled, digest="d-1")
        turn = await self.answers.begin(
            IdempotentRequest(key="k", ticket=f"t-{self.name}", digest="d", files="f")
        )
        assert isinstance(turn, AnswerLease)
        await self.answers.keep(turn, self.name.encode())

    def close(self) -> None:
        """Let go of the connections."""
        self.link.close()


def asked(id: str) -> NewRequest:
    """Return a request; the digests of two tenants are the same."""
    return NewRequest(
        id=id,
        nonce=f"nonce-{id}",
        digest=f"d{id[-2:]}",
        action=b"{}",
        card=Card(headline=id, level=Level.HIGH, challenge=Challenge.CONFIRM, why="why"),
        level=Level.HIGH,
        challenge=Challenge.CONFIRM,
        steps=(STEP,),
        context=Context(agent="claude", session="s1", tool="Bash"),
        ttl_s=300.0,
        verifier="v",
    )


@pytest.fixture
def tenants() -> StoreTenants:
    """Give a database with two tenants."""
    return made_tenants("payments", "search")


Open = Callable[[str], TenantNode]


@pytest.fixture
def node(tenants: StoreTenants) -> Iterator[Open]:
    """Give nodes of tenants that have written to each table."""
    made: list[TenantNode] = []

    def filled(name: str) -> TenantNode:
        made.append(TenantNode(tenants, name))
        made[-1].fill()
        return made[-1]

    yield filled
    for one in made:
        one.close()


def shared_tables(tenants: StoreTenants) -> list[str]:
    """Return the tables that tenants share."""
    named = ", ".join(f"'{one}'" for one in OWN)
    listed = "SELECT tablename FROM pg_tables WHERE schemaname = 'signoff'"
    return tenants.as_superuser(f"{listed} AND tablename NOT IN ({named})").split()


def seen_of_others(tenants: StoreTenants, name: str) -> dict[str, int]:
    """Return how many rows of others a tenant's role reads by plain SQL, by table."""
    query = "SELECT count(*) FROM {} WHERE tenant <> '{}'"
    found = {
        table: int(tenants.sql(name, query.format(table, name))) for table in shared_tables(tenants)
    }
    return {table: count for table, count in found.items() if count}


def test_a_tenant_reads_nothing_of_another_by_plain_sql(tenants: StoreTenants, node: Open) -> None:
    """Each table holds rows of both and of the default tenant, and shows one of them its own."""
    for name in ("payments", "search", ""):
        node(name)
    tables = shared_tables(tenants)

    assert 13 == len(tables)
    for table in tables:
        counts = tenants.as_superuser(f"SELECT count(DISTINCT tenant) FROM {table}")
        assert "3" == counts, table
        assert "payments" == tenants.sql("payments", f"SELECT DISTINCT tenant FROM {table}"), table
        assert "" == tenants.as_owner(f"SELECT DISTINCT tenant FROM {table}"), table
    assert {} == seen_of_others(tenants, "payments") == seen_of_others(tenants, "search")


def test_the_test_above_sees_what_leaks(tenants: StoreTenants, node: Open) -> None:
    """Positive control: without row-level security, and with one policy too many."""
    node("search")
    for broken in (
        "ALTER TABLE requests DISABLE ROW LEVEL SECURITY",
        "CREATE POLICY more ON grants USING (true)",
        "DROP POLICY own_tenant ON records; CREATE POLICY own_tenant ON records USING (true)",
    ):
        tenants.as_superuser(broken)
    found = seen_of_others(tenants, "payments")

    assert {"requests": 2, "grants": 1, "records": 1} == found
    # A node finds it as well, and does not start.
    with pytest.raises(StoreError, match="not in force on grants, records, requests:"):
        TenantNode(tenants, "payments").fill()


def test_a_tenant_changes_nothing_of_another_by_plain_sql(
    tenants: StoreTenants, node: Open
) -> None:
    """No row of another is changed or deleted, none is made in its name, none is handed over."""
    node("payments"), node("search")
    before = dump(tenants, "search")
    for table in shared_tables(tenants):
        for change in (
            f"UPDATE {table} SET tenant = 'payments' WHERE tenant = 'search'",
            f"DELETE FROM {table} WHERE tenant = 'search'",
            f"UPDATE {table} SET tenant = 'search'",
            f"INSERT INTO {table} SELECT * FROM {table} ON CONFLICT DO NOTHING",
            f"TRUNCATE {table} CASCADE",
            f"ALTER TABLE {table} DISABLE ROW LEVEL SECURITY",
            f"CREATE POLICY mine ON {table} USING (true)",
        ):
            with suppress(AssertionError):
                tenants.sql("payments", change)

    assert before == dump(tenants, "search")
    assert "payments" == tenants.sql("payments", "SELECT DISTINCT tenant FROM nodes")


def dump(tenants: StoreTenants, name: str) -> list[str]:
    """Return all rows of a tenant as text."""
    return [
        tenants.as_superuser(f"SELECT t::text FROM {table} t WHERE tenant = '{name}' ORDER BY 1")
        for table in shared_tables(tenants)
    ]


@pytest.mark.parametrize(
    "text",
    [
        "SET ROLE {owner}",
        f"SET ROLE {USER}",
        "SET ROLE {search}",
        "SET SESSION AUTHORIZATION {search}",
        "SELECT * FROM tenants",
        "SELECT * FROM tenant_roles",
        "SELECT add_tenant_role('search', session_user)",
        "SELECT remove_tenant_role('{search}')",
        "SELECT protect_tables()",
        "CREATE OR REPLACE FUNCTION own_tenant() RETURNS text RETURN 'search'",
        "CREATE TABLE mine (n int)",
        "UPDATE migrations SET least = 99",
        "SET row_security = off; SELECT * FROM requests",
        "INSERT INTO records (tenant, node, seq, body, prev, hash, leaf)"
        " VALUES ('payments', 'search//a', 2, '', '', '', '')",
        "INSERT INTO records (tenant, node, seq, body, prev, hash, leaf)"
        " VALUES ('payments', 'a', 1, '', '', '', '')",
        "INSERT INTO nodes (name) VALUES ('search//b')",
        "INSERT INTO kept_answers (key, ticket, digest, files, holder, held_until)"
        " VALUES ('search//k2', 'x', '', '', '', 0)",
        "INSERT INTO session_facts (tenant, agent, session, kind, item, count, at)"
        " VALUES ('payments', '\\xff'::bytea || 'search' || '\\xff'::bytea, '', '', '', 1, 1)",
        "INSERT INTO looks (request_id, approver, first_at) VALUES ('search-1', 'bob', 0)",
        "INSERT INTO execution_tokens (request_id, files) VALUES ('search-2', '')",
    ],
)
def test_no_way_around_it(tenants: StoreTenants, node: Open, text: str) -> None:
    """Roles, policies, and keys that belong to others."""
    node("search")
    names = {"owner": tenants.default.user, "search": tenants["search"].user}

    with pytest.raises(AssertionError, match=REFUSED):
        tenants.sql("payments", text.format(**names))


def test_nodes_of_two_tenants_work_side_by_side(tenants: StoreTenants, node: Open) -> None:
    """Of one name, with the same calls, sessions, request ids and kinds of rows."""
    first, second = node("payments"), node("search")

    for one, other in ((first, second), (second, first)):
        listed = asyncio.run(one.requests.listed())
        assert {f"{one.name}-1", f"{one.name}-2"} == {found.id for found in listed}
        assert None is asyncio.run(one.requests.get(f"{other.name}-1"))
        assert [one.name] == [grant.said for grant in one.grants.listed()]
        assert 1 == asyncio.run(one.record.remembered(KEY, f"of {one.name}")).prior_calls
        assert 0 == asyncio.run(one.record.remembered(KEY, f"of {other.name}")).prior_calls
        kept = asyncio.run(one.answers.find(f"t-{one.name}"))
        assert kept is not None
        assert one.name.encode() == kept.body
        assert None is asyncio.run(one.answers.find(f"t-{other.name}"))
        chains = FleetRecord(one.link).chains()
        assert [("a", True, 1)] == [(c.node, c.verify().ok, c.verify().count) for c in chains]
        assert 1 == len(list(FleetRecord(one.link).entries()))


def test_nobody_hears_of_another_tenant(tenants: StoreTenants, node: Open) -> None:
    """Neither by the name of a channel that can be guessed, nor by what it says."""
    nodes = {name: node(name) for name in ("payments", "search", "")}
    guesses = ["signoff", "search", "signoff_search", "request"]

    async def heard(name: str, *more: str) -> list[tuple[str, str]]:
        """Return what a tenant's role hears while the others do all there is."""
        found: list[tuple[str, str]] = []
        db: Db = await nodes[name].link.listener()
        own = await db.fetchval("SELECT own_channel()")
        for channel in {own, *more}:
            await db.add_listener(channel, lambda *told: found.append(told[2:]))
        for other in nodes.values():
            if other.name != name:
                other.grants.add(NewGrant(digest="e", expires_s=1.0, seal="e"))
        # Notifications come in order: what was sent before this one has come with it.
        await db.execute("SELECT pg_notify($1, 'last')", own)
        while (own, "last") not in found:
            await asyncio.sleep(0.01)
        await db.close()
        return found

    for name, one in nodes.items():
        run = one.link.hand_over(heard(name, *guesses))
        others = [told for told in run.result(30) if told[1] != "last"]
        assert [] == others, name
    # They are told, on a channel of their own.
    channels = tenants.as_superuser("SELECT channel FROM tenants").split()
    assert 3 == len({one for one in channels if one.startswith("signoff_") and len(one) == 40})


def test_locks_of_the_database_are_those_of_a_tenant(tenants: StoreTenants, node: Open) -> None:
    """The turn of an account in one tenant is none in another."""
    first, second = node("payments"), node("search")
    turns = [PostgresLease(one.link, "telegram:1") for one in (first, second)]

    assert [True, True] == [asyncio.run(turn.has()) for turn in turns]
    for turn in turns:
        asyncio.run(turn.end())


def test_a_tenant_removes_contents_of_its_own_chain(tenants: StoreTenants, node: Open) -> None:
    """As `signoff audit rotate` does it, with a role that may not change what others rely on."""
    first, second = node("payments"), node("search")
    first.record.append_now(RecordDraft(content={}))

    assert 1 == first.record.remove_contents(upto=1)

    assert (True, 1) == (first.record.verify().ok, first.record.verify().removed)
    assert [1] == [entry.seq for entry in second.record.entries()]
