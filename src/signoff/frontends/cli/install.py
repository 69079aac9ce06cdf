"""`signoff install <host>`: put signoff in front of an agent, or take it away again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from difflib import unified_diff
from pathlib import Path

import click

from signoff.challenge.visible import visible
from signoff.frontends.cli.exits import errors_as_messages
from signoff.frontends.cli.first_lines import asked_lines, moved_said
from signoff.frontends.cli.json_out import AnsweringGroup, answer_with
from signoff.frontends.cli.wrapping import LABEL_WIDTH, say
from signoff.frontends.client.found import service_here
from signoff.frontends.doctor.port import settle_port
from signoff.frontends.hosts.host import HostManifest, install, uninstall, warnings_of
from signoff.frontends.hosts.installing.files import FileChange
from signoff.frontends.hosts.registry import HOSTS
from signoff.settings import load_settings

Command = Callable[..., None]
where = click.option(
    "--user/--project",
    "is_user",
    default=True,
    help="Your own settings (default), or those of the project in this folder.",
)
removal = click.option("--uninstall", "is_removal", is_flag=True, help="Remove it again.")
dry = click.option("--dry-run", "is_dry", is_flag=True, help="Show the change, write nothing.")
into_folder = click.option(
    "--plugin",
    type=click.Path(file_okay=False, path_type=Path),
    help="Write a plugin package with its marketplace file into this folder instead.",
)


@click.group("install", cls=AnsweringGroup)
def command() -> None:
    """Put signoff in front of an agent."""


def command_of(host: HostManifest) -> click.Command:
    """Return the command `signoff install NAME` of one host."""

    def install_host(
        *,
        is_user: bool,
        is_removal: bool,
        is_dry: bool,
        kind: str = "",
        plugin: Path | None = None,
    ) -> None:
        folder = Path.home() if is_user else Path.cwd()
        with errors_as_messages():
            if plugin is not None and host.write_plugin is not None:
                written = host.write_plugin(plugin, is_dry=is_dry)
                answer_with(files=[*map(_change_json, written)])
                show_changes(written, is_dry=is_dry)
                return
            if is_removal:
                changes = uninstall(host, folder, is_user=is_user, is_dry=is_dry)
            else:
                # Before the hooks: those over HTTP carry the port.
                _settle(is_dry=is_dry)
                changes = install(host, folder, is_user=is_user, kind=kind, is_dry=is_dry)
        answer_with(files=[*map(_change_json, changes)])
        show_changes(changes, is_removal=is_removal, is_dry=is_dry)
        if not is_removal:
            _tell(host, changes, is_user=is_user)
        _next(is_removal=is_removal or is_dry)

    options: list[Callable[[Command], Command]] = [dry, removal]
    options += [into_folder] if host.write_plugin else []
    options += [kinds_of(host)] if host.kinds else []
    options += [where]
    # Decorators are applied from the last to the first, so click lists them the other way round.
    for option in options:
        install_host = option(install_host)
    help = f"Judge every tool call of {host.title}."
    return click.command(host.name, help=help)(install_host)


def kinds_of(host: HostManifest) -> Callable[[Command], Command]:
    """Return the click option that selects one of the host's kinds of installation."""
    return click.option(
        "--kind",
        type=click.Choice(list(host.kinds)),
        default=next(iter(host.kinds)),
        show_default=True,
        help=host.kinds_help,
    )


def _tell(host: HostManifest, changes: Sequence[FileChange], *, is_user: bool) -> None:
    """Say what a person should know of an installation."""
    for warning in warnings_of(host, changes, is_user=is_user):
        click.secho(f"warning: {visible(warning)}", fg="yellow", err=True)
    for note in host.notes:
        say(f"note: {note}")


def _settle(*, is_dry: bool) -> None:
    """Take another port for the daemon where the usual one is somebody else's."""
    # A service has its port in settings of its own, which this user cannot change.
    if is_dry or service_here() is not None:
        return
    settings = load_settings()
    if port := settle_port(settings):
        say(moved_said(settings, port))


def _next(*, is_removal: bool) -> None:
    """Say how people are asked, and what to do next."""
    if is_removal:
        return
    for line in asked_lines(load_settings()):
        say(line, indent=LABEL_WIDTH)
    say("next      start the agent again, and let `signoff doctor` try the hook")


def show_changes(changes: Iterable[FileChange], *, is_dry: bool, is_removal: bool = False) -> None:
    """Print what was done to each file, or would be.

    Args:
        is_dry: nothing was written.
        is_removal: signoff was removed.
    """
    for change in changes:
        if not change.is_needed:
            say(f"{change.path}: nothing to change")
        elif is_dry:
            before, after, name = change.before, change.after, str(change.path)
            for line in unified_diff(
                before.splitlines(), after.splitlines(), name, name, lineterm=""
            ):
                click.echo(visible(line))
        else:
            say(f"{change.path}: signoff {'removed' if is_removal else 'installed'}")
            if change.backup:
                say(f"{change.backup}: what was there before")


def _change_json(change: FileChange) -> dict[str, object]:
    """Return a change of a file for programs; a new file has nothing before."""
    return {
        "path": str(change.path),
        "is_changed": change.is_needed,
        "is_new": not change.before,
        "backup": str(change.backup) if change.backup else None,
    }


for _host in HOSTS:
    command.add_command(command_of(_host))
