"""A daemon whose port ends by itself ends as a whole, so that the next hook starts a new one."""

from __future__ import annotations

import asyncio
import socket
from types import SimpleNamespace
from typing import Any

from starlette.applications import Starlette

from signoff.frontends.server.serve import _Process
from signoff.serving.connections import Connections
from signoff.serving.listening import build_server


def test_one_server_takes_the_other_with_it() -> None:
    """Hooks on the socket would never notice that people see nothing."""
    process = _Process.__new__(_Process)
    daemon: Any = SimpleNamespace(inbox=None)
    process._daemon = daemon
    servers = (
        build_server(Starlette(), connections=Connections(limit=10)),
        build_server(Starlette(), connections=Connections(limit=10)),
    )

    async def served() -> None:
        with socket.socket() as one, socket.socket() as other:
            for each in (one, other):
                each.bind(("127.0.0.1", 0))
            both = asyncio.gather(
                process._serve(servers[0], [one], servers),
                process._serve(servers[1], [other], servers),
            )
            async with asyncio.timeout(60):
                while not all(server.started for server in servers):
                    await asyncio.sleep(0.01)
                servers[0].should_exit = True
                await both

    asyncio.run(served())

    assert all(server.should_exit for server in servers)
