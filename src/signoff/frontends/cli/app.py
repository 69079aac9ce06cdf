"""The command `signoff`: the list of its commands, each loaded only when it is used.

`signoff --help` must be quick, so this file knows the commands by name and one sentence and
loads the module behind a name on its first use.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING

import click

import signoff
from signoff.channels.registry import CHANNELS

if TYPE_CHECKING:  # loaded where a shell asks
    from click.shell_completion import CompletionItem
from signoff.frontends.client.service_layout import LAYOUT

# name: (module, one sentence). The module holds a click command called `command`.
COMMANDS: Mapping[str, tuple[str, str]] = {
    "check": ("check", "Judge one call, or many with --batch."),
    "replay": ("replay", "Judge past calls again: agents' sessions, or the audit log."),
    "demo": ("demo", "Show example calls: allowed, asked about and denied."),
    "init": ("init", "Set signoff up: agents, questions, daemon, a first question."),
    "install": ("install", "Put signoff in front of an agent."),
    "completion": ("completion", "Print the script that completes commands in a shell."),
    "doctor": ("doctor", "Check that the agents of this machine are guarded."),
    "hook": ("hook", "Answer an agent's hook (called by the agent)."),
    "up": ("up", "Start the daemon in the background."),
    "open": ("open", "Open the inbox in your browser and sign in."),
    "service": ("service", "Run the daemon as a service with a user of its own."),
    "down": ("down", "Stop the daemon."),
    "status": ("status", "Show the daemon, rules, locks and recent problems."),
    "sessions": ("sessions", "List the sessions of agents."),
    "lock": ("lock", "Panic switch: block all calls, or one agent, session or tool."),
    "unlock": ("unlock", "Lift a lock; asks on your terminal."),
    "proxy": ("proxy", "Judge the requests of a web server in any language."),
    "serve": ("serve", "Run the daemon in the foreground."),
    "run": ("run", "Start an agent, only if it is guarded."),
    "mcp": ("mcp", "Judge what passes between an MCP client and a server."),
    "mcp-server": ("mcp_server", "Serve tools that explain verdicts, to MCP clients."),
    "pending": ("pending", "List the requests that wait for an answer."),
    "show": ("show", "Show one request with its whole card."),
    "approve": ("approve", "Approve a request; asks on your terminal."),
    "allow-once": ("allow_once", "Approve one request by its id; asks on your terminal."),
    "deny": ("deny", "Deny a request; asks on your terminal."),
    "exec": ("exec", "Check an approved call again before it runs (used by signoff)."),
    "watch": ("watch", "Show waiting requests, live."),
    "confirm": ("confirm", "Confirm a change that was made outside the daemon."),
    "nap": ("nap", "Approve small questions automatically for a while."),
    "shadow": ("shadow", "Shadow mode: judge and record every call, block none."),
    "mode": ("mode", "Choose who asks: your channels or the agent's own prompt."),
    "approvers": ("approvers", "List and change who may answer."),
    "tokens": ("tokens", "API tokens for programs, limited in scope and time."),
    "trust": ("trust", "Show how far agents are trusted; record an incident, revoke."),
    "policies": ("policies", "List and change guidance for the model."),
    "grants": ("grants", "List and revoke approvals that cover more than one call."),
    "rules": ("rules", "Check, test and explain rules."),
    "learn": ("learn", "Rules proposed from what people approved, and learned ones."),
    "programs": ("programs", "Check, test and explain descriptions of programs."),
    "bundle": ("bundle", "One policy for many machines: build and sign it, or follow it."),
    "audit": ("audit", "Read, verify and export the audit log."),
    "witness": ("witness", "Watch audit logs of other machines: cosign their checkpoints."),
    "cost": ("cost", "Show what model calls cost."),
}
SETUPS = {one.name: one for one in CHANNELS if one.help}  # the commands of messengers


class LazyGroup(click.Group):
    """A group whose commands are modules of this folder."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the commands in the order of the table."""
        return [*COMMANDS, *SETUPS]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Load a command, and let Python's collector run again where the start has stopped it."""
        try:
            if found := _load(cmd_name):
                module = import_module("signoff.frontends.cli.json_out")
                found = module.answer_in_json(cmd_name, found)
            return found
        finally:
            if not gc.isenabled():
                # What is loaded stays to the end. The collector would look through it several
                # times, at the exit too: a quarter of `signoff check`.
                gc.freeze()
                gc.enable()

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Complete the name of a command without loading any."""
        from click.shell_completion import CompletionItem  # noqa: PLC0415 - a shell asks for it

        names = {name: said for name, (_, said) in COMMANDS.items()}
        names |= {name: one.help for name, one in SETUPS.items()}
        found = [
            CompletionItem(name, help=said)
            for name, said in names.items()
            if name.startswith(incomplete)
        ]
        # Not `super()`: a group's own completion loads every command.
        return [*found, *click.Command.shell_complete(self, ctx, incomplete)]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without loading them."""
        with formatter.section("Commands"):
            said = {name: said for name, (_, said) in COMMANDS.items()}
            setups = {name: one.help for name, one in SETUPS.items()}
            formatter.write_dl([*{**said, **setups}.items()])


def _load(name: str) -> click.Command | None:
    if name in SETUPS:
        setup = import_module("signoff.frontends.cli.channel_setup")
        found: click.Command = setup.command_of(SETUPS[name])
        return found
    if name not in COMMANDS:
        return None
    module = import_module(f"signoff.frontends.cli.{COMMANDS[name][0]}")
    command: click.Command = module.command
    return command


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(signoff.__version__, prog_name="signoff")
@click.pass_context
def app(ctx: click.Context) -> None:
    """The sign-off layer between AI agents and what they do."""
    # One look at the file system: only who has the service pays for the rest.
    if os.path.exists(LAYOUT.unit):
        import_module("signoff.frontends.cli.as_service").prepare(str(ctx.invoked_subcommand))
