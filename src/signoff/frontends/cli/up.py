"""`signoff up`: the daemon in the background; or a service file that starts it at login."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

import click

from signoff.challenge.visible import visible
from signoff.frontends.cli.exits import Refusal, errors_as_messages
from signoff.frontends.cli.first_lines import asked_lines, model_lines, moved_said
from signoff.frontends.cli.json_out import answer_with
from signoff.frontends.cli.progress import progress
from signoff.frontends.cli.wrapping import LABEL_WIDTH, echo_in_columns, say
from signoff.frontends.client.places import Places
from signoff.frontends.doctor.port import (
    is_taken,
    keep_port,
    kept_if_started,
    settle_port,
    taken_said,
)
from signoff.frontends.server.control import NotRunning, Started, ask, start, stop
from signoff.frontends.server.control import command as daemon_command
from signoff.frontends.server.instance import foreign_holder, foreign_said, running_process
from signoff.frontends.server.units import (
    launchd_file,
    launchd_plist,
    systemd_file,
    systemd_unit,
)
from signoff.settings import PORT_RANGE, Settings, folder_variables, load_settings
from signoff.storage.text_file import READABLE, make_folder


@click.command("up", short_help="Start the daemon in the background.")
@click.option("--systemd", "unit", flag_value="systemd", help="Write a systemd user unit instead.")
@click.option("--launchd", "unit", flag_value="launchd", help="Write a launchd agent instead.")
@click.option("--dry-run", "is_dry", is_flag=True, help="Show the service file, write nothing.")
@click.option("--port", type=click.IntRange(*PORT_RANGE), help="Listen there from now on.")
def command(*, unit: str | None, is_dry: bool, port: int | None) -> None:
    """Start the daemon in the background, unless it runs already."""
    if unit is not None:
        _write_unit(unit, is_dry=is_dry)
        return
    if is_dry:
        raise click.UsageError("--dry-run goes with --systemd or --launchd")
    with errors_as_messages():
        settings = load_settings()
        with kept_if_started(settings):
            settings, started = _started(settings, port)
        places = Places(settings.state_dir)
    problems = list(_problems(places))
    told = [line.removeprefix("PROBLEM").strip() for line in problems]
    answer_with(pid=started.pid, was_running=started.was_running, problems=told)
    word = "runs already" if started.was_running else "started"
    say(f"the daemon {word} (process {started.pid})")
    for line in (*problems, *model_lines(settings), *asked_lines(settings)):
        say(line, indent=LABEL_WIDTH)


def _started(settings: Settings, port: int | None) -> tuple[Settings, Started]:
    """Start the daemon, on another port if one is given; return the settings it has."""
    places = Places(settings.state_dir)
    if other := foreign_holder(places):
        raise Refusal(f"the daemon does not start: {foreign_said(other, places)}")
    if port is not None:
        _move(settings, port)
    elif other := settle_port(settings):
        say(moved_said(settings, other))
    settings = load_settings()
    # A daemon that runs holds the port itself.
    if not running_process(places) and is_taken(settings.port):
        raise Refusal(f"the daemon does not start: {taken_said(settings.port)}")
    with progress("starting the daemon"):
        return settings, start(places)


def _problems(places: Places) -> Iterator[str]:
    """Yield what the daemon calls a problem, as `signoff status` does."""
    with contextlib.suppress(NotRunning):
        found = ask(places, "/v1/status").get("problems")
        for problem in found if isinstance(found, list) else ():
            yield f"PROBLEM   {problem}"


def _move(settings: Settings, port: int) -> None:
    """Have the daemon listen on another port; one that runs is ended."""
    # Its present port may be taken by the daemon itself.
    if port != settings.port and is_taken(port):
        raise Refusal(taken_said(port))
    keep_port(settings, port)
    if port == settings.port:
        return
    stop(Places(settings.state_dir))
    said = f"port {port} from now on; hooks that ask over HTTP know the old one:"
    say(f"{said}\n  where you installed with `--kind http`, do it again")


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
        make_folder(str(file.parent), mode=READABLE)
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        raise Refusal(f"{file} cannot be written: {error}") from error
    echo_in_columns(f"written: {visible(str(file))}")
    then = "systemctl --user enable --now signoff" if is_systemd else f"launchctl load -w {file}"
    echo_in_columns(f"to start it now and at every login: {visible(then)}")
