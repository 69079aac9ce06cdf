"""Real daemons on one PostgreSQL that answer for each other."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from inbox_caller import ASKS_ON_THE_WEB
from live_daemon import LiveDaemon, served, wait_until

from postgres_server import PostgresServer

KEY = "5f" * 32


def home_of(
    folder: Path,
    node: str,
    url: str,
    *,
    key: str = KEY,
    more: str = "",
    approvers: Sequence[object] = (),
    tenant: str = "",
) -> Path:
    """Write the settings of a node; without a key its requests are its own."""
    home = folder / node
    config = home / ".config" / "signoff"
    config.mkdir(parents=True)
    whose = f", tenant: {tenant}" if tenant else ""
    store = f"store: {{url: '{url}', node: {node}{whose}}}\n"
    (config / "signoff.yaml").write_text(f"{store}{ASKS_ON_THE_WEB}{more}", "utf-8")
    if key:
        (config / "store.key").touch(0o600)
        (config / "store.key").write_text(f"{key}\n", "utf-8")
    if approvers:
        said = json.dumps({"version": 1, "approvers": approvers})
        (config / "approvers.json").touch(0o600)
        (config / "approvers.json").write_text(said, "utf-8")
    return home


@contextmanager
def nodes_of(
    server: PostgresServer,
    folder: Path,
    names: str = "ab",
    *,
    more: str = "",
    approvers: Sequence[object] = (),
) -> Iterator[tuple[LiveDaemon, ...]]:
    """Run one daemon for each name, on a new database."""
    database = server.address().database
    with ExitStack() as stack:
        yield tuple(
            stack.enter_context(
                served(home_of(folder, name, server.url(database), more=more, approvers=approvers))
            )
            for name in names
        )


def database_of(daemon: LiveDaemon) -> str:
    """Return the database of a node."""
    text = (daemon.config / "signoff.yaml").read_text("utf-8")
    return text.partition("'")[2].partition("'")[0].rpartition("/")[2]


def pending(daemon: LiveDaemon) -> list[dict[str, Any]]:
    """Return what waits, as the command line of a node lists it."""
    said: list[dict[str, Any]] = json.loads(daemon.signoff("pending", "--json").stdout)
    return said


def asked(daemon: LiveDaemon, *, besides: str = "") -> str:
    """Wait until a request is listed on a node, not the one named `besides`; return its id.

    A call that takes long to judge is answered 202 before its request is open.
    """
    found: list[str] = []

    def is_listed() -> bool:
        found[:] = [str(one["id"]) for one in pending(daemon) if one["id"] != besides]
        return bool(found)

    wait_until(is_listed)
    return found[0]
