"""`signoff doctor`: is what should be guarded really guarded? Exit status 1 if anything is not.

Looks at the settings of the hosts, and sends one call that must be refused through the installed
hook; that call stands on the record, in the session `signoff-doctor`.
"""

from __future__ import annotations

import sys
from pathlib import Path

import click

from signoff.challenge.visible import visible
from signoff.frontends.cli.exits import errors_as_messages
from signoff.frontends.hosts.claude_code.checkup import check_up


@click.command("doctor", short_help="Check that the agents of this machine are guarded.")
def command() -> None:
    """Check that Claude Code calls signoff here, and that signoff refuses what it must."""
    is_healthy = True
    with errors_as_messages():
        for check in check_up(Path.home(), Path.cwd()):
            sign, colour = ("good", "green") if check.is_good else ("BAD", "red")
            click.echo(f"{click.style(f'{sign:<5}', fg=colour)} {visible(check.said)}")
            is_healthy = is_healthy and check.is_good
    sys.exit(0 if is_healthy else 1)
