"""`signoff mcp`: stands between an MCP client and a server, and manages what it keeps of servers.

A client waits for the start of the proxy, so the other commands are loaded only when they are used.

signoff mcp --name github -- npx -y @modelcontextprotocol/server-github
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module

import click

from signoff.frontends.cli.exits import errors_as_messages
from signoff.frontends.cli.json_out import AnsweringGroup
from signoff.frontends.mcp.proxy import ProxyOptions, run_proxy

PROXY = "proxy"
MODULE = "signoff.frontends.cli.mcp_commands"
LOGIN_MODULE = "signoff.frontends.cli.mcp_login"
COMMANDS: Mapping[str, str] = {
    "tools": "List servers and tools, and what is held back.",
    "accept": "Accept a tool that is held back; asks on your terminal.",
    "forget": "Forget a server's tools; asks on your terminal.",
    "login": "Sign in at a remote server; opens your browser.",
    "logout": "Forget the sign-in at a remote server.",
    "wrap": "Put signoff before the servers of a client.",
    "unwrap": "Take signoff away from the servers of a client.",
}


class ProxyOrCommand(AnsweringGroup):
    """A command group that treats anything but a subcommand as a server to proxy."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Insert the proxy's name if the first word is no subcommand."""
        if args and args[0] not in (*COMMANDS, PROXY, "-h", "--help"):
            args = [PROXY, *args]
        return super().parse_args(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the commands in the order of the table."""
        return list(COMMANDS)

    def find_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """Load a command."""
        if name not in COMMANDS:
            return super().find_command(ctx, name)
        module = LOGIN_MODULE if name in ("login", "logout") else MODULE
        found: click.Command = getattr(import_module(module), name)
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without loading them."""
        with formatter.section("Commands"):
            formatter.write_dl([*COMMANDS.items()])


@click.group(
    "mcp", cls=ProxyOrCommand, short_help="Judge what passes between an MCP client and a server."
)
def command() -> None:
    """Judge what passes between an MCP client and a server: `signoff mcp -- COMMAND ...`."""


@command.command(PROXY, hidden=True)
@click.option("--name", default="", help="The server's name; else it is taken from the command.")
@click.option("--url", default="", help="Reach the server by streamable HTTP at this address.")
@click.option(
    "--header-env",
    "headers",
    multiple=True,
    metavar="NAME=VARIABLE",
    help="Send a header whose value stands in a variable; may be given again.",
)
@click.option("--listen", default="", metavar="HOST:PORT", help="Serve clients over HTTP.")
@click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar="-- COMMAND ...")
def proxy(
    *, name: str, url: str, headers: tuple[str, ...], listen: str, words: tuple[str, ...]
) -> None:
    """Relay to a server: calls are judged, tools pinned, results checked."""
    if bool(words) is bool(url):
        raise click.UsageError("which server? signoff mcp -- COMMAND ..., or signoff mcp --url URL")
    told = dict(pair.partition("=")[::2] for pair in headers)
    with errors_as_messages():
        options = ProxyOptions(words=words, url=url, headers=told, name=name)
        if not listen:
            run_proxy(options)
            return
        from signoff.frontends.mcp.listening.serve import address_of, listen_on  # noqa: PLC0415 - a client waits for the start

        listen_on(options, address_of(listen))
