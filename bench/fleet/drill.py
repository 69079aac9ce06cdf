"""The restore drill of docs/operations.md: dump under load, lose the database, restore, go on.

.venv/bin/python -m bench.fleet.drill
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time

from bench.fleet.faults import callers
from bench.fleet.nodes import DATABASE, Fleet, nodes
from postgres_server import USER, PostgresServer, binaries
from signoff.storage.postgresql.fleet_record import FleetRecord
from signoff.storage.postgresql.link import StoreLink


def tool(name: str, server: PostgresServer, *words: str) -> None:
    """Run a program of PostgreSQL on a database of this server."""
    where = ("-h", "127.0.0.1", "-p", str(server.port), "-U", USER, "-d", DATABASE)
    command = [os.path.join(binaries(), name), *where, *words]
    subprocess.run(command, check=True, timeout=600, stdout=subprocess.DEVNULL)


def stored(server: PostgresServer) -> tuple[set[str], dict[str, str]]:
    """Return the decisions in the record, and what is wrong with each node's chain."""
    link = StoreLink(server.address(database=DATABASE, node="reader"))
    try:
        record = FleetRecord(link)
        ids = {str(json.loads(entry.body).get("id")) for entry in record.entries()}
        return ids, {one.node: one.verify().problem for one in record.chains()}
    finally:
        link.close()


def dump_under_load(fleet: Fleet, dump: str) -> set[str]:
    """Dump the database while nodes decide; return all decisions that are then in the record."""
    with callers(fleet, 6) as told:
        time.sleep(3)
        began = time.monotonic()
        tool("pg_dump", fleet.server, "--format=custom", f"--file={dump}", "--schema=signoff")
        took_s = time.monotonic() - began
    print(f"dumped under load in {took_s:.1f} s, {os.path.getsize(dump) / 1e6:.1f} MB")
    before, _ = stored(fleet.server)
    assert before >= told.allowed.keys()
    return before


def restore(server: PostgresServer, dump: str, before: set[str]) -> set[str]:
    """Restore the dump; return the decisions that are in it."""
    began = time.monotonic()
    server.sql("postgres", f"CREATE DATABASE {DATABASE}")
    tool("pg_restore", server, "--no-owner", "--exit-on-error", dump)
    after, problems = stored(server)
    assert not any(problems.values()), problems
    took_s = time.monotonic() - began
    print(f"restored {len(after)} of {len(before)} decisions in {took_s:.1f} s, chains verified")
    return after


def see_nodes_refuse(fleet: Fleet, server: PostgresServer) -> None:
    """Start the nodes on the restored database: entries they have seen are gone."""
    for node in fleet.daemons:
        node.stop()
        node.url = server.url(DATABASE)
        node.start()
        said = node.get("/readyz")
        assert b" 503 " in said[:20], said
        assert b"was seen in it before" in said, said
    print("nodes with their old names refuse, and say which entry is missing")


def go_on(fleet: Fleet, server: PostgresServer, after: set[str]) -> None:
    """Give the nodes new names; they decide again, and the whole record verifies."""
    for node in fleet.daemons:
        node.stop()
        node.name += "2"
        node.start()
        assert b" 200 " in node.get("/readyz")[:20], node.get("/readyz")
    with callers(fleet, 3) as again:
        pass
    found, problems = stored(server)
    assert found >= again.allowed.keys() | after
    assert not any(problems.values()), problems
    print(
        f"with new names they decide again: {len(again.allowed)} more decisions,"
        f" nodes {', '.join(sorted(problems))}, every chain verified"
    )


def main() -> int:
    """Run the drill; every step is checked."""
    with nodes(2) as fleet:
        dump = str(fleet.daemons[0].home.parent / "signoff.dump")
        before = dump_under_load(fleet, dump)
        fleet.server.stop()
        new = PostgresServer()
        new.make()
        try:
            new.start()
            after = restore(new, dump, before)
            see_nodes_refuse(fleet, new)
            go_on(fleet, new, after)
        finally:
            new.remove()
    return 0


if __name__ == "__main__":
    sys.exit(main())
