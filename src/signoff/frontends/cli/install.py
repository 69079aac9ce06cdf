"""`signoff install <host>`: put signoff in front of an agent, or take it away again."""

from __future__ import annotations

from difflib import unified_diff
from pathlib import Path

import click

from signoff.challenge.visible import visible
from signoff.frontends.cli.exits import errors_as_messages
from signoff.frontends.hosts.claude_code import install as claude_code_settings
from signoff.frontends.hosts.claude_code.kinds import Kind


@click.group("install")
def command() -> None:
    """Put signoff in front of an agent."""


@command.command("claude-code")
@click.option(
    "--user/--project",
    "is_user",
    default=True,
    help="Your own settings (default), or those of the project in this folder.",
)
@click.option(
    "--kind",
    type=click.Choice([kind.value for kind in Kind]),
    default=Kind.COMMAND.value,
    show_default=True,
    help="A client of the daemon, the daemon over HTTP, or a process of its own for each call.",
)
@click.option("--uninstall", "is_removal", is_flag=True, help="Take it away again.")
@click.option("--dry-run", "is_dry", is_flag=True, help="Show the change, write nothing.")
def claude_code(*, is_user: bool, kind: str, is_removal: bool, is_dry: bool) -> None:
    """Put signoff in front of every tool call of Claude Code."""
    folder = Path.home() if is_user else Path.cwd()
    path = folder / ".claude" / "settings.json"
    with errors_as_messages():
        if is_removal:
            change = claude_code_settings.uninstall(path, is_dry=is_dry)
        else:
            change = claude_code_settings.install(path, kind=Kind(kind), is_dry=is_dry)
    if not change.is_needed:
        click.echo(f"{path}: nothing to change")
    elif is_dry:
        before, after = change.before.splitlines(), change.after.splitlines()
        for line in unified_diff(before, after, str(path), str(path), lineterm=""):
            click.echo(visible(line))
    else:
        click.echo(f"{path}: signoff {'removed' if is_removal else 'installed'}")
        if change.backup:
            click.echo(f"{change.backup}: what was there before")
    for warning in change.warnings:
        click.secho(f"warning: {warning}", fg="yellow", err=True)
