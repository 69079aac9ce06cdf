"""Daemons of two tenants on one PostgreSQL: neither shows, answers or stops what is the other's."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from bench.ports import free_port
from inbox_caller import at_inbox
from live_daemon import LiveDaemon, served, wait_until
from shared_nodes import asked, home_of, pending

from postgres_server import USER
from store_tenants import StoreTenants, made_tenants

CALL = "git reset --hard"
NAMES = ("payments", "search")


@pytest.fixture
def tenants() -> StoreTenants:
    """Give a database with two tenants."""
    return made_tenants(*NAMES)


def home(tenants: StoreTenants, folder: Path, name: str) -> Path:
    """Write the settings of a tenant's node; both nodes have one name, and one key."""
    return home_of(folder / name, "a", tenants.url(name), tenant=name)


@pytest.fixture
def daemons(tenants: StoreTenants, tmp_path: Path) -> Iterator[tuple[LiveDaemon, LiveDaemon]]:
    """Give a daemon of each tenant."""
    with (
        served(home(tenants, tmp_path, "payments")) as first,
        served(home(tenants, tmp_path, "search")) as second,
    ):
        yield first, second


def test_each_tenant_is_asked_for_itself(daemons: tuple[LiveDaemon, LiveDaemon]) -> None:
    """The same call under the same id: two questions, two answers, two records."""
    first, second = daemons
    waiting = [one.act(CALL, session_id="s1", id="r1", cwd="/") for one in daemons]
    ids = [asked(one) for one in daemons]
    assert [[ids[0]], [ids[1]]] == [[one["id"] for one in pending(node)] for node in daemons]

    # Not even by its id.
    assert "No such request" in at_inbox(second).get(f"/web/requests/{ids[0]}")
    assert 0 != second.signoff("deny", ids[0]).returncode
    assert 303 == at_inbox(first).answer(ids[0], "approve")
    assert 303 == at_inbox(second).answer(ids[1], "deny")

    places = [one.headers["location"] for one in waiting]
    said = [
        one.request("GET", f"{at}?wait=30").said for one, at in zip(daemons, places, strict=True)
    ]
    assert ["allow", "deny"] == [one["verdict"] for one in said]
    for node, verdict in zip(daemons, ("allow", "deny"), strict=True):
        lines = node.signoff("audit", "tail", "-n", "100", "--json").stdout.splitlines()
        found = {json.loads(one)["verdict"] for one in lines if CALL in one}
        assert {verdict} == found - {"ask"}
        assert 0 == node.signoff("audit", "verify").returncode


def test_a_lock_of_one_tenant_stops_no_other(daemons: tuple[LiveDaemon, LiveDaemon]) -> None:
    """It holds on the nodes of its own."""
    first, second = daemons
    assert 0 == first.signoff("lock").returncode
    wait_until(lambda: "deny" == first.act("true", cwd="/").said.get("verdict"))

    assert "allow" == second.act("true", cwd="/").said.get("verdict")


def test_people_see_whose_node_it_is(daemons: tuple[LiveDaemon, LiveDaemon]) -> None:
    """In the inbox, in `status` and in `doctor`, and never the other one's name."""
    for node, own, other in ((daemons[0], *NAMES), (daemons[1], *NAMES[::-1])):
        page = at_inbox(node).get("/web/")
        status, doctor = (node.signoff(one).stdout for one in ("status", "doctor"))
        assert f'<span class="quiet">{own}</span>' in page
        assert f"tenant {own}" in " ".join(status.split())
        assert f"1 node of tenant {own}" in " ".join(doctor.split())
        assert other not in page + status + doctor


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ("ALTER ROLE {role} SUPERUSER", "is a superuser"),
        ("ALTER ROLE {role} BYPASSRLS", "has BYPASSRLS"),
        ("ALTER TABLE requests NO FORCE ROW LEVEL SECURITY", "is not in force on requests"),
        ("SELECT remove_tenant_role('{role}')", "may not see the tables"),
    ],
)
def test_a_daemon_that_would_see_more_does_not_start(
    tenants: StoreTenants, tmp_path: Path, change: str, why: str
) -> None:
    """It ends with a message, and `doctor` says the same."""
    node = LiveDaemon(home=home(tenants, tmp_path, "payments"), port=free_port())
    tenants.as_superuser(change.format(role=tenants["payments"].user))

    for words in (("serve", "--port", str(node.port)), ("doctor",)):
        done = node.signoff(*words)
        assert 0 != done.returncode
        assert why in " ".join((done.stdout + done.stderr).split())


def test_a_superuser_serves_nobody_beside_tenants(tenants: StoreTenants, tmp_path: Path) -> None:
    """The default tenant's node would show the requests of all."""
    url = tenants.url("").replace(tenants.default.user, USER)
    node = LiveDaemon(home=home_of(tmp_path, "a", url), port=free_port())

    done = node.signoff("serve", "--port", str(node.port))

    assert 0 != done.returncode
    assert "would see the rows of all tenants" in " ".join((done.stdout + done.stderr).split())
