"""`signoff install <host>`: put signoff in front of an agent, or take it away again."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable
from difflib import unified_diff
from pathlib import Path

import click

from signoff.challenge.visible import visible
from signoff.frontends.cli.exits import errors_as_messages
from signoff.frontends.cli.first_lines import asked_lines, moved_said
from signoff.frontends.doctor.port import settle_port
from signoff.frontends.hosts.claude_code import install as claude_code_settings
from signoff.frontends.hosts.claude_code.kinds import HookKind
from signoff.frontends.hosts.claude_code.plugin import write_plugin
from signoff.frontends.hosts.installers import INSTALLERS
from signoff.frontends.hosts.installing import installer as host_files
from signoff.frontends.hosts.installing.files import FileChange
from signoff.frontends.hosts.installing.installer import Installer
from signoff.frontends.hosts.installing.versions import version_warning
from signoff.settings import load_settings

where = click.option(
    "--user/--project",
    "is_user",
    default=True,
    help="Your own settings (default), or those of the project in this folder.",
)
removal = click.option("--uninstall", "is_removal", is_flag=True, help="Take it away again.")
dry = click.option("--dry-run", "is_dry", is_flag=True, help="Show the change, write nothing.")


@click.group("install")
def command() -> None:
    """Put signoff in front of an agent."""


@command.command("claude-code")
@where
@click.option(
    "--kind",
    type=click.Choice([kind.value for kind in HookKind]),
    default=HookKind.COMMAND.value,
    show_default=True,
    help="A client of the daemon, the daemon over HTTP, or a process of its own for each call.",
)
@click.option(
    "--plugin",
    type=click.Path(file_okay=False, path_type=Path),
    help="Write a plugin package with its marketplace file into this folder instead.",
)
@removal
@dry
def claude_code(
    *, is_user: bool, kind: str, plugin: Path | None, is_removal: bool, is_dry: bool
) -> None:
    """Put signoff in front of every tool call of Claude Code."""
    path = (Path.home() if is_user else Path.cwd()) / ".claude" / "settings.json"
    with errors_as_messages():
        if plugin is not None:
            _show(write_plugin(plugin, is_dry=is_dry), is_removal=False, is_dry=is_dry)
            return
        if is_removal:
            change = claude_code_settings.uninstall(path, is_dry=is_dry)
        else:
            _settle(is_dry=is_dry)
            change = claude_code_settings.install(path, kind=HookKind(kind), is_dry=is_dry)
    _show([change], is_removal=is_removal, is_dry=is_dry)
    _warn(change.warnings)
    _next(is_removal=is_removal or is_dry)


def _command_of(installer: Installer) -> click.Command:
    """Return the command that installs signoff in front of one host."""

    @click.command(
        installer.name, help=f"Put signoff in front of every tool call of {installer.title}."
    )
    @where
    @removal
    @dry
    def install_host(*, is_user: bool, is_removal: bool, is_dry: bool) -> None:
        folder = Path.home() if is_user else Path.cwd()
        edit = host_files.uninstall if is_removal else host_files.install
        with errors_as_messages():
            _settle(is_dry=is_dry or is_removal)
            changes = edit(installer, folder, is_user=is_user, is_dry=is_dry)
        _show(changes, is_removal=is_removal, is_dry=is_dry)
        if not is_removal:
            _warn([host_files.elsewhere(installer, os.environ)] if is_user else [])
            _warn(version_warning(installer, program) for program in _programs(installer))
            for note in installer.notes:
                click.echo(f"note: {note}")
        _next(is_removal=is_removal or is_dry)

    return install_host


def _settle(*, is_dry: bool) -> None:
    """Take another port for the daemon where the usual one is somebody else's."""
    if is_dry:
        return
    settings = load_settings()
    if port := settle_port(settings):
        click.echo(moved_said(settings, port))


def _next(*, is_removal: bool) -> None:
    """Say how people are asked, and what to do next."""
    if is_removal:
        return
    for line in asked_lines(load_settings()):
        click.echo(visible(line))
    click.echo("next      start the agent again, and let `signoff doctor` try the hook")


def _programs(installer: Installer) -> list[str]:
    found = (shutil.which(program) for program in installer.programs[:1])
    return [program for program in found if program]


def _show(changes: Iterable[FileChange], *, is_removal: bool, is_dry: bool) -> None:
    """Say what was done to each file, or would be."""
    for change in changes:
        if not change.is_needed:
            click.echo(f"{change.path}: nothing to change")
        elif is_dry:
            before, after, name = change.before, change.after, str(change.path)
            for line in unified_diff(
                before.splitlines(), after.splitlines(), name, name, lineterm=""
            ):
                click.echo(visible(line))
        else:
            click.echo(f"{change.path}: signoff {'removed' if is_removal else 'installed'}")
            if change.backup:
                click.echo(f"{change.backup}: what was there before")


def _warn(warnings: Iterable[str]) -> None:
    for warning in warnings:
        if warning:
            click.secho(f"warning: {visible(warning)}", fg="yellow", err=True)


for _installer in INSTALLERS.values():
    command.add_command(_command_of(_installer))
