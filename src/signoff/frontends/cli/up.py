"""`signoff up`: the daemon in the background; or a service file that starts it at login."""

from __future__ import annotations

from pathlib import Path

import click

from signoff.challenge.visible import visible
from signoff.frontends.cli.exits import Refusal, errors_as_messages
from signoff.frontends.client.places import Places
from signoff.frontends.server.control import command as daemon_command
from signoff.frontends.server.control import start
from signoff.frontends.server.units import (
    launchd_file,
    launchd_plist,
    systemd_file,
    systemd_unit,
)
from signoff.settings import folder_variables, load_settings


@click.command("up", short_help="Start the daemon in the background.")
@click.option("--systemd", "unit", flag_value="systemd", help="Write a systemd user unit instead.")
@click.option("--launchd", "unit", flag_value="launchd", help="Write a launchd agent instead.")
@click.option("--dry-run", "is_dry", is_flag=True, help="Show the service file, write nothing.")
def command(*, unit: str | None, is_dry: bool) -> None:
    """Start the daemon unless it runs, and wait until it answers."""
    if unit is not None:
        _write_unit(unit, is_dry=is_dry)
        return
    if is_dry:
        raise click.UsageError("--dry-run goes with --systemd or --launchd")
    with errors_as_messages():
        started = start(Places(load_settings().state_dir))
    word = "runs already" if started.was_running else "started"
    click.echo(f"the daemon {word} (process {started.pid})")


def _write_unit(kind: str, *, is_dry: bool) -> None:
    """Write a service file, or show it."""
    is_systemd = kind == "systemd"
    chosen, home = folder_variables(), Path.home()
    file = systemd_file(home, chosen) if is_systemd else launchd_file(home)
    text = (systemd_unit if is_systemd else launchd_plist)(daemon_command(), chosen)
    if is_dry:
        click.echo(text, nl=False)
        return
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        raise Refusal(f"{file} cannot be written: {error}") from error
    click.echo(f"written: {visible(str(file))}")
    then = "systemctl --user enable --now signoff" if is_systemd else f"launchctl load -w {file}"
    click.echo(f"to start it now and at every login: {visible(then)}")
