"""`signoff mcp -- CMD`: builds the relay of one server from the settings, and runs it.

run_proxy(ProxyOptions(words=("npx", "-y", "@x/github"), name="github"))
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import secrets
from collections.abc import Awaitable, Mapping, Sequence
from urllib.parse import urlsplit

import uvloop
from msgspec import Struct

from signoff.challenge.outbound.endpoint import OutboundEndpoint
from signoff.errors import BadSettings
from signoff.frontends.mcp.guard import CallGuard, DaemonGuard
from signoff.frontends.mcp.oauth.login_file import LoginFile
from signoff.frontends.mcp.oauth.server_login import ServerLogin
from signoff.frontends.mcp.pins import PinFile
from signoff.frontends.mcp.relay.calls import CallPlace
from signoff.frontends.mcp.relay.http_link import AUTHORIZATION, HttpLink, headers_from
from signoff.frontends.mcp.relay.links import MessageLink, ProcessLink, own_pipes
from signoff.frontends.mcp.relay.relay import McpRelay, RelayParts
from signoff.sections import WithoutDaemon
from signoff.settings import Settings, load_settings
from signoff.system.processes import on_end
from signoff.values import replace

NAME_LIMIT = 40
MORE_S = 15.0  # beyond the time people have to answer
# Words that start other programs: a server called `npx` would be all of them.
LAUNCHERS = frozenset(
    {
        *("npx", "bunx", "pnpm", "pnpx", "yarn", "dlx", "exec", "bun", "deno", "node", "uvx", "uv"),
        *("run", "tool", "python", "python3", "pipx", "docker", "podman", "sh", "bash", "env"),
    }
)


class ProxyOptions(Struct, frozen=True, kw_only=True):
    """The options of `signoff mcp`.

    Args:
        words: the server's command, () if it is reached by an address.
        url: its address, "" if it is started by a command.
        headers: variables that hold the values of headers, by the header's name.
        name: the server's name, "" = taken from the command or address.
        signs_in: send the token of `signoff mcp login`; False = clients bring their own.
    """

    words: tuple[str, ...] = ()
    url: str = ""
    headers: Mapping[str, str] = {}
    name: str = ""
    signs_in: bool = True


def run_proxy(options: ProxyOptions) -> None:
    """Relay until the client or the server ends.

    Raises:
        SignoffError: settings or the state folder cannot be used, or the server does not start.
    """
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(_run(options, load_settings()))


class RelayMaker:
    """Starts relays to one server, which share its pins and the guard."""

    def __init__(self, options: ProxyOptions, settings: Settings) -> None:
        self._options, self._settings = options, settings
        address = options.words or (options.url,)
        self._name = server_name(options.name, address)
        self._pins = PinFile.of(settings, server=self._name, address=address)
        self.guard = DaemonGuard(settings, _instead(settings))

    async def started(self, client: MessageLink) -> tuple[MessageLink, Awaitable[None]]:
        """Start or connect to the server; return its link, and the coroutine that relays.

        Raises:
            SignoffError: the server cannot be started or reached.
        """
        settings = self._settings
        place = CallPlace(
            server=self._name,
            session=f"mcp-{self._name}-{secrets.token_hex(4)}",
            wait_s=settings.mcp.wait_s,
            longest_s=settings.limits.answer_timeout_s + MORE_S,
            cwd=os.getcwd(),
        )
        parts = RelayParts(
            guard=self.guard,
            pins=self._pins,
            place=place,
            settings=replace(settings.mcp, results=settings.mcp.results or settings.results),
        )
        server = await _server(self._options, settings)
        return server, self._relayed(McpRelay(parts, client, server), place.session)

    async def _relayed(self, relay: McpRelay, session: str) -> None:
        try:
            await relay.run()
        finally:
            ended = {"hook_event_name": "SessionEnd", "session_id": session}
            await self.guard.report(json.dumps(ended).encode())


async def _run(options: ProxyOptions, settings: Settings) -> None:
    maker = RelayMaker(options, settings)
    client = await own_pipes(limit=settings.mcp.max_message_bytes)
    _, relay = await maker.started(client)
    relaying = asyncio.ensure_future(relay)
    on_end(asyncio.get_running_loop(), relaying.cancel, is_at_terminal=True)
    await asyncio.wait({relaying})
    maker.guard.close()
    if not relaying.cancelled():
        relaying.result()


def _instead(settings: Settings) -> CallGuard | None:
    """Return what judges in this process, where the settings want that without a daemon."""
    if settings.without_daemon is not WithoutDaemon.IN_PROCESS:
        return None
    from signoff.frontends.mcp.local_guard import LocalGuard  # noqa: PLC0415 - half of a start

    return LocalGuard(settings)


async def _server(options: ProxyOptions, settings: Settings) -> MessageLink:
    """Start or reach the server.

    Raises:
        BadSettings: it cannot be started, or the address or a header cannot be used.
        CallFailed: a variable with a header is missing.
    """
    limit = settings.mcp.max_message_bytes
    if options.url:
        headers = headers_from(options.headers, os.environ)
        # A header of one's own is a token of one's own.
        has_token = any(name.lower() == AUTHORIZATION.lower() for name in headers)
        signs_in = options.signs_in and not has_token
        login = ServerLogin(LoginFile.of(settings, options.url)) if signs_in else None
        endpoint = OutboundEndpoint.parse(options.url)
        return HttpLink(endpoint, headers, limit=limit, login=login)
    try:
        return await ProcessLink.start(options.words, limit=limit)
    except OSError as error:
        raise BadSettings(f"`{options.words[0]}` cannot be started: {error}") from error


def server_name(given: str, words: Sequence[str]) -> str:
    """Return the name by which a server's tools are judged: letters, digits, `-` and `_`.

    server_name("", ("npx", "-y", "@modelcontextprotocol/server-github@1.2")) -> "server-github"
    server_name("", ("https://mcp.example.com/v1",))                         -> "mcp-example-com"
    """
    told = given or next(
        (word for word in words if not word.startswith("-") and _base(word) not in LAUNCHERS), "mcp"
    )
    return re.sub(r"[^A-Za-z0-9_-]+", "-", _base(told)).strip("-_")[:NAME_LIMIT] or "mcp"


def _base(word: str) -> str:
    """Return a host, or the last part of a path or package without version and ending."""
    if "://" in word:
        return urlsplit(word).hostname or ""
    last = word.rstrip("/").rpartition("/")[2]
    # `x@1.2` and `x==1.2` lose their version; the `@` of a scope stands first and stays.
    return re.sub(r"(?<=.)[@=].*$|\.(py|js|mjs|ts|sh)$", "", last)
