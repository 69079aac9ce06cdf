"""`signoff doctor`: is what should be guarded really guarded? Exit status 1 if anything is not.

Looks at the hosts of this machine, and sends one call that must be refused through each hook
that is installed; those calls stand on the record, in the session `signoff-doctor`. Looks at the
daemon, the rules, the record, the clock, files and versions as well.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import click
from msgspec.structs import asdict

from signoff.build.judge import load_settings_here
from signoff.challenge.visible import visible
from signoff.errors import SignoffError
from signoff.frontends.cli.bundle_lines import check_bundle_here
from signoff.frontends.cli.first_lines import check_asking
from signoff.frontends.cli.progress import shown_each
from signoff.frontends.cli.wrapping import echo_in_columns, say
from signoff.frontends.doctor.check import DoctorCheck
from signoff.frontends.doctor.hosts import HOST_NAMES, HostFolders, check_hosts
from signoff.frontends.doctor.machine import check_machine

UNDER = 18  # behind the sign and what a check is about


@click.command("doctor", short_help="Check that the agents of this machine are guarded.")
@click.option(
    "--host",
    "hosts",
    multiple=True,
    type=click.Choice(HOST_NAMES),
    metavar="AGENT",
    help=f"Only this agent, found or not; may be given more than once: {', '.join(HOST_NAMES)}.",
)
@click.option("--json", "is_json", is_flag=True, help="Answer in JSON.")
def command(*, hosts: tuple[str, ...], is_json: bool) -> None:
    """Check that the agents here call signoff, and that it denies a test call."""
    checks: list[DoctorCheck] = []
    for check in shown_each("checking", _checks(hosts)):
        checks.append(check)
        if not is_json:
            _show(check)
    is_healthy = all(check.is_good for check in checks)
    if is_json:
        said = {"healthy": is_healthy, "checks": [asdict(check) for check in checks]}
        click.echo(json.dumps(said, indent=2))
    sys.exit(0 if is_healthy else 1)


def _checks(hosts: tuple[str, ...]) -> Iterator[DoctorCheck]:
    folders = HostFolders(home=Path.home(), project=Path.cwd())
    # Before the settings: hosts can be looked at even where those cannot be read.
    yield from check_hosts(folders, hosts)
    try:
        settings = load_settings_here()
    except SignoffError as error:
        fix = "fix the line it names; until then every call is refused"
        yield DoctorCheck(about="settings", is_good=False, said=str(error), fix=fix)
        return
    yield from check_bundle_here(settings)
    yield from check_asking(settings, folders, hosts)
    yield from check_machine(settings)


def _show(check: DoctorCheck) -> None:
    sign, colour = ("good", "green") if check.is_good else ("BAD", "red")
    about = click.style(f"{check.about:<11}", bold=True)
    head = f"{click.style(f'{sign:<5}', fg=colour)} {about} "
    echo_in_columns(f"{head}{visible(check.said)}", indent=UNDER)
    if check.fix:
        say(f"{'':<{UNDER}}fix: {check.fix}", indent=UNDER)
