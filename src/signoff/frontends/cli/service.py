"""`signoff service`: the daemon as a service of the system, under a user of its own.

    sudo signoff service init           asks what it needs to know
    sudo signoff service install        --dry-run shows every step
    signoff service status
    sudo signoff service uninstall

Agents run as other users: they connect to its socket, and neither read nor change what it keeps.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable

import click

from signoff.challenge.visible import visible, visible_lines
from signoff.channels.registry import titles
from signoff.frontends.cli.exits import Refusal, errors_as_messages
from signoff.frontends.cli.json_out import AnsweringGroup, echo_json, json_option
from signoff.frontends.cli.service_init import BROWSER, carry_out, finish, plan_lines, planned
from signoff.frontends.cli.wrapping import echo_in_columns, say
from signoff.frontends.client.found import service_here
from signoff.frontends.client.service_layout import LAYOUT
from signoff.frontends.doctor.service import check_service
from signoff.frontends.service.steps import (
    InstallStep,
    command_of_service,
    install_steps,
    is_systemd,
    start_steps,
    uninstall_steps,
)
from signoff.frontends.service.trust import code_paths, untrusted
from signoff.settings import CONFIG_DIR, PORT, STATE_DIR, load_settings

FIX = (
    "install signoff where only root can write, and run that one:\n"
    "  sudo python3 -m venv /opt/signoff && sudo /opt/signoff/bin/pip install signoff\n"
    "  sudo /opt/signoff/bin/signoff service install"
)
dry = click.option("--dry-run", "is_dry", is_flag=True, help="Show every step, change nothing.")


@click.group(
    "service", cls=AnsweringGroup, short_help="Run the daemon as a service with a user of its own."
)
def command() -> None:
    """Run the daemon as a service of the system, out of reach of agents."""


@command.command("init", short_help="Set the service up by questions, and start it.")
@click.option("--ask-in", type=click.Choice((BROWSER, *titles())), help="Where questions go.")
@click.option("--approver", "people", multiple=True, help="A user who answers; runs no agents.")
def init(*, ask_in: str | None, people: tuple[str, ...]) -> None:
    """Set the service up: install it, say who is asked and where, start it."""
    _check_root()
    _check_code()
    plan = planned(ask_in, people)
    click.secho("\nWhat would be done", bold=True)
    for line in plan_lines(plan):
        echo_in_columns(f"  {visible(line)}")
    if not click.confirm("\nDo this?", default=False):
        raise Refusal("nothing was changed")
    steps = install_steps(LAYOUT, command_of_service(), port=_port())
    carry_out(plan, lambda: _done(steps, is_dry=False))
    _say_installed()
    finish(plan)


@command.command("install")
@dry
def install(*, is_dry: bool) -> None:
    """Install the service, or bring an installed one up to date."""
    if is_dry:
        try:
            _check_code()
        # A dry run shows the steps all the same.
        except Refusal as refusal:
            say(f"it would be refused: {refusal.format_message()}")
    else:
        _check_root()
        _check_code()
    # The settings are closed to whoever looks at a dry run without root.
    port = PORT if is_dry and os.geteuid() != 0 else _port()
    _done(install_steps(LAYOUT, command_of_service(), port=port), is_dry=is_dry)
    _done(start_steps(LAYOUT), is_dry=is_dry)
    if not is_dry:
        _say_installed()


def _port() -> int:
    """Return where the settings of the service put its inbox."""
    with errors_as_messages():
        return load_settings(environment={CONFIG_DIR: LAYOUT.config, STATE_DIR: LAYOUT.state}).port


def _check_code() -> None:
    """Refuse to run code as a service that somebody else than root can change."""
    if problem := untrusted(code_paths()):
        said = f"who can change the code of signoff can change what it decides: {problem}"
        raise Refusal(f"{visible(said)}\n{FIX}")


def _check_root() -> None:
    if os.geteuid() != 0:
        raise Refusal("this needs root: `sudo signoff service ...`; --dry-run shows every step")


def _say_installed() -> None:
    """Print what to do after an installation."""
    if not is_systemd() and sys.platform != "darwin":
        say("systemd does not run here: start what stands behind ExecStart yourself")
    say("next      as each user of an agent: `signoff install claude-code` (or another)")
    say("          to answer: `sudo signoff open`")


@command.command("uninstall")
@dry
def uninstall(*, is_dry: bool) -> None:
    """Stop and remove the service.

    The audit log, the settings and the user of the service stay.
    """
    if not is_dry:
        _check_root()
    _done(uninstall_steps(LAYOUT), is_dry=is_dry)
    if not is_dry:
        say(f"kept: {LAYOUT.state}, {LAYOUT.config} and the user `{LAYOUT.user}`")
        say("next      as each user of an agent: run `signoff install` for it again")


@command.command("status")
@json_option
def status(*, is_json: bool) -> None:
    """Check the service and who can reach its files."""
    checks = [*check_service()]
    if is_json:
        echo_json([{"ok": one.is_good, "said": one.said, "fix": one.fix} for one in checks])
    for check in () if is_json else checks:
        echo_in_columns(f"{'good' if check.is_good else 'BAD':<9} {visible(check.said)}")
        if check.fix:
            echo_in_columns(f"{'fix':<9} {visible(check.fix)}")
    sys.exit(0 if service_here() and all(check.is_good for check in checks) else 1)


def _done(steps: Iterable[InstallStep], *, is_dry: bool) -> None:
    """Show and do each step, or only show it."""
    with errors_as_messages():
        for step in steps:
            for line in visible_lines(step.said):
                click.echo(line)
            if not is_dry:
                step.act()
