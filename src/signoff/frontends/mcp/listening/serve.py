"""Serves `signoff mcp --listen` until a signal comes.

listen_on(ProxyOptions(url="https://mcp.example.com/mcp"), ("127.0.0.1", 8808))
"""

from __future__ import annotations

import asyncio
import socket

import uvloop

from signoff.challenge.outbound.endpoint import OutboundEndpoint
from signoff.errors import BadSettings
from signoff.frontends.client.places import Places, hook_token
from signoff.frontends.mcp.listening.front import HERE, PATH, TOKEN, FrontSettings, HttpFront
from signoff.frontends.mcp.proxy import ProxyOptions, RelayMaker
from signoff.frontends.mcp.relay.links import note
from signoff.serving.connections import Connections
from signoff.serving.listening import build_server
from signoff.settings import Settings, load_settings
from signoff.system.processes import on_end
from signoff.values import replace

CONNECTIONS = 256
OWN = "mcp-listen"


def address_of(told: str) -> tuple[str, int]:
    """Parse `HOST:PORT`.

    Raises:
        BadSettings: it has another form, or is not on this machine.
    """
    host, colon, port = told.rpartition(":")
    host = host.strip("[]") or "127.0.0.1"
    if not port.isdecimal() or int(port) > 65_535 or (colon and host not in HERE):
        raise BadSettings(
            f"cannot listen on `{told}`: expected 127.0.0.1:PORT; use a tunnel to go further"
        )
    return host, int(port)


def listen_on(options: ProxyOptions, address: tuple[str, int]) -> None:
    """Serve until the process gets a signal.

    Raises:
        SignoffError: the settings, the server's address or the port cannot be used.
    """
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(_serve(options, address, load_settings()))


async def _serve(options: ProxyOptions, address: tuple[str, int], settings: Settings) -> None:
    places = Places(settings.state_dir)
    places.make()
    # A client keeps it in its settings, where an agent can read it: it is good for this frontend
    # only.
    token = hook_token(places.token(), OWN)
    maker = RelayMaker(replace(options, signs_in=False), settings)
    remote = OutboundEndpoint.parse(options.url) if options.url else None
    front = HttpFront(
        FrontSettings(token=token, remote=remote, limit=settings.mcp.max_message_bytes),
        maker.started,
    )
    server = build_server(front.app, connections=Connections(limit=CONNECTIONS))
    listening = _bound(address)

    def end() -> None:
        server.should_exit = True

    on_end(asyncio.get_running_loop(), end, is_at_terminal=True)
    port = listening.getsockname()[1]
    note(f"listening on http://127.0.0.1:{port}{PATH}; clients send the header `{TOKEN}: {token}`")
    try:
        await server.serve(sockets=[listening])
    finally:
        await front.close()
        maker.guard.close()


def _bound(address: tuple[str, int]) -> socket.socket:
    """Return a socket that listens.

    Raises:
        BadSettings: the address is taken.
    """
    family = socket.AF_INET6 if ":" in address[0] else socket.AF_INET
    made = socket.socket(family, socket.SOCK_STREAM)
    # A new start need not wait until connections of the last one time out.
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind(address)
    except OSError as error:
        made.close()
        raise BadSettings(f"cannot listen on {address[0]}:{address[1]}: {error}") from error
    made.listen()
    return made
