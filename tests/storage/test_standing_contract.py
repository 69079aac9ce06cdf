"""What holds beyond one request: one suite over one machine, in memory or a file, and over nodes.

Where nodes share a store, what is done on the first is asked of the second.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from msgspec import Struct

from made_tables import made_address
from postgres_server import shared_server
from signoff.challenge.terms.approver import Approver, ApproverRole, Identity
from signoff.challenge.terms.grant import NewGrant
from signoff.challenge.terms.mode import Mode
from signoff.challenge.terms.policy import POLICIES_LIMIT, PolicyChange
from signoff.decide.decision import Enforcement
from signoff.effects.learning.trust_ledger import SharedAnswer, TrustLedger
from signoff.errors import StoreError
from signoff.storage.approvals.approver_file import ApproverFile
from signoff.storage.approvals.database import IN_MEMORY, Database
from signoff.storage.approvals.standing import SqliteGrants, SqliteMode, SqlitePolicies
from signoff.storage.confirmed.fleet import FleetStanding, SharedKind
from signoff.storage.confirmed.head import ConfirmedHead
from signoff.storage.confirmed.in_force import InForce
from signoff.storage.confirmed.outside import OutsideChange, Sources
from signoff.storage.confirmed.trust_control import TrustControl
from signoff.storage.confirmed.views import (
    ConfirmedApprovers,
    ConfirmedMode,
    ConfirmedPolicies,
    StandingFiles,
)
from signoff.storage.locks.lock import EVERYTHING, Lock, LockScope
from signoff.storage.locks.lock_file import LockFile
from signoff.storage.postgresql.address import StoreAddress
from signoff.storage.postgresql.approvals.grants import PostgresGrants
from signoff.storage.postgresql.approvals.requests import PostgresRequests
from signoff.storage.postgresql.approvals.standing import PostgresRows
from signoff.storage.postgresql.approvals.tables import RequestTables
from signoff.values import replace
from store_tenants import made_tenants, tenant_link

KEY = b"k" * 32
BASH = Lock(scope=LockScope.TOOL, name="Bash", since="1", by="ada")
EDIT = Lock(scope=LockScope.TOOL, name="Edit", since="2", by="ada")
ADA = Approver(
    id="ada",
    role=ApproverRole.ADMIN,
    groups=("team",),
    identities=(Identity("web", "ada"), Identity("telegram", "4711")),
)
APPROVED = SharedAnswer(agent="claude-code", domain="other", at_s=time.time(), is_approval=True)
BOB = Approver(id="bob", identities=(Identity("web", "bob"),))


class StandingNode:
    """One machine with its files, as a daemon holds them."""

    def __init__(
        self, folder: Path, *, path: str = "", address: StoreAddress | None = None
    ) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder, self.told = folder, list[OutsideChange]()
        database = Database(path or str(folder / "approvals.db"))
        self.file_policies, self.file_mode = SqlitePolicies(database), SqliteMode(database)
        self.file_locks = LockFile(str(folder / "locks.json"))
        self.people = ApproverFile(str(folder / "approvers.json"))
        self.link = tenant_link(address) if address else None
        self.grants: SqliteGrants | PostgresGrants = SqliteGrants(database)
        self.fleet: FleetStanding | None = None
        if self.link is not None:
            tables = RequestTables(self.link)
            requests = PostgresRequests(tables)
            self.rows = PostgresRows(tables, requests.watch)
            self.fleet = FleetStanding(self.rows, KEY)
            self.grants = PostgresGrants(tables, requests.watch)
        files = StandingFiles(self.file_policies, self.file_mode, self.file_locks)
        sources = Sources(
            self.people.listed,
            self.file_mode.mode,
            self.file_policies.listed,
            self.file_locks.locks,
        )
        head = ConfirmedHead(str(folder / "confirmed.json"), b"of this machine")
        tell = self.told.append
        self.in_force = InForce(sources, head, tell, fleet=self.fleet, follower=files)
        self.in_force.start()
        self.policies = ConfirmedPolicies(database, self.in_force)
        self.switch = ConfirmedMode(self.file_mode, self.in_force)
        self.approvers = ConfirmedApprovers(self.people, self.in_force)
        self.locks = LockFile(str(folder / "locks.json"), held=self.in_force.merged)
        self.trust = TrustControl(
            TrustLedger(
                lambda: self.in_force.standing.trust,
                shared=self.in_force.answers,
            ),
            self.in_force,
            tell=lambda _: None,
        )

    def look(self) -> None:
        """Do what a daemon does again and again."""
        if self.fleet is not None:
            self.rows.look()
        self.in_force.look()

    def confirm(self) -> None:
        """Confirm what waits, as an admin with the code does."""
        assert self.in_force.confirm(self.told[-1].code) is not None, self.told

    def close(self) -> None:
        """Let go of the connections."""
        if self.link is not None:
            self.link.close()


class Nodes(Struct):
    """Where something is done, and where it is asked; on one machine both are the same."""

    first: StandingNode
    second: StandingNode
    make: Callable[[str], StandingNode]

    def seen(self) -> StandingNode:
        """Return the second one, after both have looked."""
        for node in (self.first, self.second, self.first):
            node.look()
        return self.second


@pytest.fixture(params=["memory", "file", "postgresql", "tenant"])
def nodes(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Nodes]:
    """Give one machine, or two that share a store, also one of several tenants."""
    if request.param == "postgresql":
        yield from _two(tmp_path)
        return
    if request.param == "tenant":
        tenants = made_tenants("payments", "search")
        yield from _two(tmp_path, tenants["payments"])
        return
    path = IN_MEMORY if request.param == "memory" else ""
    one = StandingNode(tmp_path / "a", path=path)
    yield Nodes(one, one, lambda _: one)


@pytest.fixture
def fleet(tmp_path: Path) -> Iterator[Nodes]:
    """Give two nodes that share a store."""
    yield from _two(tmp_path)


def _two(folder: Path, shared: StoreAddress | None = None) -> Iterator[Nodes]:
    address = shared or made_address()
    made: list[StandingNode] = []

    def make(name: str) -> StandingNode:
        made.append(StandingNode(folder / name, address=replace(address, node=name)))
        return made[-1]

    yield Nodes(make("a"), make("b"), make)
    for node in made:
        node.close()


def write(nodes: Nodes, sql: str) -> None:
    """Write into the database past all nodes."""
    link = nodes.first.link
    assert link is not None
    shared_server().sql(link.address.database, f"SET search_path = signoff; {sql}")


def targets(node: StandingNode) -> set[str]:
    """Return what is locked, by name."""
    return {lock.name for lock in node.locks.locks()}


def note(node: StandingNode, answer: SharedAnswer) -> None:
    """Note an answer as the trust book of a node does."""
    answers = node.in_force.answers
    assert answers is not None
    answers.note(answer)


def test_a_lock_holds(nodes: Nodes) -> None:
    """At once where it was set, and after a look on every other node, in its file as well."""
    nodes.first.locks.add(BASH)

    assert {"Bash"} == targets(nodes.first)
    assert {"Bash"} == targets(nodes.seen())
    assert (BASH,) == nodes.second.file_locks.locks()


def test_a_lock_that_is_gone_from_a_file_holds(nodes: Nodes) -> None:
    """T-63: until an admin gives the code, which lifts it everywhere."""
    nodes.first.locks.add(BASH)
    nodes.seen().file_locks.remove(BASH)
    nodes.seen()

    assert [{"Bash"}, {"Bash"}] == [targets(nodes.first), targets(nodes.second)]
    nodes.second.confirm()
    nodes.seen()
    assert [set(), set()] == [targets(nodes.first), targets(nodes.second)]
    assert () == nodes.first.file_locks.locks()


def test_a_policy_holds(nodes: Nodes) -> None:
    """Added, changed, removed; no number is used again."""
    kept = nodes.first.policies.add("  pushing is\nfine", tool="Bash", author="ada", expires_s=4e9)
    nodes.first.policies.add("b")

    assert (kept.id, kept.text, kept.tool) == ("pol_0", "pushing is fine", "Bash")
    assert ["pol_0", "pol_1"] == [one.id for one in nodes.seen().policies.listed()]
    edited = nodes.second.policies.edit("pol_0", PolicyChange(text="never push"), author="bob")
    assert edited is not None
    assert nodes.second.policies.remove("pol_1")
    assert not nodes.second.policies.remove("pol_1")
    nodes.seen()
    assert [edited] == [replace(one) for one in nodes.first.policies.listed()]
    assert (edited.expires_s, edited.author) == (4e9, "bob")
    assert "pol_2" == nodes.first.policies.add("c").id
    nodes.seen()
    assert nodes.second.policies.listed() == nodes.first.policies.listed()
    assert nodes.second.told == []


def test_a_policy_that_cannot_be_is_none(nodes: Nodes) -> None:
    """Empty ones, unknown ones, and more than there may be."""
    with pytest.raises(ValueError, match="characters"):
        nodes.first.policies.add(" ")
    assert nodes.first.policies.edit("pol_9", PolicyChange(text="x"), author="ada") is None
    held = nodes.first.in_force
    for _ in range(3):
        nodes.first.policies.add("x")
    held.standing  # noqa: B018 - what holds is read
    for _ in range(POLICIES_LIMIT - 3):
        nodes.first.policies.add("x")
    with pytest.raises(ValueError, match="remove one first"):
        nodes.first.policies.add("one too many")


def test_the_mode_holds(nodes: Nodes) -> None:
    """Local as an admin said it; remote as soon as one file says so."""
    nodes.first.switch.set_mode(Mode.LOCAL)
    assert Mode.LOCAL is nodes.seen().switch.mode()

    nodes.second.file_mode.set_mode(Mode.REMOTE)
    nodes.second.look()
    nodes.seen()
    assert Mode.REMOTE is nodes.first.switch.mode()


def test_shadow_mode_holds(nodes: Nodes) -> None:
    """With its end."""
    until_s = time.time() + 60
    nodes.first.in_force.set_enforcement(Enforcement.SHADOW, until_s=until_s)
    assert Enforcement.SHADOW is nodes.seen().in_force.enforcement()

    nodes.second.in_force.set_enforcement(Enforcement.ENFORCE)
    nodes.seen()
    assert Enforcement.ENFORCE is nodes.first.in_force.enforcement()


def test_trust_that_was_taken_is_gone(nodes: Nodes) -> None:
    """Incidents of two nodes add up."""
    nodes.first.trust.incident("claude-code", by="ada")
    nodes.seen().trust.incident("claude-code", by="bob")
    nodes.seen()
    nodes.first.trust.revoke("codex", by="ada")

    (codex, claude) = sorted(nodes.seen().trust.marks(), key=lambda one: not one.is_revoked)
    assert (2, True) == (claude.incidents, codex.is_revoked)


def test_a_right_that_ended_has_ended(nodes: Nodes) -> None:
    """A person, a group, an identity, a role: by an admin's code on one node, on all of them."""
    for node in {nodes.first, nodes.second}:
        node.people.add(ADA)
        node.people.add(BOB)
        node.look()
        node.confirm()
    less = replace(ADA, role=ApproverRole.APPROVER, groups=(), identities=ADA.identities[:1])
    nodes.first.people.remove("bob")
    nodes.first.people.add(less)
    nodes.first.look()
    nodes.first.confirm()

    assert [less] == [one for one in nodes.seen().approvers.listed() if one.id != "owner"]
    nodes.second.people.add(BOB)
    nodes.seen()
    nodes.second.confirm()
    assert "bob" in {one.id for one in nodes.seen().approvers.listed()}


def test_a_grant_that_was_revoked_covers_nothing(nodes: Nodes) -> None:
    """On whichever node it was given and revoked."""
    given = NewGrant(
        digest="d1",
        shape="",
        session="",
        agent="claude",
        said="git push",
        author="ada",
        channel="web",
        expires_s=time.time() + 60,
        seal="s",
    )
    kept = nodes.first.grants.add(given)
    nodes.seen()
    found = nodes.second.grants.find(digest="d1", shape="", agent="claude", session="")

    assert found is not None
    assert kept.id == found.id
    assert nodes.second.grants.revoke(kept.id)
    assert nodes.first.grants.find(digest="d1", shape="", agent="claude", session="") is None
    assert not nodes.first.grants.revoke(kept.id)


def test_it_outlives_the_process(nodes: Nodes, tmp_path: Path) -> None:
    """What was confirmed is there after a restart."""
    nodes.first.locks.add(BASH)
    nodes.first.trust.revoke("codex", by="ada")
    nodes.seen()
    again = nodes.make("b") if nodes.first is not nodes.second else StandingNode(tmp_path / "a")

    assert {"Bash"} == targets(again)
    assert [True] == [one.is_revoked for one in again.trust.marks()]


def test_both_nodes_change_the_same_at_once(fleet: Nodes) -> None:
    """The database orders them: nothing is lost, and no number is given twice."""
    for number in range(5):
        fleet.first.policies.add(f"a{number}")
        fleet.second.policies.add(f"b{number}")
    fleet.first.locks.add(BASH)
    fleet.second.locks.add(EDIT)
    fleet.seen()

    ids = [one.id for one in fleet.first.policies.listed()]
    assert [f"pol_{number}" for number in range(10)] == ids
    assert fleet.first.policies.listed() == fleet.second.policies.listed()
    assert {"Bash", "Edit"} == targets(fleet.first) == targets(fleet.second)


def test_answers_of_people_count_on_all_nodes(fleet: Nodes) -> None:
    """Once each, also where two nodes note theirs at once."""
    denied = replace(APPROVED, at_s=APPROVED.at_s + 1, is_approval=False)
    note(fleet.first, APPROVED)
    note(fleet.first, APPROVED)
    note(fleet.second, denied)
    fleet.seen()

    rows = [node.trust.rows() for node in (fleet.first, fleet.second)]
    assert [[(1, 1)], [(1, 1)]] == [[(one.approved, one.denied) for one in row] for row in rows]
    assert fleet.first.in_force.standing.answered == fleet.second.in_force.standing.answered


def test_a_lock_lifted_elsewhere_is_not_set_again(fleet: Nodes) -> None:
    """By calls that come before the file has followed."""
    fleet.first.locks.add(BASH)
    fleet.seen()
    fleet.second.file_locks.remove(BASH)
    fleet.second.look()
    fleet.second.confirm()
    fleet.first.rows.look()

    assert (BASH,) == fleet.first.file_locks.locks()
    assert set() == targets(fleet.first)
    fleet.seen()
    assert [set(), set()] == [targets(fleet.first), targets(fleet.second)]


def test_a_new_node_holds_what_all_hold(fleet: Nodes, tmp_path: Path) -> None:
    """Its own locks hold on all; its own policies wait for an admin."""
    kept = fleet.first.policies.add("pushing is fine")
    alone = StandingNode(tmp_path / "c")
    alone.policies.add("mine")
    alone.locks.add(EDIT)
    alone.look()
    joining = fleet.make("c")

    assert (kept,) == joining.policies.listed()
    assert {"Edit"} == targets(fleet.seen())
    assert ["policies"] == [one.kind.value for one in joining.told]
    joining.confirm()
    assert {"pushing is fine", "mine"} == {one.text for one in fleet.seen().policies.listed()}


@pytest.mark.parametrize("kind", list(SharedKind))
@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE standing SET seal = 'x', version = version + 1 WHERE kind = '{}'",
        "UPDATE standing SET content = content || ' ', version = version + 1 WHERE kind = '{}'",
        "UPDATE standing SET version = version + 1 WHERE kind = '{}'",
        "DELETE FROM standing WHERE kind = '{}'",
        "ALTER TABLE standing DISABLE TRIGGER ALL;"
        " UPDATE standing SET version = 1, seal = 'x' WHERE kind = '{}'",
    ],
)
def test_what_is_not_believed_locks_everything(fleet: Nodes, kind: SharedKind, sql: str) -> None:
    """T-63: and enforces everything, until an admin of a node puts back what it knew."""
    fleet.first.in_force.set_enforcement(Enforcement.SHADOW, until_s=time.time() + 60)
    fleet.first.switch.set_mode(Mode.LOCAL)
    fleet.seen()
    assert set() == targets(fleet.second)
    write(fleet, sql.format(kind.value))
    fleet.seen()

    assert EVERYTHING.target in {lock.target for lock in fleet.second.locks.locks()}
    assert Enforcement.ENFORCE is fleet.second.in_force.enforcement()
    assert Mode.REMOTE is fleet.second.switch.mode()
    with pytest.raises(StoreError, match="shared"):
        _change(fleet.first, kind)
    fleet.second.confirm()
    fleet.seen()
    # A lock that was set meanwhile is none the less set.
    expected = {"Bash"} if kind is SharedKind.LOCKS else set()
    assert [expected, expected] == [targets(fleet.first), targets(fleet.second)]
    assert Enforcement.SHADOW is fleet.first.in_force.enforcement()
    assert Mode.LOCAL is fleet.first.switch.mode()


def _change(node: StandingNode, kind: SharedKind) -> None:
    """Change something of a kind, as a person of the node would."""
    match kind:
        case SharedKind.POLICIES:
            node.policies.add("x")
        case SharedKind.MODE:
            node.in_force.set_mode(Mode.REMOTE)
        case SharedKind.ENFORCEMENT:
            node.in_force.set_enforcement(Enforcement.ENFORCE)
        case SharedKind.TRUST:
            node.trust.revoke("x", by="ada")
        case SharedKind.LOCKS:
            node.locks.add(BASH)
            node.locks.locks()
            node.look()
        case SharedKind.ANSWERS:
            note(node, APPROVED)
            node.look()
            raise StoreError("the shared answers wait until they are believed")
        case SharedKind.REVOKED:
            raise StoreError("the shared rights have no switch of their own")


def test_a_row_of_before_is_refused_after_a_restart(fleet: Nodes) -> None:
    """Which versions were seen is sealed on each node: an old row is genuine, and older."""
    write(fleet, "CREATE TABLE kept AS SELECT * FROM standing")
    fleet.first.locks.add(BASH)
    fleet.seen()
    write(fleet, "DELETE FROM standing; INSERT INTO standing SELECT * FROM kept")
    again = fleet.make("b")

    assert EVERYTHING.target in {lock.target for lock in again.locks.locks()}
    assert "set back" in again.in_force.problem


def test_a_node_with_no_store_is_locked(fleet: Nodes) -> None:
    """What it cannot see it does not guess."""
    address = StoreAddress(
        hosts=(("127.0.0.1", 9),), user="x", database="x", has_tls=False, node="d"
    )
    node = StandingNode(fleet.first.folder.parent / "d", address=address)

    assert EVERYTHING.target in {lock.target for lock in node.locks.locks()}
    assert "cannot be seen" in node.in_force.problem
    node.close()
