"""The commands beside the proxy: servers and tools that were seen, and clients' configuration.

signoff mcp tools
signoff mcp accept github create_issue
signoff mcp wrap cursor
"""

from __future__ import annotations

from pathlib import Path

import click

from signoff.frontends.cli.exits import Refusal, errors_as_messages
from signoff.frontends.cli.json_out import answer_with, echo_json, json_option
from signoff.frontends.cli.request_lookup import approvals_here
from signoff.frontends.cli.typed import confirmed_as_admin
from signoff.frontends.cli.wrapping import say
from signoff.frontends.mcp.held import held_tools, server_pins
from signoff.frontends.mcp.pins import ServerPins, ToolPin
from signoff.frontends.mcp.wrapping.clients import CLIENTS, WrappedFile, WrapTask, wrap_client
from signoff.settings import load_settings


@click.command("tools", short_help="List servers and tools, and what is held back.")
@click.argument("server", default="")
@json_option
def tools(*, server: str, is_json: bool) -> None:
    """List the tools of each server that was seen, and which of them are held back."""
    with errors_as_messages():
        files = list(server_pins(load_settings()))
    seen = [pins for _, pins in files if pins is not None and server in ("", pins.server)]
    broken = [file.path for file, pins in files if pins is None]
    if is_json:
        echo_json({"servers": [_listed(pins) for pins in seen], "broken_files": broken})
        return
    for path in broken:
        say(f"PROBLEM  {path} was changed by somebody else: all of its tools")
        say("         are held back; see `signoff mcp forget`")
    for pins in seen:
        say(f"{pins.server}: {' '.join(pins.address)}")
        for name, pin in pins.tools.items():
            say(f"  {_state(pin):<20} {name}")
    if not files:
        say("no MCP server was seen yet: `signoff mcp wrap` puts signoff before servers")


@click.command("accept", short_help="Accept a tool that is held back; asks on your terminal.")
@click.argument("server")
@click.argument("tool", default="")
def accept(*, server: str, tool: str) -> None:
    """Look at definitions that are held back and accept them, one by one, on the terminal."""
    with errors_as_messages():
        waiting = tuple(held_tools(load_settings(), server, tool))
        if not waiting:
            raise Refusal("no such tool is held back: `signoff mcp tools` lists what is")
        approvals, accepted = approvals_here(), list[str]()
        for one in waiting:
            said = f"{one.server.server} {one.name}: {one.held.digest}"
            confirmed_as_admin(approvals, one.shown, word="accept", act="mcp.accept", said=said)
            one.accept()
            accepted.append(one.name)
            answer_with(server=one.server.server, accepted=accepted)
            say(f"in force: {one.name} of {one.server.server}")


@click.command("forget", short_help="Forget a server's tools; asks on your terminal.")
@click.argument("server")
def forget(*, server: str) -> None:
    """Forget what is known of a server: what it says next is taken as seen for the first time."""
    with errors_as_messages():
        files = [
            file
            for file, pins in server_pins(load_settings())
            # A file that was changed by others is not believed; its name still says whose it is.
            if (pins.server == server if pins else file.server_by_name == server)
        ]
        if not files:
            raise Refusal(f"no server `{server}` was seen: `signoff mcp tools` lists them")
        text = f"the pinned tools of MCP server {server} are forgotten"
        confirmed_as_admin(approvals_here(), text, word="forget", act="mcp.forget", said=server)
        for file in files:
            file.forget()
    say("forgotten")


def _state(pin: ToolPin) -> str:
    """Return the state of a tool in one word."""
    if pin.held is not None:
        return "HELD BACK (changed)" if pin.digest else "HELD BACK"
    return "accepted" if pin.is_accepted else "pinned"


def _listed(pins: ServerPins) -> dict[str, object]:
    """Return a server and its tools for programs."""
    return {
        "server": pins.server,
        "address": list(pins.address),
        "tools": [
            {
                "name": name,
                "digest": pin.digest,
                "is_accepted": pin.is_accepted,
                "held_back": pin.held.why if pin.held is not None else None,
            }
            for name, pin in pins.tools.items()
        ],
    }


which = click.argument("client", type=click.Choice([*CLIENTS, "all"]), default="all")
where = click.option(
    "--user/--project",
    "is_user",
    default=True,
    help="Your own configuration (default), or that of the project in this folder.",
)
only = click.option("--server", default="", help="This server only.")
dry = click.option("--dry-run", "is_dry", is_flag=True, help="Show the change, write nothing.")


@click.command("wrap", short_help="Put signoff before the servers of a client.")
@which
@where
@only
@dry
def wrap(*, client: str, is_user: bool, server: str, is_dry: bool) -> None:
    """Put signoff before every server in a client's configuration; a copy of the file is kept."""
    _rewrite(client, WrapTask(is_user=is_user, server=server, is_dry=is_dry))


@click.command("unwrap", short_help="Take signoff away from the servers of a client.")
@which
@where
@only
@dry
def unwrap(*, client: str, is_user: bool, server: str, is_dry: bool) -> None:
    """Let a client start its servers itself again."""
    _rewrite(client, WrapTask(is_user=is_user, server=server, is_dry=is_dry, is_removal=True))


def _rewrite(client: str, task: WrapTask) -> None:
    """Rewrite the configuration of one client or all, and say what changed."""
    folder = Path.home() if task.is_user else Path.cwd()
    chosen = CLIENTS.values() if client == "all" else (CLIENTS[client],)
    files: list[dict[str, object]] = []
    with errors_as_messages():
        for one in chosen:
            for done in wrap_client(one, folder, task):
                files.append({"path": str(done.file.path), "servers": list(done.names)})
                _tell(one.title, done, task)
    answer_with(files=files)
    if not files:
        say("no configuration of an MCP client was found here")


def _tell(title: str, done: WrappedFile, task: WrapTask) -> None:
    """Print what was done to one file."""
    say(f"{title}: {done.file.path}")
    word = "signoff removed from" if task.is_removal else "signoff stands before"
    word = f"would change: {word}" if task.is_dry else word
    for name in done.names:
        say(f"  {word} {name}")
    if not done.names:
        say("  no change")
    if done.file.backup is not None:
        say(f"  a copy of the old file: {done.file.backup}")
    for name in () if task.is_removal else done.left:
        said = "is reached by an address, and is NOT guarded: see `signoff mcp --url`"
        say(f"  {name} {said}")
    if done.names and not task.is_dry:
        say("  restart the client to use it")
