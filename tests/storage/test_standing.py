"""Policies, the mode and the people who may answer, as they are kept."""

from __future__ import annotations

import hashlib
import hmac
import json
import os
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from signoff.challenge.pending import ClockReading
from signoff.challenge.terms.approver import Approver, ApproverRole, Identity
from signoff.challenge.terms.grant import NewGrant
from signoff.challenge.terms.mode import Mode
from signoff.challenge.terms.policy import POLICIES_LIMIT, Policy, PolicyChange, expiry
from signoff.errors import BadSettings, StoreError
from signoff.storage.approvals.approver_file import ApproverFile, owner
from signoff.storage.approvals.database import Database
from signoff.storage.approvals.standing import SqliteGrants, SqliteMode, SqlitePolicies
from signoff.storage.confirmed.head import ConfirmedHead, StandingState

ADA = Approver(
    id="ada",
    name="Ada",
    role=ApproverRole.ADMIN,
    groups=("team",),
    identities=(Identity("telegram", "4711"), Identity("web", "ada")),
)


@pytest.fixture
def database(tmp_path: Path) -> Database:
    """Give a file of its own."""
    return Database(str(tmp_path / "state" / "approvals.db"))


@pytest.fixture
def people(tmp_path: Path) -> ApproverFile:
    """Give a file of people that is not there yet."""
    return ApproverFile(str(tmp_path / "config" / "approvers.json"))


def test_policies_are_put_to_the_model_as_a_list(database: Database) -> None:
    """Those of the tool and the global ones, in the words of spec 3."""
    policies = SqlitePolicies(database)
    policies.add("Always allow npm install in this project", tool="Bash")
    policies.add("Be  careful\nwith money")
    policies.add("Edits of docs are fine", tool="Write|Edit")

    assert policies.format_for_llm("Bash") == (
        "- [pol_0] Always allow npm install in this project (applies to: Bash)\n"
        "- [pol_1] Be careful with money"
    )
    assert [policy.id for policy in policies.get_for_tool("Edit")] == ["pol_1", "pol_2"]
    assert [policy.id for policy in policies.get_for_tool("BashOutput")] == ["pol_1"]


def test_no_id_of_a_policy_is_used_again(database: Database) -> None:
    """Whoever remembers pol_1 removes no other one."""
    policies = SqlitePolicies(database)
    for text in ("a", "b"):
        policies.add(text)

    assert [policies.remove(id) for id in ("pol_1", "pol_1", "pol_", "1", "pol_-1")] == [
        True,
        *[False] * 4,
    ]
    assert policies.add("c").id == "pol_2"


def test_a_policy_is_changed_under_its_id(database: Database) -> None:
    """What is not said stays; who changed it is its author."""
    policies = SqlitePolicies(database)
    policies.add("pushing is fine", tool="Bash", author="ada", expires_s=4e9)

    changed = policies.edit(
        "pol_0", PolicyChange(text="pushing  is fine unless forced"), author="bob"
    )

    assert changed == policies.listed()[0]
    assert changed is not None
    assert ("pol_0", "pushing is fine unless forced", "Bash", "bob", 4e9) == (
        changed.id,
        changed.text,
        changed.tool,
        changed.author,
        changed.expires_s,
    )
    assert policies.edit("pol_7", PolicyChange(text="x"), author="bob") is None
    with pytest.raises(ValueError, match="characters"):
        policies.edit("pol_0", PolicyChange(text=" "), author="bob")


def test_a_policy_whose_time_has_ended_is_not_put_to_the_model(database: Database) -> None:
    """It is still listed, and a clock that is set back revives it not."""
    now = [1_000.0]
    clock = lambda: ClockReading(wall_s=now[0], running_s=now[0], boot_id="b")  # noqa: E731
    policies = SqlitePolicies(database, clock=clock)
    policies.add("for an hour", expires_s=4_600.0)
    policies.add("for good")

    found = []
    for at in (4_599.0, 4_600.0, 1_000.0):
        now[0] = at
        found.append([one.id for one in policies.get_for_tool("Bash")])

    assert [["pol_0", "pol_1"], ["pol_1"], ["pol_1"]] == found
    assert "for an hour" not in policies.format_for_llm("Bash")
    assert 2 == len(policies.listed())


@pytest.mark.parametrize(
    ("text", "ends_s"),
    [("never", 0.0), ("30d", 2_592_100.0), ("12h", 43_300.0), ("1970-01-03", 172_800.0)],
)
def test_an_end_is_a_length_of_time_or_a_date(text: str, ends_s: float) -> None:
    """In UTC."""
    assert ends_s == expiry(text, 100.0)


@pytest.mark.parametrize("text", ["", "soon", "1970-01-01", "0d", "9999w", "1969-01-01", "-3d"])
def test_no_end_is_guessed(text: str) -> None:
    """What is over or cannot be read is refused."""
    with pytest.raises(ValueError, match="end"):
        expiry(text, 100.0)


def test_policies_of_an_earlier_version_never_end(tmp_path: Path) -> None:
    """Their file gets the column when it is opened."""
    path = str(tmp_path / "approvals.db")
    with closing(Database(path)) as database:
        SqlitePolicies(database).add("kept")
        with database.reading() as db:
            db.execute("ALTER TABLE policies DROP COLUMN expires_wall")
            db.execute("DROP TABLE tries")
            db.execute("PRAGMA user_version = 3")
    with closing(Database(path)) as database:
        [kept] = SqlitePolicies(database).get_for_tool("Bash")

    assert ("kept", 0.0) == (kept.text, kept.expires_s)


def test_a_seal_from_before_policies_had_ends_holds(tmp_path: Path) -> None:
    """And one made with an end does not hold without it."""
    path, key = tmp_path / "confirmed.json", b"k" * 32
    head = ConfirmedHead(str(path), key)
    policy = Policy(id="pol_0", text="pushing is fine", author="ada")
    standing = StandingState(policies=(policy,))
    old = msgspec.json.encode(standing).replace(b',"expires_s":0.0}', b"}")
    for later in (b',"sign_in":[]', b',"revoked":[],"next_policy":0,"answered":[],"versions":[]'):
        old = old.replace(later, b"")
    old = old.removesuffix(b',"enforcement":"enforce","enforced_from_s":0.0,"trust":[]}') + b"}"
    seal = hmac.new(key, b"signoff-confirmed-v1\0" + old, hashlib.sha256).hexdigest()
    path.write_bytes(b'{"standing":%b,"seal":"%b"}' % (old, seal.encode()))

    assert standing == head.read()
    head.write(StandingState(policies=(msgspec.structs.replace(policy, expires_s=9.0),)))
    path.write_bytes(path.read_bytes().replace(b'"expires_s":9.0', b'"expires_s":0.0'))
    with pytest.raises(StoreError, match="its seal does not hold"):
        head.read()


@pytest.mark.parametrize("text", ["", "  \n", "x" * 2_001])
def test_a_policy_says_something_and_not_too_much(database: Database, text: str) -> None:
    """It is refused otherwise."""
    with pytest.raises(ValueError, match="characters"):
        SqlitePolicies(database).add(text)


def test_there_are_only_so_many_policies(database: Database) -> None:
    """A model reads all of them."""
    policies = SqlitePolicies(database)
    for number in range(POLICIES_LIMIT):
        policies.add(f"policy {number}")

    with pytest.raises(ValueError, match="remove one first"):
        policies.add("one more")


def test_the_mode_is_kept(database: Database) -> None:
    """For every process; until it is set, it is the configured one."""
    switch = SqliteMode(database, default=Mode.LOCAL)
    before = switch.mode()
    switch.set_mode(Mode.REMOTE)

    assert (before, SqliteMode(Database(database.path)).mode()) == (Mode.LOCAL, Mode.REMOTE)


def test_the_file_is_its_owners_alone(database: Database) -> None:
    """The folder as well."""
    SqliteMode(database).mode()

    modes = [os.stat(path).st_mode & 0o777 for path in (database.path, Path(database.path).parent)]
    assert modes == [0o600, 0o700]


def test_a_file_of_another_version_is_refused(database: Database) -> None:
    """Rather than misread."""
    with database.writing() as db:
        db.execute("PRAGMA user_version = 99")

    with pytest.raises(StoreError, match="version 99"):
        SqliteMode(Database(database.path)).mode()


def test_without_a_list_the_owner_is_the_approver(people: ApproverFile) -> None:
    """Known on the terminal by their user id."""
    me = Identity("terminal", f"uid:{os.getuid()}")
    (owner,) = people.listed()

    assert (people.find(me), owner.role) == (owner, ApproverRole.ADMIN)
    assert people.find(Identity("telegram", f"uid:{os.getuid()}")) is None


def test_people_are_found_by_their_identities(people: ApproverFile) -> None:
    """Each of them, on its own channel; the owner stays who they are."""
    people.add(ADA)

    found = [people.find(Identity(*pair)) for pair in (("telegram", "4711"), ("web", "ada"))]
    assert found == [ADA, ADA]
    assert people.find(Identity("web", "4711")) is None
    assert people.find(Identity("terminal", f"uid:{os.getuid()}")) == owner()


def test_an_identity_belongs_to_one_person(people: ApproverFile) -> None:
    """Two would be one who counts twice."""
    people.add(ADA)

    with pytest.raises(BadSettings, match="somebody else"):
        people.add(Approver(id="bob", identities=ADA.identities[:1]))


def test_people_change_and_go(people: ApproverFile) -> None:
    """The next look sees it."""
    people.add(ADA)
    people.add(Approver(id="ada", role=ApproverRole.VIEWER, identities=ADA.identities))

    assert [(one.id, one.role) for one in people.listed()] == [
        ("owner", ApproverRole.ADMIN),
        ("ada", ApproverRole.VIEWER),
    ]
    assert [people.remove("ada"), people.remove("ada")] == [True, False]
    assert people.listed() == (owner(),)


ONE = {"id": "ada", "role": "approver", "identities": [{"channel": "web", "id": "ada"}]}


@pytest.mark.parametrize(
    "said",
    [
        "",
        "{",
        "[]",
        {"version": 2, "approvers": []},
        {"version": 1},
        {"version": 1, "approvers": [{**ONE, "role": "root"}]},
        {"version": 1, "approvers": [{**ONE, "identities": "web:ada"}]},
        {"version": 1, "approvers": [ONE, ONE]},
        {"version": 1, "approvers": [ONE, {**ONE, "id": "bob"}]},
        {"version": 1, "approvers": [{**ONE, "id": 7}]},
    ],
)
def test_a_list_that_is_damaged_lets_nobody_answer(people: ApproverFile, said: object) -> None:
    """Not even the owner."""
    path = Path(people.path)
    path.parent.mkdir()
    path.write_text(said if isinstance(said, str) else json.dumps(said))

    with pytest.raises(BadSettings, match="nobody may answer"):
        people.find(Identity("web", "ada"))


@pytest.mark.parametrize("times", [(100.0, 161.0, 100.0), (100.0, 140.0, 101.0)])
def test_a_clock_set_back_revives_no_grant(
    database: Database, times: tuple[float, float, float]
) -> None:
    """Neither after its time was over, nor to make its time last (T-46)."""
    wall = list(times)
    grants = SqliteGrants(database, clock=lambda: ClockReading(wall_s=wall[0]))
    grants.add(NewGrant(digest="d", agent="a", expires_s=160.0))
    assert grants.find(digest="d", shape="", agent="a", session="") is not None

    wall.pop(0)
    grants.listed()
    wall.pop(0)

    assert grants.find(digest="d", shape="", agent="a", session="") is None
    assert grants.listed() == ()
