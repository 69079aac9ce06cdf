"""A daemon of the version before and a new one on one database, as while machines are upgraded."""

from __future__ import annotations

import json
from pathlib import Path

from inbox_caller import at_inbox
from live_daemon import LiveDaemon, served, wait_until
from shared_nodes import asked, home_of, pending

from postgres_server import shared_server
from signoff.storage.postgresql.migrating import migrations
from store_version_before import PROGRAM, TABLES_BEFORE

CALL = "git reset --hard"


def decides(daemon: LiveDaemon) -> bool:
    """Tell whether a node would record a decision now."""
    return 200 == daemon.request("GET", "/readyz").status


def answered(daemon: LiveDaemon, other: LiveDaemon, *, id: str, verdict: str) -> str:
    """Ask on one node and answer on another; return what the caller is told."""
    waiting = daemon.act(CALL, session_id="s1", id=id, cwd="/")
    at_inbox(other).answer(asked(other), verdict)
    wait_until(lambda: not pending(daemon))
    said = daemon.request("GET", f"{waiting.headers['location']}?wait=30").said
    return str(said["verdict"])


def test_an_older_node_goes_on_beside_a_newer_one(tmp_path: Path) -> None:
    """The newer one changes the tables under it; each answers what the other one asks."""
    server = shared_server()
    url = server.url(server.address().database)
    database = url.rpartition("/")[2]
    applied = "SELECT count(*) FROM signoff.migrations"
    with served(home_of(tmp_path, "a", url), program=("-c", PROGRAM)) as older:
        older.act("true", cwd="/")
        before = server.sql(database, applied)
        with served(home_of(tmp_path, "b", url)) as newer:
            for daemon in (newer, older):
                wait_until(lambda daemon=daemon: decides(daemon))
            after = server.sql(database, applied)
            told = [
                answered(older, newer, id="r1", verdict="approve"),
                answered(newer, older, id="r2", verdict="deny"),
            ]
            lines = newer.signoff("audit", "tail", "-n", "100", "--json").stdout.splitlines()
            verified = [one.signoff("audit", "verify").returncode for one in (older, newer)]

    assert [str(TABLES_BEFORE), str(len(migrations()))] == [before, after]
    assert ["allow", "deny"] == told
    assert 1 == sum(json.loads(one)["verdict"] == "allow" and CALL in one for one in lines)
    assert [0, 0] == verified


def test_an_older_node_can_be_started_again(tmp_path: Path) -> None:
    """After a newer one has changed the tables: the upgrade may take days."""
    server = shared_server()
    url = server.url(server.address().database)
    with (
        served(home_of(tmp_path, "b", url)) as newer,
        served(home_of(tmp_path, "a", url), program=("-c", PROGRAM)) as older,
    ):
        assert "allow" == answered(older, newer, id="r1", verdict="approve")
